"""The keys of a question in a file, and what each may hold: from what was read to a Question.

Whatever a file holds gives a question or a reason in words, never another failure.
"""

import hashlib
import re
from collections.abc import Mapping

from rag_assistant.evaluation.questions.values import Question, document_id

KEYS = (
    "id",
    "question",
    "database",
    "relevant",
    "quotes",
    "answers",
    "answerable",
    "without",
    "kind",
    "generated",
    "starts",
)
BEIR_KEYS = {"_id": "id", "text": "question"}
"""What a query of a BEIR collection calls its keys; `metadata` it has besides, and nothing reads.

https://github.com/beir-cellar/beir/wiki/Load-your-custom-dataset
"""

HIGHEST_GRADE = 1_000
"""Of a judgement, above and below 0. Published collections stay within 10; trec_eval makes a table
as long as the highest grade."""

_LONGEST_ID = 500
_LONGEST_QUESTION = 20_000
_LONGEST_TEXT = 1_000_000
_MOST_VALUES = 100_000
_LAST_START = 2**53
_UNFIT = re.compile("[\0\ud800-\udfff]")


class Unfit(ValueError):
    """Values that are no question; the message says why, for a person."""


def unknown_keys(values: Mapping[str, object]) -> list[str]:
    """List the keys that nothing here reads."""
    return [key for key in values if key not in KEYS and key not in BEIR_KEYS and key != "metadata"]


def question_of(values: Mapping[str, object]) -> Question:
    """Make a question of the values of its keys; None stands for a key that is not there.

    A question without an id gets one made of its words: it stays the same question when lines
    above it come and go. Raises Unfit.
    """
    given = {key: value for key, value in values.items() if value is not None}
    for theirs, ours in BEIR_KEYS.items():
        if theirs in given:
            given.setdefault(ours, given.pop(theirs))
    if "question" not in given:
        raise Unfit("question: there is none")
    text = _text(given["question"], "question", _LONGEST_QUESTION)
    quotes = _texts(given.get("quotes", []), "quotes")
    starts = _starts(given.get("starts", []), "starts")
    if starts and len(starts) != len(quotes):
        raise Unfit(f"starts: {len(starts)} for {len(quotes)} quotes; there has to be one for each")
    return Question(
        id=_text(_written(given["id"]), "id", _LONGEST_ID) if "id" in given else made_id(text),
        text=text,
        relevant=_grades(given.get("relevant", []), "relevant"),
        quotes=quotes,
        answers=_texts(given.get("answers", []), "answers"),
        answerable=_truth(given.get("answerable", True), "answerable"),
        databases=tuple(dict.fromkeys(_texts(given.get("database", []), "database"))),
        without=tuple(dict.fromkeys(_documents(given.get("without", []), "without"))),
        kind=_word(given.get("kind", ""), "kind"),
        generated=_word(given.get("generated", ""), "generated"),
        starts=starts,
    )


def made_id(text: str) -> str:
    """Make the id of a question that has none, of its words."""
    words = " ".join(text.casefold().split())
    return f"q-{hashlib.sha256(words.encode('utf-8')).hexdigest()[:14]}"


def _text(value: object, key: str, longest: int = _LONGEST_TEXT) -> str:
    if not isinstance(value, str):
        raise Unfit(f"{key}: {_kind_of(value)} where a text belongs")
    if not value.strip():
        raise Unfit(f"{key}: empty")
    if len(value) > longest:
        raise Unfit(f"{key}: longer than {longest:,} characters")
    if _UNFIT.search(value):
        raise Unfit(f"{key}: holds a NUL or half a character (a lone surrogate)")
    return value


def _word(value: object, key: str) -> str:
    return "" if value == "" else _text(value, key, _LONGEST_ID)


def _written(value: object) -> object:
    """Give a whole number as text: ids and answers are often written so."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**18:
        return str(value)
    return value


def _list(value: object, key: str) -> list[object]:
    """Give the values of a list, or the one that stands for a list of one."""
    values = value if isinstance(value, list) else [value]
    if len(values) > _MOST_VALUES:
        raise Unfit(f"{key}: more than {_MOST_VALUES:,} of them")
    return values


def _texts(value: object, key: str) -> tuple[str, ...]:
    return tuple(_text(_written(each), key) for each in _list(value, key))


def _documents(value: object, key: str) -> tuple[str, ...]:
    return tuple(map(document_id, _texts(value, key)))


def _grades(value: object, key: str) -> Mapping[str, int]:
    if not isinstance(value, dict):
        return dict.fromkeys(_documents(value, key), 1)
    documents = _documents(list(value), key)
    return dict(zip(documents, (grade_of(each, key) for each in value.values()), strict=True))


def grade_of(value: object, key: str) -> int:
    """Give the grade of a judgement. Raises Unfit for what is no whole number, and far too high."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise Unfit(f"{key}: a grade is {_kind_of(value)}, not a whole number")
    if abs(value) > HIGHEST_GRADE:
        raise Unfit(f"{key}: a grade is beyond {HIGHEST_GRADE:,}")
    return value


def _starts(value: object, key: str) -> tuple[int, ...]:
    starts = [each for each in _list(value, key) if type(each) is int and 0 <= each < _LAST_START]
    if len(starts) != len(_list(value, key)):
        raise Unfit(f"{key}: not all of them are offsets, whole numbers from 0 on")
    return tuple(starts)


def _truth(value: object, key: str) -> bool:
    if not isinstance(value, bool):
        raise Unfit(f"{key}: {_kind_of(value)} where true or false belongs")
    return value


def _kind_of(value: object) -> str:
    """Name the kind of a value, in the words of those who write files."""
    if isinstance(value, bool):
        return "true or false"
    if isinstance(value, int | float):
        return "a number"
    if isinstance(value, str):
        return "a text"
    return "a list" if isinstance(value, list) else "a value of another kind"
