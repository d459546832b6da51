"""What a run tells beside its text: plans, titles, suggestions, costs, who answered."""

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.events import (
    Answered,
    Note,
    PermissionWanted,
    Suggested,
    TitleGiven,
    ToolStarted,
)
from rag_assistant.values.evidence import Answer, ModelUsage
from rag_assistant.values.messages import Usage
from tests.tui.screen import NARROW, WIDE, opened
from tests.tui.scripted_assistant import scripted
from tests.tui.slow_model import slow


def _running() -> RunState:
    state = RunState("Why?")
    state.start()
    return state


def _shown(state: RunState, *, expanded: bool = False) -> str:
    return Laid(exchange_blocks(state, expanded=expanded)).content(100).plain


def _answer(**more: object) -> Answer:
    parts: dict[str, object] = {
        "question": "Why?",
        "text": "Because.",
        "citations": (),
        "evidence": (),
        "coverage": Coverage(),
        "model": "big",
        "usage": Usage(),
        "elapsed_ms": 5,
    }
    return Answer(**{**parts, **more})  # type: ignore[arg-type]


def test_a_plan_is_folded_and_qualifies_nothing() -> None:
    """If it fails, what the model means to do looks like a warning about its answer."""
    state = _running()
    state.apply(Note("I will search the handbook.", is_plan=True))
    assert not state.warnings
    assert "▸ plan" in _shown(state)
    assert "I will search" not in _shown(state)
    assert "◇ I will search the handbook." in _shown(state, expanded=True)


def test_a_call_that_waits_for_leave_says_so() -> None:
    """If it fails, a run that waits for the person looks as if it were working."""
    state = _running()
    state.apply(ToolStarted("c", "run_python", {}))
    state.apply(PermissionWanted("c", "run_python", {}, "It runs."))
    assert "waiting for you: running Python" in _shown(state)


def test_the_last_line_says_who_used_how_much() -> None:
    """If it fails, what an answer took of each model, and its cost, cannot be seen."""
    state = _running()
    used = (
        ModelUsage("big", "main", Usage(1000, 200, 2), 0.01),
        ModelUsage("small", "helper", Usage(500, 34, 1), 0.002),
    )
    state.apply(Answered(_answer(usage=Usage(1500, 234, 3), usage_by_model=used, cost=0.012)))
    assert "1 734 tokens (main 1 200, helper 534) · cost 0.0120" in _shown(state)


def test_another_model_that_answered_is_named() -> None:
    """If it fails, an answer of the built-in model passes for one of the model that was asked."""
    state = _running()
    state.apply(Answered(_answer(model="extractive", fallback="big: connection refused.")))
    assert "! the model that was asked failed: the built-in model answers" in _shown(state)
    assert _shown(state).count("big: connection refused.") == 1
    assert "r retry" in _shown(state), "one key away from asking again"


async def test_title_and_suggestions_of_a_run_are_shown_and_one_key_asks(
    assistant: Assistant,
) -> None:
    """If it fails, what the model suggests must be typed again."""
    said = "Done.\n<conversation-title>Leave rules</conversation-title>"
    async with opened(scripted(assistant, [said, "More."])) as shown:
        exchange = await shown.ask("Why?")
        for event in (TitleGiven("Leave [/b] rules"), Suggested("And [/b] when?")):
            exchange.state.phase, phase = type(exchange.state.phase).RUNNING, exchange.state.phase
            exchange.apply(event)
            exchange.state.phase = phase
        exchange.draw()
        shown.main.conversation.answer_changed(exchange)
        await shown.pilot.pause()
        assert "Leave [/b] rules" in shown.words("#status")
        assert "→ And [/b] when?" in shown.words()
        await shown.pilot.press("down")
        assert shown.box.text == "And [/b] when?"
        await shown.pilot.press("up", "ctrl+s")
        await shown.until(lambda: len(shown.exchanges) == 2, "the question")
        assert shown.exchanges[1].state.question == "And [/b] when?"
        await shown.settle()


async def test_each_suggested_question_has_a_key(assistant: Assistant) -> None:
    """If it fails, only the first can be asked without the mouse, or a key eats what is written."""
    async with opened(scripted(assistant, ["Done.", "More.", "Enough."])) as shown:
        exchange = await shown.ask("Why?")
        exchange.state.suggestions[:] = ["First?", "Second?", "Third?"]
        exchange.draw()
        shown.main.conversation.answer_changed(exchange)
        await shown.pilot.pause()
        assert "Second? Ctrl+E" in shown.words()
        assert "Third? Ctrl+K" in shown.words()
        await shown.pilot.press("a", "home", "ctrl+e", "b", "left", "ctrl+k")
        assert shown.box.text == "a"  # with a draft they edit it
        await shown.pilot.press("backspace", "ctrl+k")
        await shown.until(lambda: len(shown.exchanges) == 2, "the question")
        assert shown.exchanges[1].state.question == "Third?"
        await shown.settle()
        await shown.pilot.press("ctrl+e")
        await shown.until(lambda: "no question is suggested" in shown.words("#status"), "a word")


async def test_new_text_is_told_to_who_reads_further_up(assistant: Assistant) -> None:
    """If it fails, the answer pulls the reader down, or grows unnoticed."""
    waiting = slow(assistant)
    waiting.slow.before = "\n\n".join(f"Paragraph {number}." for number in range(60))
    waiting.slow.after = "\n\n".join(f"More {number}." for number in range(20))
    async with opened(waiting, NARROW) as shown:
        conversation = shown.main.query_one(ConversationView)
        await shown.type_and_send("Long?")
        await shown.until(lambda: "Paragraph 59" in shown.text(), "the first words")
        conversation.focus()
        await shown.pilot.press("home")
        await shown.pilot.pause()
        await shown.until(lambda: "↓ new text" in shown.text(), "the sign")
        await shown.pilot.press("end")
        await shown.until(lambda: "↓ new text" not in shown.text(), "the end")
        await shown.pilot.press("home")
        await shown.until(lambda: conversation.scroll_y == 0, "the top, where no scrolling goes on")
        waiting.slow.go_on.set()
        await shown.until(lambda: shown.exchanges[0].state.over, "the end of the answer")
        assert conversation.scroll_y == 0


async def test_a_terminal_too_small_says_so_and_loses_nothing(assistant: Assistant) -> None:
    """If it fails, making the window small takes the draft, the answer or the focus."""
    async with opened(assistant, WIDE) as shown:
        await shown.ask("How many days of leave may technicians carry over?")
        await shown.pilot.press(*"draft")
        for size in ((80, 24), (60, 18), (38, 9)):
            await shown.pilot.resize_terminal(*size)
            await shown.pilot.pause()
        assert "needs 40×10 (now 38×9)" in shown.words("#too-small")
        await shown.pilot.resize_terminal(*WIDE)
        await shown.pilot.pause()
        assert shown.box.text == "draft"
        assert shown.box.has_focus
        assert "[1]" in shown.text()
