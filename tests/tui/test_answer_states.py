"""What stands under an answer: what it is at, how it ended, and the keys that go on from there."""

from dataclasses import replace
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ModelError
from rag_assistant.tui.chat.answer_queue import causes
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.exchange_blocks import exchange_blocks
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.events import (
    Answered,
    EvidenceFound,
    TextDelta,
    ToolFinished,
    ToolStarted,
)
from rag_assistant.values.evidence import Answer, Evidence, EvidenceItem
from rag_assistant.values.messages import AssistantMessage, Usage, UserMessage
from tests.tui.screen import NARROW, WIDE, opened
from tests.tui.slow_model import slow

WORLD_CUP = "Who won the football world cup of 1974?"


def _running(seconds: float = 0.0) -> RunState:
    state = RunState("Why?", ("staff",))
    state.start()
    state.started -= seconds
    return state


def _shown(state: RunState, *, details: bool = False) -> str:
    return Laid(exchange_blocks(state, expanded=False, details=details)).content(100).plain


def test_a_run_says_what_it_is_at_and_for_how_long() -> None:
    """If it fails, a person cannot tell whether it works, nor how to stop it."""
    state = _running(0.3)
    assert "thinking… 0.3 s, Esc stops" in _shown(state)
    state.apply(ToolStarted("a", "search_staff_database", {"keyword": "leave"}))
    assert "searching… 0.3 s" in _shown(state)
    state.apply(ToolFinished("a", "search_staff_database", True, "3 entries", 0.1))
    state.apply(ToolStarted("b", "query_staff_database", {"ids": "4"}))
    assert "reading… 0.3 s" in _shown(state)
    state.apply(ToolFinished("b", "query_staff_database", True, "1 quote", 0.1))
    state.apply(ToolStarted("c", "query_staff_database", {"ids": [7, "9", 12, 15]}))
    assert "reading 2 of 5…" in _shown(state)
    state.apply(ToolFinished("c", "query_staff_database", True, "2 quotes", 0.1))
    state.apply(TextDelta("Because"))
    state.started -= 6
    assert "writing… 6 s, Esc stops" in _shown(state)


def test_a_stopped_answer_offers_what_can_be_done() -> None:
    """If it fails, what was written is a dead end."""
    state = _running(3.2)
    state.stop()
    assert "■ stopped after 3.2 s. r retry" in _shown(state)
    assert "continue" not in _shown(state)
    state = _running(3.2)
    state.apply(TextDelta("Half an"))
    state.stop()
    assert "Half an" in _shown(state)
    assert "■ stopped after 3.2 s. r retry  c continue" in _shown(state)


def test_an_error_folds_its_details_cleaned() -> None:
    """If it fails, a server's long error fills the screen, steers it, or cannot be read at all."""
    state = _running(2)
    state.apply(TextDelta("one two three"))
    body = f"The host broke off: {'x' * 300}\x1b]0;owned\x07 [@click=app.quit]end[/]"
    state.fail(body, "Ask again.", ("because of OSError: [/bold]\x1b[2J",))
    shown = " ".join(_shown(state).split())
    assert "✗ The answer broke off: 3 words came The host broke off: xxx" in shown
    assert "x… Ask again. r retry c continue d details" in shown
    assert "end[/]" not in shown
    details = _shown(state, details=True)
    assert "[@click=app.quit]end[/]" in details
    assert "because of OSError: [/bold]" in details
    assert "asked: staff, after 2.0 s" in details
    assert "\x1b" not in details
    assert "\x07" not in details


def test_the_causes_of_an_error_are_told() -> None:
    """If it fails, "cannot be reached" does not say what was wrong with the connection."""
    try:
        try:
            raise OSError("refused")
        except OSError as error:
            raise ModelError("no answer") from error
    except ModelError as error:
        told = causes(error)
    assert told[0].startswith("in test_answer_states.py, line ")
    assert told[1] == "because of OSError: refused"


async def test_d_unfolds_the_details_of_an_error(assistant: Assistant) -> None:
    """If it fails, the key that an error names does nothing."""
    unknown = Assistant(assistant.library, replace(assistant.config, model="no-such-model"), {})
    async with opened(unknown) as shown:
        await shown.ask("Anything?")
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("d")
        await shown.until(lambda: "asked: staff" in shown.text(), "the details")
        await shown.pilot.press("d")
        await shown.until(lambda: "asked: staff" not in shown.text(), "the folding")


async def test_c_goes_on_from_what_was_written(assistant: Assistant) -> None:
    """If it fails, a stopped answer begins anew, or the model does not know how far it came."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Will this ever end?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.pilot.press("escape")
        await shown.until(lambda: waiting.slow.closed, "the closing of the request")
        waiting.slow.go_on.set()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("c")
        await shown.until(lambda: len(shown.exchanges) == 2, "the next question")
        await shown.until(lambda: shown.exchanges[1].state.over, "the rest")
        messages = waiting.slow.requests[-1].messages
        said = [m.text for m in messages if isinstance(m, AssistantMessage)]
        asked = [m.text for m in messages if isinstance(m, UserMessage)]
        assert said == ["The first words.\n\n(the person stopped it here)"]
        assert asked[0] == "Will this ever end?"
        assert asked[1].endswith("which broke off: Will this ever end?")


async def test_what_can_be_done_can_be_clicked(assistant: Assistant) -> None:
    """If it fails, the offers under an answer are for keys alone."""
    waiting = slow(assistant)
    async with opened(waiting) as shown:
        await shown.type_and_send("Will this ever end?")
        await shown.until(lambda: "The first words." in shown.text(), "the first words")
        await shown.pilot.press("escape")
        await shown.until(lambda: "c continue" in shown.text(), "the offer")
        waiting.slow.go_on.set()
        lines = shown.text().splitlines()
        row = next(number for number, line in enumerate(lines) if "c continue" in line)
        await shown.pilot.click(offset=(lines[row].index("retry") + 1, row))
        await shown.until(lambda: len(shown.exchanges) == 2, "the question again")
        await shown.until(lambda: shown.exchanges[1].state.over, "the answer")
        assert shown.exchanges[1].state.question == "Will this ever end?"


async def test_only_what_broke_off_goes_on(assistant: Assistant) -> None:
    """If it fails, a key that means nothing for this answer does so without a word."""
    async with opened(assistant) as shown:
        await shown.ask("How many days of leave may technicians carry over?")
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("c")
        await shown.until(lambda: "only an answer that broke off" in shown.text(), "the remark")


async def test_the_nearest_passages_open_at_their_words(assistant: Assistant) -> None:
    """If it fails, what may not answer cannot be looked at, nor the question asked of more."""
    for size in (WIDE, NARROW):
        async with opened(assistant, size) as shown:
            exchange = await shown.ask(
                "Is anything particular about the nineteenth paragraph of the constitution?"
            )
            assert exchange.state.answer is not None
            assert not exchange.state.answer.answered
            assert "The nearest passages; they may not answer" in shown.words()
            assert "asks all documents" not in shown.words(), "all were asked"
            shown.main.query_one(ConversationView).focus()
            await shown.pilot.press("1")
            await shown.until(lambda: shown.panel.passage, "the passage")
            item = shown.panel.passage.citation.item if shown.panel.passage else None
            assert item == exchange.state.citations[0].item


async def test_w_asks_again_of_everything(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, a question that was limited too far must be typed again."""
    other = tmp_path / "other"
    other.mkdir()
    (other / "cup.md").write_text("# Cup\n\nThe cup of 1974 was won in Munich.\n", encoding="utf-8")
    assistant.library.index(other)
    async with opened(assistant) as shown:
        exchange = await shown.ask(f"@staff {WORLD_CUP}")
        assert exchange.state.databases == ("staff",)
        await shown.until(lambda: "w asks all documents" in shown.words(), "the offer")
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("w")
        await shown.until(lambda: len(shown.exchanges) == 2, "the question again")
        await shown.until(lambda: shown.exchanges[1].state.over, "the end of the answer")
        assert shown.exchanges[1].state.question == WORLD_CUP
        assert set(shown.exchanges[1].state.databases) == {"other", "staff"}
        await shown.settle()
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("w")
        await shown.until(lambda: "all documents were searched" in shown.text(), "the remark")


def test_an_answer_that_searched_nothing_is_no_failed_search() -> None:
    """If it fails, "Hello" is answered with a complaint about the documents."""
    answer = Answer("Hi", "Hello.", (), (), Coverage(), "m", Usage(), 5)
    state = _running()
    state.apply(Answered(answer))
    assert "No passage in scope" not in _shown(state)
    assert "○ nothing cited" in _shown(state)


def test_steps_say_how_long_they_took() -> None:
    """If it fails, it cannot be seen which step made the answer slow."""
    state = _running()
    item = EvidenceItem("staff", 1, "Leave", "leave.md", "eight days", Location(0, 10), True)
    state.apply(ToolStarted("a", "search_staff_database", {"keyword": "leave [/b]"}))
    state.apply(ToolFinished("a", "search_staff_database", True, "3 found: Leave", 1.25))
    state.apply(EvidenceFound(Evidence("staff", "why", (item,), 7)))
    folded = _shown(state)
    assert "▸ 1 step · 1.2 s" in folded
    assert "keyword" not in folded
    shown = Laid(exchange_blocks(state, expanded=True)).content(60).plain
    row = next(line for line in shown.splitlines() if "Searched" in line)
    assert row.startswith("    ✓ Searched staff for “leave [/b]”: ")
    assert " 3 found · " in row
    assert row.endswith("1.2 s")
    assert len(row) == 60
    assert "→ Leave" in shown
    assert state.phase is Phase.RUNNING
