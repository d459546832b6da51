"""The databases: none yet, adding one, leaving one out."""

import asyncio
import time
from pathlib import Path

import pytest
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.errors import LibraryError
from rag_assistant.tui.library.folder_dialog import FolderDialog
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from tests.conftest import write_files
from tests.tui.screen import NARROW, Opened, opened


async def _add(shown: Opened, path: str) -> None:
    await shown.pilot.press("ctrl+o")
    await shown.pilot.pause()
    shown.app.screen.query_one(Input).value = path
    await shown.pilot.press("enter")
    await shown.pilot.pause()
    await shown.settle()
    if isinstance(shown.app.screen, FolderDialog):
        await shown.pilot.press("enter")
        await shown.pilot.pause()
        await shown.settle()


async def test_without_a_database_it_says_what_to_do(empty: Assistant) -> None:
    """If it fails, the first thing a person sees does not tell how to begin."""
    async with opened(empty) as shown:
        assert "There is no database yet." in shown.text()
        assert "Ctrl+O" in shown.text()
        await shown.type_and_send("Hello?")
        await shown.until(lambda: "Ctrl+O adds a folder" in shown.text(), "the remark")
        assert shown.box.text == "Hello?"
        assert not shown.exchanges


async def test_the_empty_conversation_says_what_there_is_to_ask(assistant: Assistant) -> None:
    """If it fails, a person who opens the program sees an empty page, not their own folder."""
    async with opened(assistant) as shown:
        await shown.until(lambda: "3 files of staff" in shown.text(), "what the folder holds")
        assert "md      ██" in shown.text()
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: "3 files of staff" in shown.text(), "another conversation")
        await shown.ask("What does the parking permit cost?")
        assert "files of staff" not in shown.text()


async def test_many_databases_are_counted_where_their_names_do_not_fit(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, a narrow header shows some of the names, cut off, and not how much is asked."""
    for number in range(1, 7):
        folder = write_files(tmp_path / f"allotments-{number}", {"a.md": "# A\n\nOne.\n"})
        assistant.library.index(folder)
    async with opened(assistant, NARROW) as shown:
        await shown.until(lambda: "7 databases · 9 documents" in shown.text(), "the count")
        await shown.pilot.resize_terminal(240, 30)
        await shown.until(lambda: "allotments-1, allotments-2" in shown.text(), "the names")


async def test_adding_a_folder_makes_it_answer(empty: Assistant, folder: Path) -> None:
    """If it fails, a person cannot get from a folder to an answer without the command line."""
    async with opened(empty) as shown:
        await _add(shown, str(folder))
        await shown.until(lambda: "3 files ready" in shown.text(), "the report")
        await shown.until(lambda: shown.rows, "the database")
        assert [row.entries for row in shown.rows] == [3]
        assert not shown.main.indexing.progress
        exchange = await shown.ask("What does the parking permit cost?")
        assert "40 euro" in exchange.state.text


async def test_a_folder_that_does_not_exist_is_one_line(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a mistyped path ends in a traceback, or in nothing."""
    async with opened(empty, NARROW) as shown:
        missing = tmp_path / "x"
        await _add(shown, str(missing))
        await shown.until(lambda: "✗" in shown.text(), "the error")
        said = " ".join(shown.words("#folder-dialog").replace("│", " ").split())
        assert "There is no folder" in said
        assert said.partition("/x. ")[2].startswith("Check the path."), "wherever a line breaks"
        assert "Traceback" not in shown.text()
        assert shown.app.screen.query_one(Input).value == str(missing)


async def test_files_that_cannot_be_read_are_listed(empty: Assistant, folder: Path) -> None:
    """If it fails, a file is skipped without anyone being told."""
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 this is no pdf")
    async with opened(empty) as shown:
        await _add(shown, str(folder))
        said = "1 could not be read (F4 shows them)"
        await shown.until(lambda: said in shown.words(), "the unreadable file")
        await shown.until(lambda: shown.rows, "the database")
        assert "1 unreadable" in shown.text()
        await shown.pilot.press("f4")
        await shown.until(lambda: "broken.pdf" in shown.text(), "its name in the library")


async def test_a_database_left_out_is_not_asked(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, an answer comes from documents that the person had left out."""
    other = tmp_path / "club"
    other.mkdir()
    (other / "a.md").write_text("# Club\n\nThe parking permit costs 99 euro.\n", encoding="utf-8")
    assistant.library.index(other)
    async with opened(assistant) as shown:
        assert [row.name for row in shown.rows] == ["club", "staff"]
        shown.main.query_one(DatabasesPanel).focus()
        await shown.pilot.press("space")
        await shown.pilot.pause()
        assert "[ ] club" in shown.text()
        exchange = await shown.ask("What does the parking permit cost?")
        assert exchange.state.databases == ("staff",)
        assert "99" not in exchange.state.text
        shown.main.query_one(DatabasesPanel).focus()
        await shown.pilot.press("down", "space")
        await shown.type_and_send("Anybody?")
        await shown.until(lambda: "no database is ticked" in shown.text(), "the remark")
        assert len(shown.exchanges) == 1
        assert shown.box.text == "Anybody?"


async def test_a_damaged_database_does_not_silence_the_others(assistant: Assistant) -> None:
    """If it fails, one bad file in the home directory makes every question fail."""
    (assistant.library.home / "bad.db").write_bytes(b"this is no database at all" * 100)
    async with opened(assistant) as shown:
        assert "bad" in shown.words("#databases")
        exchange = await shown.ask("What does the parking permit cost?")
        assert "40 euro" in exchange.state.text


@pytest.mark.soak
async def test_quitting_while_a_folder_is_indexed_does_not_wait_for_it(
    empty: Assistant, tmp_path: Path
) -> None:
    """If it fails, Ctrl+Q hangs until the last file is read, or loses what was indexed."""
    many = tmp_path / "many"
    many.mkdir()
    for number in range(1500):
        (many / f"{number}.md").write_text(f"# Note {number}\n\n{'words ' * 200}\n")
    async with opened(empty) as shown:
        shown.main.indexing.index(str(many))
        while not shown.main.indexing.progress[0].done:
            await asyncio.sleep(0.01)
        started = time.monotonic()
        shown.app.exit()
    while True:  # the thread notices with the next file, and lets go of the database
        try:
            assert empty.library.check("many") == []
            break
        except LibraryError:
            await asyncio.sleep(0.01)
    assert time.monotonic() - started < 2
    assert 0 < empty.library.database("many").figures().entries < 1500
    async with opened(empty) as shown:  # the next start goes on by itself
        await shown.until(lambda: shown.rows and shown.rows[0].whole, "the rest")
        assert shown.rows[0].entries == 1500


async def test_help_lists_every_described_key(assistant: Assistant) -> None:
    """If it fails, there are keys that a person cannot find out about."""
    async with opened(assistant, (140, 60)) as shown:
        await shown.pilot.press("f1")
        await shown.pilot.pause()
        assert len(shown.app.screen_stack) == 2
        text = shown.text()
        for key in ("Ctrl+G", "Ctrl+T", "Ctrl+O", "Ctrl+L", "Ctrl+Q", "Ctrl+J", "1–9", "Esc"):
            assert key in text
        await shown.pilot.press("escape")
        await shown.pilot.pause()
        assert len(shown.app.screen_stack) == 1


async def test_every_width_is_drawn_whole(assistant: Assistant) -> None:
    """If it fails, a resized terminal breaks the interface or drops the draft."""
    async with opened(assistant) as shown:
        await shown.ask("What does the parking permit cost?")
        shown.box.insert("a draft")
        for width, height in ((140, 40), (110, 30), (80, 24), (60, 18), (38, 9), (120, 40)):
            await shown.pilot.resize_terminal(width, height)
            await shown.pilot.pause()
            assert all(len(line) <= width for line in shown.text().splitlines())
        assert shown.box.text == "a draft"
        assert "quote found" in shown.words()
