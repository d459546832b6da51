"""What a mail quotes does not count for it where the mail that it quotes is among the candidates.

Else each answer within a thread would be found by the words of the first mail, and stand before it.
Nothing is left out of what is read or shown.
"""

from collections.abc import Iterator, Sequence
from itertools import islice

from rag_assistant.text.likeness import SHINGLE, lower_words
from rag_assistant.text.quoting import apart, introduces
from rag_assistant.values.search_plan import Candidate, CandidatePassage

HELD = 0.8
"""Share of a quote's runs of three words that another candidate has of its own, from which it is
said there: programs wrap lines anew, and a mark may stand within a run."""

_Run = tuple[str, ...]


def said_once(candidates: Sequence[Candidate]) -> list[list[str | None]]:
    """Give the texts of the candidates' passages, without what they quote of each other.

    None for a passage that came without its text.
    """
    texts = [[one.texts.get(record.id) for record in one.records] for one in candidates]
    parts = [[_apart(text) if text else ("", "") for text in some] for some in texts]
    wanted = {run for some in parts for _, quoted in some if quoted for run in _runs(quoted)}
    said_by: dict[_Run, int] = {}  # the candidate that has a run of its own; -1 where several have
    for number, some in enumerate(parts if wanted else []):
        for run in wanted.intersection(run for own, _ in some for run in _runs(own)):
            said_by[run] = number if said_by.get(run, number) == number else -1
    return [
        [
            _said(text, own, held=bool(quoted) and _is_held(quoted, number, said_by))
            for (own, quoted), text in zip(some, given, strict=True)
        ]
        for number, (some, given) in enumerate(zip(parts, texts, strict=True))
    ]


def _said(text: CandidatePassage | None, own: str, *, held: bool) -> str | None:
    if text is None:
        return None
    return own if held else text.text


def _apart(passage: CandidatePassage) -> tuple[str, str]:
    """Give what a passage says itself and what it quotes; most quote nothing."""
    own, quoted = apart(passage.text)
    if quoted or not passage.heading or not introduces(passage.heading):
        return own, quoted
    # A quote without marks: the lines that introduce it stand before its first blank line.
    head, gap, rest = passage.text.lstrip().partition("\n\n")
    return (head, rest) if gap and introduces(head.partition("\n")[0]) else ("", passage.text)


def _runs(text: str) -> Iterator[_Run]:
    words = lower_words(text)
    return zip(*(islice(words, at, None) for at in range(SHINGLE)), strict=False)


def _is_held(quoted: str, number: int, said_by: dict[_Run, int]) -> bool:
    runs = list(_runs(quoted))
    held = sum(said_by.get(run, number) != number for run in runs)
    return bool(runs) and held >= HELD * len(runs)
