"""Asking, stopping and queueing, with the built-in model and with one that takes its time."""

import threading

import pytest
from textual import events

from rag_assistant.assistant import Assistant
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp
from rag_assistant.tui.chat.run_state import Phase, ToolStep
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.main import indexing_controller
from rag_assistant.tui.main.database_rows import DatabaseRow, read_rows
from rag_assistant.values.messages import AssistantMessage
from rag_assistant.values.scope import scopes_in
from tests.tui.screen import NARROW, Opened, opened
from tests.tui.slow_model import slow

CARRY = "How many days of leave may technicians carry over?"


async def test_an_answer_cites_its_source(assistant: Assistant) -> None:
    """If it fails, a person sees no answer, or an answer without a way to its source."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        assert exchange.state.phase is Phase.ANSWERED
        words = shown.words()
        assert CARRY in words
        assert "[1]" in shown.text()
        assert "quote found" in words
        assert shown.box.text == ""


async def test_a_question_of_the_first_moment_is_asked(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a fast person, or one whose databases are far away, is told there is none."""
    may_read = threading.Event()

    def slowly(library: Library) -> tuple[DatabaseRow, ...]:
        may_read.wait(30)
        return read_rows(library)

    monkeypatch.setattr(indexing_controller, "read_rows", slowly)
    app = AssistantApp(assistant)
    async with app.run_test(size=NARROW) as pilot:
        shown = Opened(app, pilot)
        await shown.until(lambda: "Ask your documents" in shown.text(), "the first picture")
        await shown.type_and_send(CARRY)
        await shown.type_and_send("@parking.md What does the permit cost?")
        assert not shown.exchanges
        assert "as soon as the databases are read" in shown.text()
        may_read.set()
        await shown.until(lambda: "eight days" in shown.words(), "the answer")
        await shown.until(lambda: len(shown.exchanges) == 2, "the other question")
        states = {one.state.question: one.state for one in shown.exchanges}
        assert scopes_in(states["What does the permit cost?"].databases), "what its @ names"


async def test_the_steps_open_with_tool_arguments_and_outcome(assistant: Assistant) -> None:
    """If it fails, what the assistant did to find the answer cannot be seen."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        assert "Searched staff for" not in shown.text()
        shown.main.query_one("#conversation").focus()
        await shown.pilot.press("s")
        await shown.pilot.pause()
        text = shown.text()
        assert "Searched staff for “How many" in text
        assert "search_staff_database" not in text
        assert "→ " in text, "what came of it"
        steps = [step for step in exchange.state.steps if isinstance(step, ToolStep)]
        assert all(step.seconds is not None for step in steps)


async def test_what_the_documents_do_not_hold_is_said(assistant: Assistant) -> None:
    """If it fails, an answer that rests on nothing looks like one that was checked."""
    async with opened(assistant) as shown:
        exchange = await shown.ask("Who won the football world cup of 1974?")
        assert exchange.state.phase is Phase.ANSWERED
        assert not exchange.state.citations
        assert "documents do not hold the answer" in exchange.state.text
        assert "No passage in scope supports an answer." in shown.words()


async def test_escape_stops_at_once_and_keeps_the_words(assistant: Assistant) -> None:
    """If it fails, a runaway answer cannot be stopped, or stopping loses what was written."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Will this ever end?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.pilot.press("escape")
        exchange = shown.exchanges[0]
        assert exchange.state.phase is Phase.STOPPED
        await shown.until(lambda: waiting.slow.closed, "the closing of the request")
        assert "The first words." in shown.text()
        assert "■ stopped" in shown.text()
        waiting.slow.go_on.set()
        after = await shown.ask("And now?")
        assert after.state.text == "The first words. The last words."
        assert "The last words" not in exchange.state.text


async def test_stopping_before_the_run_has_begun_does_not_block_the_next(
    assistant: Assistant,
) -> None:
    """If it fails, Enter and Escape in quick succession leave every later question queued."""
    waiting = slow(assistant)
    waiting.slow.go_on.set()
    async with opened(waiting) as shown:
        shown.main.panel.ask("Too hasty?")
        shown.main.conversation.stop()
        await shown.settle()
        assert shown.phase(0) is Phase.STOPPED
        await shown.ask("And now?")
        assert shown.phase(1) is Phase.ANSWERED
        assert waiting.slow.questions() == ["And now?"]


async def test_escape_stops_while_a_source_is_open_beside_the_answer(
    assistant: Assistant,
) -> None:
    """If it fails, having read a source once takes the meaning from Escape."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.settle()
        waiting = slow(assistant)
        assistant.models = waiting.models
        await shown.type_and_send("Will this ever end?")
        await shown.until(lambda: waiting.slow.requests, "the request")
        assert "eight days" in shown.passage.highlighted()
        await shown.pilot.press("ctrl+g", "escape")
        assert shown.phase(1) is Phase.RUNNING
        await shown.pilot.press("escape")
        assert shown.phase(1) is Phase.STOPPED


async def test_a_second_question_waits_its_turn(assistant: Assistant) -> None:
    """If it fails, typing while an answer comes in loses the question or mixes two answers."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("First?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.type_and_send("Second?")
        await shown.until(lambda: len(shown.exchanges) == 2, "the second question")
        assert shown.phase(1) is Phase.QUEUED
        assert "queued" in shown.text()
        assert waiting.slow.questions() == ["First?"]
        waiting.slow.go_on.set()
        await shown.until(lambda: shown.exchanges[1].state.over, "the second answer")
        assert [shown.phase(0), shown.phase(1)] == [Phase.ANSWERED, Phase.ANSWERED]
        assert waiting.slow.questions() == ["First?", "Second?"]


async def test_follow_ups_know_what_was_answered_and_not_what_was_stopped(
    assistant: Assistant,
) -> None:
    """If it fails, "and in winter?" is asked without what it refers to."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Stopped?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.pilot.press("escape")
        waiting.slow.go_on.set()
        await shown.ask("Answered?")
        await shown.ask("And in winter?")
        said = [
            message.text
            for message in waiting.slow.requests[-1].messages
            if isinstance(message, AssistantMessage)
        ]
        assert said == ["The first words. The last words."]
        assert len(waiting.slow.requests[-1].messages) == 4


async def test_keys_sent_in_one_burst_all_arrive(assistant: Assistant) -> None:
    """If it fails, Enter overtakes the letters typed just before it and cuts the question off."""
    async with opened(assistant) as shown:
        for key in [*"abcdefghij", "enter"]:
            shown.app.post_message(events.Key(key, key if len(key) == 1 else "\r"))
        await shown.until(lambda: shown.exchanges, "the question")
        assert shown.exchanges[0].state.question == "abcdefghij"


async def test_ctrl_j_begins_another_line(assistant: Assistant) -> None:
    """If it fails, a question of several lines cannot be written."""
    async with opened(assistant, NARROW) as shown:
        await shown.pilot.press("a", "ctrl+j", "b")
        assert shown.box.text == "a\nb"
        assert not shown.exchanges


async def test_an_error_is_one_line_with_the_next_step(assistant: Assistant) -> None:
    """If it fails, a person meets a traceback, or an error that does not say what to do."""
    unknown = Assistant(assistant.library, type(assistant.config)(model="no-such-model"), {})
    async with opened(unknown) as shown:
        exchange = await shown.ask("Anything?")
        assert exchange.state.phase is Phase.FAILED
        assert "✗ No answer came There is no model 'no-such-model'." in shown.words()
        assert exchange.state.hint
        assert in_keys(exchange.state.hint) in shown.words()
        assert "Traceback" not in shown.text()
