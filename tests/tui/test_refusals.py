"""Where no answer is given: what is shown in its place, and what the model had written."""

from dataclasses import replace

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered, TextDelta
from rag_assistant.values.evidence import Answer, EvidenceItem, Refusal
from rag_assistant.values.messages import Usage
from tests.tui.screen import NARROW, WIDE, opened

DRAFT = "What the model wrote, which the documents do not bear out"
NEAREST = "The passages that come nearest"
NEAR = EvidenceItem("staff", 1, "Leave", "leave.md", "eight days", Location(0, 10), True)
REFUSAL = Refusal(
    "no document stands out from the others",
    ("staff for “why”",),
    (NEAR,),
    ("No document has the word “jury”.", "Not searched: [b]council[/b]. Ask there, too."),
)


def _refused(draft: str) -> RunState:
    state = RunState("Why?", ("staff",))
    state.start()
    state.apply(TextDelta(draft))
    text = "The documents do not hold the answer to this."
    coverage = Coverage(("staff",), 3, searches=1)
    answer = Answer("Why?", text, (), (), coverage, "m", Usage(), 5)
    state.apply(Answered(replace(answer, refusal=REFUSAL, draft=draft, confidence=1)))
    return state


def _shown(state: RunState, *, details: bool = False) -> str:
    return Laid(exchange_blocks(state, expanded=False, details=details)).content(100).plain


def test_a_refusal_takes_the_place_of_what_was_streamed() -> None:
    """If it fails, what the documents do not bear out stands there as an answer."""
    state = _refused("It is *surely* ten days.")
    folded = _shown(state)
    assert "ten days" not in folded
    assert "No passage in scope supports an answer. Closest 1:" in folded
    assert "1 Leave  eight days" in folded
    assert "Because no document stands out from the others." in folded
    assert "→ No document has the word “jury”." in folded
    assert "[b]council[/b]" in folded
    assert f"▸ {DRAFT}  d shows it" in folded
    assert state.closest == (NEAR,)


def test_what_the_model_wrote_is_there_to_be_looked_at() -> None:
    """If it fails, a wrong refusal costs more than a look."""
    unfolded = _shown(_refused("It is *surely* ten days [1]."), details=True)
    assert f"▾ {DRAFT}" in unfolded
    assert "│ It is surely ten days [1]." in unfolded


async def test_d_unfolds_the_draft(assistant: Assistant) -> None:
    """If it fails, the key that is named does nothing."""
    for size in (WIDE, NARROW):
        async with opened(assistant, size) as shown:
            exchange = await shown.ask("What about parking in winter for football players of 1974?")
            answer = exchange.state.answer
            assert answer is not None
            assert answer.refusal is not None
            words = answer.draft.split()[1]
            assert NEAREST in shown.words(), "the built-in model copies"
            shown.main.query_one(ConversationView).focus()
            await shown.pilot.press("d")
            await shown.until(lambda: f"▾ {NEAREST}" in shown.words(), "the draft")
            assert words in shown.words()
