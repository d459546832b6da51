"""The functions and classes of Python source, as headings of its text, by Python's own parser.

Nothing is run. What the parser does not take (another version of the language, a broken file,
nesting beyond its limits) has no headings, and is told why.
"""

import ast
import re
import warnings
from bisect import bisect_left
from collections.abc import Iterator, Sequence

from rag_assistant.ingest.parsing.code.definitions import Definitions
from rag_assistant.values.documents import Heading

MOST_PARSED = 4_000_000
"""Characters that are parsed, some 100,000 lines: the tree takes 100 to 200 bytes for each."""

_LINE_END = re.compile(r"\r\n?|\n")
_SPACE = re.compile(r"\s*")
_Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


def python_definitions(text: str, level: int = 1) -> Definitions:
    """Find the functions, classes and methods of a module, the outermost of them at `level`.

    A function within a function is part of it.
    """
    if len(text) > MOST_PARSED:
        return Definitions(fault=f"longer than {MOST_PARSED:,} characters")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of its own language, such as odd escapes
            found = list(_found(ast.parse(text).body, level))
    except SyntaxError as error:
        place = f"line {error.lineno}: " if error.lineno else ""
        return Definitions(fault=f"{place}{error.msg}"[:200])
    except (ValueError, RecursionError, MemoryError) as error:
        # A null byte or half a surrogate; of the last two the parser's own limits are the cause.
        return Definitions(fault=str(error)[:200] or "nested too deep, or too large")
    starts = [0, *(line.end() for line in _LINE_END.finditer(text))]
    return Definitions(tuple(_heading(text, starts, *one) for one in found))


def _found(body: Sequence[ast.stmt], level: int) -> Iterator[tuple[_Definition, int]]:
    """Give the definitions among statements in order, each with its level."""
    for statement in body:
        match statement:
            case ast.ClassDef():
                yield statement, level
                yield from _found(statement.body, level + 1)
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                yield statement, level
            case ast.If() | ast.For() | ast.While():
                yield from _found([*statement.body, *statement.orelse], level)
            case ast.With():
                yield from _found(statement.body, level)
            case ast.Try() | ast.TryStar():
                handled = [one for handler in statement.handlers for one in handler.body]
                inner = [*statement.body, *handled, *statement.orelse, *statement.finalbody]
                yield from _found(inner, level)


def _heading(text: str, starts: Sequence[int], node: _Definition, level: int) -> Heading:
    first = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)]) - 1
    comment = f"{text[starts[first] : _after_space(text, starts[first])]}#"
    while first and text.startswith(comment, starts[first - 1]):
        first -= 1
    last = node.end_lineno or node.lineno
    end = starts[last] if last < len(starts) else len(text)
    return Heading(starts[first], level, node.name, _line_after_blanks(text, starts, end))


def _line_after_blanks(text: str, starts: Sequence[int], end: int) -> int:
    """Give the start of the first line from `end` on that is not blank."""
    place = _after_space(text, end)
    return place if place == len(text) else starts[bisect_left(starts, place + 1) - 1]


def _after_space(text: str, place: int) -> int:
    found = _SPACE.match(text, place)
    return found.end() if found else place
