"""Databases, folders and files that are ticked or not: counted and changed at once, however many.

The files of a database stand sorted, so that a folder is a stretch of them.
"""

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from heapq import nsmallest
from itertools import compress
from typing import Literal

from rag_assistant.errors import RagError
from rag_assistant.library.contents import files_of
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.question.fuzzy_names import ranking
from rag_assistant.tui.question.scope_names import folders_of
from rag_assistant.values.ledger import IndexedFile
from rag_assistant.values.scope import Scope, Wanted, name_of

Ticks = Literal["all", "some", "none"]

MOST_FITTING = 300
"""Places that a filter lists; typing on brings others."""

_NO, _YES, _PARTLY = 0, 1, 2


@dataclass(frozen=True, slots=True)
class Node:
    """A database (its `path` is empty), a folder (it ends with a stroke) or a file.

    It stands for the files from `first` up to `end` of its database.
    """

    database: str
    path: str
    first: int
    end: int

    @property
    def key(self) -> str:
        """What tells it from the others."""
        return f"{self.database}:{self.path}"

    @property
    def is_file(self) -> bool:
        """Whether it is no more than a file."""
        return bool(self.path) and not self.path.endswith("/")


@dataclass(slots=True)
class Branch:
    """The files of a database, sorted, and which are ticked; of `partly` ticked ones, the entries.

    Where there is no file to tick, `asked` says whether the database was asked.
    """

    paths: list[str] = field(default_factory=list)
    entries: list[int] = field(default_factory=list)
    ticks: bytearray = field(default_factory=bytearray)
    partly: dict[str, tuple[int, ...]] = field(default_factory=dict)
    asked: bool = False
    problem: str = ""

    def below(self, folder: str) -> tuple[int, int]:
        """Give the stretch of a folder."""
        end = f"{folder[:-1]}0"  # "0" comes after "/"
        return bisect_left(self.paths, folder), bisect_left(self.paths, end)


class ScopeTree:
    """What there is to choose from, and what is chosen."""

    def __init__(self, branches: Mapping[str, Branch]) -> None:
        self.branches = dict(branches)

    def roots(self) -> list[Node]:
        """Give the databases."""
        return [Node(name, "", 0, len(one.paths)) for name, one in self.branches.items()]

    def children(self, node: Node) -> list[Node]:
        """Give what is right below a database or a folder, folders first."""
        paths, start = self.branches[node.database].paths, len(node.path)
        folders: list[Node] = []
        files: list[Node] = []
        place = node.first
        while place < node.end:
            stroke = paths[place].find("/", start)
            if stroke < 0:
                files.append(Node(node.database, paths[place], place, place + 1))
                place += 1
            else:
                folder = paths[place][: stroke + 1]
                first, end = self.branches[node.database].below(folder)
                folders.append(Node(node.database, folder, first, end))
                place = end
        return [*folders, *files]

    def fitting(self, typed: str) -> list[Node]:
        """Give the likeliest folders and files that a filter means, database by database."""
        rank = ranking(typed)
        found = [
            (place, number, name, path)
            for name, branch in self.branches.items()
            for number, path in enumerate((*folders_of(branch.paths), *branch.paths))
            if (place := rank(path))
        ]
        nodes: dict[str, list[Node]] = {}  # in the order of the best of each database
        for _, _, name, path in nsmallest(MOST_FITTING, found):
            branch = self.branches[name]
            at = bisect_left(branch.paths, path)
            first, end = branch.below(path) if path.endswith("/") else (at, at + 1)
            nodes.setdefault(name, []).append(Node(name, path, first, end))
        return [node for some in nodes.values() for node in some]

    def ticks(self, node: Node) -> Ticks:
        """Say how much of it is ticked."""
        branch = self.branches[node.database]
        stretch = branch.ticks[node.first : node.end]
        if not stretch:
            return "all" if branch.asked else "none"
        if stretch.count(_YES) == len(stretch):
            return "all"
        return "some" if any(stretch) else "none"

    def count(self, node: Node) -> tuple[int, int]:
        """Count its documents: those that are ticked, and all."""
        branch = self.branches[node.database]
        entries = branch.entries[node.first : node.end]
        stretch = branch.ticks[node.first : node.end]
        ticked = sum(compress(entries, (tick == _YES for tick in stretch)))
        if _PARTLY in stretch:
            paths = branch.paths[node.first : node.end]
            ticked += sum(len(branch.partly[path]) for path in paths if path in branch.partly)
        return ticked, sum(entries)

    def tick(self, node: Node, *, on: bool) -> None:
        """Choose all of it, or none of it."""
        branch = self.branches[node.database]
        branch.ticks[node.first : node.end] = bytes([on]) * (node.end - node.first)
        branch.asked = on if not node.path else branch.asked
        if branch.partly:
            gone = set(branch.paths[node.first : node.end])
            branch.partly = {path: ids for path, ids in branch.partly.items() if path not in gone}

    def tick_only(self, node: Node) -> None:
        """Choose all of it and nothing else."""
        for root in self.roots():
            self.tick(root, on=False)
        self.tick(node, on=True)

    def wanted(self) -> tuple[Wanted, ...]:
        """Give what is chosen, in as few words as it takes; empty where nothing is."""
        found: list[Wanted] = []
        for root in self.roots():
            match self.ticks(root):
                case "all":
                    found.append(root.database)
                case "some":
                    partly = self.branches[root.database].partly.values()
                    paths = tuple(self._ticked_below(root))
                    ids = tuple(one for some in partly for one in some)
                    found.append(Scope(root.database, paths, ids))
        return tuple(found)

    def _ticked_below(self, node: Node) -> Iterator[str]:
        for child in self.children(node):
            ticks = self.ticks(child)
            if ticks == "all":
                yield child.path
            elif ticks == "some" and not child.is_file:
                yield from self._ticked_below(child)


def read_tree(library: Library, wanted: Sequence[Wanted]) -> ScopeTree:
    """Read what there is to choose from, with what is `wanted` now ticked.

    It blocks: call it in a thread.
    """
    asked = {name_of(one): one for one in wanted}
    return ScopeTree({name: _branch(library, name, asked.get(name)) for name in library.names()})


def _branch(library: Library, name: str, wanted: Wanted | None) -> Branch:
    try:
        files = sorted(files_of(library.database(name)), key=lambda file: file.path)
        chosen = files_of(library.database(wanted)) if isinstance(wanted, Scope) else ()
    except RagError as error:
        return Branch(asked=wanted is not None, problem=told(error))
    branch = Branch(
        [file.path for file in files],
        [len(file.entries) for file in files],
        bytearray([wanted == name]) * len(files),
        asked=wanted is not None,
    )
    _tick_parts(branch, files, chosen)
    return branch


def _tick_parts(
    branch: Branch, files: Sequence[IndexedFile], chosen: Sequence[IndexedFile]
) -> None:
    ids = {file.path: file.entries for file in chosen}
    for place, file in enumerate(files):
        if part := ids.get(file.path):
            whole = len(part) == len(file.entries)
            branch.ticks[place] = _YES if whole else _PARTLY
            if not whole:
                branch.partly[file.path] = part
