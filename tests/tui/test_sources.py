"""From a citation to the words it rests on."""

from pathlib import Path

from textual.geometry import Offset

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Citation, EvidenceItem, QuoteState
from tests.tui.screen import NARROW, Opened, opened

CARRY = "How many days of leave may technicians carry over?"


def _marked_on_screen(shown: Opened) -> str:
    """Give the words that stand on the highlighter's colour."""
    accent = shown.app.theme_variables["accent"].lower()
    marked: list[str] = []
    for strip in shown.app.screen._compositor.render_strips():
        for segment in strip:
            colour = segment.style.bgcolor if segment.style else None
            if colour and colour.triplet and colour.triplet.hex.lower() == accent:
                marked.append(segment.text)
        marked.append(" ")
    return " ".join("".join(marked).split())


async def test_ctrl_g_opens_the_source_at_the_quoted_words(assistant: Assistant) -> None:
    """If it fails, the words highlighted as the source are not the words that were cited."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        await shown.pilot.press("ctrl+g")
        await shown.settle()
        quote = exchange.state.citations[0].item.quote
        assert "eight days" in quote
        assert shown.passage.highlighted() == quote
        assert _marked_on_screen(shown) == " ".join(quote.split())
        assert "✓ quote found" in shown.text()
        assert "leave.md" in shown.text()


async def test_a_click_on_a_number_opens_it(assistant: Assistant) -> None:
    """If it fails, the numbers in an answer are dead."""
    async with opened(assistant) as shown:
        exchange = await shown.ask(CARRY)
        shown.panel.passage = None
        await shown.pilot.pause()
        lines = shown.text().splitlines()
        left = exchange.region.x
        row = next(y for y, line in enumerate(lines) if "[1]" in line[left : exchange.region.right])
        column = lines[row].index("[1]", left)
        assert await shown.pilot.click(offset=Offset(column + 1, row))
        await shown.settle()
        assert shown.passage.highlighted() == exchange.state.citations[0].item.quote


async def test_a_digit_opens_it_and_the_conversation_stands_still(assistant: Assistant) -> None:
    """If it fails, reading a source loses the place in the answer."""
    async with opened(assistant) as shown:
        for _ in range(4):
            exchange = await shown.ask(CARRY)
        conversation = shown.main.query_one(ConversationView)
        conversation.focus()
        conversation.scroll_to(y=3, animate=False)
        await shown.pilot.pause()
        before = conversation.scroll_y
        shown.panel.passage = None
        await shown.pilot.press("1")
        await shown.settle()
        assert shown.passage.highlighted() == exchange.state.citations[0].item.quote
        assert conversation.scroll_y == before


async def test_a_number_that_is_not_cited_is_told(assistant: Assistant) -> None:
    """If it fails, a digit does nothing and does not say why."""
    async with opened(assistant) as shown:
        await shown.ask(CARRY)
        shown.main.query_one(ConversationView).focus()
        await shown.pilot.press("9")
        await shown.pilot.pause()
        assert "no citation 9" in shown.text()


async def test_words_deep_in_a_long_document_come_into_view(assistant: Assistant) -> None:
    """If it fails, a citation opens a source somewhere else than at its words."""
    for size in ((140, 40), NARROW):
        async with opened(assistant, size) as shown:
            await shown.ask("Where does the boiler room key hang?")
            await shown.pilot.press("ctrl+g")
            await shown.settle()
            await shown.until(
                lambda: "behind the blue door" in _marked_on_screen(shown), "the words in view"
            )


async def test_a_narrow_terminal_shows_the_source_in_place_of_the_chat(
    assistant: Assistant,
) -> None:
    """If it fails, sources cannot be read on a small terminal, or there is no way back."""
    async with opened(assistant, NARROW) as shown:
        await shown.ask(CARRY)
        assert (shown.sees("#conversation"), shown.sees("#evidence")) == (True, False)
        await shown.pilot.press("ctrl+t")
        await shown.pilot.pause()
        assert (shown.sees("#conversation"), shown.sees("#evidence")) == (False, True)
        await shown.pilot.press("ctrl+g")
        await shown.settle()
        await shown.pilot.press("escape")
        await shown.pilot.pause()
        assert (shown.sees("#conversation"), shown.sees("#evidence")) == (True, False)
        assert shown.box.has_focus


def _item(assistant: Assistant, quote: str, *, verified: bool) -> EvidenceItem:
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "leave.md")
    start = database.text(entry.id).index("Leave is counted")
    location = Location(start, start + 16) if verified else Location(0, entry.length)
    return EvidenceItem("staff", entry.id, entry.title, entry.path, quote, location, verified)


def test_a_quote_that_was_not_found_is_never_highlighted(assistant: Assistant) -> None:
    """If it fails, words a model made up look like words of the document."""
    item = _item(assistant, "Leave is unlimited", verified=False)
    passage = read_passage(assistant.library, Citation(1, item))
    assert passage.quote == ""
    assert "not found" in passage.problem


def test_a_source_that_changed_since_is_told(assistant: Assistant, folder: Path) -> None:
    """If it fails, whatever stands at the old place is highlighted as if it had been quoted."""
    item = _item(assistant, "Leave is counted", verified=True)
    assert read_passage(assistant.library, Citation(1, item)).quote == "Leave is counted"
    (folder / "leave.md").write_text("# Annual leave\n\nAll of this is new.\n", encoding="utf-8")
    assistant.library.index(folder)
    passage = read_passage(assistant.library, Citation(1, item))
    assert passage.quote == ""
    assert passage.state is QuoteState.CHANGED


def test_a_source_that_is_gone_is_told(assistant: Assistant) -> None:
    """If it fails, opening a citation of a removed database breaks the interface."""
    item = _item(assistant, "Leave is counted", verified=True)
    assistant.library.remove("staff")
    passage = read_passage(assistant.library, Citation(1, item))
    assert "There is no database" in passage.problem
