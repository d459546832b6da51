"""A question says what it was limited to, then and after it was opened again."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.chat.exchange_blocks import asked_in
from rag_assistant.values.scope import Scope, Wanted
from tests.tui.screen import opened


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ((), ""),
        (("staff", "council"), ""),
        ((Scope("staff", entries=(1, 2, 3)),), "in 3 documents of staff"),
        ((Scope("staff", entries=(1,)), "council"), "in 1 document of staff, all of council"),
        ((Scope("staff", ("leave.md",)),), "in leave.md of staff"),
        ((Scope("staff", ("a/", "b.md"), (4,)),), "in 2 documents and a/ of staff"),
        ((Scope("staff", ("a/", "b/")),), "in 2 folders of staff"),
        ((Scope("staff"),), "in nothing of staff"),
    ],
)
def test_limits_are_said_in_words(wanted: tuple[Wanted, ...], said: str) -> None:
    """If it fails, nobody can tell what an answer did not look at."""
    assert asked_in(wanted) == said


async def test_a_scope_stands_under_its_question(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, an answer from two documents passes for one from all of them."""
    store = ConversationStore(tmp_path / "conversations.db")
    entries = assistant.library.database("staff").entries()
    two = tuple(entry.id for entry in entries if entry.path != "long.md")
    async with opened(assistant, store=store) as shown:
        shown.main.scope.take((Scope("staff", entries=two),))
        await shown.ask("What does the parking permit cost?")
        assert "in 2 documents of staff" in shown.words()
        shown.main.scope.take(("staff",))
        await shown.ask("How many days of leave may technicians carry over?")
        assert shown.words().count("documents of staff") <= 1
    async with opened(assistant, store=store) as shown:
        shown.main.conversation.resume(store.latest())
        await shown.until(lambda: len(shown.exchanges) == 2, "the questions")
        await shown.pilot.press("shift+tab", "home")
        await shown.until(lambda: "in 2 documents of staff" in shown.words(), "the scope")
