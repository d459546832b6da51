"""Work beside the interface that meets a defect is told of, and everything else goes on."""

import asyncio
from pathlib import Path

import pytest
from textual.widget import Widget

from rag_assistant.assistant import Assistant
from rag_assistant.errors import LibraryError
from rag_assistant.tui.beside import beside
from rag_assistant.tui.models.screen import ModelScreen
from rag_assistant.tui.terminal.crash_report import FOLDER
from tests.tui.screen import Opened, opened

WORDS = "no [/bold] [$x] \x1b]0;x\x07 such thing"


def _thread(shown: Opened, error: Exception) -> None:
    def fail() -> None:
        raise error

    shown.panel.run_worker(fail, group="test", thread=True, exit_on_error=False)


def _coroutine(shown: Opened, error: Exception) -> None:
    async def fail() -> None:
        await asyncio.sleep(0)
        raise error

    beside(shown.main, fail, "test")


@pytest.mark.parametrize("begin", [_thread, _coroutine])
async def test_a_defect_in_a_worker_is_told_with_its_report(
    assistant: Assistant, begin: object
) -> None:
    """If it fails, something stops working and nobody ever learns why."""
    assert callable(begin)
    home = assistant.library.home
    async with opened(assistant) as shown:
        shown.box.insert("a draft")
        begin(shown, ZeroDivisionError(WORDS))
        await shown.until(lambda: "A defect of this program" in shown.words(), "the line")
        said = shown.words()
        assert "ZeroDivisionError: no [/bold] [$x]" in said
        assert "Nothing you wrote is lost. Report: " in said
        assert shown.box.text == "a draft"
        assert not {"\x1b", "\x07"} & set(shown.text())
        (report,) = (home / FOLDER).iterdir()
        assert "ZeroDivisionError" in report.read_text()
        begin(shown, ZeroDivisionError(WORDS))
        _thread(shown, LibraryError("Another one."))
        await shown.until(lambda: "Another one." in shown.words(), "what failed after it")
        assert shown.words().count("A defect of this program") <= 1
        assert len(list((home / FOLDER).iterdir())) == 1


async def test_an_error_in_words_is_told_in_them(assistant: Assistant) -> None:
    """If it fails, a full disk is called a defect, and a report is written of it."""
    async with opened(assistant) as shown:
        _thread(shown, LibraryError("The disk is full.", hint="Make room."))
        await shown.until(lambda: "The disk is full. Make room." in shown.words(), "the line")
        assert not (assistant.library.home / FOLDER).exists()


async def test_it_is_seen_on_another_screen_too(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, whoever is not at the conversation learns of it only later."""
    async with opened(assistant) as shown:
        screen = ModelScreen(assistant, tmp_path / "config.toml")
        await shown.app.push_screen(screen)
        _thread(shown, ZeroDivisionError(WORDS))
        await shown.until(lambda: "[/bold] [$x]" in shown.text(), "the toast")
        assert shown.app.return_code is None
        assert not {"\x1b", "\x07"} & set(shown.text())


async def test_work_for_what_is_closed_is_no_matter(assistant: Assistant) -> None:
    """If it fails, leaving a screen at the wrong moment is told as a defect."""
    async with opened(assistant) as shown:
        may_fail = asyncio.Event()

        async def fail() -> None:
            try:
                await may_fail.wait()
            finally:
                raise ZeroDivisionError("closed")

        gone = Widget()
        await shown.main.mount(gone)
        beside(gone, fail, "test")
        await shown.pilot.pause()
        await gone.remove()
        may_fail.set()
        await shown.until(lambda: not [w for w in shown.app.workers if w.group == "test"], "end")
        await shown.settle()
        assert "A defect" not in shown.words()
