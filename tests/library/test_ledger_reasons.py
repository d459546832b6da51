"""What is not searchable, told by its reasons."""

from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.values.ledger import LedgerLine, by_reason
from tests.conftest import write_files

NO_TEXT = "image only. To read it, install tesseract."


def test_one_reason_is_told_once_whatever_it_names_of_each_file() -> None:
    """A line for each of 158 pictures would hide the one file that is broken."""
    lines = [
        LedgerLine("broken.pdf", "broken PDF: data format error."),
        LedgerLine("a.png", NO_TEXT),
        LedgerLine("b.txt", "too large: 120 MB, more than 'max' allows"),
        LedgerLine("b.png", NO_TEXT),
        LedgerLine("c.txt", "too large: 2,400.5 MB, more than 'most' allows"),
        LedgerLine("c.png", NO_TEXT),
    ]
    groups = by_reason(lines)
    assert [(group.reason, list(group.paths)) for group in groups] == [
        (NO_TEXT, ["a.png", "b.png", "c.png"]),
        (lines[2].reason, ["b.txt", "c.txt"]),
        (lines[0].reason, ["broken.pdf"]),
    ]
    assert by_reason([]) == []


def test_a_file_without_words_is_skipped_and_not_read_at_each_run(tmp_path: Path) -> None:
    """Blank pages would look like failures, which a person is to mend."""
    library = Library(tmp_path / "home")
    folder = write_files(tmp_path / "f", {"blank.md": "\n \n", "a.md": "# A\n\nA quay.\n"})
    report = library.index(folder)
    assert (report.failed, report.skipped) == ([], [("blank.md", "no text in it")])
    again = library.index(folder)
    assert (again.unchanged, again.added, again.skipped) == (1, 0, report.skipped)
    (folder / "blank.md").write_text("# Filled\n\nIt has words now.\n")
    assert library.index(folder).added == 1
    (folder / "blank.md").write_text(" \n")
    assert library.index(folder).deleted == 1
