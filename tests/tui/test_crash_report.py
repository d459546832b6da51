"""A defect anywhere in the interface: a report, an exit code, and nothing written is lost."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.terminal.crash_report import CRASHED, FOLDER, paragraph, write_report
from rag_assistant.tui.terminal.unfinished import Unfinished, UnfinishedFile, left_behind
from tests.tui.screen import Opened, opened


def _defect() -> None:
    raise ZeroDivisionError("a defect of the test")


PLACES: dict[str, Callable[[Opened], object]] = {
    "a message": lambda shown: shown.main.call_later(_defect),
    "a timer": lambda shown: shown.main.set_timer(0.01, _defect),
    "after drawing": lambda shown: shown.main.call_after_refresh(_defect),
}


@pytest.mark.parametrize(
    "place",
    ["a message", *(pytest.param(one, marks=pytest.mark.soak) for one in [*PLACES][1:])],
)
async def test_a_defect_saves_draft_and_conversation(
    assistant: Assistant, tmp_path: Path, place: str
) -> None:
    """If it fails, a defect in a handler costs what was written, or ends with a traceback."""
    home = assistant.library.home
    store = ConversationStore(tmp_path / "conversations.db")
    app: AssistantApp | None = None
    with pytest.raises(ZeroDivisionError):
        async with opened(assistant, store=store) as shown:
            app = shown.app
            await shown.ask("What does the parking permit cost?")
            shown.box.insert("a draft")
            PLACES[place](shown)
            await shown.until(lambda: shown.app.return_code == CRASHED, "the end")
    assert app is not None
    assert app.return_code == CRASHED
    (kept,) = home.glob("unfinished-*.json")
    number = store.latest()
    assert json.loads(kept.read_text()) == {"draft": "a draft", "conversation": number}
    (report,) = (home / FOLDER).iterdir()
    assert "a defect of the test" in report.read_text()
    assert "parking permit" not in report.read_text()
    kept.rename(home / "unfinished-0999999999.json")
    async with opened(assistant, store=store) as again:
        await again.until(lambda: "/restore" in again.text(), "the offer")
        await again.type_and_send("/restore")
        await again.until(lambda: again.box.text == "a draft", "the draft")
        await again.until(lambda: len(again.exchanges) == 1, "the conversation")
    assert not list(home.glob("unfinished-*"))


def test_what_others_left_is_given_once_and_damage_is_no_matter(tmp_path: Path) -> None:
    """If it fails, an offer comes at every start, or a damaged file keeps the program closed."""
    assert not left_behind(tmp_path / "nowhere")
    first = UnfinishedFile(tmp_path / "a home that is still to be made")
    first.keep(Unfinished("before anything is indexed", 0))
    tmp_path /= "a home that is still to be made"
    first.keep(Unfinished())
    mine = UnfinishedFile(tmp_path)
    mine.keep(Unfinished("mine", 0))
    assert not left_behind(tmp_path), "of a program that still runs"
    (tmp_path / "unfinished-0999999998.json").write_text("{")
    (tmp_path / "unfinished-0999999999.json").write_text('{"draft": "d", "conversation": 3}')
    assert left_behind(tmp_path) == Unfinished("d", 3)
    assert not left_behind(tmp_path)
    mine.keep(Unfinished())
    assert not list(tmp_path.iterdir())


def test_the_paragraph_is_one_line_and_safe(tmp_path: Path) -> None:
    """If it fails, the words of an error steer the terminal when everything else has ended."""
    error = ValueError("bad \x1b]0;x\x07\nwords")
    told = paragraph(error, write_report(tmp_path, error), kept=True)
    assert told.isprintable()
    assert "the next start offers it" in told
    assert "No report" in paragraph(error, None, kept=False)
    assert "could not be kept" in paragraph(error, None, kept=False)
