"""The JSON that scripts read: answers, events, hits and reports, with keys that do not change.

Keys may be added; those that are here keep their names and meanings.
"""

import re
from collections.abc import Sequence
from dataclasses import asdict, fields
from typing import Any

from rag_assistant.values.coverage import Coverage, coverage_statement
from rag_assistant.values.documents import Hit, Location, Version
from rag_assistant.values.entry_span import EntrySpan
from rag_assistant.values.events import Answered, Event, Stopped
from rag_assistant.values.evidence import (
    Answer,
    Citation,
    Disagreement,
    Evidence,
    EvidenceItem,
    Refusal,
)
from rag_assistant.values.outline import EntryFacts
from rag_assistant.values.scope import Scope
from rag_assistant.values.support import Sentence

Json = dict[str, Any]


def answer_json(answer: Answer) -> Json:
    """Give an answer with its citations, evidence and coverage."""
    return {
        "question": answer.question,
        "answer": answer.text,
        "answered": answer.answered,
        "citations": [citation_json(citation) for citation in answer.citations],
        "evidence": [evidence_json(evidence) for evidence in answer.evidence],
        "coverage": coverage_json(answer.coverage),
        "model": answer.model,
        "usage": asdict(answer.usage),
        "usage_by_model": [asdict(used) for used in answer.usage_by_model],
        "cost": answer.cost,
        "fallback": answer.fallback,
        "sent": [asdict(sent) for sent in answer.sent],
        "sentences": [_sentence_json(sentence, answer.text) for sentence in answer.sentences],
        "objections": list(answer.objections),
        "disagreements": [disagreement_json(one) for one in answer.disagreements],
        "confidence": answer.confidence or None,
        "voice": answer.voice.value if answer.voice else None,
        "chance": answer.chance,
        "nearest": [_quoted_json(item) for item in answer.refusal.nearest]
        if answer.refusal
        else [],
        "signals": [asdict(signal) for signal in answer.signals],
        "refusal": refusal_json(answer.refusal) if answer.refusal else None,
        "draft": answer.draft,
        "elapsed_ms": answer.elapsed_ms,
    }


def refusal_json(refusal: Refusal) -> Json:
    """Give a refusal: what was searched, what comes nearest, how to widen, what the draft cites."""
    return {
        "reason": refusal.reason,
        "searched": list(refusal.searched),
        "nearest": [_quoted_json(item) for item in refusal.nearest],
        "widen": list(refusal.widen),
        "citations": [citation_json(citation) for citation in refusal.citations],
        "by_model": refusal.by_model,
    }


def _sentence_json(sentence: Sentence, text: str) -> Json:
    return {
        "start": sentence.start,
        "end": sentence.end,
        "support": sentence.support.value,
        "markers": list(sentence.markers),
        "verbatim": sentence.verbatim,
        "block": sentence.block,
        "differences": [asdict(one) for one in sentence.differences],
        "computed": [asdict(one) for one in sentence.computed],
        "source": _quoted_json(sentence.source) if sentence.source else None,
        "confirmed_by": sentence.confirmed_by,
        "note": sentence.note,
        "text": text[sentence.start : sentence.end],
    }


def coverage_json(coverage: Coverage) -> Json:
    """Give what an answer saw, part by part, and the statement of it."""
    return {**asdict(coverage), "statement": coverage_statement(coverage)}


def disagreement_json(disagreement: Disagreement) -> Json:
    """Give what sources disagree on, and each side with its source and date."""
    return {
        "about": disagreement.about,
        "kind": disagreement.kind,
        "sides": [
            {
                **_item_json(side.item),
                "quote": side.item.quote,
                "value": side.value,
                "sentence": side.sentence,
                "dated": side.dated,
            }
            for side in disagreement.sides
        ],
    }


def citation_json(citation: Citation) -> Json:
    """Give a citation: what it cites and where."""
    item = citation.item
    return {
        "marker": citation.marker,
        **_item_json(item),
        "quote": item.quote,
    }


def evidence_json(evidence: Evidence) -> Json:
    """Give evidence: quotes in `relevant`, and the place of each in `source`.

    A confidence that nobody judged is null.
    """
    return {
        "database": evidence.database,
        "query": evidence.query,
        "relevant": [item.quote for item in evidence.items],
        "source": [_item_json(item) for item in evidence.items],
        "confidence": evidence.confidence or None,
        "notes": list(evidence.notes),
        "entries_read": list(evidence.entries_read),
        "usage": asdict(evidence.usage),
        "retrieved": [asdict(retrieved) for retrieved in evidence.retrieved],
        "parts": [asdict(part) for part in evidence.parts],
    }


def _item_json(item: EvidenceItem) -> Json:
    return {
        "database": item.database,
        "id": item.entry_id,
        "title": item.title,
        "path": item.path,
        "location": location_json(item.location),
        "verified": item.verified,
        "match": item.match.value,
        "written": item.written,
        "is_passage": item.is_passage,
        "text_hash": item.text_hash,
    }


def _quoted_json(item: EvidenceItem) -> Json:
    return {**_item_json(item), "quote": item.quote}


def location_json(location: Location) -> Json:
    """Give a place in an entry."""
    return {
        "page": location.page,
        "heading": location.heading,
        "line": location.line,
        "start": location.start,
        "end": location.end,
    }


def event_name(kind: type) -> str:
    """Give the name of a kind of event in snake case."""
    return re.sub(r"(?<!^)(?=[A-Z])", "_", kind.__name__).lower()


def event_json(event: Event) -> Json:
    """Give an event as one object whose `event` names its kind."""
    name = event_name(type(event))
    if isinstance(event, Answered):
        return {"event": name, **answer_json(event.answer)}
    if isinstance(event, Stopped):
        head = {"event": name, "reason": event.reason, "hint": event.hint}
        return {**head, "partial": answer_json(event.partial)}
    return {"event": name, **{f.name: _plain(getattr(event, f.name)) for f in fields(event)}}


def _plain(value: object) -> object:
    if isinstance(value, Citation):
        return citation_json(value)
    if isinstance(value, Evidence):
        return evidence_json(value)
    if isinstance(value, Scope):
        return asdict(value)
    return [_plain(one) for one in value] if isinstance(value, tuple) else value


def hit_json(hit: Hit) -> Json:
    """Give a search hit."""
    return {
        "rank": hit.rank,
        "database": hit.database,
        "id": hit.entry_id,
        "title": hit.title,
        "path": hit.path,
        "location": location_json(hit.location),
        "score": hit.score,
        "snippet": hit.snippet,
        "other_passages": hit.other_passages,
        "duplicates": list(hit.duplicates),
        "versions": [version_json(version) for version in hit.versions],
        "explanation": dict(hit.explanation),
        "suspicions": [asdict(one) for one in hit.suspicions],
    }


def version_json(version: Version) -> Json:
    """Give another version of a document."""
    return {
        "id": version.entry_id,
        "title": version.title,
        "path": version.path,
        "relation": version.relation,
        "dated": version.dated,
        "told_by": version.told_by,
    }


def search_json(query: str, databases: Sequence[str], hits: Sequence[Hit]) -> Json:
    """Give the outcome of a search."""
    return {"query": query, "databases": list(databases), "hits": [hit_json(hit) for hit in hits]}


def entry_facts_json(facts: EntryFacts) -> Json:
    """Give what is known of an entry, and its outline."""
    return asdict(facts)


def text_json(span: EntrySpan) -> Json:
    """Give a span of an entry's text."""
    entry = span.entry
    return {
        "database": span.database,
        "id": entry.id,
        "title": entry.title,
        "path": entry.path,
        "start": span.start,
        "end": span.end,
        "text": span.text,
        "metadata": dict(entry.metadata),
        "versions": [version_json(version) for version in entry.versions],
    }
