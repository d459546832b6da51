"""Searching one or several databases: the one way, whoever asks.

Each database is read in a thread of its own, on one connection, all at the same time. One that
cannot be read is left out, and a note names it with the next step; the others answer. It is an
error only when none can be searched.
"""

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from rag_assistant.errors import LibraryError, ModelError, RagError
from rag_assistant.library.threads import Threads, left_out
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.ranking import Profile, SearchResult
from rag_assistant.search.together import Searches, search_passages_together, search_together
from rag_assistant.store.damage import damaged
from rag_assistant.store.opening import store_at
from rag_assistant.values.scope import Wanted, name_of

if TYPE_CHECKING:
    from rag_assistant.library.database import Database
    from rag_assistant.library.library import Library
    from rag_assistant.library.protocols import Embedder, Reranker
    from rag_assistant.values.embeddings import VectorKind

Find = Callable[[Searches, str, int], SearchResult]
"""A search for a text of so many results, in databases that take its steps together."""


def open_databases(
    library: "Library", names: Sequence[Wanted] | None = None
) -> "tuple[list[Database], tuple[str, ...]]":
    """Give the named databases or parts, each once, or all; and a note for each that there is not.

    Raises LibraryError when there is none of them.
    """
    opened: list[Database] = []
    missing: list[tuple[str, RagError]] = []
    for name in dict.fromkeys(names or library.names()):
        try:
            opened.append(library.database(name))
        except LibraryError as error:
            missing.append((name_of(name), error))
    if not opened:
        if missing:
            raise missing[0][1]
        return library.databases(), ()
    return opened, tuple(left_out(name, error) for name, error in missing)


def search_databases(
    databases: "Sequence[Database]",
    text: str,
    limit: int,
    *,
    profile: Profile = "question",
    rerank: bool = True,
    by_meaning: bool = True,
) -> SearchResult:
    """Find the `limit` best entries of one or more databases for any text; see `search_together`.

    Where they have vectors of their embedder's, meaning counts beside the words; when that cannot
    be, the words alone do and the notes say so. Profile "typing" is fast enough for each key: it
    asks no model; nor does a search that is not `by_meaning` make a vector. Raises RagError when no
    database can be searched.
    """
    asking = profile == "question"

    def search(some: "Sequence[Database]") -> SearchResult:
        find = partial(search_together, profile=profile)
        reranker = some[0].reranker if asking and rerank else None
        return _searched(some, text, limit, find, reranker, by_meaning=asking and by_meaning)

    return _of_the_sound(databases, search)


def search_passages(
    databases: "Sequence[Database]", text: str, limit: int, *, rerank: bool = True
) -> SearchResult:
    """Find the `limit` best passages of one or more databases, several of an entry where they are.

    Each is a hit; otherwise as `search_databases`, whose hits are entries.
    """

    def search(some: "Sequence[Database]") -> SearchResult:
        reranker = some[0].reranker if rerank else None
        return _searched(some, text, limit, search_passages_together, reranker, by_meaning=True)

    return _of_the_sound(databases, search)


def _of_the_sound(
    databases: "Sequence[Database]", search: "Callable[[Sequence[Database]], SearchResult]"
) -> SearchResult:
    """Search, and once more without the damaged ones where that fails."""
    try:
        return search(databases)
    except RagError:
        raise
    except Exception as error:
        # What a damaged one brought may have passed for sound until it met that of the others.
        sound, notes = _without_damaged(databases)
        if not notes:
            raise
        if not sound:
            raise damaged(databases[0].path, error) from error
        result = search(sound)
        return replace(result, notes=(*notes, *result.notes))


def _without_damaged(
    databases: "Sequence[Database]",
) -> "tuple[list[Database], list[str]]":
    sound, notes = [], []
    for database in databases:
        if store_at(database.path).is_damaged():
            error = damaged(database.path, ValueError("its rows are not what was written"))
            notes.append(left_out(database.name, error))
        else:
            sound.append(database)
    return sound, notes


def _searched(
    databases: "Sequence[Database]",
    text: str,
    limit: int,
    find: Find,
    reranker: "Reranker | None",
    *,
    by_meaning: bool,
) -> SearchResult:
    reranker = reranker if limit > 0 else None
    most = max(limit, reranker.passages) if reranker else limit
    with closing(Threads(databases)) as threads:
        meant = by_meaning and bool(text.strip())
        notes = take_meaning(threads, databases, text) if meant else []
        result = threads.run(lambda searches: find(searches, text, most))
        notes = [*threads.notes(), *result.notes, *notes]
        searched = threads.names()
    result = replace(result, notes=tuple(dict.fromkeys(notes)), databases=searched)
    if reranker:
        from rag_assistant.library.reranking import reranked  # noqa: PLC0415 - most have none

        result = reranked(result, databases, text, reranker)
    return replace(result, hits=result.hits[:limit])


def why_no_meaning(databases: "Sequence[Database]") -> str:
    """Say why these cannot be searched by meaning, and what would help; empty where they can."""
    if not any(database.embedder for database in databases):
        return "no embedder is set up: name one as embedder in the settings"
    for database in databases:
        with database.reading() as reader:
            if reader.vectors.kind():
                return ""
    names = " ".join(database.name for database in databases)
    return f"there are no vectors yet: rag-assistant embed {names}"


def take_meaning(threads: Threads, databases: "Sequence[Database]", text: str) -> list[str]:
    """Give the databases that have vectors the question's, made once for all of an embedder.

    Gives a line for what hinders it.
    """
    if not any(database.embedder for database in databases):
        return []
    known = dict(threads.ask(lambda search: (search.number, search.reader.vectors.kind())))
    notes: list[str] = []
    for embedder in {id(one.embedder): one.embedder for one in databases}.values():
        kinds = {
            number: kind
            for number, kind in known.items()
            if kind and databases[number].embedder is embedder
        }
        if embedder and kinds:
            notes += _take_vector(threads, databases, text, embedder, kinds)
    return notes


def _take_vector(
    threads: Threads,
    databases: "Sequence[Database]",
    text: str,
    embedder: "Embedder",
    kinds: "Mapping[int, VectorKind]",
) -> list[str]:
    from rag_assistant.egress.provenance import carrying, carrying_more  # noqa: PLC0415 - as numpy below
    from rag_assistant.values.embeddings import VectorKind  # noqa: PLC0415

    try:
        wanted = embedder.name
        if all(kind.model != wanted for kind in kinds.values()):
            return _of_another_kind(databases, kinds, wanted)
        with carrying(carrying_more("embedding", [databases[n].name for n in kinds])):
            vector = embedder.embed_query(text)
    except ModelError as error:
        return [f"searched by words alone: {error}".rstrip(".")]
    own = VectorKind(wanted, len(vector))

    def take(search: DatabaseSearch) -> None:
        if kinds.get(search.number) == own:
            search.vector = vector

    threads.ask(take)
    return _of_another_kind(databases, {n: k for n, k in kinds.items() if k != own}, str(own))


def _of_another_kind(
    databases: "Sequence[Database]", kinds: "Mapping[int, VectorKind]", wanted: str
) -> list[str]:
    notes: list[str] = []
    for kind in dict.fromkeys(kinds.values()):
        names = [databases[number].name for number, known in kinds.items() if known == kind]
        notes.append(
            f"{', '.join(names)} {'has' if len(names) == 1 else 'have'} vectors of {kind}, not of"
            f" {wanted}: searched by words alone; make new ones: rag-assistant embed"
            f" {' '.join(names)}"
        )
    return notes
