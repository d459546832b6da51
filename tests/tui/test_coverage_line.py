"""What an answer saw, under it; and an old answer compared with what is said now."""

import os
import time
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.library.screen import LibraryScreen
from tests.tui.hosting import hosted
from tests.tui.screen import NARROW, WIDE, opened

CARRY = "How many days of leave may technicians carry over?"


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    return ConversationStore(tmp_path / "conversations.db")


def edit(path: Path, old: str, new: str) -> None:
    path.write_text(path.read_text(encoding="utf-8").replace(old, new), encoding="utf-8")
    past = time.time() - 60
    os.utime(path, (past, past))


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_the_statement_unfolds_to_its_parts(
    assistant: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, a person cannot see what was searched and read, and what was not."""
    async with opened(assistant, size) as shown:
        await shown.ask(CARRY)
        assert "3 documents searched" in shown.words()
        assert "Searched staff" not in shown.words()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("d")
        await shown.until(lambda: "▾ Searched staff" in shown.words(), "the parts")
        shown.main.query_one(ConversationView).action_scroll_end()
        await shown.pilot.pause()
        assert "Annual leave" in shown.words().partition("Searched staff")[2]
        assert "search" in shown.words().partition("Searched staff")[2]
        await shown.pilot.press("d")
        await shown.until(lambda: "▾" not in shown.words(), "the line alone")
        await shown.pilot.press("f")
        await shown.until(lambda: "every file could be read" in shown.text(), "the remark")


async def test_what_could_not_be_read_is_one_key_away(assistant: Assistant, folder: Path) -> None:
    """If it fails, a person takes what could not be read for not there."""
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7 broken")
    assistant.library.index(folder)
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        assert "f 1 file unread" in shown.words()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("f")
        await shown.until(lambda: isinstance(shown.app.screen, LibraryScreen), "the library")
        await shown.until(lambda: "broken.pdf" in shown.text(), "the file")
        assert "✗ 1 file failed" in shown.text()
        assert "leave.md" not in shown.text()


async def test_an_old_answer_is_asked_again_and_compared(
    assistant: Assistant, store: ConversationStore, folder: Path
) -> None:
    """If it fails, an answer from a text that has changed goes on being believed."""
    async with opened(assistant, store=store) as shown:
        await shown.ask(CARRY)
    edit(folder / "leave.md", "eight days", "eleven days")
    assistant.library.index(folder)
    number = store.latest()
    async with opened(assistant, store=store) as shown:
        shown.main.conversation.resume(number)
        await shown.until(lambda: "[1] may not hold any more" in shown.words(), "the mark")
        assert "a asks again and compares" in shown.words()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("a")
        await shown.until(
            lambda: "compared with the answer before" in shown.words(), "the comparison"
        )
        await shown.settle()
        (exchange,) = shown.exchanges
        assert exchange.state.before
        said = shown.words().partition("compared with")[2]
        assert "[-eight-]" in said
        assert "{+eleven+}" in said
    old, new = store.show(number), store.show(store.latest())
    assert new.summary.parent == number
    assert "eight days" in old.exchanges[0].answer
    assert "eleven days" in new.exchanges[0].answer


async def test_an_answer_that_is_not_kept_cannot_be_compared(assistant: Assistant) -> None:
    """If it fails, a key does nothing, and does not say why."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("a")
        await shown.until(lambda: "of a kept conversation" in shown.text(), "the remark")


async def test_why_a_file_did_not_come_up_for_a_question_is_told(assistant: Assistant) -> None:
    """If it fails, a person guesses which words a document lacks."""
    async with hosted(LibraryScreen(assistant)) as shown:
        await shown.press("question_mark")
        await shown.type("parking.md")
        await shown.press("enter")
        await shown.sees("For which question?")
        await shown.type("how many days of leave")
        await shown.press("enter")
        await shown.until(
            lambda: "is not found: it has no word" in shown.words("#browse-remark"), "the account"
        )
        assert "It lacks: “days”, “leave”" in shown.words("#browse-remark").replace("“many”, ", "")
