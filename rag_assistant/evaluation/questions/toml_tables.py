"""Question sets in TOML (https://toml.io): a table `[[question]]` for each.

A file that is no TOML as a whole is read table by table, so that a mistake costs one question.
"""

import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.gathering import QuestionCollector
from rag_assistant.evaluation.questions.text_files import text_of
from rag_assistant.evaluation.questions.values import QuestionSet

TABLE = "question"
_HEAD = re.compile(r"^[ \t]*\[\[[ \t]*(?:question|\"question\"|'question')[ \t]*\]\]", re.MULTILINE)
_PLACE = re.compile(r" ?\(at (?:line (\d+), column (\d+)|end of document)\)")
_LARGEST = 5_000_000
"""Characters: the parser is slow, and holds the whole of it."""

_MOST_IN_TEXTS = 100
"""Heads within texts that are told from those of tables; each costs a reading of what is before."""


def read_toml(path: Path, data: bytes) -> QuestionSet:
    """Read the questions of a file's tables, each named by the line that it begins on.

    Raises QuestionSetError when there is no such table at all.
    """
    text, notes = text_of(path, data)
    if len(text) > _LARGEST:
        raise QuestionSetError(
            f"{path} is longer than {_LARGEST // 10**6} million characters, too long for TOML.",
            hint="Write it as JSON lines: one object with the same keys on each line.",
        )
    gathered = QuestionCollector(path.name)
    gathered.notes += notes
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError):
        _take_parts(text, gathered)
    else:
        _take_whole(path, text, whole, gathered)
    return gathered.found()


def _take_whole(
    path: Path, text: str, whole: Mapping[str, object], gathered: QuestionCollector
) -> None:
    tables = whole.get(TABLE)
    if not isinstance(tables, list):
        there = ", ".join(list(whole)[:5])
        raise QuestionSetError(
            f"{path} has no [[{TABLE}]] tables{f', only: {there}' if there else ''}."[:500],
            hint='Begin each with the line [[question]], and below it: `question = "…"`.',
        )
    others = [key for key in whole if key != TABLE]
    if others:
        named = ", ".join(others[:5])[:200]
        gathered.notes.append(f"{gathered.file}: {named} stands above the tables and is left out")
    for line, table in zip(_lines_of(text, len(tables)), tables, strict=True):
        gathered.take(line, table)


def _lines_of(text: str, count: int) -> Sequence[int]:
    """Give the lines that tables begin on.

    A text of several lines may hold what looks like a table's head: what stands before such is no
    TOML, and that is looked into only where there are more heads than tables.
    """
    heads = [found.start() for found in _HEAD.finditer(text)]
    if len(heads) > count:
        real, start, in_texts = [], 0, 0
        for head in heads:
            if in_texts < _MOST_IN_TEXTS and _is_toml(text[start:head]):
                real.append(start := head)
            else:
                in_texts += 1
        heads = real
    lines = list(_line_numbers(text, heads))
    return [*lines, *lines[-1:] * count, *[1] * count][:count]  # heads may be written otherwise


def _line_numbers(text: str, places: Sequence[int]) -> Iterator[int]:
    line, before = 1, 0
    for place in places:
        line += text.count("\n", before, place)
        before = place
        yield line


def _is_toml(text: str) -> bool:
    try:
        tomllib.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


def _take_parts(text: str, gathered: QuestionCollector) -> None:
    """Read each table by itself; what stands above the first has to be TOML as well."""
    heads = [found.start() for found in _HEAD.finditer(text)]
    bounds = [0, *heads, len(text)]
    firsts = _line_numbers(text, bounds[:-1])
    for first, start, end in zip(firsts, bounds, bounds[1:], strict=False):
        try:
            part = tomllib.loads(text[start:end])
        except RecursionError:
            gathered.leave_out(first, "nested too deep")
        except ValueError as error:
            line, reason = _told(error, first, text.count("\n", start, end))
            gathered.leave_out(line, reason)
        else:
            tables = part.get(TABLE)
            for table in tables if isinstance(tables, list) else ():
                gathered.take(first, table)


def _told(error: ValueError, first: int, lines: int) -> tuple[int, str]:
    """Give the line of the file that the parser's error is on, and what it says."""
    said = str(error)
    place = _PLACE.search(said)
    line = int(place[1]) if place and place[1] else lines + 1
    column = f" at column {place[2]}" if place and place[2] else ""
    reason = f"not TOML: {_PLACE.sub('', said)}{column}"
    return first + line - 1, f"{reason} (in the table that begins on line {first})"
