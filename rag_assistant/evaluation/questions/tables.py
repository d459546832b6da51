"""Question sets as tables (CSV, RFC 4180): a question in each row, under a row of column names.

The names are the keys of a question. Cells are set apart by a comma, a semicolon or a tab,
whichever parts the first row into the names; a table of one column has none. In a cell, several
documents, quotes or answers stand in lines of their own or with " | " between them; a document may
bear its grade: `leave/annual.md=2`.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.fields import BEIR_KEYS, KEYS, Unfit
from rag_assistant.evaluation.questions.gathering import QuestionCollector, nearest_key
from rag_assistant.evaluation.questions.text_files import text_of
from rag_assistant.evaluation.questions.values import QuestionSet

_SEPARATORS = ",;\t"
_NO_SEPARATOR = "\x1f"
_LONGEST_ROW = 200
"""Lines. A quotation mark that is never closed would take all that follows with it."""

_SEVERAL = re.compile(r"\n|\s\|\s")
_GRADED = re.compile(r"(.*\S)\s*=\s*([+-]?[0-9]{1,9})")
_OFFSET = re.compile(r"[0-9]{1,15}")
_TRUE = frozenset("true yes y 1 wahr ja oui si".split())
_FALSE = frozenset("false no n 0 falsch nein non".split())
_LISTS = frozenset({"database", "quotes", "answers", "without"})


def read_table(path: Path, data: bytes) -> QuestionSet:
    """Read the questions of a table's rows, each named by the line that it begins on.

    A row that is none is left out, and reading goes on with the next line. Raises QuestionSetError
    when no column is named `question`.
    """
    text, notes = text_of(path, data)
    gathered = QuestionCollector(path.name)
    gathered.notes += notes
    lines = text.split("\n")
    rows = _rows(lines, _separator(lines), gathered)
    names: list[str] = []
    for number, row in rows:
        if not any(map(str.strip, row)):
            continue
        if not names:
            names = _names(path, row)
            continue
        try:
            gathered.take(number, _values(names, row))
        except Unfit as reason:
            gathered.leave_out(number, str(reason))
    return gathered.found()


def names_columns(line: str) -> bool:
    """Whether a line can only be the first of such a table: all its cells are keys."""
    separator = _separator([line])
    cells = line.split(separator)
    return _known(line, separator) == len(cells) and "question" in line.casefold()


def _known(line: str, separator: str) -> int:
    return sum(cell.strip(' "').casefold() in KEYS for cell in line.split(separator))


def _separator(lines: Sequence[str]) -> str:
    first = next((line for line in lines if line.strip()), "")
    best = max(
        _SEPARATORS, key=lambda separator: (_known(first, separator), first.count(separator))
    )
    return best if best in first else _NO_SEPARATOR


def _rows(
    lines: Sequence[str], separator: str, gathered: QuestionCollector
) -> Iterator[tuple[int, list[str]]]:
    """Give the rows with the numbers of their first lines; after a broken one goes on a line on."""
    at = 0
    while at < len(lines):
        part = (f"{line}\n" for line in lines[at : at + _LONGEST_ROW])
        reader = csv.reader(part, delimiter=separator, strict=True)
        try:
            row = next(reader)
        except csv.Error as error:
            gathered.leave_out(at + 1, _reason(error))
            at += 1
            continue
        yield at + 1, row
        at += reader.line_num


def _reason(error: csv.Error) -> str:
    said = str(error)
    if "unexpected end" in said:
        return f"a quotation mark is not closed within {_LONGEST_ROW} lines"
    if "expected after" in said:
        return 'a cell goes on after its closing quotation mark: within one, write " as ""'
    return said


def _names(path: Path, row: Sequence[str]) -> list[str]:
    names = [cell.strip().casefold() for cell in row]
    names = [BEIR_KEYS.get(name, name) for name in names]
    if "question" not in names:
        near = [name for name in names if name and "'question'" in nearest_key(name)]
        meant = f"; is {near[0][:60]!r} meant?" if near else ""
        raise QuestionSetError(
            f"The first row of {path} names no column 'question'{meant}.",
            hint="Write a first row of names: id,question,relevant,quotes,answers. All but "
            "question may be missing.",
        )
    twice = next((name for name in names if name and names.count(name) > 1), "")
    if twice:
        raise QuestionSetError(
            f"The first row of {path} names the column {twice[:60]!r} twice.",
            hint='Give one of them another name; several values of a cell go with " | " between.',
        )
    return names


def _values(names: Sequence[str], row: Sequence[str]) -> dict[str, object]:
    """Give a row's values by key. Raises Unfit for cells that no column is for."""
    if any(map(str.strip, row[len(names) :])):
        count = f"{len(row)} cells under {len(names)} names"
        raise Unfit(f'{count}: write a cell with the separator in it within quotation marks ("…")')
    cells = {name: cell.strip() for name, cell in zip(names, row, strict=False) if name}
    return {name: _value(name, cell) for name, cell in cells.items() if cell}


def _value(name: str, cell: str) -> object:
    if name == "relevant":
        return _relevant(_several(cell))
    if name in _LISTS:
        return _several(cell)
    if name == "starts":
        return [
            int(part) if _OFFSET.fullmatch(part) else part for part in re.split(r"[\s|]+", cell)
        ]
    if name == "answerable":
        word = cell.casefold()
        return word in _TRUE if word in _TRUE | _FALSE else cell
    return cell


def _several(cell: str) -> list[str]:
    return [part.strip() for part in _SEVERAL.split(cell) if part.strip()]


def _relevant(documents: Sequence[str]) -> dict[str, int]:
    graded = ((document, _GRADED.fullmatch(document)) for document in documents)
    return {found[1] if found else name: int(found[2]) if found else 1 for name, found in graded}
