"""Copying from the main screen: exactly what is marked, and a line that says where it went."""

from pathlib import Path

import pytest
from textual.geometry import Offset

from rag_assistant.assistant import Assistant
from tests.tui.screen import Opened, opened

CARRY = "How many days of leave may technicians carry over?"
QUOTE = "Technicians may carry over eight days of leave into the next leave year."


@pytest.fixture(autouse=True)
def _terminal_only(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")


async def _drag(shown: Opened, start: Offset, end: Offset) -> None:
    await shown.pilot.mouse_down(offset=start)
    await shown.pilot.hover(offset=end)
    await shown.pilot.mouse_up(offset=end)
    await shown.pilot.pause()


def _place(shown: Opened, words: str, selector: str) -> Offset:
    """Give where words begin on the screen, within a part of it."""
    region = shown.main.query_one(selector).region
    for y, line in enumerate(shown.text().splitlines()):
        x = line.find(words, region.x)
        if region.y <= y < region.bottom and 0 <= x < region.right:
            return Offset(x, y)
    raise AssertionError(f"{words} is not in {selector}\n{shown.text()}")


async def test_ctrl_c_copies_what_is_dragged_over_in_an_answer(assistant: Assistant) -> None:
    """If it fails, whoever copies a part of an answer pastes something else, or nothing."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        start = _place(shown, "carry over eight", "#conversation")
        await _drag(shown, start, Offset(start.x + len("carry over eight") - 1, start.y))
        await shown.pilot.press("ctrl+c")
        await shown.until(lambda: "copied 16 characters (terminal OSC 52)" in shown.text(), "it")
        assert shown.app.clipboard == "carry over eight"


async def test_a_drag_in_the_passage_copies_the_sources_own_words(assistant: Assistant) -> None:
    """If it fails, a sentence that goes over two lines on the screen is pasted broken."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.until(lambda: "✓ quote found: these" in shown.text(), "the source")
        start = _place(shown, "Technicians may", "#passage")
        end = _place(shown, "year.", "#passage")
        assert end.y > start.y  # over more than one line
        await _drag(shown, start, Offset(end.x + len("year.") - 1, end.y))
        await shown.pilot.press("ctrl+c")
        await shown.until(lambda: shown.app.clipboard == QUOTE, "the sentence")
        await shown.until(lambda: f"copied {len(QUOTE)} characters" in shown.text(), "its remark")


async def test_a_clipboard_tool_is_named(
    assistant: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, the terminal is written to where the system has a clipboard."""
    tool, taken = tmp_path / "xclip", tmp_path / "taken"
    tool.write_text(f"#!/bin/sh\ncat > {taken}\n")
    tool.chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    monkeypatch.setenv("DISPLAY", ":0")
    async with opened(assistant) as shown:
        shown.box.focus()
        shown.box.insert("a question")
        shown.box.select_all()
        await shown.pilot.press("ctrl+c")
        said = "copied 10 characters (clipboard tool xclip)"
        await shown.until(lambda: said in shown.text(), said)
        assert taken.read_text(encoding="utf-8") == "a question"
        monkeypatch.setenv("TERM", "linux")
        monkeypatch.delenv("DISPLAY")
        await shown.pilot.press("ctrl+c")
        await shown.until(lambda: "no clipboard here: 10 characters are in" in shown.text(), "file")


async def test_a_citation_opens_the_same_passage_by_click_key_and_digit(
    assistant: Assistant,
) -> None:
    """If it fails, one of the ways to a source leads elsewhere, or moves the answer away."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        quote = exchange.state.citations[0].item.quote
        conversation = shown.main.query_one("#conversation")
        before = conversation.scroll_y
        for way in ("click", "ctrl+g", "1"):
            shown.panel.passage = None
            await shown.pilot.pause()
            if way == "click":
                assert await shown.pilot.click(offset=_place(shown, "[1]", "#conversation"))
            else:
                conversation.focus()
                await shown.pilot.press(way)
            await shown.until(lambda: shown.panel.passage is not None, f"the passage by {way}")
            assert shown.passage.highlighted() == quote
            assert conversation.scroll_y == before
