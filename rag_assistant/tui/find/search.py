"""What the find screen asks for in its threads, as values: a search, and the text round a hit."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import open_databases, search_databases, why_no_meaning
from rag_assistant.search.matching_words import matching_words
from rag_assistant.search.ranking import Profile
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.question.scope_names import ScopeNames
from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.sources.reading import OpenEntry, open_entry
from rag_assistant.values.documents import Hit, Passage, Version
from rag_assistant.values.scope import Scope

MOST_ROWS = 30
"""Documents that are listed; who wants others types another word."""

MOST_OTHERS = 12
"""Further passages of a document that are listed."""

MOST_SHOWN = 400
"""Characters that are bright of another passage."""

Spans = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class FindRequest:
    """A search to be made, by words or `by_meaning` too; `number` tells it from those before."""

    number: int
    query: str
    profile: Profile
    by_meaning: bool = False


@dataclass(frozen=True, slots=True)
class FindResult:
    """What a search came to; `reason` and `hint` say why it came to nothing.

    `words` has, for each hit, where its snippet holds words that were looked for. A file that
    several databases hold is one hit; `also_in` has the other ones, by database and id.
    """

    wanted: FindRequest
    hits: tuple[Hit, ...] = ()
    words: tuple[Spans, ...] = ()
    notes: tuple[str, ...] = ()
    seconds: float = 0.0
    by_meaning: bool = False
    reason: str = ""
    hint: str = ""
    also_in: Mapping[tuple[str, int], tuple[str, ...]] = field(default_factory=dict)

    def databases_of(self, hit: Hit) -> tuple[str, ...]:
        """Give the databases that hold what was hit."""
        return (hit.database, *self.also_in.get((hit.database, hit.entry_id), ()))


@dataclass(frozen=True, slots=True)
class Preview:
    """A hit with the text round it, in which `words` are those that were looked for, by places of
    the whole text; `reason` says why there is none.
    """

    hit: Hit
    opened: OpenEntry | None = None
    excerpt: Excerpt = Excerpt(0, "")
    words: Spans = ()
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Others:
    """What is listed below a hit: passages of its document that match as well, other versions.

    Each is a hit of its own.
    """

    hit: Hit
    hits: tuple[Hit, ...] = ()
    words: tuple[Spans, ...] = ()
    reason: str = ""


class OthersRead(Message):
    """The other passages of a hit's document were read."""

    def __init__(self, others: Others) -> None:
        super().__init__()
        self.others = others


class MeaningKnown(Message):
    """Whether meaning can take part is known; `why_not` is empty where it can."""

    def __init__(self, why_not: str) -> None:
        super().__init__()
        self.why_not = why_not


class NamesRead(Message):
    """What filters can be filled with was read."""

    def __init__(self, names: ScopeNames) -> None:
        super().__init__()
        self.names = names


class FindEnded(Message):
    """A search has come to an end."""

    def __init__(self, found: FindResult) -> None:
        super().__init__()
        self.found = found


class PreviewRead(Message):
    """The text round a hit was read."""

    def __init__(self, preview: Preview) -> None:
        super().__init__()
        self.preview = preview


def search_now(library: Library, names: Sequence[str | Scope], wanted: FindRequest) -> FindResult:
    """Search; it blocks: call it in a thread. No reranker is asked: text stays where it is."""
    started = time.perf_counter()
    try:
        databases, missing = open_databases(library, names or None)
        result = search_databases(
            databases,
            wanted.query,
            MOST_ROWS,
            profile=wanted.profile,
            rerank=False,
            by_meaning=wanted.by_meaning,
        )
    except RagError as error:
        return FindResult(wanted, reason=error.message, hint=error.hint)
    except Exception as error:  # noqa: BLE001 - a defect must not stop the next search
        reason = f"{type(error).__name__}: {error}."
        return FindResult(wanted, reason=reason, hint="Try other words.")
    hits, also_in = _each_file_once(result.hits, databases)
    words = tuple(tuple(matching_words(hit.snippet, wanted.query)) for hit in hits)
    return FindResult(
        wanted,
        hits,
        words,
        (*missing, *result.notes),
        time.perf_counter() - started,
        result.by_meaning,
        also_in=also_in,
    )


def _each_file_once(
    hits: Sequence[Hit], databases: Sequence[Database]
) -> tuple[tuple[Hit, ...], dict[tuple[str, int], tuple[str, ...]]]:
    """Leave out hits of files that a better hit is of, by another database; say of which."""
    if len({hit.database for hit in hits}) < 2:
        return tuple(hits), {}
    folders = {database.name: database.folder() for database in databases}
    first: dict[tuple[Path, str], Hit] = {}
    also_in: dict[tuple[str, int], tuple[str, ...]] = {}
    for hit in hits:
        better = first.setdefault((Path(folders[hit.database], hit.path), hit.key), hit)
        if better is not hit:
            key = better.database, better.entry_id
            also_in[key] = (*also_in.get(key, ()), hit.database)
    return tuple(first.values()), also_in


def scope_of(hits: Iterable[Hit]) -> tuple[Scope, ...]:
    """Give the documents of some hits, each once, and nothing else."""
    ids: dict[str, dict[int, None]] = {}
    for hit in hits:
        ids.setdefault(hit.database, {})[hit.entry_id] = None
    return tuple(Scope(database, entries=tuple(some)) for database, some in ids.items())


def read_preview(library: Library, hit: Hit, query: str) -> Preview:
    """Read the text round a hit. It blocks: call it in a thread."""
    place = hit.location
    try:
        database = library.database(hit.database)
        opened = open_entry(database, database.entry(hit.entry_id))
        excerpt = opened.window(place.start, place.end)
    except RagError as error:
        return Preview(hit, reason=told(error))
    words = matching_words(excerpt.text, query)
    start = excerpt.start
    return Preview(hit, opened, excerpt, tuple((start + a, start + b) for a, b in words))


def read_others(library: Library, hit: Hit, query: str) -> Others:
    """Read what is listed below a hit: its other passages that match, then its other versions.

    It blocks: call it in a thread.

    Each is shown from the line of its first word that was looked for.
    """
    try:
        database = library.database(hit.database)
        found = database.matching(hit.entry_id, query, MOST_OTHERS + 1)
        versions = [_version(database, hit, version, query) for version in hit.versions]
    except RagError as error:
        return Others(hit, reason=told(error))
    here = hit.location.start
    passages = [
        _cut(hit, passage, query)
        for passage in found
        if not passage.location.start <= here < passage.location.end
    ]
    hits = (*passages[:MOST_OTHERS], *versions[:MOST_OTHERS])
    return Others(hit, hits, tuple(tuple(matching_words(one.snippet, query)) for one in hits))


def _version(database: Database, hit: Hit, version: Version, query: str) -> Hit:
    """Make a hit of another version, at what matches best in it or at its beginning."""
    at = version.entry_id
    found = database.matching(at, query, 1) or database.read_around(at, 0, 0).passages
    own = replace(hit, entry_id=at, title=version.title, path=version.path, versions=())
    return _cut(own, found[0], query) if found else own


def _cut(hit: Hit, passage: Passage, query: str) -> Hit:
    words = matching_words(passage.text, query)
    first = words[0][0] if words else 0
    begin = passage.text.rfind("\n", 0, first) + 1
    end = min(len(passage.text), begin + MOST_SHOWN)
    place = passage.location
    line = None if place.line is None else place.line + passage.text.count("\n", 0, begin)
    cut = replace(place, start=place.start + begin, end=place.start + end, line=line)
    return replace(hit, location=cut, snippet=passage.text[begin:end], other_passages=0)


def can_mean(library: Library, names: Sequence[str | Scope]) -> str:
    """Say why these cannot be searched by meaning; empty where they can. It blocks."""
    try:
        return why_no_meaning(open_databases(library, names or None)[0])
    except RagError as error:
        return told(error)
