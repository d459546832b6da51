"""Where a model fails: what is told of it, in how many lines, and what is left of its answer."""

from collections.abc import AsyncGenerator
from dataclasses import replace

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ModelError
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.footer import footer_blocks
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.values.coverage import Coverage, DatabaseSeen
from rag_assistant.values.events import Answered, Note, RunStarted, TextDelta
from rag_assistant.values.evidence import Answer, Refusal
from rag_assistant.values.messages import Reply, ReplyDelta, Request, Usage
from rag_assistant.values.support import Sentence, Support
from tests.scripted import GivenModels
from tests.tui.screen import NARROW, WIDE, opened

GONE = "127.0.0.1:11434 broke off"
PARTIAL = "It is *sixty* days, as the"


class Breaking:
    """Says some words and breaks off."""

    name = "mock-7b"

    async def stream(self, request: Request) -> AsyncGenerator[ReplyDelta | Reply, None]:
        yield ReplyDelta(PARTIAL)
        raise ModelError(GONE, hint="Ask again, or choose another model.")

    async def aclose(self) -> None:
        """Nothing is kept open."""


def _state(**answer: object) -> RunState:
    state = RunState("Why?", ("staff",))
    state.start()
    state.apply(RunStarted("Why?", ("staff",), "mock-7b"))
    coverage = Coverage(("staff",), 3, searches=1)
    made = Answer("Why?", "Because.", (), (), coverage, "extractive", Usage(), 5)
    state.apply(Answered(replace(made, **answer)))  # type: ignore[arg-type]
    return state


def _lines(state: RunState, width: int = 100, *, details: bool = False) -> list[str]:
    blocks = exchange_blocks(state, expanded=False, details=details)
    return Laid(blocks).content(width).plain.splitlines()


@pytest.mark.parametrize("size", [WIDE, NARROW])
async def test_what_came_before_a_break_stays_beside_the_answer(
    assistant: Assistant, size: tuple[int, int]
) -> None:
    """If it fails, words that a person has read vanish, or pass for the answer that follows."""
    breaking = Assistant(assistant.library, replace(assistant.config, fallback=True), {})
    breaking.models = GivenModels(breaking, Breaking())
    async with opened(breaking, size) as shown:
        exchange = await shown.ask("What does the parking permit cost?")
        assert exchange.state.answer is not None
        assert exchange.state.answer.model == "extractive"
        drawn = exchange.render().content(exchange.content_size.width).plain
        said = " ".join(drawn.split())
        assert "│ It is sixty days, as the ■ incomplete: 6 words came" in said
        assert said.count("broke off: the built-in model answers") == 1
        assert said.count(GONE) == 1, "told once"
        assert "Ask again, or choose another model (F3). r retry" in said
        assert said.index("incomplete") < said.index(GONE) < said.index("40 euro")


async def test_it_is_there_when_the_conversation_is_opened_again(assistant: Assistant) -> None:
    """If it fails, what broke off is forgotten with the session."""
    events = (
        TextDelta(PARTIAL),
        Note(PARTIAL, was_streamed=True, broke_off=True),
        Note(f"{GONE}. …", failure=GONE, hint="Ask again."),
        TextDelta("Because."),
    )
    state = RunState("Why?", ("staff",))
    state.start()
    for event in events:
        state.apply(event)
    assert state.text == "Because."
    assert not state.warnings
    assert not state.steps
    assert state.broken_off == PARTIAL
    assert any("the built-in model answers" in line for line in _lines(state)), "while it answers"


def test_that_a_model_is_asked_again_is_told_while_it_is() -> None:
    """If it fails, each attempt that failed stands under the answer, or nobody learns of them."""
    state = RunState("Why?", ("staff",))
    state.start()
    state.apply(Note("HOST failed (500): asking again in 0.4 s.", passing=True))
    assert "(HOST failed (500): asking again in 0.4 s.)" in " ".join(_lines(state))
    state.apply(TextDelta("Because."))
    assert "asking again" not in "\n".join(_lines(state))
    steps = exchange_blocks(state, expanded=True)
    assert "asking again" in Laid(steps).content(100).plain


def test_a_stand_in_is_told_in_three_lines() -> None:
    """If it fails, a wall of errors stands over the answer, or what helps is not in it."""
    state = _state(fallback=f"mock-7b failed: {GONE}")
    state.failure = f"{GONE}: {'x' * 500}"
    state.remedy = (
        "Check the model's name there, and that base_url is right: it usually ends in /v1."
    )
    lines = _lines(state, 300)
    at = next(n for n, line in enumerate(lines) if "the built-in model answers" in line)
    assert lines[at].strip() == "! mock-7b failed: the built-in model answers"
    assert lines[at + 1].strip().startswith(f"{GONE}: xxx")
    assert "name there, and its address (F3). r retry" in lines[at + 2]
    assert not lines[at + 3].strip()
    assert "x" * 250 not in "".join(lines)
    assert "x" * 250 in "".join(_lines(state, 600, details=True))


def test_a_refusal_is_three_lines_and_what_comes_nearest() -> None:
    """If it fails, a refusal is a wall without a headline, or offers what cannot help."""
    refusal = Refusal("no document stands out", (), (), ("Ask in other words.", "Ask council."))
    state = _state(model="m", refusal=refusal, draft="Ten days.")
    lines = [line.strip() for line in _lines(state)]
    at = lines.index("○ No passage in scope supports an answer.")
    assert lines[at + 1] == "Because no document stands out."
    assert lines[at + 2] == "→ Ask in other words."
    assert lines[at + 3] == ""
    assert lines[at + 4].startswith("3 documents searched")
    assert len(lines) == at + 5
    state.can_widen = True
    assert "→ Ask in other words. w asks all documents" in "\n".join(_lines(state))


@pytest.mark.parametrize("width", range(30, 150, 7))
def test_the_footer_is_one_line(width: int) -> None:
    """If it fails, what an answer took is longer than short answers are."""
    seen = DatabaseSeen("staff", 3, failed=2, unfinished=True)
    coverage = Coverage(("staff",), 3, 2, 4, 5, (seen,), limits=("3 steps",))
    sentences = (Sentence(0, 8, Support.UNCONFIRMED),)
    state = _state(coverage=coverage, confidence=7, cost=0.5, sentences=sentences)
    assert state.answer is not None
    (footer,) = footer_blocks(state, state.answer, unfolded=False)
    (line,) = footer.lines(width)
    assert line.cell_length <= width
    assert "d details" in line.plain or width < 60
    assert "limit reached" in line.plain or width < 60
    whole = footer_blocks(state, state.answer, unfolded=True)
    assert "Limit reached: 3 steps" in Laid(tuple(whole)).content(200).plain


@pytest.mark.parametrize("width", [52, 54, 60, 100])
def test_the_footer_keeps_what_matters_whole(width: int) -> None:
    """If it fails, what the sources say otherwise, or that not all was searched yet, is cut off."""
    seen = DatabaseSeen("staff", 195, failed=22, unfinished=True)
    coverage = Coverage(("staff",), 195, 22, 4, 5, (seen,))
    sentences = (Sentence(0, 8, Support.UNCONFIRMED),)
    state = _state(coverage=coverage, confidence=7, sentences=sentences)
    assert state.answer is not None
    (line,) = footer_blocks(state, state.answer, unfolded=False)[0].lines(width)
    assert "searched 195 so far" in line.plain
    assert "d details" in line.plain
    assert "f 22 files unread" in line.plain or width < 60
    sentences = (Sentence(0, 8, Support.CONTRADICTED),)
    state = _state(coverage=replace(coverage, by_database=()), sentences=sentences)
    assert state.answer is not None
    (line,) = footer_blocks(state, state.answer, unfolded=False)[0].lines(width)
    assert "[≠] 1 sentence differs" in line.plain
    assert "…" not in line.plain


def test_a_block_has_one_mark() -> None:
    """If it fails, an answer of the model is dotted with marks that say one thing."""
    text = "One is. Two is. Three is.\n\n- four\n- five"
    kinds = (Support.UNCONFIRMED, Support.CONTRADICTED, Support.UNCONFIRMED)
    ends = [(0, 7), (8, 15), (16, 25)]
    sentences = [Sentence(*place, kind, block=1) for place, kind in zip(ends, kinds, strict=True)]
    shown = Laid(tuple(markdown_blocks(text, {}, sentences))).content(80).plain
    assert shown.count("[?]") + shown.count("[≠]") == 1
    assert "Two is.[≠]" in shown


@pytest.mark.parametrize(
    ("hint", "keys"),
    [
        ("Index a folder: `rag-assistant index FOLDER`.", "Esc, then Ctrl+O adds a folder."),
        ("Index its folder again: `rag-assistant index /home/x y`.", "F5 reads it again."),
        ("2 files of a could not be read: rag-assistant databases info a", "F4 lists them"),
        ("See rag-assistant history.", "Ctrl+R lists the conversations."),
        ("Choose one that can: --model NAME.", "F3 chooses another model."),
        ("Look into the log or choose another model.", "choose another model (F3)."),
    ],
)
def test_what_a_key_does_is_told_as_a_key(hint: str, keys: str) -> None:
    """If it fails, the interface tells a person to leave it and type a command."""
    assert keys in in_keys(hint)
    assert "rag-assistant" not in in_keys(hint)


async def test_d_shows_what_the_model_wrote(assistant: Assistant) -> None:
    """If it fails, what a refusal holds back cannot be looked at."""
    refusal = Refusal("nothing stands out", (), (), ("Ask in other words.",))
    async with opened(assistant) as shown:
        state = _state(model="m", refusal=refusal, draft="Ten days.")
        state.phase = Phase.ANSWERED
        shown.main.query_one(ConversationView).resume([state])
        await shown.until(lambda: "d what the model wrote" in shown.words(), "the key")
        assert "Ten days" not in shown.words()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("d")
        await shown.until(lambda: "│ Ten days." in shown.words(), "the draft")
