"""A source opened at the quoted words, which are marked as with a highlighter."""

from textual.content import Content
from textual.message import Message
from textual.reactive import reactive
from textual.style import Style

from rag_assistant.tui.exchange_blocks import GOOD, QUIET, WARN
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Block, Laid, Row, Rule, Text
from rag_assistant.tui.safe_widgets import joined, one_line, plain
from rag_assistant.tui.source_passage import QuoteState, SourcePassage
from rag_assistant.tui.source_reference import place_of

HIGHLIGHT = "$background on $accent"
"""Dark on a strong colour, which stays visible where colours are off."""

_QUOTE = Style.from_meta({"quote": True})


class PassageView(LaidText):
    """Shows `passage`."""

    passage: reactive[SourcePassage | None] = reactive(None)

    class LaidOut(Message):
        """The lines of the passage stand where they stand now."""

    def on_resize(self) -> None:
        """Tell that the lines may stand elsewhere."""
        self.post_message(self.LaidOut())

    def watch_passage(self) -> None:
        """Show another passage."""
        self.blocks = (Text(_source(self.passage)),) if self.passage else ()

    def highlighted(self) -> str:
        """Give the words that are marked, as the source has them."""
        return "".join(
            block.content.plain[span.start : span.end]
            for block in self.blocks
            if isinstance(block, Text)
            for span in block.content.spans
            if span.style == _QUOTE
        )

    def quote_line(self) -> int:
        """Give the line on which the marked words begin, counted from 0; 0 when there are none."""
        content = Laid(self.blocks).content(self.content_size.width)
        starts = [span.start for span in content.spans if span.style == _QUOTE]
        return content.plain.count("\n", 0, min(starts)) if starts else 0


def passage_head(passage: SourcePassage) -> tuple[Block, ...]:
    """Give what stands above a source: which one it is, where in it, and whether the words are."""
    item = passage.citation.item
    blocks: list[Block] = [Rule(), Row(one_line(item.path, "bold"), one_line(item.database, QUIET))]
    place = " · ".join(place_of(item.location))
    if place and item.verified:
        blocks.append(Text(one_line(place, QUIET)))
    if passage.state is QuoteState.CLOSE:
        blocks.append(Text(plain("~ close match: the source says it in other words", WARN)))
        blocks.append(Text(joined([plain("the answer has: ", QUIET), plain(item.quote, "italic")])))
    elif passage.problem:
        blocks.append(Text(joined([plain("! ", WARN), one_line(passage.problem)])))
        if not passage.quote:
            blocks.append(Text(plain(item.quote, "italic")))
    else:
        blocks.append(Text(plain("✓ quote found: these are the source's own words", GOOD)))
    return (*blocks, Rule())


def _source(passage: SourcePassage) -> Content:
    more = plain("⋯ ", QUIET)
    quote = plain(passage.quote, HIGHLIGHT).stylize(_QUOTE)
    parts = [
        plain(passage.before, "$foreground 80%"),
        quote,
        plain(passage.after, "$foreground 80%"),
    ]
    if passage.cut_before:
        parts.insert(0, more)
    if passage.cut_after:
        parts.append(more)
    return joined(parts)
