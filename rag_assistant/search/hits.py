"""Hits: what is shown of the entries that a ranking chose. Only of these are snippets made."""

from collections.abc import Mapping, Sequence

from rag_assistant.search.ranking import RankedEntry
from rag_assistant.search.snippets import best_spans
from rag_assistant.store.reading import StoreReader
from rag_assistant.values.documents import Hit, Suspicion

DIGITS = 4
"""Decimal places of scores."""


def make_hits(
    reader: StoreReader,
    database: str,
    weights: Mapping[str, float],
    ranked: Sequence[tuple[int, RankedEntry]],
) -> list[Hit]:
    """Read the passages that entries of a database are shown by, given with their ranks.

    `weights` are those of the query's terms, which the snippets are cut for.
    """
    shown = {rank: entry.candidate.passages[entry.passage] for rank, entry in ranked}
    sources = reader.passages.sources(shown.values())
    ids = [entry.candidate.entry_id for _, entry in ranked]
    suspicions = reader.suspicions.of_entries(ids)
    with_versions = reader.versions.newest(ids)  # asked at once: most have none
    spans = best_spans([sources[shown[rank]] for rank, _ in ranked], weights)
    hits: list[Hit] = []
    for (rank, entry), (begin, end) in zip(ranked, spans, strict=True):
        source = sources[shown[rank]]
        text, place = source.passage.text, source.passage.location
        suspicious = _of_passage(
            suspicions.get(source.entry_id, ()), place.start, place.start + len(text)
        )
        shares = {name: round(share, DIGITS) for name, share in entry.shares.items() if share}
        hits.append(
            Hit(
                rank=rank,
                database=database,
                entry_id=source.entry_id,
                title=source.title,
                path=source.path,
                location=source.passage.place(begin, end),
                score=round(sum(shares.values()), DIGITS),
                snippet=text[begin:end],
                other_passages=len(entry.candidate.passages) + entry.candidate.others - 1,
                key=source.key,
                explanation=shares,
                duplicates=entry.duplicates,
                versions=reader.versions.others(source.entry_id)
                if source.entry_id in with_versions
                else (),
                suspicions=suspicious,
            )
        )
    return hits


def _of_passage(found: Sequence[Suspicion], start: int, end: int) -> tuple[Suspicion, ...]:
    """Give what is suspicious in a passage, and of its entry's names."""
    return tuple(
        one for one in found if one.place != "text" or (one.start < end and one.end > start)
    )
