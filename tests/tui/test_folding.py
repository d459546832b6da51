"""A long conversation: what is far from the view is folded, and nothing in view ever moves."""

import asyncio
from pathlib import Path

import pytest
from textual.geometry import Offset
from textual.scrollbar import ScrollBar
from textual.selection import Selection

from rag_assistant.assistant import Assistant
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.folded_items import Gap
from tests.tui.long_conversation import filled
from tests.tui.screen import NARROW, Opened, opened
from tests.tui.slow_model import slow


def _rows(shown: Opened) -> dict[str, int]:
    """Give where each answer's first line is on the screen."""
    lines = shown.text().splitlines()
    return {
        words: row
        for row, line in enumerate(lines)
        if "begins" in line
        for words in [line[line.index("Answer") : line.index("begins")].strip()]
    }


async def test_five_hundred_questions_are_few_widgets(assistant: Assistant) -> None:
    """If it fails, a long conversation grows slow with every question."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 500)
        assert len(list(shown.app.screen.walk_children())) <= 400
        assert f"{500 - len(shown.exchanges)} more questions" in shown.text() or (
            conversation.query_one(Gap).count == 500 - len(shown.exchanges)
        )
        assert len(shown.exchanges) < 60


@pytest.mark.soak
async def test_all_questions_come_back_while_scrolling_up(assistant: Assistant) -> None:
    """If it fails, an earlier answer cannot be reached, or is passed over while scrolling."""
    async with opened(assistant, NARROW) as shown:
        conversation = await filled(shown, 50)
        seen: set[str] = set(_rows(shown))
        for _ in range(60):
            await shown.pilot.press("pageup")
            await shown.settle()
            seen |= set(_rows(shown))
            assert len(shown.exchanges) <= 49
            if conversation.scroll_y == 0 and "Question 0?" in shown.text():
                break
        assert seen == {f"Answer {number}" for number in range(50)}


async def test_what_is_in_view_stays_where_it_is_while_others_unfold(
    assistant: Assistant,
) -> None:
    """If it fails, the text jumps under the eyes of who scrolls up."""
    async with opened(assistant, NARROW) as shown:
        conversation = await filled(shown, 60)
        for _ in range(24):
            before = _rows(shown)
            conversation.scroll_relative(y=-9, animate=False)
            await shown.settle()
            after = _rows(shown)
            moved = {after[name] - row for name, row in before.items() if name in after}
            assert moved <= {9}, (before, after)


async def test_the_scrollbar_stands_where_the_view_is(assistant: Assistant) -> None:
    """If it fails, the bar is left as it was drawn before, and tells of another place."""
    async with opened(assistant, NARROW) as shown:
        conversation = await filled(shown, 60)
        conversation.focus()
        seen = set[str]()
        for key in ["pageup"] * 8 + ["home", "end", "pageup"]:
            await shown.pilot.press(key)
            await shown.settle()
            bar = conversation.vertical_scrollbar

            def column(bar: ScrollBar = bar) -> str:
                drawn = bar.render_lines(bar.outer_size.region)
                return "\n".join(str(strip) for strip in drawn)

            drawn = column()
            type(bar).refresh(bar)  # as Textual draws it, whatever was drawn before
            assert column() == drawn, key
            seen.add(drawn)
        assert len(seen) > 3, "it moves"


async def test_home_and_end_go_to_the_ends(assistant: Assistant) -> None:
    """If it fails, the first question of a long conversation takes minutes to reach."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 100)
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")
        assert conversation.scroll_y == 0
        await shown.pilot.press("end")
        await shown.until(lambda: "Answer 99 begins" in shown.text(), "the last answer")
        assert conversation.follows


async def test_text_that_is_followed_is_never_said_to_be_below(assistant: Assistant) -> None:
    """If it fails, "new text" stands, or flickers, below an answer whose end is in view."""
    waiting = slow(assistant)
    waiting.slow.before = "Begun.\n\n" + "\n\n".join(f"Paragraph {n}." for n in range(40))
    async with opened(waiting, NARROW) as shown:
        said: list[bool] = []
        await shown.type_and_send("Now?")
        while "Paragraph 39." not in shown.text():
            said.append(shown.main.columns.newer.display)
            await asyncio.sleep(0)
        waiting.slow.go_on.set()
        while not shown.exchanges[0].state.over:
            said.append(shown.main.columns.newer.display)
            await asyncio.sleep(0)
        assert not any(said)


async def test_a_question_asked_further_up_is_shown(assistant: Assistant) -> None:
    """If it fails, who asks while reading further up sees neither question nor answer."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 100)
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")
        await shown.ask("How many days of leave may technicians carry over?")
        await shown.until(lambda: "eight days of leave" in shown.words(), "the answer")
        assert conversation.follows
        assert len(shown.exchanges) < 60


async def test_making_the_window_narrow_keeps_what_is_read(assistant: Assistant) -> None:
    """If it fails, every change of the window's size loses the place."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 120)
        conversation.scroll_relative(y=-150, animate=False)
        await shown.settle()
        item = conversation.items[conversation.place_in_view()]
        await shown.pilot.resize_terminal(*NARROW)
        await shown.settle()
        assert conversation.items[conversation.place_in_view()] is item


async def test_an_answer_goes_on_while_the_first_questions_are_read(assistant: Assistant) -> None:
    """If it fails, reading further up folds the answer that is coming in, and it is lost."""
    waiting = slow(assistant)
    waiting.slow.before = "Begun.\n\n" + "\n\n".join(f"Paragraph {n}." for n in range(40))
    async with opened(waiting) as shown:
        conversation = await filled(shown, 120)
        await shown.type_and_send("Now?")
        await shown.until(lambda: "Paragraph 39." in shown.text(), "the first words")
        running = shown.exchanges[-1]
        conversation.focus()
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")
        before = _rows(shown)
        waiting.slow.go_on.set()
        await shown.until(lambda: running.state.over, "the end of the answer")
        await shown.settle()
        assert _rows(shown) == before
        assert running.is_attached
        assert conversation.scroll_y == 0
        await shown.pilot.press("end")
        await shown.until(lambda: "The last words." in shown.text(), "the end of the answer")


async def test_a_folded_answer_still_has_its_citations(assistant: Assistant) -> None:
    """If it fails, digits open the sources of another answer than the one that is read."""
    async with opened(assistant) as shown:
        conversation = await filled(shown, 120)
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")
        conversation.cursor.choose(conversation.items[0])
        await shown.pilot.press("1")
        await shown.settle()
        assert shown.main.columns.sources.shown is conversation.items[0].widget
        assert shown.panel.chosen == 1
        assert conversation.scroll_y == 0


async def test_selected_words_are_not_folded_away(assistant: Assistant) -> None:
    """If it fails, a selection disappears while the person scrolls to its other end."""
    async with opened(assistant, NARROW) as shown:
        conversation = await filled(shown, 120)
        last = shown.exchanges[-1]
        shown.main.selections = {last: Selection(Offset(0, 0), None)}
        for _ in range(12):
            await shown.pilot.press("pageup")
            await shown.settle()
        assert last.is_attached
        assert "Question 119?" in (shown.main.get_selected_text() or "")
        shown.main.clear_selection()
        await shown.pilot.press("home")
        await shown.until(lambda: "Question 0?" in shown.text(), "the first question")
        assert conversation.scroll_y == 0


async def test_a_resumed_conversation_is_folded_too(assistant: Assistant, tmp_path: Path) -> None:
    """If it fails, going on with a long conversation freezes the interface."""
    store = ConversationStore(tmp_path / "conversations.db")
    async with opened(assistant, store=store) as shown:
        await shown.ask("How many days of leave may technicians carry over?")
        number = store.latest()
    async with opened(assistant, store=store) as shown:
        shown.main.conversation.resume(number)
        await shown.until(lambda: shown.exchanges, "the earlier question")
        await shown.until(lambda: "eight days" in shown.words(), "the earlier answer")
        assert shown.main.query_one(ConversationView).last_cited is shown.exchanges[0]
