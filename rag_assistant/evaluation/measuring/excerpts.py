"""Measures of retrieved excerpts against reference excerpts, token by token.

An excerpt is a span of an entry's text; a token counts for a span that it begins in. So the same
word at another place does not count, and neither does a token twice that two excerpts share.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from rag_assistant.evaluation.runs.outcomes import EvidenceOutcome, Overlap, Span
from rag_assistant.text.terms import is_unspaced

_WORD = re.compile(r"\w+")

Token = tuple[str, int, int]
"""A database, an entry of it, and where in its text the token begins."""

MEASURES = ("recall", "precision", "IoU")
EVIDENCE_MEASURES = tuple(f"{what}_{name}" for what in ("evidence", "passage") for name in MEASURES)
"""All measures of an outcome, in the order of a report."""


def evidence_measures(outcome: EvidenceOutcome) -> Mapping[str, float]:
    """Measure what was found for a question: evidence_recall, evidence_precision and evidence_IoU
    of the verified quotes, and passage_recall and so on of the passages that were shown.

    Each is from 0 to 1; they are left out where no quote of the question was placed.
    """
    compared = {"evidence": outcome.evidence_overlap, "passage": outcome.passage_overlap}
    return {
        f"{what}_{name}": value
        for what, one in compared.items()
        if one is not None
        for name, value in measures_of(one).items()
    }


def measures_of(compared: Overlap) -> Mapping[str, float]:
    """Give recall, precision and intersection over union, from 0 to 1.

    With t_e the tokens of the reference excerpts and t_r those retrieved, recall is
    |t_e ∩ t_r| / |t_e|, precision |t_e ∩ t_r| / |t_r|, IoU |t_e ∩ t_r| / |t_e ∪ t_r|; where
    nothing was retrieved all are 0. Source: Smith and Troynikov 2024, "Evaluating Chunking
    Strategies for Retrieval", research.trychroma.com/evaluating-chunking.
    """
    wanted, retrieved, common = compared.wanted, compared.retrieved, compared.common
    union = wanted + retrieved - common
    shares = (_share(common, whole) for whole in (wanted, retrieved, union))
    return dict(zip(MEASURES, shares, strict=True))


def overlap(
    references: Iterable[Span], retrieved: Iterable[Span], text_of: Callable[[str, int], str]
) -> Overlap:
    """Compare excerpts; `text_of` gives the text of an entry of a database."""
    wanted, found = _tokens(references, text_of), _tokens(retrieved, text_of)
    return Overlap(len(wanted), len(found), len(wanted & found))


def _tokens(excerpts: Iterable[Span], text_of: Callable[[str, int], str]) -> set[Token]:
    return {
        (one.database, one.entry_id, place)
        for one in dict.fromkeys(excerpts)
        for place in _places(text_of(one.database, one.entry_id), one.start, one.end)
    }


def _places(text: str, start: int, end: int) -> Iterator[int]:
    """Give where the tokens begin: words, and letters in scripts without spaces between words."""
    for word in _WORD.finditer(text, start, end):
        if is_unspaced(word[0]):
            yield from range(*word.span())
        elif not (word.start() == start > 0 and _WORD.match(text[start - 1])):
            yield word.start()


def _share(part: int, whole: int) -> float:
    return part / whole if whole else 0.0


def find_excerpt(text: str, quote: str, near: int = 0) -> tuple[int, int] | None:
    """Give where a quote begins and ends in a text, nearest to a place where it stands often.

    White space may differ. None where it does not stand there.
    """
    words = r"\s+".join(map(re.escape, quote.split()))
    places = [match.span() for match in re.finditer(words, text)] if words else []
    return min(places, key=lambda span: abs(span[0] - near), default=None)
