"""What a search gives a model: the best passages whole, to cite at once, and a line for the rest.

Passages are handed over as they stand, the best first, as many as there is room for; a document
that has none among them is named with its id. Words that models may not read are left out.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from typing import Any

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.injection.naming import prompt_path, prompt_title
from rag_assistant.library.database import CHARACTERS_PER_TOKEN, Database
from rag_assistant.library.hidden import reasons_of
from rag_assistant.library.searching import search_passages
from rag_assistant.store.opening import kept_open
from rag_assistant.text.version_names import document_date
from rag_assistant.tools.exact_words import passage_items
from rag_assistant.tools.run_cache import SearchDone, TextRead
from rag_assistant.tools.toolkit import ToolOutput
from rag_assistant.values.coverage import EntryRead, SearchMade
from rag_assistant.values.documents import Entry, EntryText, Hit, Passage
from rag_assistant.values.evidence import Evidence
from rag_assistant.values.messages import JsonObject

PASSAGES = 40
"""Passages that a search ranks for a model; those without room name their documents."""

OTHERS = 6
"""Documents that are named without a passage."""

PLACE_CHARACTERS, ENTRY_CHARACTERS = 60, 100
"""What a passage costs besides its words: its number, heading and page; and what its entry does."""

NOTHING_MATCHES = "Nothing matches. Try other words, or fewer."

_EntryKey = tuple[str, int]


@dataclass(slots=True)
class _Shown:
    """The passages of one entry that are handed over, in the order of their ranks."""

    hit: Hit
    passages: list[Passage] = field(default_factory=list)


def search_for_model(databases: Sequence[Database], keyword: str, token_budget: int) -> ToolOutput:
    """Search, and give what a model reads of it, in `token_budget` tokens of words; it blocks.

    Raises RagError when no database can be searched.
    """
    result = search_passages(databases, keyword, PASSAGES)
    by_name = {database.name: database for database in databases}
    with kept_open(), ExitStack() as moments:
        for name in {hit.database for hit in result.hits}:  # somebody may index meanwhile
            moments.enter_context(by_name[name].at_once())
        shown, others = _within(by_name, result.hits, token_budget * CHARACTERS_PER_TOKEN)
        texts = {
            (name, number): by_name[name].part(number, one.passages)
            for (name, number), one in shown.items()
        }
        hidden = [key for key, text in texts.items() if not text.passages]
        others = [*(shown[key].hit for key in hidden), *others][:OTHERS]
    notes = [*result.notes, *([] if result.hits else [NOTHING_MATCHES])]
    notes += [hidden_note(name, text) for (name, _), text in texts.items() if text.hidden]
    output = ToolOutput(
        "",
        _summary(texts, others),
        searches=tuple(
            SearchMade(name, keyword, len({h.entry_id for h in result.hits if h.database == name}))
            for name in result.databases
        ),
        found=SearchDone(tuple(one.name for one in databases), keyword, PASSAGES, result),
        entries=tuple((hit.database, hit.entry_id) for hit in others),
    )
    alone = databases[0].name if len(databases) == 1 else ""
    more = {"more": [_line(hit, alone) for hit in others]} if others else {}
    items = tuple(item for (name, _), text in texts.items() for item in passage_items(name, [text]))
    if not items:
        said = {"database": alone, **more, "notes": notes}
        given = {name: value for name, value in said.items() if value}
        return replace(output, text=json.dumps(given, ensure_ascii=False))
    return replace(
        output,
        evidence=Evidence(
            items[0].database,
            keyword,
            items,
            confidence=0,
            entries_read=tuple(n for name, n in texts if name == items[0].database),
            notes=tuple(notes),
        ),
        rest=more,
        of_entries={key: _about(texts[key].entry, one.hit) for key, one in shown.items()},
        read=tuple(EntryRead(*key, text.entry.title) for key, text in texts.items()),
        texts=tuple(TextRead(name, "", text, found=True) for (name, _), text in texts.items()),
    )


def _within(
    by_name: Mapping[str, Database], hits: Sequence[Hit], room: int
) -> tuple[dict[_EntryKey, _Shown], list[Hit]]:
    """Give the passages that there is room for, characters, and the first hit of each other entry.

    The first passage is given in any case; one that is too long makes room for shorter ones.
    """
    shown: dict[_EntryKey, _Shown] = {}
    others: dict[_EntryKey, Hit] = {}
    for hit, passage in _passages(by_name, hits):
        key = hit.database, hit.entry_id
        cost = len(passage.text) + PLACE_CHARACTERS + (0 if key in shown else ENTRY_CHARACTERS)
        if shown and cost > room:
            others.setdefault(key, hit)
            continue
        room -= cost
        if key not in shown:
            shown[key] = _Shown(hit)
        shown[key].passages.append(passage)
    unseen = [hit for key, hit in others.items() if key not in shown]
    return shown, unseen


def _passages(
    by_name: Mapping[str, Database], hits: Sequence[Hit]
) -> Iterator[tuple[Hit, Passage]]:
    """Read the passages that hits are shown by, each database's at once."""
    found: dict[int, Passage] = {}
    for name, database in by_name.items():
        here = [hit for hit in hits if hit.database == name]
        places = [(hit.entry_id, hit.location.start) for hit in here]
        read = database.passages_at(places) if places else []
        found |= {hit.rank: passage for hit, passage in zip(here, read, strict=True) if passage}
    yield from ((hit, found[hit.rank]) for hit in hits if hit.rank in found)


def _about(entry: Entry, hit: Hit) -> JsonObject:
    """Say of an entry which day it is of, where it says so, and which other versions there are."""
    date, told_by = document_date(entry.path, entry.metadata, entry.changed)
    versions = (version.words for version in hit.versions)
    harmless = [words for words in versions if not why_suspicious(words)]
    return {
        **({"date": date} if date and told_by != "file" else {}),
        **({"versions": harmless} if harmless else {}),
    }


def _line(hit: Hit, alone: str) -> dict[str, Any]:
    """Name an entry without room for its passage; with its database where there are several."""
    line = {
        "database": None if alone else hit.database,
        "id": hit.entry_id,
        "title": prompt_title(hit.title, hit.path),
        "path": prompt_path(hit.path),
    }
    return {name: value for name, value in line.items() if value is not None}


def _summary(texts: Mapping[_EntryKey, EntryText], others: Sequence[Hit]) -> str:
    """Say in a line what was found, for the person."""
    count = len(texts) + len(others)
    titles = ", ".join([text.entry.title for text in texts.values()][:3])
    summary = (f"{count} found" if count else "nothing found") + (f": {titles}" if titles else "")
    if barred := [name for (name, _), text in texts.items() if text.hidden]:
        summary += f"; {len(barred)} hidden in part (why: databases suspicious {barred[0]})"
    return summary


def hidden_note(name: str, text: EntryText) -> str:
    """Say what was not read of an entry; the words themselves are not repeated."""
    count = len(text.hidden)
    return (
        f"entry {text.entry.id}: {count} place{'s' * (count > 1)} hidden from the model: "
        f"{reasons_of(text.hidden)} (databases suspicious {name} --entry {text.entry.id})"
    )
