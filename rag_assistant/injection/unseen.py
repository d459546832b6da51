"""Which of the words that nobody sees say something to a reader or a model.

Publishing tools leave much in a file that is not shown: bookmark ids, names of form fields, running
numbers. None of it says anything, so none of it is suspicious, however small its type is.
"""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby

from rag_assistant.text.terms import STOP_WORDS, is_unspaced
from rag_assistant.values.documents import HiddenText

FEWEST_WORDS = 4
"""Words of language that say something; with fewer it is a label, a name or a running head."""

FEWEST_IN_A_ROW, FEWEST_STOP_WORDS = 3, 2
"""Words with small letters in a row, and words such as "the" where all is in capitals."""

FEWEST_UNSPACED = 8
"""Letters that do, in a script that puts no spaces between words."""

_LOOKED_ON = 80
"""Characters between two hidden spans that may be one sentence with seen words in between."""

_TOKEN = re.compile(r"\S+")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_AROUND = "\"'“”‘’«»()[]{}<>.,;:!?…—–-*·•"
_LEAST_OF_WORDS = 0.5


def telling(text: str, hidden: Iterable[HiddenText]) -> Iterator[HiddenText]:
    """Give those of a text's hidden spans that are part of language, in order of start.

    Spans close to one another are read together: what is cut into pieces still says what it says.
    """
    near: list[HiddenText] = []
    for span in sorted(hidden, key=lambda span: span.start):
        if near and span.start - near[-1].end > _LOOKED_ON:
            yield from _if_language(text, near)
            near = []
        near.append(span)
    yield from _if_language(text, near)


def _if_language(text: str, spans: list[HiddenText]) -> list[HiddenText]:
    pieces = [text[span.start : span.end] for span in spans]
    if is_language(" ".join(pieces)):
        return [span for span, piece in zip(spans, pieces, strict=True) if _has_words(piece)]
    return []


def is_language(words: str) -> bool:
    """Whether words are running text: neither identifiers nor numbers, labels nor single names.

    A few words in a row that begin with small letters tell a sentence from labels and names, or, in
    capitals alone, words such as "the" and "is". Words with a digit or an underscore in them are
    identifiers.
    """
    tokens = [token.strip(_AROUND) for token in _TOKEN.findall(words)]
    plain = [token for token in tokens if _WORD.fullmatch(token)]
    if sum(len(token) for token in plain if is_unspaced(token)) >= FEWEST_UNSPACED:
        return True
    written = [token for token in tokens if any(map(str.isalnum, token))]
    if len(plain) < FEWEST_WORDS or len(plain) < _LEAST_OF_WORDS * len(written):
        return False
    if all(word.isupper() for word in plain):
        return sum(word.lower() in STOP_WORDS for word in plain) >= FEWEST_STOP_WORDS
    caseless = not any(word[0].isupper() or word[0].islower() for word in plain)
    runs = groupby(tokens, lambda token: _WORD.fullmatch(token) is not None and token[0].islower())
    return caseless or any(small and len(list(run)) >= FEWEST_IN_A_ROW for small, run in runs)


def _has_words(piece: str) -> bool:
    return any(character.isalpha() for character in piece)
