"""JSON as it was written: keys may repeat, numbers keep their digits, and any value can be laid out
as lines that a person reads. Values by the million and depths that no tree has are refused.
"""

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TypeAlias

from rag_assistant.errors import LoadError
from rag_assistant.ingest.room import MOST_CHARACTERS, span

_MOST_VALUES = 3_000_000  # each takes some hundred bytes of memory
_DEEPEST = 100
_ONE_LINE = 200
_LONGEST_KEY = 500
_STRING_OR_MARK = re.compile(r'"(?:[^"\\]++|\\.)*+"|[,\[{]', re.DOTALL)
_SPACE = re.compile(r"[ \t\r\n]*")
_UNSTORABLE = re.compile("[\ud800-\udfff\0]")


class Number(str):
    """A number, NaN or Infinity with the digits it was written with."""

    __slots__ = ()


@dataclass(frozen=True, slots=True)
class Object:
    """An object's members in order; a key may come more than once."""

    members: tuple[tuple[str, "Json"], ...]

    def get(self, name: str) -> "Json":
        """Give the last value of a key, as most readers of JSON do; None where there is none."""
        return next((value for key, value in reversed(self.members) if key == name), None)


Json: TypeAlias = "str | bool | list[Json] | Object | None"  # a Number is a str


class NotJson(ValueError):
    """The text breaks the grammar; the message says where."""


class TooManyValues(LoadError):
    """The text holds more values than fit into memory."""


def parse(text: str) -> Json:
    """Read one value (RFC 8259, and Python's NaN and Infinity).

    Raises NotJson for other text, TooManyValues, and LoadError for too deep a nesting.
    """
    if _too_many_values(text):
        raise TooManyValues(
            "too many values to read: this looks like data, not like documents",
            hint="Export the part that is text as .jsonl or .csv.",
        )
    try:
        value: Json = _DECODER.decode(text)
    except RecursionError:
        raise LoadError("nested too deep", hint="Flatten it, or leave it out.") from None
    except json.JSONDecodeError as error:
        raise NotJson(f"{error.msg} at line {error.lineno}, column {error.colno}") from None
    return value


_DECODER = json.JSONDecoder(
    object_pairs_hook=lambda pairs: Object(tuple(pairs)),
    parse_int=Number,
    parse_float=Number,
    parse_constant=Number,
)


def _too_many_values(text: str) -> bool:
    # First an upper bound that costs little: prose has these characters too, within its strings.
    if sum(map(text.count, ",[{")) <= _MOST_VALUES:
        return False
    marks = (found for found in _STRING_OR_MARK.finditer(text) if found.end() - found.start() == 1)
    return next(islice(marks, _MOST_VALUES, None), None) is not None


def storable(text: str) -> str:
    """Replace what escapes can write but no store takes: NULs and halves of surrogate pairs."""
    return _UNSTORABLE.sub("\ufffd", text)


def scalar(value: Json) -> str:
    """Give a string, number or truth value as text; empty for null, lists and objects."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return storable(value) if isinstance(value, str) else ""


def elements(text: str) -> Iterator[Json]:
    """Give the elements of a list one by one, which need not end: for what is too long to parse.

    Raises NotJson for what is no list, and where the grammar breaks.
    """
    at = _behind(text, 0)
    if text[at : at + 1] != "[":
        raise NotJson("no list")
    at = _behind(text, at + 1)
    while text[at : at + 1] not in ("]", ""):
        try:
            value, end = _DECODER.raw_decode(text, at)
        except RecursionError:
            raise LoadError("nested too deep", hint="Flatten it, or leave it out.") from None
        except json.JSONDecodeError as error:
            raise NotJson(error.msg) from None
        end = _behind(text, end)
        if text[end : end + 1] not in (",", "]"):
            raise NotJson("no comma behind an element")  # of a number, perhaps its half
        yield value
        at = _behind(text, end + 1) if text[end] == "," else end


def _behind(text: str, at: int) -> int:
    """Give where white space ends."""
    found = _SPACE.match(text, at)
    return found.end() if found else at


def flattened(value: Json, most: int = MOST_CHARACTERS) -> tuple[str, str]:
    """Lay a value out as lines `path.to.key: value` in its order; name what is beyond `most`.

    Elements of lists go by their number from 0, a list of short scalars is one line, and there is
    a blank line before each object of a list. Raises LoadError for too deep a nesting.
    """
    lines: list[str] = []
    length = beyond = 0
    for line in _lines(value):
        if beyond > most:  # of long paths there is no end
            break
        if beyond or length + len(line) > most:
            lines += [] if beyond else [line[: most - length]]
            beyond += len(line) + 1 - (0 if beyond else most - length)
        else:
            lines.append(line)
            length += len(line) + 1
    left_out = ""
    if beyond:
        left_out = span("character", most + 1, most + beyond) + " and more" * (beyond > most)
    return storable("\n".join(lines)).strip("\n"), left_out


def _lines(value: Json) -> Iterator[str]:
    # A stack of its own: the depth is the file's to choose. Iterators, so that it stays small.
    waiting: list[Iterator[tuple[str, Json]]] = [iter([("", value)])]
    while waiting:
        if len(waiting) > _DEEPEST:
            raise LoadError("nested too deep", hint="Flatten it, or leave it out.")
        path, current = next(waiting[-1], (None, None))
        if path is None:
            waiting.pop()
        elif isinstance(current, Object):
            if path.rpartition(".")[2].isdecimal():
                yield ""
            waiting.append(_children(path, current.members))
        elif isinstance(current, list):
            if any(isinstance(element, list | Object) for element in current):
                waiting.append(_children(path, enumerate(current)))
            else:
                yield from _list_lines(path, current)
        elif said := scalar(current):
            yield f"{path}: {said}" if path else said


def _children(path: str, members: Iterable[tuple[str | int, Json]]) -> Iterator[tuple[str, Json]]:
    prefix = f"{path}." if path else ""
    for key, value in members:
        name = str(key)
        if len(name) > _LONGEST_KEY:  # as text, once: the paths below would repeat it
            yield f"{prefix}key", name
            name = name[:_LONGEST_KEY] + "…"
        yield prefix + name, value


def _list_lines(path: str, elements: list[Json]) -> Iterator[str]:
    said = [text for element in elements if (text := scalar(element))]
    if sum(map(len, said)) + 2 * len(said) <= _ONE_LINE and not any("\n" in text for text in said):
        if line := ", ".join(said):
            yield f"{path}: {line}" if path else line
        return
    if path and said:
        yield f"{path}:"
    for text in said:
        yield f"- {text}"
