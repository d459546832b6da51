"""The best hits of a search ordered once more by whatever reads their passages.

A reranker that fails, or answers something else than scores, changes nothing: the hits keep their
order, and a line says why.
"""

from collections.abc import Sequence
from dataclasses import replace
from math import isfinite

from rag_assistant.egress.provenance import carrying, carrying_more
from rag_assistant.errors import ModelError, RagError
from rag_assistant.injection.naming import prompt_heading, prompt_title
from rag_assistant.library.database import Database
from rag_assistant.library.hidden import passage_for_models, snippet_for_models
from rag_assistant.library.protocols import Reranker
from rag_assistant.search.query_language import parse
from rag_assistant.search.ranking import SearchResult
from rag_assistant.values.documents import Hit

DIGITS = 4
"""Decimal places of scores."""

LONGEST_QUESTION = 2_000
"""Characters of a query that a reranker is given; one that pastes a document is cut."""


def rerank_hits(
    reranker: Reranker, query: str, hits: Sequence[Hit], texts: Sequence[str]
) -> list[Hit]:
    """Order the first hits, those that `texts` has the passages of, by a reranker's scores.

    The others stay behind them. Hits with equal scores keep their order. The share "rerank" lifts
    each reranked hit above the score that the best one had before, by its own score stretched to 0
    to 1 over those reranked; so a score is still the sum of its explanation and says the order.
    Raises ModelError.
    """
    scores = _checked(reranker.rerank(query, texts), len(texts))
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    top = max(hit.score for hit in hits)
    stretched = _stretched(scores)
    first = [_lifted(hits[index], top + stretched[index]) for index in order]
    both = [*first, *hits[len(texts) :]]
    return [replace(hit, rank=rank) for rank, hit in enumerate(both, 1)]


def _stretched(scores: Sequence[float]) -> list[float]:
    """Stretch scores to 0 to 1; where all are equal, all are 0."""
    largest = max(map(abs, scores)) or 1.0
    small = [score / largest for score in scores]  # the difference of two large ones may be inf
    lowest = min(small)
    spread = (max(small) - lowest) or 1.0
    return [(score - lowest) / spread for score in small]


def _lifted(hit: Hit, score: float) -> Hit:
    shares = {**hit.explanation, "rerank": round(score - hit.score, DIGITS)}
    return replace(hit, explanation=shares, score=round(sum(shares.values()), DIGITS))


def _checked(scores: Sequence[float], count: int) -> list[float]:
    """Give the scores as they are. Raises ModelError where they are not one number for each."""
    if len(scores) != count or not all(isfinite(score) for score in scores):
        raise ModelError(
            f"The reranker gave {len(scores)} scores for {count} passages, or one that is none.",
            hint="Check that its model reranks.",
        )
    return list(scores)


def reranked(
    found: SearchResult, databases: Sequence[Database], text: str, reranker: Reranker
) -> SearchResult:
    """Let the reranker order the best hits of a search by their passages.

    Nothing is sent where there is nothing to judge: entries listed for a filter alone have no score
    and are in order of date.
    """
    question = _question(text)
    if len(found.hits) < 2 or not found.hits[0].explanation or not question:
        return found
    best, sent_to = found.hits[: reranker.passages], ""
    try:
        texts = _texts(best, databases, reranker.characters)
        sent_to = reranker.destination
        entries = [(hit.database, hit.entry_id) for hit in best]
        names = [database.name for database in databases]
        with carrying(carrying_more("rerank", names, entries)):
            hits = rerank_hits(reranker, question, found.hits, texts)
    except RagError as error:
        note = f"not reranked: {error}".rstrip(".")
        return replace(found, notes=(*found.notes, note), sent_to=sent_to)
    return replace(found, hits=tuple(hits), reranked_by=reranker.name, sent_to=sent_to)


def _question(text: str) -> str:
    """Give the words of a query without its operators, in letters that can be sent."""
    parsed = parse(text[:LONGEST_QUESTION].encode("utf-8", "replace").decode())
    return " ".join(" ".join([parsed.plain, *parsed.phrases, *parsed.prefixes]).split())


def _texts(hits: Sequence[Hit], databases: Sequence[Database], characters: int) -> list[str]:
    """Give the passages that hits are shown by, each under its title and heading."""
    passages: dict[int, str] = {}
    for database in databases:
        own = [hit for hit in hits if hit.database == database.name]
        places = [(hit.entry_id, hit.location.start) for hit in own]
        found = database.passages_at(places) if places else []
        for hit, passage in zip(own, found, strict=True):
            text = snippet_for_models(hit)
            if passage and passage_for_models(hit, passage) == passage.text:
                start = passage.location.start
                begin, end = hit.location.start - start, hit.location.end - start
                text = window(passage.text, begin, end, characters)
            heading = prompt_heading(hit.location.heading) or ""
            title = prompt_title(hit.title, hit.path)
            above = heading if heading.startswith(title) else f"{title}\n{heading}".strip()
            passages[hit.rank] = f"{above}\n{text}"
    return [passages[hit.rank] for hit in hits]


def window(text: str, begin: int, end: int, most: int) -> str:
    """Cut a passage down to `most` characters, those around the span from `begin` to `end`."""
    if len(text) <= most:
        return text
    start = max(0, min(begin - max(0, most - (end - begin)) // 2, len(text) - most))
    return text[start : start + most]
