"""Files too long to be indexed as a whole: what is read, and what is counted as left out."""

import json
import random
import re
from pathlib import Path

import pytest

from rag_assistant.ingest.extraction import Extraction, Job, extract
from rag_assistant.ingest.loaders import loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.room import NOT_INDEXED
from rag_assistant.ingest.worker import WorkerLimits
from rag_assistant.library import reading_files
from rag_assistant.library.library import Library
from tests.ingest.office_writer import sheet_book

MOST = 6_000


def extracted(folder: Path, name: str, data: bytes, most: int = MOST) -> Extraction:
    """Read bytes as a file of this name."""
    (folder / name).write_bytes(data)
    return extract(folder, Job(name), {}, most)


def text_of(extraction: Extraction) -> str:
    """Give the text of all entries, which the passages hold."""
    return "".join(row[5] for entry in extraction.entries for row in entry.passages)


def left(reason: str) -> tuple[int, int, int]:
    """Give the first and last part that are left out, and how many these are."""
    found = re.search(r"([\d,]+) to ([\d,]+) \(([\d,]+) ", reason)
    assert found, reason
    first, last, count = (int(number.replace(",", "")) for number in found.groups())
    assert last - first + 1 == count
    return first, last, count


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "cp1252"])
def test_a_log_is_read_up_to_a_line(tmp_path: Path, encoding: str) -> None:
    """A long log would be refused, or cut within a line or a character without a word."""
    lines = [f"{number} Grüße aus der Küche, wo es kälter ist" for number in range(1, 1_001)]
    found = extracted(tmp_path, "a.log", ("\n".join(lines) + "\n").encode(encoding))
    assert found.outcome == "read"
    first, last, _ = left(found.reason)
    assert text_of(found) == "\n".join(lines[: first - 1]) + "\n"
    assert last == 1_000
    assert MOST * 0.9 < len(text_of(found)) <= MOST
    assert found.entries[0].metadata[NOT_INDEXED].startswith(f"lines {first}")


def test_a_text_without_line_ends_is_cut_between_characters(tmp_path: Path) -> None:
    """Half a character would make the whole text look like another encoding."""
    found = extracted(tmp_path, "a.txt", ("é😀" * 10_000).encode())
    first, last, _ = left(found.reason)
    assert set(text_of(found)) == {"é", "😀"}
    assert (first, last) == (len(text_of(found)) + 1, 20_000)


def test_what_fits_to_the_character_is_read_whole(tmp_path: Path) -> None:
    """A file at the limit would be said to lack something."""
    found = extracted(tmp_path, "a.txt", b"word \n" * 1_000)
    assert (found.reason, len(text_of(found))) == ("", MOST)


def test_rows_and_lines_that_are_read_and_left_out_are_the_whole(tmp_path: Path) -> None:
    """A count that is not right would hide rows of a table or records of a file."""
    numbers = random.Random(7)
    for _ in range(25):
        count, most = numbers.randint(300, 900), numbers.randint(2_000, 30_000)
        words = ["word " * numbers.randint(1, 30) for _ in range(count)]
        rows = "".join(f"{at},{word}\n" for at, word in enumerate(words))
        table = extracted(tmp_path, "a.csv", f"id,remark\n{rows}".encode(), most)
        kept = text_of(table).count("\n") + 1
        if kept < count + 1:
            assert left(table.reason) == (kept + 1, count + 1, count + 1 - kept)
        else:
            assert not table.reason
        lines = "".join(json.dumps({"id": str(at), "text": w}) + "\n" for at, w in enumerate(words))
        records = extracted(tmp_path, "a.jsonl", lines.encode(), most)
        if (kept := len(records.entries)) < count:
            assert left(records.reason) == (kept + 1, count, count - kept)
        else:
            assert not records.reason


def test_records_of_a_list_are_read_until_it_is_full(tmp_path: Path) -> None:
    """A long export in JSON would be refused, or be read as if it were no list of records."""
    records = [{"title": f"T{at}", "text": f"{at} " + "word " * 60} for at in range(200)]
    found = extracted(tmp_path, "a.json", json.dumps(records).encode())
    assert found.entries[0].title == "T0"
    assert 5 < len(found.entries) < 25
    assert "characters" in found.reason


def test_messages_are_read_until_the_archive_is_full(tmp_path: Path) -> None:
    """An archive of many years would be refused whole."""
    mail = "From a@b.org Mon Jan  1 10:00:00 2024\nFrom: a@b.org\nSubject: S\n\n{}\n\n"
    data = "".join(mail.format("word " * 50) for _ in range(100)).encode()
    found = extracted(tmp_path, "a.mbox", data)
    assert left(found.reason) == (len(found.entries) + 1, 100, 100 - len(found.entries))


def test_rows_of_a_sheet_are_counted(tmp_path: Path) -> None:
    """A large workbook would end somewhere, and nobody would know where."""
    rows = "".join(f'<row r="{at}"><c r="A{at}"><v>{at}</v></c></row>' for at in range(1, 5_001))
    found = extracted(tmp_path, "a.xlsx", sheet_book(rows))
    first, last, _ = left(found.reason)
    assert last == 5_000
    assert str(first - 1)[:3] in text_of(found).split("\n")[-1] or first > 1_000
    assert "sheet Costs: rows" in found.reason


def test_cells_of_a_notebook_and_a_long_page_are_counted(tmp_path: Path) -> None:
    """Formats that have no rows would end without a word."""
    cell = {"cell_type": "markdown", "source": "word " * 100}
    notebook = json.dumps({"cells": [cell] * 50, "nbformat": 4, "metadata": {}})
    assert left(extracted(tmp_path, "a.ipynb", notebook.encode()).reason)[1] == 50
    page = f"<html><body>{'<p>word word word</p>' * 2_000}</body></html>"
    found = extracted(tmp_path, "a.html", page.encode())
    assert len(text_of(found)) <= MOST
    assert left(found.reason)[0] == len(text_of(found)) + 1


def test_the_default_limit_is_that_of_the_input(tmp_path: Path) -> None:
    """A loader called without a limit would have none."""
    loader = loader_for("a.txt", b"x")
    assert loader is not None
    assert LoadInput("a.txt", b"x").most == WorkerLimits().characters


def test_the_ledger_keeps_what_a_table_lacks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The second run, which reads nothing, would say that all is there; or it would say so for
    ever, after the file was made smaller."""
    monkeypatch.setattr(reading_files, "LIMITS", WorkerLimits(characters=20_000))
    folder = tmp_path / "f"
    folder.mkdir()
    table = folder / "big.csv"
    row = "{},some words,and other words of some length in a row\n"
    table.write_text("id,first,second\n" + "".join(row.format(at) for at in range(9_000)))
    library = Library(tmp_path / "home")
    first = library.index(folder, name="f")
    ((path, reason),) = first.partial
    assert (first.added, path) == (1, "big.csv")
    assert left(reason)[1] == 9_001
    database = library.database("f")
    assert [line.reason for line in database.ledger("partial")] == [reason]
    assert (database.figures().partial, database.figures().failed) == (1, 0)
    again = library.index(folder, name="f")
    assert (again.unchanged, again.partial) == (1, first.partial)
    table.write_text("id,first,second\n1,a few,words\n2,and,more\n")
    assert library.index(folder, name="f").partial == []
    assert library.database("f").figures().partial == 0
