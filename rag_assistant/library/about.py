"""What a database holds, in two lines: for whoever is to choose where to look, a model above all.

It is made when the database is indexed and kept in it, unless the person wrote it: their note is
said instead. Titles and folders that give orders are left out.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.safe_text import clean_line
from rag_assistant.text.version_names import document_date
from rag_assistant.values.database_about import DatabaseAbout
from rag_assistant.values.documents import Entry

NOTE, ABOUT = "note", "about"
"""The facts that keep what the person wrote of a database, and what was made of it."""

LONGEST_NOTE = 500
"""Characters of a person's note that are said."""

TITLES, FOLDERS, KINDS = 4, 6, 4
"""Titles, folders and kinds that are named."""

LOOKED_AT = 500
"""Entries whose kinds are counted; of more, so many from all over them."""

_LONGEST_TITLE = 60


def about(database: Database) -> DatabaseAbout:
    """Say what a database holds; of a part of one, what is in that part. It blocks."""
    with database.reading() as reader:
        facts = reader.ledger.facts()
        if note := facts.get(NOTE, ""):
            counted = _counted(reader.ledger.figures().entries)
            said = f"{database.name} ({counted}): {note[:LONGEST_NOTE]}"
            return DatabaseAbout(database.name, said)
        told = None if database.scope else _kept(facts.get(ABOUT, ""))
        text, entries = told or _described(reader)
        return DatabaseAbout(database.name, f"{database.name} ({text}", entries)


def about_json(reader: StoreReader) -> str:
    """Make what is kept of a database, for its fact `ABOUT`."""
    text, entries = _described(reader)
    return json.dumps([text, entries], ensure_ascii=False)


def _kept(written: str) -> tuple[str, tuple[int, ...]] | None:
    try:
        text, entries = json.loads(written)
        return str(text), tuple(map(int, entries))
    except (ValueError, TypeError):
        return None


def _described(reader: StoreReader) -> tuple[str, tuple[int, ...]]:
    """Give the rest of "NAME (58 documents: …" and the entries that are named."""
    entries = reader.entries.all()
    looked_at = [one.id for one in _spread(entries, LOOKED_AT)]
    kinds = Counter(reader.entries.kinds(looked_at).values())
    kinds.pop("", None)
    common = [kind for kind, _ in kinds.most_common(KINDS)]
    if len(entries) <= LOOKED_AT:
        common = [f"{kinds[kind]} {kind}" for kind in common]
    dates = sorted(filter(None, (_month(one) for one in entries)))
    named = list(_titled(_spread(entries, 4 * TITLES)))[:TITLES]
    counted = _counted(len(entries))
    parts = [f"{counted}: {', '.join(common)}" if common else counted]
    if dates:
        parts.append(dates[0] if dates[0] == dates[-1] else f"{dates[0]} to {dates[-1]}")
    lines = "; ".join(parts) + ")"
    if folders := list(_folders(entries)):
        lines += f" Folders: {', '.join(folders)}."
    if named:
        lines += f" Such as: {'; '.join(title for _, title in named)}."
    return lines, tuple(number for number, _ in named)


def _counted(number: int) -> str:
    return f"{number:,} document{'' if number == 1 else 's'}"


def _spread(entries: Sequence[Entry], most: int) -> Sequence[Entry]:
    step = -(-len(entries) // most) or 1
    return entries[::step]


def _month(entry: Entry) -> str:
    """Give the month of an entry that bears a date; a file's own says little."""
    date, source = document_date(entry.path, entry.metadata)
    return date[:7] if source != "file" else ""


def _folders(entries: Sequence[Entry]) -> Iterator[str]:
    held = Counter(one.path.partition("/")[0] for one in entries if "/" in one.path)
    for folder, _ in held.most_common(FOLDERS):
        if not why_suspicious(folder):
            yield f"{clean_line(folder)}/"


def _titled(entries: Sequence[Entry]) -> Iterator[tuple[int, str]]:
    """Give titles, each once, with their entries."""
    seen: set[str] = set()
    for one in entries:
        title = clean_line(one.title)
        if title and title not in seen and not why_suspicious(title):
            seen.add(title)
            short = title[:_LONGEST_TITLE].rstrip()
            yield one.id, short if len(short) == len(title) else f"{short}…"
