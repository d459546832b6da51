"""Why a document did not come up for a question: not there, out of scope, without the words, cut
off, the same as another, or outranked; and by what.

The rank that it names is the one that a search with the same words gives.
"""

from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass

from rag_assistant.errors import EntryNotFound
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, take_meaning
from rag_assistant.library.threads import Threads
from rag_assistant.library.why_not import PathAccount, path_accounts
from rag_assistant.search.account import Account, Target, account
from rag_assistant.values.scope import Wanted


@dataclass(frozen=True, slots=True)
class NotFound:
    """What a database says of a path and a question.

    `account` is there when the entry took part in the search. `title` and `entries`, their number,
    are of the entry that fared best, and of the file. `reason` says what kept it out before that.
    """

    path: PathAccount
    reason: str = ""
    title: str = ""
    entries: int = 0
    account: Account | None = None
    notes: tuple[str, ...] = ()


def why_not_found(
    library: Library, written: str, question: str, limit: int, scope: Sequence[Wanted] = ()
) -> list[NotFound]:
    """Say of a path why it does not come up for a question; one for each database that holds it.

    `scope` are the databases, or parts of them, that the question went to: all when none are named.
    `limit` is how many hits are shown. Raises LibraryError, IndexDamaged.
    """
    databases, missing = open_databases(library, scope or None)
    return [
        _of(databases, known, question, limit, missing)
        if known.indexed
        else NotFound(known, known.said)
        for known in path_accounts(library, written)
    ]


def _of(
    databases: Sequence[Database],
    known: PathAccount,
    question: str,
    limit: int,
    missing: tuple[str, ...],
) -> NotFound:
    names = [database.name for database in databases]
    if known.database not in names:
        searched = ", ".join(names)
        return NotFound(known, f"It is out of scope: the question went to {searched} only.")
    number = names.index(known.database)
    database = databases[number]
    everything = [e.id for e in _whole(database).entries() if e.path == known.path]
    entries = [entry for entry in everything if _is_in_scope(database, entry)]
    if not everything:
        return NotFound(known, "It is indexed, but holds no text.", notes=missing)
    if not entries:
        said = f"It is out of scope: the question was limited to other documents of {names[number]}"
        return NotFound(known, f"{said}.", entries=len(everything), notes=missing)
    with closing(Threads(databases)) as threads:
        notes = take_meaning(threads, databases, question) if question.strip() else []
        target = Target(number, frozenset(entries))
        outcome = account(threads, question, limit, target)
        notes = [*missing, *threads.notes(), *outcome.notes, *notes]
    if database.reranker:
        notes.append(f"a reranker puts the first {database.reranker.passages} into another order")
    notes += _hidden_notes(database, outcome.entry_id)
    title = database.entry(outcome.entry_id).title
    return NotFound(known, "", title, len(entries), outcome, tuple(dict.fromkeys(notes)))


def _hidden_notes(database: Database, entry_id: int) -> list[str]:
    """Say which parts of an entry models may not read."""
    rows = [row for row in database.suspicions(entry_id) if not row.suspicion.allowed]
    reasons = "; ".join(dict.fromkeys(row.suspicion.reason for row in rows))
    return [f"models may not read all of it, {len(rows)} found: {reasons}"] if rows else []


def _whole(database: Database) -> Database:
    return Database(database.name, database.path)


def _is_in_scope(database: Database, entry_id: int) -> bool:
    if database.scope is None:
        return True
    try:
        database.entry(entry_id)
    except EntryNotFound:
        return False
    return True
