"""Reading a whole document."""

import os
from functools import partial
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.errors import FolderError
from rag_assistant.library.database import Database
from rag_assistant.library.source_files import is_changed, source_file
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.rendering.forms import LONGEST_LEAF
from rag_assistant.tui.sources.reading import AROUND, MORE, open_entry
from rag_assistant.tui.sources.source_text import MOST_LINES, SourceText
from rag_assistant.tui.terminal.outside_viewer import editor_command, open_outside
from tests.tui.books import indexed_book, span_of, window_of
from tests.tui.hosting import hosted

PAGES = 500


@pytest.fixture
def book(empty: Assistant, tmp_path: Path) -> Database:
    """A document of 500 pages with a chapter to each ten, indexed."""
    return indexed_book(empty, tmp_path / "books", PAGES, chapter=10)


def _is_elsewhere(window: SourceText, before: int) -> bool:
    return window.top() != before


async def test_a_long_document_opens_at_its_words_without_being_loaded(book: Database) -> None:
    """If it fails, a book takes seconds to open, or opens at its first page."""
    place = span_of(book, "marker of page 321 is")
    for size in ((140, 40), (80, 24), (60, 18)):
        async with hosted(ReaderScreen(book, *place), size) as shown:
            await shown.sees("The marker of page 321 is here.")
            assert len(window_of(shown).excerpt.text) <= 50_000 < book.entry(place[0]).length // 20
            assert "Chapter 32" in shown.text()


async def test_scrolling_goes_through_the_whole_text(book: Database) -> None:
    """If it fails, the text ends or repeats at the edge of what was loaded, or all of it stays."""
    place = span_of(book, "marker of page 100 is")
    async with hosted(ReaderScreen(book, *place), (80, 24)) as shown:
        await shown.sees("marker of page 100 is")
        window = window_of(shown)
        for direction, turns in ((1, 30), (-1, 40)):
            for _ in range(turns):
                before = window.top()
                window.action_page(direction)
                await shown.until(partial(_is_elsewhere, window, before), "another page")
                assert abs(window.top() - before) < 80 * 24  # what is read stays where it was
            excerpt = window.excerpt
            whole = book.text(place[0], excerpt.start, excerpt.end)
            assert excerpt.text == whole
            assert window.virtual_size.height <= MOST_LINES + 500
        assert window.top() < place[1]
        await shown.pilot.press("end")
        await shown.sees(f"The marker of page {PAGES - 1} is here.")
        await shown.pilot.press("home")
        await shown.sees("Chapter 0")


async def test_search_goes_from_hit_to_hit(book: Database) -> None:
    """If it fails, words far from where one reads are not found, or n loses its way."""
    place = span_of(book, "marker of page 100 is")
    async with hosted(ReaderScreen(book, *place)) as shown:
        await shown.sees("marker of page 100 is")
        await shown.pilot.press("slash", *"MARKER", "enter")
        await shown.sees(f"101 of {PAGES}")
        await shown.pilot.press("n")
        await shown.sees(f"102 of {PAGES}")
        await shown.sees("marker of page 101 is")
        await shown.pilot.press("N", "N", "N")
        await shown.sees(f"99 of {PAGES}")
        await shown.sees("marker of page 98 is")
        await shown.pilot.press("slash", *"zzz", "enter")
        await shown.sees("is not in this document")


async def test_the_outline_leads_to_a_heading(book: Database) -> None:
    """If it fails, a book cannot be entered by its chapters."""
    place = span_of(book, "marker of page 100 is")
    for size in ((140, 40), (60, 18)):
        async with hosted(ReaderScreen(book, *place), size) as shown:
            await shown.sees("marker of page 100 is")
            await shown.pilot.press("t")
            await shown.sees("❯ Chapter 10")
            await shown.pilot.press("down", "down", "enter")
            await shown.sees("Chapter 12")
            await shown.pilot.press("h")
            await shown.sees("marker of page 100 is")


async def test_no_headings_and_idle_letters_are_told(assistant: Assistant, folder: Path) -> None:
    """If it fails, a key does nothing and does not say why."""
    (folder / "plain.txt").write_text("only one line\n", encoding="utf-8")
    assistant.library.index(folder)
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "plain.txt")
    async with hosted(ReaderScreen(database, entry.id, 0, 4)) as shown:
        await shown.sees("only one line")
        await shown.pilot.press("t")
        await shown.sees("no headings")
        await shown.pilot.press("q")
        await shown.sees("Reading: Esc goes back")
        await shown.pilot.press("n")
        await shown.sees("no search yet")
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.given == [None], "the end")


async def test_a_document_that_is_gone_is_told(assistant: Assistant) -> None:
    """If it fails, opening what was removed breaks the interface."""
    async with hosted(ReaderScreen(assistant.library.database("staff"), 999, 0, 1)) as shown:
        await shown.sees("No entry has the id 999.")


async def test_o_opens_the_file_in_the_persons_program(
    assistant: Assistant, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, the file behind a text cannot be reached, or its program writes over it all."""
    programs = tmp_path / "bin"
    programs.mkdir()
    opened = tmp_path / "opened"
    script = programs / "xdg-open"
    script.write_text(f'#!/bin/sh\necho noise; echo noise >&2; echo "$1" > {opened}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}{os.pathsep}/usr/bin{os.pathsep}/bin")
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "leave.md")
    async with hosted(ReaderScreen(database, entry.id, 0, 8)) as shown:
        await shown.sees("Annual leave")
        await shown.pilot.press("o")
        await shown.sees("opened leave.md with xdg-open")
        assert "noise" not in shown.text()
    assert opened.read_text().strip() == str((folder / "leave.md").resolve())


def test_a_path_that_leads_out_of_the_folder_is_refused(
    assistant: Assistant, folder: Path, tmp_path: Path
) -> None:
    """If it fails, a link put in place of a file makes the interface open any file."""
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "leave.md")
    assert source_file(database, entry.id) == (folder / "leave.md").resolve()
    assert not is_changed(database, "leave.md")
    (folder / "leave.md").unlink()
    with pytest.raises(FolderError, match="not in"):
        source_file(database, entry.id)
    secret = tmp_path / "secret.md"
    secret.write_text("secret")
    (folder / "leave.md").symlink_to(secret)
    with pytest.raises(FolderError, match="out of the folder"):
        source_file(database, entry.id)
    assert is_changed(database, "leave.md")


def test_a_file_edited_after_indexing_is_changed(assistant: Assistant, folder: Path) -> None:
    """If it fails, old words pass for what the file says now."""
    database = assistant.library.database("staff")
    os.utime(folder / "parking.md", (1, 1))
    assert not is_changed(database, "parking.md")  # touched, not changed
    text = (folder / "parking.md").read_text(encoding="utf-8")
    (folder / "parking.md").write_text(text.replace("40 euro", "41 euro"), encoding="utf-8")
    assert is_changed(database, "parking.md")


def test_the_editor_gets_the_line_and_programs_are_not_run(tmp_path: Path) -> None:
    """If it fails, the editor opens at the top, or a click runs what was only indexed."""
    path = tmp_path / "a.md"
    environ = {"EDITOR": "sh -e", "PATH": "/bin:/usr/bin"}
    assert editor_command(path, 12, environ) == ["sh", "-e", "+12", str(path)]
    assert editor_command(path, None, {"EDITOR": "no-such-editor", "PATH": "/bin"}) == []
    assert editor_command(path, None, {"EDITOR": "'", "PATH": "/bin"}) == []
    with pytest.raises(FolderError, match="run it as a program"):
        open_outside(tmp_path / "evil.desktop", None, "text/plain", environ)
    with pytest.raises(FolderError, match="no program here"):
        open_outside(path, None, "text/markdown", {"PATH": str(tmp_path)})


def test_excerpts_are_the_text(book: Database) -> None:
    """If it fails, the reader leaves out or repeats a part of the document."""
    (entry,) = book.entries()
    opened = open_entry(book, entry)
    for at in (0, 5, entry.length // 2, entry.length - 1):
        window = opened.window(at)
        assert window.text == book.text(entry.id, window.start, window.end)
        assert window.start <= at < window.end
        after = opened.more(window.end, 1)
        assert after.start == window.end
        assert after.text == book.text(entry.id, after.start, after.end)
        before = opened.more(window.start, -1)
        assert before.end == window.start
        assert bool(before.text) == bool(window.start)
    assert opened.window(0).start == 0
    assert opened.window(entry.length - 1).end == entry.length


def test_the_outline_has_each_heading_once(book: Database) -> None:
    """If it fails, chapters are missing or repeated."""
    (entry,) = book.entries()
    titles = [part.label for part in book.facts(entry.id).outline]
    assert titles == [f"Chapter {number}" for number in range(PAGES // 10)]


def test_a_window_is_all_that_is_read(book: Database) -> None:
    """If it fails, opening a place in a book reads the book."""
    (entry,) = book.entries()
    opened = open_entry(book, entry)
    window = opened.window(entry.length // 2)
    assert 2 * AROUND * 0.9 <= len(window.text) <= 2 * (AROUND + LONGEST_LEAF)
    more = opened.more(window.end, 1)
    assert 0 < len(more.text) <= MORE + LONGEST_LEAF
