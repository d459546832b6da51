"""Finding as one types, without any model."""

import asyncio
import time
from pathlib import Path

import pytest
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config
from rag_assistant.library.library import Library
from rag_assistant.search.matching_words import matching_words
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.reader.screen import ReaderScreen
from tests.tui.hosting import Hosted, hosted

SIZES = ((140, 40), (80, 24), (60, 18))


def _marked(shown: Hosted) -> set[str]:
    """Give the words that are marked on the screen, by a style that needs no colour."""
    return {
        segment.text.strip()
        for strip in shown.app.screen._compositor.render_strips()
        for segment in strip
        if segment.style and segment.style.underline and segment.text.strip()
    }


@pytest.mark.parametrize("size", SIZES)
async def test_results_come_while_typing(assistant: Assistant, size: tuple[int, int]) -> None:
    """If it fails, a person must press Enter, or own a model, to find anything."""
    async with hosted(FindScreen(assistant, ()), size) as shown:
        assert "Type to search" in shown.text()
        await shown.pilot.press(*"parking perm")
        await shown.sees("1 document")
        await shown.until(lambda: "permit" in _marked(shown), "a word completed and marked")
        assert "ms" in shown.text()
        assert "Parking" in shown.text()
        assert shown.app.screen.query_one(Input).value == "parking perm"


async def test_a_file_of_two_databases_is_one_row_that_names_both(
    assistant: Assistant, folder: Path
) -> None:
    """Every result would stand there twice, and nothing would say why."""
    assistant.library.index(folder, name="second")
    async with hosted(FindScreen(assistant, ())) as shown:
        await shown.pilot.press(*"parking permit")
        await shown.sees("1 document")
        await shown.until(lambda: "second" in shown.text(), "the other database")
        assert "staff" in shown.text()
        assert "parking.md" in shown.text(), "the path is on the row"


async def test_what_an_older_query_brings_is_dropped(assistant: Assistant) -> None:
    """If it fails, results of words that are long changed stand under the new ones."""
    async with hosted(FindScreen(assistant, ())) as shown:
        await shown.pilot.press(*"parking")
        await shown.sees("Parking")
        box = shown.app.screen.query_one(Input)
        for words in ("boiler room", "carry over", "parking", "boiler room key"):
            box.value = words
            await shown.pilot.pause(0.03)
        await shown.sees("boiler room key hangs")
        await shown.pilot.pause(0.8)
        assert "Long" in shown.text()
        assert "40 euro" not in shown.text()


async def test_filters_work_and_nothing_found_is_told(assistant: Assistant) -> None:
    """If it fails, the query language does nothing here, or an empty list says nothing."""
    async with hosted(FindScreen(assistant, ())) as shown:
        box = shown.app.screen.query_one(Input)
        box.value = "days path:leave"
        await shown.sees("1 document")
        box.value = "days -leave path:parking"
        await shown.sees("Nothing found.")
        box.value = ""
        await shown.sees("What you can type")


async def test_a_correction_is_told_in_one_line(assistant: Assistant) -> None:
    """If it fails, other words than those typed are searched for and nobody says so."""
    async with hosted(FindScreen(assistant, (), "technicans")) as shown:
        await shown.sees("technicians")
        notes = shown.app.screen.query_one("#find-notes", LaidText)
        await shown.until(lambda: notes.display, "the note")
        assert notes.size.height == 1


async def test_no_database_is_told(empty: Assistant) -> None:
    """If it fails, the screen is a dead end before anything is indexed."""
    async with hosted(FindScreen(empty, (), "anything")) as shown:
        await shown.sees("There is no database yet.")
        await shown.sees("Esc, then Ctrl+O adds a folder")


async def test_a_damaged_database_is_told(assistant: Assistant) -> None:
    """If it fails, a file that cannot be read looks like words that are nowhere."""
    (assistant.library.home / "bad.db").write_bytes(b"no database at all" * 100)
    async with hosted(FindScreen(assistant, ("bad",), "parking")) as shown:
        await shown.sees("damaged")


async def test_the_score_is_explained(assistant: Assistant) -> None:
    """If it fails, nobody can see why a document stands where it does."""
    async with hosted(FindScreen(assistant, (), "parking permit")) as shown:
        await shown.sees("40 euro")
        await shown.pilot.press("ctrl+e")
        await shown.sees("score ")
        await shown.sees("▇")
        await shown.pilot.press("ctrl+e")
        await shown.until(lambda: "▇" not in shown.text(), "the explanation to go")


async def test_enter_opens_the_document_at_the_words(assistant: Assistant) -> None:
    """If it fails, what was found cannot be read, or opens somewhere else."""
    async with hosted(FindScreen(assistant, (), "boiler room key")) as shown:
        await shown.sees("blue door")
        await shown.pilot.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.sees("hangs behind the blue door")
        await shown.pilot.press("escape")
        await shown.until(lambda: isinstance(shown.app.screen, FindScreen), "the way back")
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.given == [None], "the end")


async def test_up_and_down_choose_while_typing_goes_on(assistant: Assistant) -> None:
    """If it fails, choosing takes the keyboard away from the words, or a new list the choice."""
    async with hosted(FindScreen(assistant, (), "leave")) as shown:
        await shown.sees("❯ Annual leave")
        box = shown.app.screen.query_one(Input)
        box.value = "paragraph permit leave days"
        await shown.sees("documents")
        before = next(line for line in shown.text().splitlines() if "❯" in line)
        await shown.pilot.press("down")
        await shown.until(lambda: before not in shown.text(), "another choice")
        chosen = next(line for line in shown.text().splitlines() if "❯" in line)
        await shown.pilot.pause(0.7)
        assert chosen[:20] in shown.text()
        assert box.has_focus


async def test_ctrl_s_asks_about_what_is_shown(assistant: Assistant) -> None:
    """If it fails, going from finding to asking means typing it all again."""
    async with hosted(FindScreen(assistant, (), "parking permit")) as shown:
        await shown.sees("40 euro")
        await shown.pilot.press("ctrl+s")
        await shown.until(lambda: shown.given, "the outcome")
        (wanted,) = shown.given
        (scope,) = wanted.scope
        database = assistant.library.database(scope)
        assert wanted.question == "parking permit"
        assert [entry.path for entry in database.entries()] == ["parking.md"]


async def test_ctrl_y_copies_with_the_reference(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, copied words have lost where they are from, or nothing says how they went."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    async with hosted(FindScreen(assistant, (), "parking permit")) as shown:
        await shown.sees("40 euro")
        await shown.pilot.press("ctrl+y")
        await shown.until(lambda: shown.app.clipboard, "something copied")
        copied = shown.app.clipboard
        await shown.sees(f"copied {len(copied)} characters (terminal OSC 52)")
        assert "The parking permit costs 40 euro a month" in copied
        assert copied.rstrip().endswith("parking.md")


class SlowLibrary(Library):
    """A library on a disk that takes its time; counts how many wait for it at once."""

    waiting, most = 0, 0

    def names(self) -> list[str]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        time.sleep(0.6)
        self.waiting -= 1
        return super().names()


async def test_a_search_that_takes_long_never_stops_the_keys(assistant: Assistant) -> None:
    """If it fails, the box waits for the search, or searches pile up."""
    library = SlowLibrary(assistant.library.home)
    async with hosted(FindScreen(Assistant(library, Config(), {}), ())) as shown:
        box = shown.app.screen.query_one(Input)
        started = time.monotonic()
        for letter in "parking permit":
            await shown.pilot.press("space" if letter == " " else letter)
            await asyncio.sleep(0.1)
        took = time.monotonic() - started
        assert box.value == "parking permit"
        assert took < 14 * 0.3
        await shown.sees("40 euro")
        assert library.most <= 2


async def test_hostile_text_in_hits_is_text(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a document can act by being found."""
    folder = tmp_path / "evil"
    folder.mkdir()
    payload = "zebra [/bold] [@click=app.quit]x[/] [$x] [ B ] [50%] [/ \x1b]0;x\x07 \u202eend"
    (folder / "[bold]zebra [$x].md").write_text(f"# {payload}\n\n{payload}\n", encoding="utf-8")
    empty.library.index(folder)
    async with hosted(FindScreen(empty, (), "zebra"), (200, 40)) as shown:
        await shown.sees("[@click=app.quit]x[/] [$x] [ B ] [50%]")
        await shown.pilot.press("ctrl+e", "enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.sees("[@click=app.quit]x[/] [$x] [ B ] [50%]")
        assert not {"\x1b", "\x07", "\u202e"} & set(shown.text())
        assert shown.app.return_code is None


def test_the_words_marked_are_those_the_index_found() -> None:
    """If it fails, the marks tell another story than the ranking."""
    text = "Parking permits cost 40 euro. Pérmit-holders park near the gate."
    marked = [text[start:end] for start, end in matching_words(text, "permit park")]
    assert marked == ["Parking", "permits", "Pérmit", "park"]
    assert matching_words(text, "") == []
    assert [text[s:e] for s, e in matching_words(text, '"park near"')] == [
        "Parking",
        "park",
        "near",
    ]


def test_the_find_screen_needs_no_home(tmp_path: Path) -> None:
    """If it fails, the screen cannot even be made before anything is set up."""
    assert FindScreen(Assistant(Library(tmp_path / "no"), Config(), {}), ())
