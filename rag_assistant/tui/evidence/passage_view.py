"""A source opened at the quoted words, which are marked as with a highlighter."""

from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.tui.drawing.layout import Divider, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN, problem
from rag_assistant.tui.sources.passage import SourcePassage
from rag_assistant.tui.sources.reference import place_of
from rag_assistant.tui.sources.source_text import SourceText
from rag_assistant.values.evidence import QuoteState

STALE = QuoteState.STALE.words
CHANGED_ROUND = "a newer version of the text than was cited, with the same words"


class PassageView(SourceText):
    """Shows `passage`."""

    FOCUS_ON_CLICK = (
        False  # selecting words with the mouse does not take the keys from the question
    )

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Back")]

    passage: reactive[SourcePassage | None] = reactive(None)

    class Left(Message):
        """The person is done here."""

    def watch_passage(self) -> None:
        """Show another passage, scrolled so that the quoted words stand a little below the top."""
        passage = self.passage
        if passage:
            self.open_entry(passage.opened, passage.excerpt, (passage.start, passage.end))

    def action_leave(self) -> None:
        """Go back to the question."""
        self.post_message(self.Left())


def passage_head(passage: SourcePassage) -> tuple[LayoutBlock, ...]:
    """Give what stands above a source: which one it is, where in it, and whether the words are."""
    item = passage.citation.item
    blocks: list[LayoutBlock] = [
        Divider(),
        Row(one_line(item.path, "bold"), one_line(item.database, QUIET)),
    ]
    place = " · ".join(place_of(item.location))
    if place and item.verified:
        blocks.append(Row(one_line(place, QUIET)))
    if passage.stale:
        blocks.append(Text(plain(STALE, WARN)))
    elif passage.changed and passage.quote:
        blocks.append(Text(plain(CHANGED_ROUND, QUIET)))
    return (*blocks, *_verdict(passage), Divider())


def _verdict(passage: SourcePassage) -> list[LayoutBlock]:
    """Say whether the words are there."""
    item = passage.citation.item
    quote = item.written or item.quote
    match passage.state:
        case QuoteState.CLOSE:
            said = plain("~ close match: the source says almost the same", WARN)
            had = joined([plain("the answer quotes: ", QUIET), plain(quote, "italic")])
            return [Text(said), Text(had)]
        case QuoteState.CHANGED:
            said = plain(QuoteState.CHANGED.words, WARN)
            return [Text(said), Text(joined([plain("it was: ", QUIET), plain(quote, "italic")]))]
        case QuoteState.MISSING if passage.entry is None:
            return [Text(problem(passage.problem, passage.hint)), Text(plain(quote, "italic"))]
        case QuoteState.MISSING:
            said = joined([plain("! ", WARN), one_line(passage.problem)])
            return [Text(said), Text(plain(quote, "italic"))]
        case QuoteState.STALE:
            return []  # the mark says it
        case _:
            return [Text(plain("✓ quote found: these are the source's own words", GOOD))]
