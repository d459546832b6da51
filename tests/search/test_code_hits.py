"""A hit in source code is the function that was asked for, and names it."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Hit
from tests.conftest import write_files

BODY = "".join(f"    total += weigh(total, {number})\n" for number in range(8))
INNER = BODY.replace("    ", "        ")
SOURCE = f'''"""Texts of a shop."""


def counted(characters):
    """Count the characters, and characters again: all characters."""
    total = 0
{BODY}    return characters


def between_characters(text, end):
    """Move an end back that is within one."""
    total = 0
{BODY}    return total


class LabelPrinter:
    """Prints the labels of parcels."""

    paper = "A6, with a margin of two millimetres on each side, and never on the back of a form"

    def print_label(self, parcel):
        """Send one to the device."""
        total = 0
{INNER}        return self.device.send(parcel)
'''


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("code")
    made = Library(root / "home")
    files = {"shop/texts.py": SOURCE, "notes.md": "Characters between the lines of a label.\n"}
    made.index(write_files(root / "code", files))
    return made


def first_of_code(library: Library, text: str) -> Hit:
    """Give the best hit in the source file."""
    hits = search_databases([library.database("code")], text, 5).hits
    return next(hit for hit in hits if hit.path == "shop/texts.py")


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("between_characters", "between_characters"),
        ("betweenCharacters", "between_characters"),
        ("where is print_label", "LabelPrinter › print_label"),
        ("LabelPrinter", "LabelPrinter"),
        ("label printer paper margin", "LabelPrinter"),
        ("where is a parcel sent to the device", "LabelPrinter › print_label"),
        ("count all characters", "counted"),
    ],
)
def test_a_hit_names_the_function_that_was_asked_for(
    library: Library, text: str, path: str
) -> None:
    """A person would be led to a function that only uses the same words."""
    hit = first_of_code(library, text)
    assert hit.location.heading == path
    lines = SOURCE.split("\n")
    assert hit.location.line is not None
    assert hit.snippet.split("\n")[0].strip() in lines[hit.location.line - 1]


def test_source_that_changes_keeps_its_id_and_moves_its_names(tmp_path: Path) -> None:
    """A citation would break when a function is added above it."""
    library = Library(tmp_path / "home")
    folder = write_files(tmp_path / "code", {"a.py": SOURCE})
    library.index(folder)
    before = first(library, "between_characters")
    (folder / "a.py").write_text(f"def added():\n    return 1\n\n\n{SOURCE}", "utf-8")
    library.index(folder)
    after = first(library, "between_characters")
    assert (after.entry_id, after.location.heading) == (before.entry_id, "between_characters")
    assert (after.location.line or 0) - (before.location.line or 0) == 4


def first(library: Library, text: str) -> Hit:
    """Give the best hit."""
    return search_databases([library.database("code")], text, 1).hits[0]
