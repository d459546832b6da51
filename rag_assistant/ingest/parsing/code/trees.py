"""The functions and classes of source code in other languages than Python, by tree-sitter.

Its parsers go on after errors, so that a broken file has the headings that can be told.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from re import compile as compiled
from re import findall
from time import process_time
from typing import TYPE_CHECKING

from rag_assistant.files.process_limits import peak_bytes
from rag_assistant.ingest.parsing.code.definitions import Definitions
from rag_assistant.ingest.parsing.code.grammars import (
    FUNCTION_VALUES,
    FUNCTIONS,
    GRAMMARS,
    HOLDERS,
    NEED_BODY,
    PASSED_THROUGH,
    VARIABLES,
)
from rag_assistant.values.documents import Heading

if TYPE_CHECKING:
    from tree_sitter import Node, Parser, Tree

OLDEST = (0, 26, 1)
"""The version of tree-sitter before which what limits a parse ends the process."""

MOST_PARSED = 1_000_000
"""Characters that are parsed: more is made by a machine, and a tree takes 250 bytes for each."""

LEAST_SECONDS, SECONDS_A_BYTE = 2.0, 4e-6
"""Processor time of a parse at most: ten times that of real source, which takes 4e-7 a byte."""

MOST_MEMORY = 300_000_000
"""Bytes by which the memory in use may grow, a third of what a worker has."""

MOST_LEVELS = 12
"""Definitions within one another that are told apart."""

_LONGEST_NAME, _CHUNK = 200, 65_536
_LINE_END = compiled("\n")
_IDENTIFIER = compiled(r"[^\W\d]\w*")


@dataclass(frozen=True, slots=True)
class _Lines:
    """A text with the places where its lines begin."""

    text: str
    starts: Sequence[int]

    def place(self, row: int) -> int:
        """Give where a line begins, or the text ends."""
        return self.starts[row] if row < len(self.starts) else len(self.text)

    def after_blanks(self, row: int) -> int:
        """Give the start of the first line from `row` on that is not blank."""
        while (
            row < len(self.starts) and not self.text[self.place(row) : self.place(row + 1)].strip()
        ):
            row += 1
        return self.place(row)

    def begins(self, row: int, column: int) -> bool:
        """Say whether nothing but white space stands before a place in its line."""
        line = self.text[self.place(row) : self.place(row + 1)].encode("utf-8", "replace")
        return not line[:column].strip()


def tree_definitions(text: str, suffix: str) -> Definitions:
    """Find the definitions of source in the language of a suffix.

    There are none, without a fault, where its grammar or a parser of today is not installed.
    """
    parser = _parser(suffix)
    if parser is None:
        return Definitions()
    if len(text) > MOST_PARSED:
        return Definitions(fault=f"longer than {MOST_PARSED:,} characters")
    tree = _parsed(parser, text.encode("utf-8", "replace"))
    if tree is None:
        return Definitions(fault="takes too much time or memory to parse")
    starts = [0, *(found.end() for found in _LINE_END.finditer(text))]
    lines = _Lines(text, starts)
    headings: list[Heading] = []
    for node, outer, level, name in _definitions(tree.root_node):
        start = lines.place(_first_row(lines, outer))
        # Of several that begin in one line, the first and outermost stands for all.
        if not headings or start > headings[-1].start:
            end = lines.after_blanks(node.end_point.row + (node.end_point.column > 0))
            headings.append(Heading(start, level, name, end))
    return Definitions(tuple(headings))


def _parsed(parser: "Parser", data: bytes) -> "Tree | None":
    """Parse within limits; None where these do not suffice.

    Some grammars take a thousand times as long for what is none of their language, and the parser
    ends the process where it gets no memory.
    """
    seconds = process_time() + LEAST_SECONDS + SECONDS_A_BYTE * len(data)
    memory = peak_bytes() + MOST_MEMORY

    def exceeds(*_state: object) -> bool:
        return process_time() > seconds or peak_bytes() > memory

    try:
        return parser.parse(
            lambda offset, _point: data[offset : offset + _CHUNK], progress_callback=exceeds
        )
    except ValueError:
        parser.reset()
        return None


@cache
def _parser(suffix: str) -> "Parser | None":
    module, function = GRAMMARS.get(suffix, ("", ""))
    if not module or find_spec("tree_sitter") is None or find_spec(module) is None:
        return None
    # Reads e-mail headers and zips: every process of an indexing run would load these.
    from importlib.metadata import version  # noqa: PLC0415

    if _numbers(version("tree-sitter")) < OLDEST:
        return None
    from tree_sitter import Language, Parser  # noqa: PLC0415 - of the extra `code`

    return Parser(Language(getattr(import_module(module), function)()))


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(map(int, findall(r"\d+", version)[:3]))


def _definitions(root: "Node") -> Iterator[tuple["Node", "Node", int, str]]:
    """Give each definition with the outermost node that begins with it, its level and its name."""
    stack = [(root, root, 1)]
    while stack:
        node, outer, level = stack.pop()
        kind = node.type
        name = _name(node) if kind in FUNCTIONS or kind in HOLDERS or kind in VARIABLES else ""
        if name:
            yield node, outer, level, name
            level += 1
        if kind in PASSED_THROUGH or (kind in HOLDERS and level <= MOST_LEVELS):
            wraps = not name and kind in {"template_declaration", "export_statement"}
            within = node.named_children
            stack += [(child, outer if wraps else child, level) for child in reversed(within)]


def _name(node: "Node") -> str:
    """Give what a definition is called; "" for what is none."""
    if node.type in NEED_BODY and node.child_by_field_name("body") is None:
        return ""
    if node.type in VARIABLES:
        return _variable(node)
    if node.type == "impl_item":
        parts = [_field(node, "trait"), _field(node, "type")]
        return " for ".join(filter(None, parts))[:_LONGEST_NAME]
    named = node
    while (inner := named.child_by_field_name("declarator")) is not None:  # of C
        named = inner
    name = _field(node, "name") or (_words(named) if named is not node else "")
    if receiver := _IDENTIFIER.findall(_field(node, "receiver").partition("[")[0]):  # of Go
        name = f"{receiver[-1]}.{name}"
    if not name:
        name = {"init_declaration": "init", "secondary_constructor": "constructor"}.get(
            node.type, ""
        )
    return name[:_LONGEST_NAME]


def _variable(node: "Node") -> str:
    for declared in node.named_children:
        value = declared.child_by_field_name("value")
        if value is not None and value.type in FUNCTION_VALUES:
            return _field(declared, "name")[:_LONGEST_NAME]
    return ""


def _field(node: "Node", name: str) -> str:
    child = node.child_by_field_name(name)
    return "" if child is None else _words(child)


def _words(node: "Node") -> str:
    return " ".join((node.text or b"")[:1_000].decode("utf-8", "replace").split())


def _first_row(lines: _Lines, node: "Node") -> int:
    """Give the row of the first comment or attribute that stands right above a definition."""
    row = node.start_point.row
    before = node.prev_sibling
    while before is not None and ("comment" in before.type or before.type == "attribute_item"):
        last = before.end_point.row - (before.end_point.column == 0)
        if last < row - 1 or not lines.begins(before.start_point.row, before.start_point.column):
            break
        row, before = before.start_point.row, before.prev_sibling
    return row
