"""Finding: the newest version of a document is listed, and the older ones are one key away."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.tui.find.screen import FindScreen
from rag_assistant.tui.reader.screen import ReaderScreen
from tests.conftest import settle, write_files
from tests.tui.hosting import Hosted, hosted

PLAN = "".join(
    f"Berth {n} of the harbour is dredged by crew {n} each spring.\n\n" for n in range(9)
)


@pytest.fixture
def plans(empty: Assistant, tmp_path: Path) -> Assistant:
    """An assistant with a plan, its draft, and another page."""
    files = {
        "plan.md": f"# Plan\n\n{PLAN}It costs 46 crowns.\n",
        "plan-draft.md": f"# Plan\n\n{PLAN}It costs 64 crowns.\n",
        "tea.md": "# Tea\n\nTea is had at three.\n",
    }
    settle(write_files(tmp_path / "works", files))
    empty.library.index(tmp_path / "works")
    return empty


def _rows(shown: Hosted) -> str:
    return shown.words("#find-rows")


def _chosen(shown: Hosted) -> str:
    return next((line for line in shown.text().splitlines() if " ❯ " in line), "")


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_right_lists_the_older_version(plans: Assistant, size: tuple[int, int]) -> None:
    """A draft that is hidden behind the final version could not be reached any more."""
    async with hosted(FindScreen(plans, (), "crowns"), size=size) as shown:
        await shown.sees("1 document")
        assert "older version" not in _rows(shown)
        await shown.pilot.press("right")
        await shown.until(lambda: "older version plan-draft.md" in _rows(shown), "the draft")
        assert "It costs 46 crowns" in _rows(shown)
        while "plan-draft" not in _chosen(shown):
            await shown.pilot.press("down")
        await shown.pilot.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.sees("64 crowns")
        await shown.pilot.press("escape", "left")
        await shown.until(lambda: "older version" not in _rows(shown), "the list as it was")


async def test_an_older_version_is_marked_where_it_is_found(plans: Assistant) -> None:
    """Who looks for words of the draft would take them for what holds."""
    async with hosted(FindScreen(plans, (), "costs 64 crowns")) as shown:
        await shown.sees("2 documents")
        await shown.until(lambda: "Plan older version" in _rows(shown), "the mark")
        await shown.sees("newer version plan.md")
