"""Where no answer is given: what is shown in its place, and what the model had written."""

from dataclasses import replace

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import Answered, RunStarted, TextDelta
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, Refusal, Voice
from rag_assistant.values.messages import Usage
from rag_assistant.values.voice import spoken
from tests.tui.screen import NARROW, WIDE, opened

DRAFT = "What the model wrote, which the documents do not bear out"
NEAREST = "The nearest passages; they may not answer"
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
    assert "○ No passage in scope supports an answer.\n" in folded
    assert "Closest 1:" in folded
    assert "1 Leave  eight days" in folded
    assert "Because no document stands out from the others." in folded
    assert "→ No document has the word “jury”." in folded
    assert "[b]council[/b]" not in folded, "one step: the others are folded"
    assert "d what the model wrote" in folded
    assert state.closest == (NEAR,)


def test_what_the_model_wrote_is_there_to_be_looked_at() -> None:
    """If it fails, a wrong refusal costs more than a look."""
    unfolded = _shown(_refused("It is *surely* ten days [1]."), details=True)
    assert f"{DRAFT}:" in unfolded
    assert "[b]council[/b]" in unfolded
    assert "│ It is surely ten days [1]." in unfolded


QUOTES = (
    "**8 days** [1]\n\n“Eight days may be carried over.” [1] — Leave\n\nAlso:\n\n"
    "“Nine may not.” [2] — Leave\n\n“Ten never.” [3] — Leave"
)


def _spoken(voice: Voice, chance: float) -> RunState:
    state = RunState("How many?", ("staff",))
    state.start()
    state.apply(RunStarted("How many?", ("staff",), EXTRACTIVE))
    state.apply(TextDelta(QUOTES))
    assert "Eight" not in _shown(state), "what it is worth is not known yet"
    cited = tuple(Citation(number, NEAR) for number in (1, 2, 3))
    coverage = Coverage(("staff",), 3, searches=1)
    answer = Answer("How many?", QUOTES, cited, (), coverage, EXTRACTIVE, Usage(), 5)
    refusal = REFUSAL if voice is Voice.NEAREST else None
    text = spoken(QUOTES, voice, chance)
    answer = replace(answer, text=text, voice=voice, chance=chance, refusal=refusal)
    state.apply(Answered(replace(answer, confidence=1)))
    return state


@pytest.mark.parametrize(
    ("voice", "said"),
    [(Voice.ANSWER, "Answer (about 8 in 10)"), (Voice.PROBABLY, "Probably (about 8 in 10)")],
)
def test_further_passages_are_folded(voice: Voice, said: str) -> None:
    """If it fails, a short answer is four paragraphs, or what is likely looks certain."""
    shown = _shown(_spoken(voice, 0.88))
    assert said in shown
    assert shown.index(said) < shown.index("8 days [1]") < shown.index("Eight days may be")
    assert "▸ Also: 2 further passages" in shown
    assert "Nine may not" not in shown
    assert "supported" not in shown, "the voice says it"
    unfolded = _shown(_spoken(voice, 0.88), details=True)
    assert "Nine may not" in unfolded
    assert "Ten never" in unfolded


def test_the_nearest_passages_are_shown_and_nothing_is_claimed() -> None:
    """If it fails, a guess stands out as the answer, or a person has to look for what was found."""
    shown = _shown(_spoken(Voice.NEAREST, 0.2))
    assert NEAREST in shown
    assert "8 days" not in shown
    for quote in ("Eight days may be", "Nine may not", "Ten never"):
        assert shown.count(quote) == 1
    assert "○ Because no document stands out from the others." in shown
    assert "→ No document has the word “jury”." in shown
    assert "No passage in scope" not in shown
    assert "claimed" not in shown, "the headline above the passages says it"


async def test_each_voice_is_shown_in_its_words(assistant: Assistant) -> None:
    """If it fails, the interface shows quotes without saying what they are worth."""
    for size in (WIDE, NARROW):
        async with opened(assistant, size) as shown:
            exchange = await shown.ask(
                "Is anything particular about the nineteenth paragraph of the constitution?"
            )
            answer = exchange.state.answer
            assert answer is not None
            assert answer.voice is Voice.NEAREST
            assert NEAREST in shown.words()
            shown.main.query_one(ConversationView).focus()
            await shown.pilot.press("1")
            await shown.settle()
