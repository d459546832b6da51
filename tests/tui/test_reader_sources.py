"""Going through sources in the reader, and taking words out of it."""

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.geometry import Offset

from rag_assistant.assistant import Assistant
from rag_assistant.library.database import Database
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.reader.trail import Trail
from rag_assistant.tui.rendering.forms import PlainForm
from rag_assistant.tui.rendering.shown_lines import ShownLine
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Citation, EvidenceItem
from tests.tui.books import indexed_book, span_of, window_of
from tests.tui.hosting import hosted


@pytest.fixture
def book(empty: Assistant, tmp_path: Path) -> Database:
    """A document of 50 pages."""
    return indexed_book(empty, tmp_path / "books", 50)


def _cited(book: Database, words: str, marker: int) -> Citation:
    entry_id, start, end = span_of(book, words)
    entry = book.entry(entry_id)
    quote, place = book.text(entry_id, start, end), Location(start, end)
    return Citation(
        marker, EvidenceItem("books", entry_id, entry.title, entry.path, quote, place, True)
    )


async def test_the_reader_goes_from_citation_to_citation(
    book: Database, empty: Assistant, tmp_path: Path
) -> None:
    """If it fails, whoever reads one source must leave it to see the next one."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "note.md").write_text("# Note\n\nThe key hangs there.\n", encoding="utf-8")
    empty.library.index(other)
    database = empty.library.database("other")
    entry = database.entries()[0]
    start = database.text(entry.id).index("The key")
    place = Location(start, start + 20)
    item = EvidenceItem("other", entry.id, "Note", "note.md", "The key hangs there.", place, True)
    first = _cited(book, "The marker of page 3 is here.", 1)
    left = Citation(0, _cited(book, "The marker of page 40 is here.", 0).item)
    trail = Trail(empty.library, (first, Citation(2, item)), (left,))
    reader = ReaderScreen(book, first.item.entry_id, 0, 0, trail, first)
    async with hosted(reader, (80, 24)) as shown:
        await shown.sees("The marker of page 3 is here.")
        assert "[1] " in shown.text()
        await shown.press("right")
        await shown.sees("The key hangs there.")
        await shown.sees("2 of 2 cited")
        assert window_of(shown).highlighted() == "The key hangs there."
        await shown.press("ctrl+g")
        await shown.sees("The marker of page 3 is here.")
        await shown.press("2")
        await shown.sees("The key hangs there.")
        await shown.press("e", "right")
        await shown.sees("The marker of page 40 is here.")
        await shown.sees("3 of 3 found")
        await shown.press("9")
        await shown.sees("the answer has no citation 9")
        await shown.press("left")
        await shown.sees("The key hangs there.")
        await shown.press("left")
        await shown.sees("The marker of page 3 is here.")


async def test_a_copy_is_the_quote_with_or_without_its_reference(
    book: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, what is pasted is not what was marked, or has lost its source."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    place = span_of(book, "The marker of page 10 is here.")
    async with hosted(ReaderScreen(book, *place)) as shown:
        await shown.sees("The marker of page 10 is here.")
        await shown.press("y")
        await shown.sees("copied 30 characters (terminal OSC 52)")
        assert shown.app.clipboard == "The marker of page 10 is here."
        await shown.press("Y")
        await shown.until(lambda: "book.md" in shown.app.clipboard, "the reference")
        assert shown.app.clipboard.startswith("The marker of page 10 is here.\n— ")


async def test_a_drag_copies_exactly_what_it_covers(
    empty: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, what is pasted has other breaks, tabs or marks than the document."""
    monkeypatch.setenv("TERM", "xterm-256color")
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    folder = tmp_path / "words"
    folder.mkdir()
    long = " ".join(f"word{number}" for number in range(40))
    (folder / "a.txt").write_text(f"first\n{long}\n\tin tabs 日本語 end\nlast\n", encoding="utf-8")
    empty.library.index(folder)
    database = empty.library.database("words")
    (entry,) = database.entries()
    async with hosted(ReaderScreen(database, entry.id, 0, 5), (80, 24)) as shown:
        await shown.sees("日本語")
        lines = shown.text().splitlines()
        window = window_of(shown)
        begin = next(y for y, line in enumerate(lines) if "word0 " in line)
        end = next(y for y, line in enumerate(lines) if "日本語" in line)
        left = window.content_region.x
        down = Offset(left + len("word0 "), begin)
        up = Offset(left + 4 + len("in tabs "), end)
        await shown.pilot.mouse_down(offset=down)
        await shown.pilot.hover(offset=up)
        await shown.pilot.mouse_up(offset=up)
        await shown.pilot.pause()
        await shown.press("y")
        await shown.until(lambda: shown.app.clipboard, "the copy")
        assert shown.app.clipboard == f"{long.removeprefix('word0 ')}\n\tin tabs 日"


def _laid(text: str, start: int, width: int) -> list[ShownLine]:
    parts = PlainForm().parts(start, text)
    return [line for part in parts for line in part.lines(width)]


def test_lines_know_their_places() -> None:
    """If it fails, marks and selections are beside the words they mean."""
    text = "one two three\r\n\n\ttab\nlonglonglong\n日本語日本語 x"
    for width in (2, 5, 7, 80):
        lines = _laid(text, 100, width)
        for line in lines:
            written = text[line.start - 100 : line.end - 100]
            if "\t" not in written and len(line.text) == len(written):
                assert line.text == written
                places = range(line.start, line.end)
                assert [line.place(line.column(at)) for at in places] == list(places)
            assert cell_len(line.text.rstrip()) <= max(width, 2)
        shown = "".join(line.text for line in lines)
        assert shown == text.replace("\r", "").replace("\n", "").replace("\t", "    ")
    assert [line.text for line in _laid("one two three", 0, 8)] == ["one two ", "three"]
