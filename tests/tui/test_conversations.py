"""Conversations are kept as they happen, gone on with, and begun anew."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.chat.run_state import Phase
from rag_assistant.values.messages import AssistantMessage
from tests.tui.screen import opened
from tests.tui.scripted_assistant import ActProvider, scripted
from tests.tui.slow_model import slow

CARRY = "How many days of leave may technicians carry over?"


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    return ConversationStore(tmp_path / "conversations.db")


async def test_questions_are_kept_in_one_conversation(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, a closed terminal loses the answers, or every question is a conversation."""
    async with opened(assistant, store=store) as shown:
        await shown.ask(CARRY)
        await shown.ask("What does the parking permit cost?")
        (kept,) = store.conversations()
        assert (kept.exchanges, kept.state) == (2, "answered")
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: not shown.exchanges, "the new conversation")
        assert "Ask your documents." in shown.text()
        assert not shown.panel.citations
        await shown.ask(CARRY)
        assert [kept.exchanges for kept in store.conversations()] == [1, 2]


async def test_a_stopped_answer_is_kept_as_stopped(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, what was written before Escape is lost with the terminal."""
    waiting = slow(assistant)
    async with opened(waiting, store=store) as shown:
        await shown.type_and_send("Stopped?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.pilot.press("escape")
        await shown.until(lambda: not shown.main.conversation.answers, "the end of the run")
    (exchange,) = store.show(store.latest()).exchanges
    assert (exchange.state, exchange.answer) == ("stopped", "The first words.")


async def test_a_resumed_conversation_shows_what_was_said_and_goes_on(
    assistant: Assistant, store: ConversationStore
) -> None:
    """If it fails, earlier answers, their sources, or the model's memory of them are gone."""
    async with opened(assistant, store=store) as shown:
        await shown.ask(CARRY)
        number = store.latest()
        kept = shown.exchanges[0].state.text
    asked = scripted(assistant, ["The rest."])
    async with opened(asked, store=store) as shown:
        shown.main.conversation.resume(number)
        await shown.until(lambda: shown.exchanges, "the earlier question")
        assert shown.exchanges[0].state.text == kept
        assert shown.phase(0) is Phase.ANSWERED
        assert shown.panel.citations
        await shown.pilot.press("ctrl+g")
        await shown.settle()
        assert "eight days" in shown.passage.highlighted()
        await shown.pilot.press("escape")
        await shown.ask("And then?")
        said = [m for m in asked.scripted.requests[-1].messages if isinstance(m, AssistantMessage)]
        assert said
        assert [e.question for e in store.show(number).exchanges] == [CARRY, "And then?"]
        await shown.pilot.press("up", "up")
        assert shown.box.text == CARRY


async def test_a_store_that_cannot_be_written_is_one_note(
    assistant: Assistant, tmp_path: Path
) -> None:
    """If it fails, a full or read-only disk takes the answer away, or says so for each event."""
    blocked = tmp_path / "folder.db"
    blocked.mkdir()
    async with opened(assistant, store=ConversationStore(blocked)) as shown:
        exchange = await shown.ask(CARRY)
        assert exchange.state.phase is Phase.ANSWERED
        assert sum("not kept" in warning for warning in exchange.state.warnings) == 1
        assert "This answer is not kept" in shown.words()


async def test_a_new_conversation_forgets_what_was_said(assistant: Assistant) -> None:
    """If it fails, a new conversation is answered from the old one, or its tools go on running."""
    acts = ActProvider()
    asked = scripted(assistant, ["First.", "Second."], acts)
    async with opened(asked) as shown:
        await shown.ask("Before?")
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: acts.closed, "the end of the tools")
        await shown.ask("After?")
        messages = asked.scripted.requests[-1].messages
        assert not [message for message in messages if isinstance(message, AssistantMessage)]


async def test_a_new_conversation_stops_the_running_answer(assistant: Assistant) -> None:
    """If it fails, the next question waits for an answer that nobody sees."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("First?")
        await shown.until(lambda: waiting.slow.requests, "the request")
        await shown.type_and_send("Second?")
        await shown.pilot.press("ctrl+n")
        await shown.until(lambda: waiting.slow.closed, "the end of the request")
        waiting.slow.go_on.set()
        await shown.ask("Third?")
        assert waiting.slow.questions() == ["First?", "Third?"]
        assert [exchange.state.question for exchange in shown.exchanges] == ["Third?"]


async def test_without_a_store_history_says_so(assistant: Assistant) -> None:
    """If it fails, Ctrl+R does nothing where conversations are not kept."""
    async with opened(assistant) as shown:
        await shown.pilot.press("ctrl+r")
        await shown.pilot.pause()
        assert "conversations are not kept" in shown.text()
