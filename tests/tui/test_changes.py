"""Files that change after they were indexed: said at once, and set right by F5."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.library.quote_state import standing
from rag_assistant.library.source_files import count_changed
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import EvidenceItem, QuoteState
from rag_assistant.values.ledger import NOT_SETTLED
from tests.tui.screen import NARROW, WIDE, Opened, opened

CARRY = "How many days of leave may technicians carry over?"
CHANGED = "! file changed since indexing (F5)"


def _edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


async def _come_back(shown: Opened) -> None:
    """Leave the terminal and come back, as whoever edits a file in another window does."""
    shown.app.app_focus = False
    await shown.pilot.pause()
    shown.app.app_focus = True
    await shown.pilot.pause()


async def test_a_changed_file_is_marked_and_f5_sets_it_right(
    assistant: Assistant, folder: Path
) -> None:
    """If it fails, old words pass for what the file says, or the mark stays for ever."""
    for size in (WIDE, NARROW):
        async with opened(assistant, size) as shown:
            await shown.ask(CARRY)
            await shown.pilot.press("ctrl+g")
            await shown.until(lambda: "✓ quote found: these" in shown.text(), "the source")
            quote = shown.passage.highlighted()
            assert "changed" not in shown.text()
            # The words stay, and move further down.
            _edit(folder / "leave.md", "Leave is counted", "A new first line.\n\nLeave is counted")
            await _come_back(shown)
            await shown.until(lambda: "1 file changed: F5" in shown.text(), "the header")
            await shown.until(lambda: CHANGED in shown.words("#cards-scroll"), "the card")
            if size == WIDE:
                await shown.until(lambda: "[1!]" in shown.words(), "the answer's mark")
            await shown.until(lambda: CHANGED in shown.words("#passage-head"), "the head")
            assert "[1!]" in shown.words("#cards-scroll")
            await shown.pilot.press("f5")
            await shown.until(lambda: "[1] " in shown.words("#cards-scroll"), "no mark any more")
            if size == WIDE:
                await shown.until(lambda: "[1!]" not in shown.words(), "the answer's mark")
            await shown.until(lambda: "changed" not in shown.words("#status"), "the header")
            await shown.until(lambda: "changed" not in shown.words("#passage-head"), "the heading")
            assert shown.passage.highlighted() == quote


async def test_f5_works_where_a_document_is_read(assistant: Assistant, folder: Path) -> None:
    """If it fails, the mark in the reader names a key that does nothing there."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.until(lambda: "✓ quote found: these" in shown.text(), "the source")
        _edit(folder / "leave.md", "Leave is counted", "A new first line.\n\nLeave is counted")
        await shown.pilot.press("enter")
        await shown.until(lambda: "A new first line" not in shown.text(), "the reader")
        await shown.until(lambda: CHANGED in shown.words("#reader-head"), "the mark")
        await shown.pilot.press("f5")
        await shown.until(lambda: "A new first line" in shown.text(), "the new text")
        await shown.until(lambda: CHANGED not in shown.words("#reader-head"), "no mark any more")


async def test_a_small_terminal_shows_the_words_and_the_chosen_card(
    assistant: Assistant,
) -> None:
    """If it fails, the list of sources leaves no room for the source on a small terminal."""
    async with opened(assistant, (60, 18)) as shown:
        exchange = await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        quote = exchange.state.citations[0].item.quote
        await shown.until(lambda: shown.passage.sees(shown.passage.marks.span[0]), "the words")
        assert shown.passage.size.height >= 4
        assert quote.split()[0] in shown.words("#passage")
        await shown.until(lambda: "[1] " in shown.words("#cards-scroll"), "the card")


async def test_words_that_are_gone_are_told(assistant: Assistant, folder: Path) -> None:
    """If it fails, a quote that the file does not have any more looks as sound as before."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.until(lambda: "✓ quote found: these" in shown.text(), "the source")
        (folder / "leave.md").write_text("# Annual leave\n\nAsk somebody.\n", encoding="utf-8")
        shown.box.focus()
        shown.box.insert("/rescan")
        await shown.pilot.press("escape", "enter")
        await shown.until(
            lambda: "source changed since it was cited" in shown.words("#cards-scroll"), "the mark"
        )
        await shown.until(lambda: "it was: " in shown.words("#passage-head"), "the old words")
        assert shown.passage.highlighted() == ""


def test_each_change_is_counted(assistant: Assistant, folder: Path) -> None:
    """If it fails, the header counts files that are as they were, or misses those that are not."""
    database = assistant.library.database("staff")
    assert count_changed(database) == 0
    os.utime(folder / "parking.md", (1, 1))
    assert count_changed(database) == 0  # touched, not changed
    _edit(folder / "parking.md", "40 euro", "41 euro")
    (folder / "leave.md").unlink()
    assert count_changed(database) == 2
    assert count_changed(database, lambda: True) == 0
    assistant.library.index(folder)
    assert count_changed(database) == 0


def test_a_rewrite_within_a_tick_of_the_clock_counts(assistant: Assistant, folder: Path) -> None:
    """If it fails, a file written twice at once is shown as it was, and nobody told."""
    file = folder / "parking.md"
    file.touch()
    assistant.library.index(folder)
    indexed = file.stat()
    _edit(file, "40 euro", "41 euro")
    os.utime(file, ns=(indexed.st_atime_ns, indexed.st_mtime_ns))
    database = assistant.library.database("staff")
    with closing(sqlite3.connect(database.path)) as connection, connection:
        connection.execute("UPDATE files SET ctime_ns = ?", (NOT_SETTLED,))  # however fast it was
    assert count_changed(database) == 1


def test_a_quote_is_followed_to_where_it_is_now(assistant: Assistant, folder: Path) -> None:
    """If it fails, every edit of a file breaks all earlier citations of it."""
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "parking.md")
    at = database.text(entry.id).index("40 euro")
    place = Location(at, at + 7)
    item = EvidenceItem("staff", entry.id, entry.title, entry.path, "40 euro", place, True)
    assert standing(assistant.library, item).state is QuoteState.FOUND
    _edit(folder / "parking.md", "The parking", "Since May, the parking")
    assert standing(assistant.library, item).state is QuoteState.STALE
    assistant.library.index(folder)
    found = standing(assistant.library, item)
    assert found.state is QuoteState.FOUND
    assert found.span is not None
    assert found.span[0] > at
    assert database.text(entry.id, *found.span) == "40 euro"
    (folder / "parking.md").unlink()
    assert standing(assistant.library, item).state is QuoteState.STALE
    assistant.library.remove("staff")
    assert standing(assistant.library, item).state is QuoteState.MISSING
