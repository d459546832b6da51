"""Documents marked among those found: only these are asked about."""

import pytest
from textual.widgets import Input

from rag_assistant.assistant import Assistant
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.lists.pick_list import PickList
from tests.tui.hosting import Hosted, hosted
from tests.tui.screen import opened


def _paths(assistant: Assistant, shown: Hosted) -> set[str]:
    (wanted,) = shown.given
    entries = [e for one in wanted.scope for e in assistant.library.database(one).entries()]
    return {entry.path for entry in entries}


@pytest.mark.parametrize("size", [(140, 40), (80, 24), (60, 18)])
async def test_what_is_marked_is_asked_about_alone(
    assistant: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, one document among many cannot be asked about without typing its name."""
    async with hosted(FindScreen(assistant, (), "leave permit paragraph"), size) as shown:
        await shown.sees("3 documents")
        assert "[ ]" not in shown.text()
        await shown.press("ctrl+t")
        await shown.sees("[x] ")
        await shown.sees("1 marked: Ctrl+S asks about it alone")
        assert shown.text().count("[ ] ") == 2
        (first,) = [line for line in shown.text().splitlines() if "[x] " in line]
        await shown.press("down", "ctrl+t")
        await shown.until(lambda: shown.text().count("[x] ") == 2, "the second mark")
        await shown.press("ctrl+t")
        await shown.until(lambda: shown.text().count("[x] ") == 1, "the mark taken back")
        await shown.press("ctrl+s")
        await shown.until(lambda: shown.given, "the outcome")
        (path,) = _paths(assistant, shown)
        titles = {"leave.md": "Annual leave", "parking.md": "Parking", "long.md": "Long"}
        assert titles[path] in first


async def test_marks_of_several_searches_come_together(assistant: Assistant) -> None:
    """If it fails, what was marked is forgotten with the next words, or comes along unseen."""
    async with hosted(FindScreen(assistant, (), "parking permit")) as shown:
        await shown.sees("40 euro")
        listing = shown.app.screen.query_one(PickList)
        listing.focus()
        await shown.press("space")
        await shown.sees("1 marked")
        box = shown.app.screen.query_one(Input)
        box.focus()
        box.value = "boiler room"
        await shown.sees("blue door")
        await shown.sees("1 marked")
        listing.focus()
        await shown.press("space")
        await shown.sees("2 marked")
        await shown.press("a")
        await shown.until(lambda: shown.given, "the outcome")
        assert _paths(assistant, shown) == {"parking.md", "long.md"}


async def test_they_become_the_scope_of_the_question(assistant: Assistant) -> None:
    """If it fails, an answer is drawn from what was not marked."""
    async with opened(assistant) as shown:
        shown.box.insert("leave permit paragraph")
        await shown.pilot.press("ctrl+f")
        await shown.until(lambda: "3 documents" in shown.text(), "the results")
        await shown.pilot.press("ctrl+t", "down", "ctrl+t", "ctrl+s")
        await shown.until(lambda: "scope: 2 docs" in shown.text(), "the scope")
        assert shown.box.text == "leave permit paragraph"
