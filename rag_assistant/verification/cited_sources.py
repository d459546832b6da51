"""The entries that an answer cites, with all that its run has read of them."""

from rag_assistant.text.version_names import document_date
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.evidence import Answer, EvidenceItem
from rag_assistant.verification.presupposed import CitedSource


def cited_sources(answer: Answer, run_cache: RunCache) -> list[CitedSource]:
    """Give what is cited and was read in this run; none where a part of it was read in another."""
    items: dict[tuple[str, int], list[EvidenceItem]] = {}
    for citation in answer.citations:
        if citation.item.verified:
            key = citation.item.database, citation.item.entry_id
            items.setdefault(key, []).append(citation.item)
    found = [_source(some, run_cache) for some in items.values()]
    there = [source for source in found if source]
    return there if len(there) == len(found) else []


def _source(items: list[EvidenceItem], run_cache: RunCache) -> CitedSource | None:
    readings = run_cache.readings(items[0].database, items[0].entry_id)
    if not readings:
        return None
    entry = readings[0].text.entry
    headings = " ".join(item.location.heading or "" for item in items)
    passages = dict.fromkeys(p.text for read in readings for p in read.text.passages)
    return CitedSource(
        tuple(item.quote for item in items),
        f"{entry.title} {entry.path} {headings}",
        document_date(entry.path, entry.metadata, entry.changed)[0],
        "\n".join(passages),
    )
