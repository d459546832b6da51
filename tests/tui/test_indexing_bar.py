"""The line that shows how far indexing is: every word at 140 columns, the most telling at 40."""

from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from rag_assistant.tui.indexing.bar import (
    IndexingBar,
    about,
    indexing_in_short,
)
from rag_assistant.tui.indexing.progress import IndexingProgress, IndexTarget
from tests.tui.hosting import hosted

HALF = IndexingProgress(
    IndexTarget(Path("/x/my notes")), 120, 214, 1, "a/minutes [b] \x1b[2J.pdf", 118, 46.2, 9.3
)


class _Bar(Screen[None]):
    def compose(self) -> ComposeResult:
        yield IndexingBar()


@pytest.mark.parametrize("width", [40, 60, 80, 140])
async def test_what_is_most_telling_comes_first(width: int) -> None:
    """If it fails, a small terminal shows a file's name and not how far it is, or is torn."""
    async with hosted(_Bar(), (width, 10)) as shown:
        shown.app.screen.query_one(IndexingBar).progress = (HALF,)
        await shown.sees("120/214")
        words = ["~9 s left", "searchable: 118", "failed: 1", "46 files/s", "minutes [b]"]
        seen = [word for word in words if word in shown.text()]
        assert seen == words[: len(seen)]
        assert len(seen) >= {40: 1, 60: 2, 80: 3, 140: 5}[width]
        assert "\x1b" not in shown.text()
        shown.app.screen.query_one(IndexingBar).progress = ()
        await shown.until(lambda: "120" not in shown.text(), "the line to go")


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.2, "1 s"), (9.4, "9 s"), (43, "45 s"), (70, "1 min"), (1000, "17 min"), (5400, "1.5 h")],
)
def test_an_estimate_is_no_more_exact_than_it_is(seconds: float, said: str) -> None:
    """If it fails, a guess looks like a promise to the second."""
    assert about(seconds) == said


def test_in_a_few_words_it_is_said_how_far_it_is() -> None:
    """If it fails, the line at the top is torn, or says nothing of the time."""
    assert indexing_in_short(HALF) == "indexing 120/214 · ~9 s"
    assert indexing_in_short(IndexingProgress(IndexTarget(Path("/x/y")))) == "indexing y…"
