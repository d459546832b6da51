"""Judged collections made strange: what people have, and judged collections seldom hold.

Each change is a function of a collection; what is relevant stays known. The same for every run.
"""

import gzip
import json
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.text.terms import STOP_WORDS, words_in

TINY, ROWS, ALTERED = 12, 250, 9
"""Words of a tiny text, numbers that are put behind a text, and every which word a copy alters."""

PREAMBLE = (
    "Hello, I have been reading about this for some time now, and people around me say different"
    " things, so before we meet next week I would like to know for certain, in a few sentences and"
    " with the place where it is written, whether the following is the case or not, and if it is"
    " not, what is known instead, since I could not find it by myself:"
)

Grades = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents, title and text by id, and questions, each with the grades of documents."""

    documents: Mapping[str, tuple[str, str]]
    questions: tuple[tuple[str, Grades], ...]

    def write(self, folder: Path) -> None:
        """Write the documents as a file of records, alone in a folder."""
        folder.mkdir()
        with (folder / "corpus.jsonl").open("w", encoding="utf-8") as out:
            for key, (title, text) in self.documents.items():
                out.write(json.dumps({"_id": key, "title": title, "text": text}) + "\n")

    def of(self, texts: Iterable[tuple[str, tuple[str, str]]]) -> "Collection":
        """Give the same questions to other documents."""
        return replace(self, documents=dict(texts))

    def asking(self, ask: Callable[[str], str]) -> "Collection":
        """Give other questions to the same documents."""
        return replace(self, questions=tuple((ask(text), known) for text, known in self.questions))


def read_collection(folder: Path, most: int) -> Collection:
    """Read a collection in the layout of BEIR, with `most` of its questions, evenly chosen."""
    with gzip.open(folder / "corpus.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    asked = [(one.text, one.relevant) for one in read_questions(folder).questions]
    return Collection(
        {one["_id"]: (one.get("title", ""), one["text"]) for one in records},
        tuple(asked[:: max(1, len(asked) // most)][:most]),
    )


def titles_alone(given: Collection) -> Collection:
    """Leave the titles, or the first words where there are none."""
    return given.of(
        (key, (title or _first_words(text), "")) for key, (title, text) in given.documents.items()
    )


def tiny_texts(given: Collection) -> Collection:
    """Leave the first words of each text."""
    return given.of(
        (key, (title, _first_words(text))) for key, (title, text) in given.documents.items()
    )


def rows_of_numbers(given: Collection) -> Collection:
    """Put rows of numbers behind every second text."""
    return given.of(
        (key, (title, f"{text}\n\n{_numbers(key)}" if _chance(key) % 2 else text))
        for key, (title, text) in given.documents.items()
    )


def one_huge_document(given: Collection) -> Collection:
    """Make one document of half of those that nobody asks for."""
    wanted = {key for _, grades in given.questions for key in grades}
    parts: list[str] = []
    kept: list[tuple[str, tuple[str, str]]] = []
    for key, (title, text) in given.documents.items():
        if key not in wanted and _chance(key) % 2:
            parts.append(f"{title}\n{text}")
        else:
            kept.append((key, (title, text)))
    return given.of([*kept, ("huge", ("All of the rest", "\n\n".join(parts)))])


def near_duplicates(given: Collection) -> Collection:
    """Put beside each document one that says nearly the same, and is as relevant."""
    copies = [
        (f"{key}~", (title, _altered(text))) for key, (title, text) in given.documents.items()
    ]
    both = given.of([*given.documents.items(), *copies])
    return replace(
        both,
        questions=tuple(
            (text, {**grades, **{f"{key}~": grade for key, grade in grades.items()}})
            for text, grades in given.questions
        ),
    )


def two_words(given: Collection) -> Collection:
    """Ask with the two words of a question that fewest documents hold."""
    held = Counter(
        word
        for title, text in given.documents.values()
        for word in set(words_in(f"{title} {text}".lower()))
    )

    def rarest(question: str) -> str:
        words = [word for word in words_in(question.lower()) if word not in STOP_WORDS]
        return " ".join(sorted(dict.fromkeys(words), key=lambda word: held[word] or 10**9)[:2])

    return given.asking(rarest)


def long_questions(given: Collection) -> Collection:
    """Ask as people write letters: at length, before what they want to know."""
    return given.asking(lambda text: f"{PREAMBLE} {text}")


CHANGES: Mapping[str, Callable[[Collection], Collection]] = {
    "as it is": lambda given: given,
    "titles without text": titles_alone,
    "tiny texts": tiny_texts,
    "rows of numbers": rows_of_numbers,
    "one huge document": one_huge_document,
    "near-duplicates": near_duplicates,
    "questions of two words": two_words,
    "long questions": long_questions,
}


def _first_words(text: str) -> str:
    return " ".join(text.split()[:TINY])


def _chance(key: str) -> int:
    return int(sha256(key.encode()).hexdigest(), 16)


def _numbers(key: str) -> str:
    state, rows = _chance(key), []
    for _ in range(ROWS // 10):
        rows.append(" ".join(str(state >> shift & 0xFFFF) for shift in range(0, 200, 20)))
        state = _chance(str(state))
    return "\n".join(rows)


def _altered(text: str) -> str:
    words = text.split()
    words[ALTERED - 1 :: ALTERED] = ["otherwise"] * len(words[ALTERED - 1 :: ALTERED])
    return " ".join(words)
