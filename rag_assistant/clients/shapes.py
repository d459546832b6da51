"""The JSON that clients are handed: words with their places and addresses, for programs to cite.

Names of documents stand in it as in prompts: those that give orders are not repeated.
"""

import json
from collections.abc import Iterable, Sequence
from typing import Any

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.library.hidden import snippet_for_models
from rag_assistant.search.ranking import SearchResult
from rag_assistant.tools.toolkit import ToolOutput
from rag_assistant.values.coverage import coverage_statement
from rag_assistant.values.documents import Hit
from rag_assistant.values.evidence import Answer, EvidenceItem
from rag_assistant.values.messages import JsonObject
from rag_assistant.values.uris import entry_uri

Shape = dict[str, Any]


def output_shape(output: ToolOutput) -> Shape:
    """Give what a tool found: what it states, and the words by document."""
    if output.evidence is None:
        told = json.loads(output.text) if output.text.startswith("{") else {"text": output.text}
        return dict(told)
    evidence = output.evidence
    rows: Sequence[JsonObject] = output.rows or [{}] * len(evidence.items)
    documents: dict[tuple[str, int], Shape] = {}
    for item, row in zip(evidence.items, rows, strict=True):
        key = item.database, item.entry_id
        if key not in documents:
            about = output.of_entries.get(key, {})
            documents[key] = {**_document(item), **about, "passages": []}
        documents[key]["passages"].append({**_words(item), **row})
    return {
        **output.result,
        "documents_found": list(documents.values()),
        **output.rest,
        **({"notes": list(evidence.notes)} if evidence.notes else {}),
    }


def hits_shape(query: str, found: SearchResult) -> Shape:
    """Give the entries that a search found, best first."""
    return {
        "query": query,
        "databases": list(found.databases),
        "hits": [_hit(hit) for hit in found.hits],
        "notes": list(found.notes),
    }


def _hit(hit: Hit) -> Shape:
    place = hit.location
    return {
        "rank": hit.rank,
        "score": hit.score,
        "database": hit.database,
        "id": hit.entry_id,
        "title": prompt_title(hit.title, hit.path),
        "path": prompt_path(hit.path),
        "uri": entry_uri(hit.database, hit.entry_id, place.start, place.end),
        "snippet": snippet_for_models(hit),
        "page": place.page,
        "heading": prompt_heading(place.heading),
        "line": place.line,
        "start": place.start,
        "end": place.end,
    }


def answer_shape(answer: Answer) -> Shape:
    """Give an answer with what bears it out, and what was found wrong with it.

    A refusal says what comes nearest; the draft that was withheld is not handed out.
    """
    refusal = answer.refusal
    shape: Shape = {
        "question": answer.question,
        "answer": answer.text,
        "answered": answer.answered,
        "confidence": answer.confidence or None,
        "citations": [
            {"marker": one.marker, **_cited(one.item), "verified": one.item.verified}
            for one in answer.citations
        ],
        "not_confirmed": [
            {"text": answer.text[one.start : one.end], "support": one.support.value}
            for one in answer.sentences
            if one.support.is_hard or one.support.is_soft
        ],
        "objections": lines_shape(answer.objections),
        "disagreements": lines_shape(one.words for one in answer.disagreements),
        "refusal": None,
        "coverage": coverage_statement(answer.coverage),
        "model": answer.model,
        "elapsed_ms": answer.elapsed_ms,
    }
    if refusal:
        shape["refusal"] = {
            "reason": refusal.reason,
            "nearest": [_cited(one) for one in refusal.nearest],
            "widen": list(refusal.widen),
        }
    return shape


def lines_shape(lines: Iterable[str]) -> list[str]:
    """Give lines that may name documents, without those that give orders."""
    return [_HIDDEN_LINE if why_suspicious(line) else line for line in lines]


_HIDDEN_LINE = "(A line is hidden from models: it reads like instructions.)"


def _cited(item: EvidenceItem) -> Shape:
    return {**_document(item), **_words(item)}


def _document(item: EvidenceItem) -> Shape:
    return {
        "database": item.database,
        "id": item.entry_id,
        "title": prompt_title(item.title, item.path),
        "path": prompt_path(item.path),
    }


def _words(item: EvidenceItem) -> Shape:
    place = item.location
    told = {
        "quote": item.quote,
        "uri": entry_uri(item.database, item.entry_id, place.start, place.end),
        "page": place.page,
        "heading": prompt_heading(place.heading),
        "line": place.line,
        "start": place.start,
        "end": place.end,
    }
    return {name: value for name, value in told.items() if value is not None}


def entries_in(output: ToolOutput) -> tuple[tuple[str, int], ...]:
    """Name the entries whose words a tool hands out."""
    items = output.evidence.items if output.evidence else ()
    named = [*((one.database, one.entry_id) for one in items), *output.entries]
    named += [(one.database, one.entry_id) for one in output.read]
    return tuple(dict.fromkeys(named))


def entries_of(answer: Answer) -> tuple[tuple[str, int], ...]:
    """Name the entries whose words are in an answer, or were before the one who wrote it."""
    items = [item for evidence in answer.evidence for item in evidence.items]
    items += [citation.item for citation in answer.citations]
    items += answer.refusal.nearest if answer.refusal else ()
    return tuple(dict.fromkeys((item.database, item.entry_id) for item in items))
