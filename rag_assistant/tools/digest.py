"""The tool that puts a question to every passage of a document, or of all that a query lets
through: the helper model reads them part by part, and each line that it finds can be cited.

It keeps to a budget of tokens and time. What was looked at is kept, so that a call that is made
again, or after the program was killed, goes on where it was.
"""

import asyncio
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from time import monotonic
from typing import Any

from rag_assistant.library.database import CHARACTERS_PER_TOKEN, Database
from rag_assistant.library.digest_file import DigestFile, PartFound, key_of
from rag_assistant.library.document_filter import filtered_documents
from rag_assistant.tools.database_choice import DatabaseChoice, page_of
from rag_assistant.tools.exact_words import as_read, exact_evidence, item_of
from rag_assistant.tools.progress import tell_progress
from rag_assistant.tools.retrieve import ReadingBy
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.coverage import EntryRead, Tally
from rag_assistant.values.documents import EntryText, Passage
from rag_assistant.values.evidence import TOOK_OVER, EvidenceItem
from rag_assistant.values.messages import JsonObject, ToolSpec, Usage

NAME = "digest"

AT_ONCE = 4
"""Parts that are read at the same time."""

PART_TOKENS = 4_000
"""Tokens of text in a part."""

ROWS = 30
"""Lines on a page."""

NOT_THERE = 1
"""The confidence up to which what a part gave bears on nothing."""

_DESCRIPTION = (
    "Put a question to every passage of document `id`, or of all that `query` lets through. Slow: "
    "for what no search can answer. Call it again to go on."
)
_PROPERTIES: dict[str, Any] = {
    "question": {"type": "string", "minLength": 1},
    "id": {"type": "integer"},
    "query": {"type": "string"},
    "offset": {"type": "integer"},
}


@dataclass(frozen=True, slots=True)
class DigestBudget:
    """What one call may use: tokens of text that is read, and seconds."""

    tokens: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Part:
    """Passages that are read together, of one document or of several short ones."""

    texts: tuple[EntryText, ...]

    @property
    def passages(self) -> int:
        return sum(len(text.passages) for text in self.texts)

    @property
    def tokens(self) -> int:
        characters = sum(len(one.text) for text in self.texts for one in text.passages)
        return characters // CHARACTERS_PER_TOKEN

    def key(self, question: str, helper: str) -> str:
        spans = [
            [text.entry.id, text.entry.text_hash]
            + [span for one in text.passages for span in (one.location.start, one.location.end)]
            for text in self.texts
        ]
        return key_of(helper, question, spans)


@dataclass(slots=True)
class _Digest:
    """A question on its way through parts of documents."""

    database: Database
    question: str
    reading: ReadingBy
    kept: DigestFile
    usage: Usage = Usage()
    notes: dict[str, None] = field(default_factory=dict)

    async def read(self, parts: Sequence[_Part], budget: DigestBudget) -> dict[int, PartFound]:
        """Give what was found in parts, by number, as far as the budget goes."""
        found: dict[int, PartFound] = {}
        for number, part in enumerate(parts):
            if known := self.kept.get(part.key(self.question, self.reading.helper)):
                found[number] = known
        left = iter([number for number in range(len(parts)) if number not in found])
        deadline, spent = monotonic() + budget.seconds, 0

        async def reader() -> None:
            nonlocal spent
            for number in left:
                if spent + parts[number].tokens > budget.tokens or monotonic() > deadline:
                    return
                spent += parts[number].tokens
                try:
                    async with asyncio.timeout(max(0.1, deadline - monotonic())):
                        found[number] = await self._read_part(parts[number])
                except TimeoutError:
                    return
                tell_progress(f"{NAME}: {len(found)} of {len(parts)} parts read")

        async with asyncio.TaskGroup() as group:
            for _ in range(AT_ONCE):
                group.create_task(reader())
        return found

    async def _read_part(self, part: _Part) -> PartFound:
        evidence = await self.reading.retrieve(self.database.name, part.texts, self.question)
        self.usage += evidence.usage
        places = (
            (i.entry_id, i.location.start, i.location.end) for i in evidence.items if i.verified
        )
        found = PartFound(tuple(places), evidence.confidence)
        # What another one found in the helper's place is found anew once that answers again.
        replaced = [note for note in evidence.notes if note.endswith(TOOK_OVER)]
        self.notes |= dict.fromkeys(replaced)
        if not replaced:
            key = part.key(self.question, self.reading.helper)
            await asyncio.to_thread(self.kept.add, key, found)
        return found


def digest_tool(choice: DatabaseChoice, reading: ReadingBy, budget: DigestBudget) -> Tool:
    """Make `digest`."""

    async def run(arguments: JsonObject) -> ToolOutput:
        database, question = choice.one(arguments), str(arguments["question"])
        texts = await asyncio.to_thread(_texts, database, arguments)
        parts = list(_parts(texts))
        kept = await asyncio.to_thread(DigestFile, database.path)
        digest = _Digest(database, question, reading, kept)
        found = await digest.read(parts, budget)
        return _output(digest, parts, found, page_of(arguments, ROWS)[1])

    schema = choice.schema(_PROPERTIES, ["question"], one=True)
    return Tool(ToolSpec(NAME, _DESCRIPTION, schema), run, "read")


def _texts(database: Database, arguments: JsonObject) -> list[EntryText]:
    """Give the documents with all of their text that models may read."""
    with database.at_once(), database.reading() as reader:
        if "id" in arguments:
            entries = [database.entry(int(arguments["id"]))]
        else:
            passing = filtered_documents(reader, str(arguments.get("query", "")))
            entries = [one.entry for one in passing.documents]
        return [database.part(entry.id, database.passages(entry.id)) for entry in entries]


def _parts(texts: Sequence[EntryText]) -> Iterator[_Part]:
    """Cut documents into parts of about PART_TOKENS; short ones share a part."""
    held: list[EntryText] = []
    room = PART_TOKENS * CHARACTERS_PER_TOKEN
    for text in texts:
        passages: list[Passage] = []
        for passage in text.passages:
            if room < len(passage.text) and (held or passages):
                yield _Part((*held, *_some(text, passages)))
                held, passages = [], []
                room = PART_TOKENS * CHARACTERS_PER_TOKEN
            passages.append(passage)
            room -= len(passage.text)
        held += _some(text, passages)
    if held:
        yield _Part(tuple(held))


def _some(text: EntryText, passages: Sequence[Passage]) -> list[EntryText]:
    if not passages:
        return []
    return [EntryText(text.entry, tuple(passages), len(text.passages) - len(passages))]


def _output(
    digest: _Digest, parts: Sequence[_Part], found: Mapping[int, PartFound], offset: int
) -> ToolOutput:
    name = digest.database.name
    lines = _lines(name, parts, found)
    page = lines[offset : offset + ROWS]
    looked, there = sum(parts[n].passages for n in found), sum(part.passages for part in parts)
    documents = {text.entry.id for part in parts for text in part.texts}
    done = len(found) == len(parts)
    result: dict[str, Any] = {
        "lines": len(lines),
        "passages": there,
        "passages_looked_at": looked,
        "documents": len(documents),
    }
    if not done:
        result["unfinished"] = "the budget is used up: call it again with the same to go on"
    if page and offset + ROWS < len(lines):
        result["next_offset"] = offset + ROWS
    if digest.notes:
        result["notes"] = list(digest.notes)
    about = f"passages read for “{digest.question}”"
    tally = Tally(name, about, str(looked), str(there), complete=done)
    read = list({t.entry.id: t.entry for n in found for t in parts[n].texts}.values())
    evidence = exact_evidence([name], digest.question, page, read=[one.id for one in read])
    return ToolOutput(
        "",
        f"{len(lines)} lines from {looked} of {there} passages",
        evidence=replace(evidence, usage=digest.usage),
        result=result,
        read=tuple(EntryRead(name, one.id, one.title) for one in read),
        texts=tuple(as_read(digest.database, one) for one in _quoted(parts, page)),
        tallies=(tally,),
        unfinished=not done,
    )


def _lines(name: str, parts: Sequence[_Part], found: Mapping[int, PartFound]) -> list[EvidenceItem]:
    """Give what was found in the order of the documents, each place once."""
    items: dict[EvidenceItem, None] = {}
    for number in sorted(found):
        texts = {text.entry.id: text for text in parts[number].texts}
        for entry_id, start, end in found[number].places:
            item = _item(name, texts[entry_id], start, end) if entry_id in texts else None
            if item and found[number].confidence > NOT_THERE:
                items[item] = None
    return list(items)


def _item(name: str, text: EntryText, start: int, end: int) -> EvidenceItem | None:
    """Give a quote by its place, which may go on in the passages that follow."""
    over = [one for one in text.passages if one.location.start < end and one.location.end > start]
    if not over or over[0].location.start > start:
        return None
    first = over[0]
    whole = replace(
        first,
        text="".join(one.text for one in over),
        location=replace(first.location, end=over[-1].location.end),
    )
    begin = start - first.location.start
    return item_of(name, text.entry, whole, begin, min(begin + end - start, len(whole.text)))


def _quoted(parts: Sequence[_Part], page: Sequence[EvidenceItem]) -> Iterator[EntryText]:
    """Give the passages that lines of a page are from, for the checks of the answer."""
    places = [(item.entry_id, item.location.start) for item in page]
    for part in parts:
        for text in part.texts:
            held = tuple(
                one
                for one in text.passages
                if any(
                    entry_id == text.entry.id and one.location.start <= at < one.location.end
                    for entry_id, at in places
                )
            )
            if held:
                yield replace(text, passages=held)
