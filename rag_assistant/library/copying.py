"""Copying a database to another store, entries with their ids, and verifying it by a digest.

A copy goes file by file, and is committed now and then: one that was cut off is taken up again by
the same command, and one of before is brought into step.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from importlib.util import find_spec
from itertools import groupby, islice
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import LibraryError
from rag_assistant.library.elsewhere import demand_leave, host_of_link, sending_from
from rag_assistant.library.writing import writers_lock
from rag_assistant.store.opening import link_at, store_at
from rag_assistant.store.record_making import name_of
from rag_assistant.values.documents import Entry, Passage
from rag_assistant.values.ledger import FileChange, KnownFile, PassageRow, ReadEntry

if TYPE_CHECKING:
    from rag_assistant.store.reading import StoreReader
    from rag_assistant.store.writing import Store, StoreWriter

COPY_OF = "copy_of"
"""The fact of a database that is a copy: the name of what it was made of."""

AT_ONCE = 2_000
"""Passages that are committed together."""

READ_CHARACTERS = 1_000_000
"""Characters of the entries that are read together, from a store that may be far away."""

READ_ENTRIES = 500
"""Entries that are read together at the most."""


@dataclass(frozen=True, slots=True)
class CopyReport:
    """What copying came to: files that were written, and such as were there; what the copy has."""

    copied: int
    unchanged: int
    entries: int
    digest: str
    notes: tuple[str, ...] = ()


Listener = Callable[[int, int], None]
"""Hears how many files of how many are copied."""


def copy_database(source: Path, target: Path, listener: Listener) -> CopyReport:
    """Copy the database at `source` to the one at `target`, which may be a part of it already.

    Raises EgressError where its text may not leave for the store of the target, LibraryError where
    the target is another database, or turns out not to be the same in the end.
    """
    name, link = source.stem, link_at(target)
    if link and (host := host_of_link(link)):
        demand_leave(source, host)
    store = store_at(target, sending_from(target))
    with writers_lock(target), store_at(source).reading() as reader:
        _refuse_withheld(reader, name)
        with store.writing() as writer:
            _check_target(writer, name, target.stem)
            writer.set_facts({COPY_OF: name, "unfinished": "yes"})
            writer.commit()
            copied = _copy_files(reader, writer, listener)
            notes = [*writer.notes, *writer.finish()]
            digest = digest_of(reader)
            with store.reading() as made:
                is_same = digest_of(made) == digest
            if not is_same:
                raise LibraryError(
                    f"The copy {target.stem!r} is not the same as {name!r}.",
                    hint="One of them was written meanwhile: run the same command again.",
                )
            writer.set_facts({"unfinished": "", **reader.ledger.facts(), COPY_OF: name})
            writer.commit()
        for row in reader.suspicions.listed():
            if row.suspicion.allowed:
                store.allow(row.entry_id, start=row.suspicion.start, allowed=True)
        notes += _copy_vectors(reader, store)
        files, entries = reader.ledger.files(), reader.ledger.figures().entries
        return CopyReport(copied, len(files) - copied, entries, digest, tuple(notes))


def _refuse_withheld(reader: "StoreReader", name: str) -> None:
    if withheld := reader.ledger.figures().withheld:
        raise LibraryError(
            f"{withheld} files of {name} are withheld, and would be missing in a copy.",
            hint="Let its folder be read again, or index it with --prune; then copy it.",
        )


def _check_target(writer: "StoreWriter", name: str, target: str) -> None:
    if writer.ledger.files() and writer.ledger.facts().get(COPY_OF) != name:
        raise LibraryError(
            f"The database {target!r} is there, and is no copy of {name!r}.",
            hint="Choose another name: `--as NAME`.",
        )


def _copy_files(reader: "StoreReader", writer: "StoreWriter", listener: Listener) -> int:
    """Write what is not there as it is, and delete what is there besides; count what was written.

    What goes comes first: an entry gets its id where no other has it.
    """
    files, there = reader.ledger.files(), dict(writer.ledger.files())
    entries = {path: list(them) for path, them in groupby(reader.entries.all(), lambda e: e.path)}
    for path in there.keys() - files.keys():
        writer.write(FileChange("delete", there[path].record, there[path]))
    writer.commit()
    lacking = [
        path
        for path, known in sorted(files.items())
        if (before := there.get(path)) is None or before.record != known.record
    ]
    whole = _whole(reader, [entry for path in lacking for entry in entries.get(path, ())])
    wanted, waiting = set(lacking), 0
    for number, (path, known) in enumerate(sorted(files.items()), 1):
        if path in wanted:
            made = list(islice(whole, len(entries.get(path, ()))))
            waiting += writer.write(_change(known, there.get(path), made)).passages
        if waiting > AT_ONCE or number == len(files):
            writer.commit()
            waiting = 0
        listener(number, len(files))
    return len(wanted)


def _copy_vectors(reader: "StoreReader", store: "Store") -> list[str]:
    """Give the passages of a copy the vectors of those that are the same; say if that cannot be."""
    kind, last = reader.vectors.kind(), 0
    if kind and find_spec("numpy") is None:
        how = how_to_add("vectors")
        return [f"its vectors are not copied without the extra 'vectors': run `{how}`, then again"]
    while kind:
        with store.reading() as made:
            lacking = made.vectors.without(kind, last, AT_ONCE)
            starts = made.passages.starts([one.id for one in lacking])
        if not lacking:
            break
        last = lacking[-1].id
        same = {
            (entry_id, one.start): one.id
            for entry_id in {one.entry_id for one in lacking}
            for one in reader.passages.candidates_of(entry_id)
        }
        ids = {one.id: same.get((one.entry_id, starts.get(one.id, -1)), 0) for one in lacking}
        rows = reader.vectors.rows(list(ids.values()))
        found = {own: rows[of] for own, of in ids.items() if of in rows}
        if found:
            store.add_vectors(kind, [one for one in lacking if one.id in found], found)
    return []


def _change(known: KnownFile, before: KnownFile | None, entries: Sequence[ReadEntry]) -> FileChange:
    if not entries:
        is_skipped = known.record.status == "skipped"
        return FileChange("skip" if is_skipped else "record", known.record, before)
    return FileChange("store", known.record, before, entries)


def _whole(reader: "StoreReader", entries: Sequence[Entry]) -> Iterator[ReadEntry]:
    """Read all that is kept of entries, in their order."""
    for some in _portions(entries):
        ids = [entry.id for entry in some]
        passages, facts = reader.passages.of_entries(ids), reader.entries.facts_of(ids)
        previous = reader.entries.previous_texts(ids)
        suspicions = reader.suspicions.of_entries(ids)
        for entry in some:
            yield ReadEntry(
                "" if entry.title == name_of(entry.path) else entry.title,
                entry.key, entry.media_type, entry.metadata, entry.id, entry.length,
                entry.text_hash, _rows(passages.get(entry.id, ())), suspicions.get(entry.id, ()),
                facts[entry.id], previous.get(entry.id),
            )  # fmt: skip


def _portions(entries: Sequence[Entry]) -> Iterator[list[Entry]]:
    """Divide entries, so that those which are read together are neither too long nor too many."""
    some: list[Entry] = []
    characters = 0
    for entry in entries:
        is_too_long = characters + entry.length > READ_CHARACTERS
        if some and (is_too_long or len(some) == READ_ENTRIES):
            yield some
            some, characters = [], 0
        some.append(entry)
        characters += entry.length
    if some:
        yield some


def _rows(passages: Sequence[Passage]) -> list[PassageRow]:
    places = [one.location for one in passages]
    return [
        (at.start, at.end, at.page, at.line, at.heading, one.text, one.sections)
        for at, one in zip(places, passages, strict=True)
    ]


def digest_of(reader: "StoreReader") -> str:
    """Give a digest of all that is found and cited: files, entries with their ids, passages."""
    whole = sha256()

    def take(*values: object) -> None:
        whole.update(repr(values).encode("utf-8", "surrogatepass"))

    for path, known in sorted(reader.ledger.files().items()):
        take(path, known.record)
    for some in _portions(sorted(reader.entries.all(), key=lambda one: one.id)):
        ids = [entry.id for entry in some]
        passages, facts = reader.passages.of_entries(ids), reader.entries.facts_of(ids)
        for entry in some:
            take(entry.id, entry.path, entry.key, entry.title, entry.media_type, entry.text_hash)
            take(sorted(entry.metadata.items()), facts[entry.id])
            take(*_rows(passages.get(entry.id, ())))
    return whole.hexdigest()
