"""What an answer saw of the databases, part by part, and the one statement of it in words.

Whoever shows an answer says this of it, so that nobody takes "not found" for "not there".
"""

from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.values.scope import Scope

NAMES_SHOWN = 3
"""Databases that the statement names; of more it gives the number."""

TALLIES_SHOWN = 2
"""Numbers counted by tools that the statement repeats."""


@dataclass(frozen=True, slots=True)
class DatabaseSeen:
    """A database that could be searched, as it was then.

    `entries` are those in scope. `failed` files could not be read, `partial` ones are too long to
    be indexed as a whole, and `skipped` ones were left out by the rules of reading. `indexed_at`
    and `unfinished` are as in `IndexFigures`.
    """

    database: str
    entries: int = 0
    failed: int = 0
    skipped: int = 0
    indexed_at: str = ""
    unfinished: bool = False
    partial: int = 0


@dataclass(frozen=True, slots=True)
class SearchMade:
    """A search of one database: its words, and how many entries it showed."""

    database: str
    words: str
    hits: int = 0


@dataclass(frozen=True, slots=True)
class EntryRead:
    """An entry that was read for the answer, cited or not."""

    database: str
    entry_id: int
    title: str = ""


@dataclass(frozen=True, slots=True)
class Tally:
    """A number that a tool counted or computed, not a model: `value` of `what` in a database.

    `of` is what there was to look at, in the same unit, "" where that says nothing; `complete` is
    false where not all of it was looked at.
    """

    database: str
    what: str
    value: str
    of: str = ""
    complete: bool = True

    @property
    def words(self) -> str:
        """Say it in a line: "council, documents with “roof”: 17 of 20, all looked at"."""
        of = f" of {self.of}" if self.of else ""
        looked = "all looked at" if self.complete else "not all looked at"
        return f"{self.database}, {self.what}: {self.value}{of}, {looked}"


@dataclass(frozen=True, slots=True)
class DatabaseLeftOut:
    """A database that was to be searched and could not be, with the reason and the next step."""

    database: str
    why: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """How much of the databases an answer saw; `coverage_statement` says it in words.

    `limits` names what the run met before it was done, `left_out` the databases that could not be
    searched, `scope` the parts that the question was limited to. `other_tools` counts the calls of
    tools beside those of the databases that gave something, `tallies` is what tools counted.
    """

    databases: tuple[str, ...] = ()
    entries_indexed: int = 0
    entries_failed: int = 0
    searches: int = 0
    entries_read: int = 0
    by_database: tuple[DatabaseSeen, ...] = ()
    searches_made: tuple[SearchMade, ...] = ()
    read: tuple[EntryRead, ...] = ()
    limits: tuple[str, ...] = ()
    left_out: tuple[DatabaseLeftOut, ...] = ()
    scope: tuple[Scope, ...] = ()
    other_tools: int = 0
    files_partial: int = 0
    tallies: tuple[Tally, ...] = ()


def seen_in_part(coverage: Coverage) -> list[DatabaseSeen]:
    """Give the databases some of whose files are not indexed, or not as a whole."""
    return [seen for seen in coverage.by_database if seen.failed or seen.partial]


def coverage_statement(coverage: Coverage) -> str:
    """Say in a line what an answer saw, and what it did not see."""
    made = _counted(coverage.searches, "search", "searches")
    read = _counted(coverage.entries_read, "document", "documents")
    within = " in the chosen documents" if coverage.scope else ""
    said = [f"Searched {_searched(coverage)}{within}: {made}, {read} read."]
    if coverage.tallies and not (coverage.searches or coverage.entries_read):
        said = [f"Looked through {_searched(coverage)}{within}."]
    elif not (coverage.searches or coverage.entries_read):
        said = [f"Nothing was searched of {_searched(coverage)}{within}."]
    if coverage.tallies:
        named = "; ".join(tally.words for tally in coverage.tallies[:TALLIES_SHOWN])
        more = "; …" if len(coverage.tallies) > TALLIES_SHOWN else ""
        said.append(f"Counted: {named}{more}.")
    if coverage.other_tools:
        said.append(f"Beside it: {_counted(coverage.other_tools, 'call')} of other tools.")
    if coverage.limits:
        said.append(f"Limit reached: {'; '.join(coverage.limits)}.")
    if coverage.left_out:
        names = ", ".join(one.database for one in coverage.left_out)
        said.append(f"Left out: {names}.")
    return " ".join(said)


def _searched(coverage: Coverage) -> str:
    """Name what was there to search, with how much of it could be found at all."""
    names = ", ".join(coverage.databases)
    if not names:
        names = "no database"
    elif len(coverage.databases) > NAMES_SHOWN:
        names = f"{len(coverage.databases)} databases"
    held = [_counted(coverage.entries_indexed, "document", "documents")]
    if coverage.entries_failed:
        held.append(f"{_counted(coverage.entries_failed, 'file')} could not be read")
    if coverage.files_partial:
        held.append(f"{_counted(coverage.files_partial, 'file')} indexed only in part")
    if any(seen.unfinished for seen in coverage.by_database):
        held.append("indexing is not finished")
    return f"{names} ({', '.join(held)})"


def coverage_details(coverage: Coverage) -> list[tuple[str, str]]:
    """Give the parts of the statement in full: what each is, and what there is to say of it."""
    return [
        *(("database", _seen(seen)) for seen in coverage.by_database),
        *(("left out", f"{one.database}: {one.why}") for one in coverage.left_out),
        *(("scope", _scope(one)) for one in coverage.scope),
        *(("search", _made(one)) for one in coverage.searches_made),
        *(("counted", tally.words) for tally in coverage.tallies),
        *(("read", f"{one.database} {one.entry_id}: {one.title}") for one in coverage.read),
        *(("limit", one) for one in coverage.limits),
    ]


def _seen(seen: DatabaseSeen) -> str:
    return f"{seen.database}: {', '.join(_parts(seen))}"


def _parts(seen: DatabaseSeen) -> Iterator[str]:
    yield _counted(seen.entries, "document", "documents")
    if seen.failed:
        yield f"{_counted(seen.failed, 'file')} could not be read"
    if seen.partial:
        yield f"{_counted(seen.partial, 'file')} indexed only in part"
    if seen.skipped:
        yield f"{_counted(seen.skipped, 'path')} skipped by the rules"
    if seen.indexed_at:
        yield f"indexed {seen.indexed_at[:16].replace('T', ' ')} UTC"
    if seen.unfinished:
        yield "a run is not finished"


def _scope(scope: Scope) -> str:
    parts = [*scope.paths]
    if scope.entries:
        parts.append(_counted(len(scope.entries), "single document", "single documents"))
    return f"{scope.database}: only {', '.join(parts) or 'nothing'}"


def _made(made: SearchMade) -> str:
    return f"{made.database} for “{made.words}”: {_counted(made.hits, 'document', 'documents')}"


def _counted(number: int, what: str, many: str = "") -> str:
    return f"{number:,} {what if number == 1 else many or f'{what}s'}"
