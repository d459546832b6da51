"""The RetrievalAgent: entries and a question in, checked evidence out.

A helper model picks the words; this agent validates its reply, sends a malformed one back with the
reason, and lets a fallback take over when that does not help. It has no tools.
"""

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_assistant.claims.disagreements import notes_on
from rag_assistant.claims.quotes import QuoteFinder
from rag_assistant.egress.provenance import carrying, carrying_more
from rag_assistant.errors import BadReply, ModelError
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.models.protocol import Model, whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import OMISSION, fence, mark_of, new_boundary
from rag_assistant.text.safe_text import clean_line
from rag_assistant.text.version_names import document_date
from rag_assistant.tools.json_replies import read_object
from rag_assistant.values.documents import EntryText, Location
from rag_assistant.values.evidence import TOOK_OVER, Evidence, EvidenceItem, QuoteMatch
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    Usage,
    UserMessage,
)

RETRIES = 2
"""How often a malformed reply is sent back before the fallback takes over."""

PATIENCE = 1.0
"""Seconds; a helper that fails later is not asked again."""

MOST_SECTIONS = 8
"""Sections of an entry that a helper is told it reads parts of."""

LONGEST_ADVICE = 200
"""Characters of what a helper says should be read on."""

_FAILED = "gave no usable evidence"

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "relevant": {"type": "array", "items": {"type": "string", "minLength": 1}},
        "source": {"type": "array", "items": {"type": "integer"}},
        "confidence": {"type": "integer", "minimum": 1, "maximum": 10},
        "read_on": {"type": "string"},
    },
    "required": ["relevant", "source", "confidence"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class HelperReply:
    """What a helper model picked out: quotes, each with the id of its entry; what else to read."""

    quotes: tuple[tuple[str, int], ...]
    confidence: int
    read_on: str = ""


def read_helper_reply(written: str, known_ids: set[int]) -> HelperReply:
    """Read a helper's reply; a code fence or words around the object are forgiven.

    Raises BadReply with the reason, worded for the model.
    """
    reply = read_object(written, REPLY_SCHEMA)
    quotes, sources = reply["relevant"], reply["source"]
    if len(quotes) != len(sources):
        raise BadReply(f"relevant has {len(quotes)} items and source has {len(sources)}.")
    if strangers := sorted(set(sources) - known_ids):
        raise BadReply(f"no entry with the id {strangers} was given.")
    pairs = tuple(zip(quotes, sources, strict=True))
    return HelperReply(pairs, reply["confidence"], reply.get("read_on") or "")


class RetrievalAgent:
    """Condenses entries by a helper model, with `fallback` for when that one fails.

    The helper is told what the person `asked` where a query is in other words. One that took its
    time to fail is not tried again, lest each query wait for it.
    """

    def __init__(self, model: Model, *, fallback: Model, asked: str = "") -> None:
        self._model = model
        self._fallback = fallback
        self._asked = asked
        self._given_up: ModelError | None = None

    async def retrieve(self, database: str, entries: Sequence[EntryText], query: str) -> Evidence:
        """Give the words of `entries` that bear on `query`, each looked up in its entry."""
        messages = self._messages(entries, query)
        ids = {text.entry.id for text in entries}
        notes = [_omission(text) for text in entries if text.omitted]
        carries = carrying_more("evidence", [database], ((database, one) for one in sorted(ids)))
        with carrying(carries):
            asked = await self._ask_helper(messages, ids)
        usage = asked.usage
        if asked.reply is None:
            notes.append(
                f"{self._model.name} {_FAILED} ({asked.problem}); {self._fallback.name} {TOOK_OVER}"
            )
            asked = await _ask(self._fallback, messages, ids)
        reply = asked.needed()
        by_id = {text.entry.id: text for text in entries}
        # Where secrets were masked on the way out, the helper quotes the marks.
        known = carries.log.masker
        quotes = [(known.restored(quote, _joined(by_id[n])), n) for quote, n in reply.quotes]
        items = await asyncio.to_thread(_checked, database, quotes, by_id)
        notes += await asyncio.to_thread(notes_on, items, [text.entry for text in entries])
        if reply.read_on and not why_suspicious(reply.read_on):
            notes.append(f"the helper would read on: {clean_line(reply.read_on)[:LONGEST_ADVICE]}")
        return Evidence(
            database=database,
            query=query,
            items=items,
            confidence=reply.confidence,
            entries_read=tuple(by_id),
            notes=tuple(notes),
            usage=usage,
        )

    async def _ask_helper(self, messages: tuple[Message, ...], ids: set[int]) -> "_Asked":
        if self._given_up:
            return _Asked(Usage(), problem=self._given_up)
        started = time.monotonic()
        asked = await _ask(self._model, messages, ids)
        slow = time.monotonic() - started > PATIENCE
        if slow and isinstance(asked.problem, ModelError):
            self._given_up = asked.problem
        return asked

    def _messages(self, entries: Sequence[EntryText], query: str) -> tuple[Message, ...]:
        system = load_prompt("retrieval")
        boundary = new_boundary()
        fenced = [fence("question", query, boundary=boundary, attributes={})]
        if self._asked.strip() not in ("", query.strip()):
            fenced.append(fence("person", self._asked, boundary=boundary, attributes={}))
        for text in entries:
            attributes = _told_of(text)
            fenced.append(fence("entry", _joined(text), boundary=boundary, attributes=attributes))
        return SystemMessage(system), UserMessage("\n\n".join(fenced))


def taken_over(evidence: Evidence) -> str:
    """Give the note that says why the fallback found the evidence; empty where the helper did."""
    told = (note for note in evidence.notes if _FAILED in note and note.endswith(TOOK_OVER))
    return next(told, "")


@dataclass(frozen=True, slots=True)
class _Asked:
    """What came of asking a model: a usable reply, or what was wrong with the last one."""

    usage: Usage
    reply: HelperReply | None = None
    problem: BadReply | ModelError | None = None

    def needed(self) -> HelperReply:
        """Give the reply; raise the problem when there is none."""
        if self.reply is None:
            raise self.problem or AssertionError("neither a reply nor a problem")
        return self.reply


async def _ask(model: Model, messages: tuple[Message, ...], ids: set[int]) -> _Asked:
    """Ask until the reply is well-formed, RETRIES times more at most."""
    usage = Usage()
    problem: BadReply | ModelError | None = None
    for _ in range(RETRIES + 1):
        try:
            reply = await whole_reply(model, Request(messages, reply_schema=REPLY_SCHEMA))
            usage += reply.usage
            return _Asked(usage, read_helper_reply(reply.message.text, ids))
        except ModelError as error:
            return _Asked(usage, problem=error)
        except BadReply as error:
            problem = error
            again = load_prompt("retrieval_retry", reason=error.message)
            messages = (*messages, AssistantMessage(reply.message.text), UserMessage(again))
    return _Asked(usage, problem=problem)


def _joined(text: EntryText) -> str:
    """Join the passages of an entry, with a line where some were left out."""
    parts: list[str] = []
    end = 0
    for passage in text.passages:
        if passage.location.start != end:
            parts.append(f"\n{_gap(text, end, passage.location.start)}\n")
        parts.append(passage.text)
        end = passage.location.end
    if end < text.entry.length:
        parts.append(f"\n{_gap(text, end, text.entry.length)}")
    return "".join(parts)


def _told_of(text: EntryText) -> dict[str, str]:
    """Give what a helper is told of an entry: its id, its names, its day, and which parts it reads.

    Parts are told where not all of it is read; nothing that gives orders is.
    """
    entry, places = text.entry, [passage.location for passage in text.passages]
    date, told_by = document_date(entry.path, entry.metadata, entry.changed)
    told = {
        "id": str(entry.id),
        "title": prompt_title(entry.title, entry.path),
        "path": prompt_path(entry.path),
        "date": date if told_by != "file" else "",
    }
    if text.omitted:
        pages = dict.fromkeys(str(place.page) for place in places if place.page)
        headings = dict.fromkeys(prompt_heading(place.heading) for place in places)
        told["pages"] = ", ".join(pages)
        told["sections"] = "; ".join([one for one in headings if one][:MOST_SECTIONS])
    return {name: value for name, value in told.items() if value}


def _gap(text: EntryText, start: int, end: int) -> str:
    """Say what is missing between two places: passages left out for length, or hidden."""
    out = [place for place in text.hidden if start <= place.start < end]
    left = end - start - sum(place.end - place.start for place in out)
    marks = dict.fromkeys(mark_of(place.kind) for place in out)
    return "\n".join([*marks, *[OMISSION] * bool(left)])


def _omission(text: EntryText) -> str:
    if text.hidden:  # passages are cut there, and cannot be counted
        return f"entry {text.entry.id} is long: what matches the question was read"
    total = len(text.passages) + text.omitted
    return (
        f"entry {text.entry.id} is long: {len(text.passages)} of its {total} passages were read, "
        "those that match the question"
    )


def _checked(
    database: str, quotes: Sequence[tuple[str, int]], by_id: Mapping[int, EntryText]
) -> tuple[EvidenceItem, ...]:
    """Look each quote up in its entry."""
    finders = {source: QuoteFinder(text.passages) for source, text in by_id.items()}
    return tuple(
        _check(database, quote, by_id[source], finders[source]) for quote, source in quotes
    )


def _check(database: str, quote: str, text: EntryText, finder: QuoteFinder) -> EvidenceItem:
    found = finder.find(quote)
    aligned = found is not None and found.match is QuoteMatch.ALIGNED
    return EvidenceItem(
        database=database,
        entry_id=text.entry.id,
        title=text.entry.title,
        path=text.entry.path,
        quote=found.text if found else quote,
        location=found.location if found else Location(0, text.entry.length),
        verified=found is not None,
        text_hash=text.entry.text_hash,
        match=found.match if found else QuoteMatch.MISSING,
        written=quote if aligned else "",
    )
