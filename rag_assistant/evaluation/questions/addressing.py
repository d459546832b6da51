"""Which databases a question goes to, and which of their entries its judgements mean.

Every database is looked up before the first question is asked, and what a question set names that
no search can find is told.
"""

import shlex
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from posixpath import normpath

from rag_assistant.errors import IndexDamaged, LibraryError
from rag_assistant.evaluation.questions.naming import first_of
from rag_assistant.evaluation.questions.values import (
    Question,
    QuestionSet,
    document_id,
    document_of,
)
from rag_assistant.library.contents import names_of
from rag_assistant.library.library import Library
from rag_assistant.library.names import name_for
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.documents import EntryName
from rag_assistant.values.scope import Scope, Wanted

QUESTIONS_SUFFIX = ".questions"

_LONGEST_TOLD = 60
"""Characters of a question in a message."""

_NEAR = 75
"""Of 100, how alike a name must be to be offered for one that is unknown (rapidfuzz's ratio)."""


def addressed(
    library: Library, found: QuestionSet, databases: Sequence[str], path: Path
) -> tuple[Question, ...]:
    """Give each question the databases it goes to, and its documents the names they go by there.

    A question goes to its own databases; when it names none to `databases`; else to the one that
    the set is about (`collection_of`), and when that is no folder to the only one there is.
    A document named by digits that are neither a path nor a record's id is the entry of that id;
    one named as a shell does (`./a.md`, absolute, from above the folder) goes by its path in it.
    Raises LibraryError for a database that is not there, naming the question that asks for it.
    """
    chosen = tuple(dict.fromkeys(databases))
    default: tuple[str, ...] = ()
    if not chosen and any(not question.databases for question in found.questions):
        default = (_default(library, path),)
    own = {name for question in found.questions for name in question.databases}
    questions = [replace(q, databases=q.databases or chosen or default) for q in found.questions]
    _check(library, questions, path, own, chosen)
    held = _Holdings(library)
    return tuple(_resolved(question, held) for question in questions)


def own_databases(found: QuestionSet, databases: Sequence[str]) -> tuple[str, ...]:
    """Tell of questions that name databases of their own, and so do not go to those chosen."""
    elsewhere = [q for q in found.questions if q.databases and set(q.databases) != set(databases)]
    if not databases or not elsewhere:
        return ()
    names = first_of(list(dict.fromkeys(name for q in elsewhere for name in q.databases)))
    count = "1 question names" if len(elsewhere) == 1 else f"{len(elsewhere)} questions name"
    return (f"{count} a database in the file and went there, not to -d: {names}",)


def collection_of(path: Path) -> Path:
    """Give the folder that a question set is about, whether or not it exists.

    `handbook.questions.jsonl`, `handbook.csv`, `handbook/questions.toml` and a folder `handbook`
    are all about the folder `handbook`.
    """
    if path.is_dir():
        return path
    stem = path.stem.removesuffix(QUESTIONS_SUFFIX)
    return path.parent if stem == "questions" else path.parent / stem


def wanted_by(library: Library, question: Question) -> tuple[Wanted, ...]:
    """Give what is to be searched for an addressed question: its databases, as if the documents
    that it is to be asked `without` had never been in them.
    """
    if not question.without:
        return question.databases
    away = set(question.without)
    wanted: list[Wanted] = []
    for name in question.databases:
        entries = names_of(library.database(name))
        kept = tuple(entry.id for entry in entries if away.isdisjoint(_names(entry)))
        wanted.append(name if len(kept) == len(entries) else Scope(name, entries=kept))
    return tuple(wanted)


def unknown_documents(library: Library, questions: Sequence[Question]) -> tuple[str, ...]:
    """Name the documents of addressed questions that are not there: relevant ones would look like
    misses, and those that are to be taken away would be searched.
    """
    held = _Holdings(library)
    notes: list[str] = []
    for documents, said in (
        ([(q, name) for q in questions for name in q.relevant], "said to be relevant"),
        ([(q, name) for q in questions for name in q.without], "to be taken away"),
    ):
        unknown = {
            name: question
            for question, name in reversed(documents)
            if not any(name in held.of(database).names for database in question.databases)
        }
        if unknown:
            named = first_of(_told(name, unknown[name], held) for name in list(unknown)[::-1])
            notes.append(f"Not in the database, but {said}: {named} ({len(unknown)} in all)")
    return tuple(notes)


@dataclass(frozen=True, slots=True)
class _Held:
    """What a database holds of a folder: all names its entries go by, and the entries by id."""

    folder: str
    names: frozenset[str]
    entries: Mapping[int, EntryName]


class _Holdings:
    """What databases hold, each read once and only when it is asked about."""

    def __init__(self, library: Library) -> None:
        self._library = library
        self._read: dict[str, _Held] = {}

    def of(self, database: str) -> _Held:
        """Give what a database holds. Raises LibraryError."""
        if database not in self._read:
            held = self._library.database(database)
            entries = names_of(held)
            names = frozenset(name for entry in entries for name in _names(entry))
            by_id = {entry.id: entry for entry in entries}
            self._read[database] = _Held(held.folder(), names, by_id)
        return self._read[database]

    def of_all(self, databases: Iterable[str]) -> list[_Held]:
        """Give what each of some databases holds."""
        return [self.of(database) for database in databases]


def _names(entry: EntryName) -> tuple[str, ...]:
    path = document_id(entry.path)
    return (path, document_id(entry.key)) if entry.key else (path,)


def _resolved(question: Question, held: _Holdings) -> Question:
    """Put the names that entries go by in the place of their ids and of other paths to them."""
    if not (question.relevant or question.without):
        return question
    relevant: dict[str, int] = {}
    for name, grade in question.relevant.items():
        known = _name_for(name, question, held)
        relevant[known] = max(grade, relevant.get(known, grade))
    without = dict.fromkeys(_name_for(name, question, held) for name in question.without)
    return replace(question, relevant=relevant, without=tuple(without))


def _name_for(name: str, question: Question, held: _Holdings) -> str:
    """Give the name of the one entry of an id, or of the file that a path leads to; any other name,
    and an id of several, as it is."""
    there = held.of_all(question.databases)
    if any(name in one.names for one in there):
        return name
    found = _entries_of(name, question, held)
    if len(found) == 1:
        return document_of(found[0].path, found[0].key, question.relevant)
    ways = (way for one in there for way in _in_folder(name, one.folder) if way in one.names)
    return next(ways, name)


def _in_folder(name: str, folder: str) -> Iterator[str]:
    """Give the paths in a folder that a path may mean which leads to it from elsewhere."""
    path = normpath(name if "/" in name else name.replace("\\", "/"))
    yield path
    for above in (document_id(folder), document_id(Path(folder).name)):
        if above and path.startswith(f"{above}/"):
            yield path.removeprefix(f"{above}/")


def _entries_of(name: str, question: Question, held: _Holdings) -> list[EntryName]:
    """Give the entries, one of a database, that have this name for an id and not otherwise."""
    there = held.of_all(question.databases)
    if not _is_number(name) or any(name in one.names for one in there):
        return []
    return [one.entries[int(name)] for one in there if int(name) in one.entries]


def _is_number(name: str) -> bool:
    return len(name) < 20 and name.isascii() and name.isdecimal()


def _told(name: str, question: Question, held: _Holdings) -> str:
    """Name an unknown document; of a path, with what it may be meant for."""
    from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

    if _entries_of(name, question, held):
        return f"{name} (an entry of several databases: give its path)"
    for one in held.of_all(question.databases) if "/" in name or "." in name else ():
        near = process.extractOne(name, one.names, processor=str.casefold, score_cutoff=_NEAR)
        if near:
            return f"{name} (did you mean {near[0]}?)"
    return name


def database_name(folder: Path) -> str:
    """Give the name of the database that indexing `folder` makes."""
    return name_for(folder.resolve().name)


def database_of(library: Library, folder: Path) -> str:
    """Give the name of the database that holds `folder`, "" where there is none.

    Of several that do, it is the one that indexing the folder makes.
    """
    usual = database_name(folder)
    for name in sorted(library.names(), key=lambda name: name != usual):
        try:
            held = library.database(name).folder()
        except IndexDamaged:  # told when it is asked
            continue
        if held and Path(held).resolve() == folder.resolve():
            return name
    return ""


def _default(library: Library, path: Path) -> str:
    """Give the name of the database that a question set is about, whether or not it exists."""
    collection = collection_of(path)
    if held := database_of(library, collection):
        return held
    names, named = library.names(), database_name(collection)
    says_which = path.stem.endswith(QUESTIONS_SUFFIX) or collection.is_dir()
    return names[0] if len(names) == 1 and named not in names and not says_which else named


def _check(
    library: Library,
    questions: Sequence[Question],
    path: Path,
    own: Collection[str],
    chosen: Collection[str],
) -> None:
    """Find out before the first question that a database is missing, and what would mend it.

    `own` are those that questions name, and `chosen` those of the person.
    """
    first: dict[str, Question] = {}
    for question in questions:
        for name in question.databases:
            first.setdefault(name, question)
    for name, question in first.items():
        try:
            library.database(name)
        except LibraryError as error:
            if name in chosen and name not in own:
                raise
            asked = clean_line(question.text)[:_LONGEST_TOLD]
            raise LibraryError(
                f"{error.message.rstrip('.')}, which is to be asked {asked!r}.",
                hint=_way_out(library, name, path, error.hint, is_own=name in own),
            ) from error


def _way_out(library: Library, name: str, path: Path, near: str, *, is_own: bool) -> str:
    """Say what gives a question its database; `near` names those that may be meant."""
    collection = collection_of(path)
    folder = collection if database_name(collection) == name else path.parent / name
    if folder.is_dir():
        near = f"Index its folder: rag-assistant index {shlex.quote(str(folder))}."
    if is_own:
        return f"{near} Or change it in {path.name}."
    return f"{near} Or name one that is there: -d NAME" if library.names() else near
