"""What a run's events come to, without a screen."""

from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.run_state import Phase, Remark, RunState, ToolStep
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import (
    CitationResolved,
    EvidenceFound,
    Note,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
    Waiting,
)
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem
from rag_assistant.values.messages import Usage

ITEM = EvidenceItem("staff", 1, "Leave", "leave.md", "eight days", Location(0, 10), True)


def _running() -> RunState:
    state = RunState("Why?")
    state.start()
    return state


def _shown(state: RunState, *, expanded: bool = False) -> str:
    return Laid(exchange_blocks(state, expanded=expanded)).content(100).plain


def test_a_streamed_remark_is_taken_out_of_the_answer() -> None:
    """If it fails, "Let me look that up" stands before every answer, with stale citations."""
    state = _running()
    state.apply(TextDelta("Let me look "))
    state.apply(CitationResolved(Citation(1, ITEM)))
    state.apply(TextDelta("that up."))
    assert "Let me look that up." in _shown(state)
    state.apply(Note("Let me look that up.", was_streamed=True))
    assert state.text == ""
    assert state.citations == []
    assert state.steps == [Remark("Let me look that up.")]
    assert "Let me look" not in _shown(state)
    assert "– Let me look that up." in _shown(state, expanded=True)


def test_a_note_that_qualifies_the_answer_stands_beside_it() -> None:
    """If it fails, an answer that breaks off looks whole."""
    state = _running()
    state.apply(TextDelta("Half an"))
    state.apply(Note("The answer breaks off."))
    assert state.text == "Half an"
    assert "! The answer breaks off." in _shown(state)


def test_what_is_waited_for_stands_there_until_something_comes() -> None:
    """If it fails, a slow model looks like a program that hangs, or like one still waited for."""
    state = _running()
    state.apply(Waiting("small", 40, 6_000))
    assert "small is reading about 6,000 tokens: no word for 40 s" in _shown(state)
    assert "Esc stops" in _shown(state)
    state.apply(TextDelta("Kept."))
    assert "is reading" not in _shown(state)


def test_nothing_is_added_after_the_end() -> None:
    """If it fails, a stopped answer goes on growing."""
    state = _running()
    state.apply(TextDelta("Kept."))
    state.stop()
    state.apply(TextDelta(" Late."))
    assert (state.text, state.phase) == ("Kept.", Phase.STOPPED)


def test_tools_of_the_same_call_id_are_told_apart() -> None:
    """If it fails, a provider that reuses ids leaves a step running for ever."""
    state = _running()
    for summary in ("first", "second"):
        state.apply(ToolStarted("call_1", "search", {"keyword": summary}))
        state.apply(ToolFinished("call_1", "search", summary == "first", summary, 0.0))
    tools = [step for step in state.steps if isinstance(step, ToolStep)]
    assert [(step.summary, step.ok) for step in tools] == [("first", True), ("second", False)]
    assert "1 failed" in _shown(state)


def test_what_the_evidence_leaves_out_is_a_step() -> None:
    """If it fails, it cannot be seen that only a part of a long document was read."""
    state = _running()
    state.apply(EvidenceFound(Evidence("staff", "why", (), 1, notes=("entry 1 is long",))))
    assert "entry 1 is long" in _shown(state, expanded=True)


def test_a_run_that_stops_itself_keeps_its_text_and_says_why() -> None:
    """If it fails, a limit or a lost connection takes the text with it."""
    partial = Answer("Why?", "Because [1]", (Citation(1, ITEM),), (), Coverage(), "m", Usage(), 5)
    state = _running()
    state.apply(Stopped("Stopped at the limit of 3 steps.", "Raise it.", partial))
    shown = _shown(state)
    assert "Because [1]" in shown
    assert "✗ The answer broke off: 2 words came\n" in shown
    assert "Stopped at the limit of 3 steps.\n" in shown
    assert "Raise it. r retry" in shown
