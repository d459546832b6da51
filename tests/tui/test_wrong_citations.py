"""Citations that a person holds for wrong: marked in the sources and in the reader, and kept."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.reader.screen import ReaderScreen
from tests.tui.screen import opened

CARRY = "How many days of leave may technicians carry over?"


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    return ConversationStore(tmp_path / "conversations.db")


def _wrong(store: ConversationStore) -> list[int]:
    (exchange, *_) = store.show(store.latest()).exchanges
    return [kept.citation.marker for kept in exchange.citations if kept.wrong]


@pytest.mark.parametrize("size", [(140, 40), (80, 24)])
async def test_x_marks_a_citation_and_takes_it_back(
    assistant: Assistant, store: ConversationStore, size: tuple[int, int]
) -> None:
    """If it fails, what a person found out about a source is nowhere kept, or cannot be undone."""
    async with opened(assistant, size, store=store) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.until(lambda: shown.passage.has_focus, "the source")
        await shown.pilot.press("x")
        await shown.until(lambda: "[1] is marked wrong: x takes" in shown.text(), "the remark")
        await shown.until(lambda: "[1✗]" in shown.words("#evidence"), "the card")
        assert "✗ marked wrong" in shown.words("#evidence")
        assert _wrong(store) == [1]
        await shown.pilot.press("escape")
        await shown.until(lambda: "[1✗]" in shown.words(), "the mark in the answer")
        assert "✗ 1 marked wrong" in shown.words()
        await shown.type_and_send("/wrong")
        await shown.until(lambda: "[1✗]" not in shown.words(), "the mark taken back")
        await shown.until(lambda: _wrong(store) == [], "it being kept")


async def test_a_mark_is_there_when_the_conversation_is_opened_again(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, a mark is forgotten with the session in which it was made."""
    async with opened(assistant, store=store) as shown:
        await shown.ask(CARRY)
        await shown.ask("What does the parking permit cost?")
        await shown.pilot.press("ctrl+g", "x")
        await shown.until(lambda: shown.exchanges[-1].state.wrong, "the mark")
    first, second = store.show(store.latest()).exchanges
    assert not [kept for kept in first.citations if kept.wrong]
    assert [kept.wrong for kept in second.citations][:1] == [True]
    async with opened(assistant, store=store) as shown:
        shown.main.conversation.resume(store.latest())
        await shown.until(lambda: "[1✗]" in shown.words("#evidence"), "the mark")
        await shown.pilot.press("ctrl+g", "x")
        await shown.until(lambda: "[1✗]" not in shown.text(), "it being taken back")
    assert store.labelled() == []


async def test_it_is_marked_in_the_reader_too(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, whoever reads the whole document must leave it to say what is wrong."""
    async with opened(assistant, store=store) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.until(shown.passage.highlighted, "the source")
        await shown.pilot.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.until(lambda: "eight days" in shown.text(), "its text")
        await shown.pilot.press("x")
        await shown.until(lambda: "[1] is marked wrong" in shown.text(), "the remark")
        assert _wrong(store) == [1]
        await shown.pilot.press("escape")
        await shown.until(lambda: "[1✗]" in shown.words(), "the mark in the answer")


async def test_what_cannot_be_marked_says_why(assistant: Assistant) -> None:
    """If it fails, x does nothing, and nobody knows why."""
    async with opened(assistant) as shown:
        await shown.type_and_send("/wrong")
        await shown.until(lambda: "open a citation first" in shown.words("#evidence"), "why")
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g", "x")
        await shown.until(lambda: "only citations of a kept conversation" in shown.text(), "why")
        assert "[1✗]" not in shown.text()


async def test_evaluate_lists_what_was_marked(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, marks are kept and nobody can look at them together."""
    async with opened(assistant, (140, 40), store=store) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g", "x")
        await shown.until(lambda: shown.exchanges[-1].state.wrong, "the mark")
        await shown.pilot.press("f9")
        await shown.until(lambda: "1 in 1 conversation" in shown.text(), "the line")
        await shown.pilot.press("end")
        detail = "#browse-detail"
        await shown.until(lambda: "[1✗] Technicians may" in shown.words(detail), "the citation")
        assert CARRY in shown.words(detail)
        assert f"conversation {store.latest()}" in shown.words(detail)
