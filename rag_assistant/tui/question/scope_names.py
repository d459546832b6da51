"""What `@name` and `@path` may mean: databases, their folders and files, offered and understood."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from rag_assistant.errors import RagError
from rag_assistant.library.contents import authors_of, files_of, languages_of
from rag_assistant.library.library import Library
from rag_assistant.tui.question.fuzzy_names import fitting
from rag_assistant.values.scope import Scope, Wanted, joint, name_of, scopes_in

if TYPE_CHECKING:
    from rag_assistant.values.ledger import IndexedFile

MOST_OFFERED = 40
"""Paths that are offered at once; typing on brings others."""

_NAMED = re.compile(r'(?:^|(?<=\s))@(?:"([^"\n]+)"|(\S+))[ \t]?')


def folders_of(paths: Sequence[str]) -> dict[str, int]:
    """Count what each folder holds, below it too; folders end with a stroke, outer ones first."""
    counts: dict[str, int] = {}
    for path in paths:
        end = path.find("/")
        while end >= 0:
            folder = path[: end + 1]
            counts[folder] = counts.get(folder, 0) + 1
            end = path.find("/", end + 1)
    return counts


@dataclass(frozen=True, slots=True)
class ScopeNames:
    """The databases that can be named, and the files of those in scope; `places` counts by path.

    Places are files and folders, a folder's count being that of its files. Of `parts` only these
    files are in scope, and no others of their folders. `authors` and `languages` (by code, "" for
    none) count the documents in scope.
    """

    databases: tuple[str, ...] = ()
    files: Mapping[str, tuple[IndexedFile, ...]] = field(default_factory=dict)
    places: Mapping[str, int] = field(default_factory=dict)
    parts: frozenset[str] = frozenset()
    authors: Mapping[str, int] = field(default_factory=dict)
    languages: Mapping[str, int] = field(default_factory=dict)

    def offered(self, typed: str) -> list[str]:
        """Give the folders and files that may be meant by a few letters."""
        return fitting(typed, self.places, MOST_OFFERED)

    def means(self, name: str) -> tuple[Wanted, ...]:
        """Give what a name stands for: a database, or a place in every one that has it."""
        if name in self.databases:
            return (name,)
        if name not in self.places:
            return ()
        found: list[Wanted] = []
        for database, files in self.files.items():
            there = [file for file in files if _is_at(file.path, name)]
            if there and database in self.parts:
                found.append(Scope(database, entries=tuple(n for f in there for n in f.entries)))
            elif there:
                found.append(Scope(database, (name,)))
        return tuple(found)


def _is_at(path: str, place: str) -> bool:
    return path.startswith(place) if place.endswith("/") else path == place


def read_names(library: Library, databases: Sequence[str], wanted: Sequence[Wanted]) -> ScopeNames:
    """List what can be named: databases, and places in what is `wanted`, whole or in part.

    It blocks: call it in a thread. One that cannot be read has no files here; asking it says why.
    """
    files: dict[str, tuple[IndexedFile, ...]] = {}
    authors: Counter[str] = Counter()
    languages: Counter[str] = Counter()
    for one in wanted:
        try:
            database = library.database(one)
            files[name_of(one)] = files_of(database)
            authors += authors_of(database)
            languages += languages_of(database)
        except RagError:
            continue
    paths = [file.path for known in files.values() for file in known]
    places = folders_of(paths) | dict.fromkeys(paths, 1)
    parts = frozenset(scope.database for scope in scopes_in(wanted))
    return ScopeNames(tuple(databases), files, places, parts, authors, languages)


def quoted_name(name: str) -> str:
    """Give a name as it is typed behind `@`."""
    return f'@"{name}"' if re.search(r"\s", name) else f"@{name}"


def narrowed(text: str, names: ScopeNames) -> tuple[str, tuple[Wanted, ...]]:
    """Take what `@` names out of a question; give what is left, and what is to be asked.

    Where places of a database are named beside itself, only they are asked.
    """
    whole: list[str] = []
    parts: dict[str, list[Scope]] = {}

    def take(word: re.Match[str]) -> str:
        found = names.means(word[1] or word[2])
        for one in found:
            if isinstance(one, str):
                whole.append(one)
            else:
                parts.setdefault(one.database, []).append(one)
        return "" if found else word[0]

    question = _NAMED.sub(take, text).strip()
    asked: dict[str, Wanted] = {name: name for name in whole}
    asked |= {name: joint(scopes) for name, scopes in parts.items()}
    return question, tuple(asked.values())
