"""The line of keys fits every width and begins with what matters; the help leaves no key out."""

import asyncio

import pytest
from textual.binding import Binding
from textual.widget import Widget

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.keys.help_screen import HelpScreen, shown_key
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.library.screen import LibraryScreen
from rag_assistant.tui.question.question_box import QuestionBox
from tests.tui.hosting import hosted
from tests.tui.screen import Opened, opened

WIDTHS = [40, 47, 60, 80, 99, 110, 120, 140, 200]


def _shown_first(widget: Widget) -> tuple[str, str]:
    binding = next(b for b in widget.BINDINGS if isinstance(b, Binding) and b.show)
    return shown_key(binding.key.split(",")[0]), binding.description


def _bar(shown: Opened) -> str:
    bar = shown.main.query_one(KeyBar)
    assert bar.size.height == 1
    region = bar.content_region
    strip = shown.app.screen._compositor.render_strips()[region.y]
    return strip.crop(region.x, region.right).text


@pytest.mark.parametrize("focused", [QuestionBox, ConversationView])
async def test_the_keys_fit_every_width(assistant: Assistant, focused: type[Widget]) -> None:
    """If it fails, the keys wrap, are cut off in the middle, or hide the main one."""
    async with opened(assistant, (200, 30)) as shown:
        await shown.ask("What does the parking permit cost?")
        widget = shown.main.query_one(focused)
        widget.focus()
        key, does = _shown_first(widget)
        whole = f"{key} {does}"
        await shown.until(lambda: _bar(shown).startswith(whole), "the keys of what has the focus")
        every = {part.strip() for part in _bar(shown).split("   ") if part.strip()}
        for width in WIDTHS:
            await shown.pilot.resize_terminal(width, 30)
            await shown.until(lambda: len(_bar(shown)) <= width, "the width")  # noqa: B023
            await shown.until(lambda: _bar(shown).startswith(whole), "the main key")
            parts = {part.strip() for part in _bar(shown).split("   ") if part.strip()}
            assert parts <= every, "a key is cut off"


async def test_a_screen_that_is_left_takes_no_keys_along(assistant: Assistant) -> None:
    """If it fails, the bar stays as it was for good where a screen was left in that moment."""
    async with opened(assistant) as shown:
        await shown.pilot.press("f1")
        await shown.until(lambda: isinstance(shown.app.screen, HelpScreen), "the help")
        left = shown.app.screen
        shown.main.bindings_updated_signal.publish(shown.main)
        for _ in range(50):
            await asyncio.sleep(0)
            if left._callbacks:
                break
        assert left._callbacks, "what the bar asks for is asked of the screen above"
        left._callbacks.clear()  # as Textual does with those of a screen that is gone
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.app.screen is shown.main, "the conversation")
        await shown.pilot.press("shift+tab")
        key, does = _shown_first(shown.main.query_one(ConversationView))
        first = f"{key} {does}"
        await shown.until(lambda: _bar(shown).startswith(first), "the keys of the conversation")


async def test_lists_show_what_enter_does_and_the_way_out(assistant: Assistant) -> None:
    """If it fails, who is in a list of many keys is not told how to leave it, or how to choose."""
    async with hosted(LibraryScreen(assistant), (60, 18)) as shown:
        for key, first in (("home", "Enter Open   Esc Back"), ("slash", "Enter Choose the first")):
            await shown.press(key)
            await shown.until(lambda first=first: first in shown.text(), first)  # type: ignore[misc]
            line = next(line for line in shown.text().splitlines() if "Esc Back" in line)
            assert line.strip().startswith(first)


async def test_the_help_lists_every_key_of_what_has_the_focus(assistant: Assistant) -> None:
    """If it fails, a key acts that no list tells of."""
    async with opened(assistant, (140, 200)) as shown:
        for widget in (shown.box, shown.main.query_one(ConversationView)):
            wanted = [b for b in widget.BINDINGS if isinstance(b, Binding) and b.description]
            widget.focus()
            await shown.pilot.press("f1")
            await shown.until(lambda: "Anywhere" in shown.text(), "the help")
            text = " ".join(shown.words("#help LaidText").split())
            missing = [b for b in wanted if " ".join(b.description.split()) not in text]
            assert not missing
            await shown.pilot.press("escape")
            await shown.pilot.pause()
