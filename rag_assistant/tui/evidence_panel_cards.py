"""How the sources of an answer are listed: a card for each, and what was retrieved besides."""

from collections.abc import Mapping, Sequence

from rag_assistant.evidence import Citation, EvidenceItem
from rag_assistant.tui.exchange_blocks import GOOD, QUIET, WARN
from rag_assistant.tui.layout import Block, Indented, Row, Rule, Text
from rag_assistant.tui.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.source_passage import QuoteState
from rag_assistant.tui.source_reference import short_place

NOTHING_CITED = "What an answer cites is listed here, and opens at the quoted words."


def panel_cards(
    citations: Sequence[Citation],
    states: Mapping[int, QuoteState],
    chosen: int,
    uncited: Sequence[EvidenceItem],
    *,
    all_shown: bool,
) -> tuple[Block, ...]:
    """Give the list; `states` says how each quote stands, as far as that is known."""
    head = [plain("Sources", "bold")]
    total = len(citations) + len(uncited)
    if citations or uncited:
        of = f" of {total}" if uncited else ""
        head.append(plain(f"  {len(citations)} cited{of}", QUIET))
    blocks: list[Block] = [Row(joined(head)), Rule()]
    if not citations:
        blocks.append(Text(plain(NOTHING_CITED, QUIET)))
    for citation in citations:
        item = citation.item
        known = QuoteState.FOUND if item.verified else QuoteState.MISSING
        state = states.get(citation.marker, known)
        blocks += _card(citation, state, chosen=citation.marker == chosen)
    return (*blocks, *_uncited(uncited, all_shown))


def _card(citation: Citation, state: QuoteState, *, chosen: bool) -> list[Block]:
    item = citation.item
    sound = state is QuoteState.FOUND
    mark = plain("▌" if chosen else " ", "$text-accent")
    style = "bold $text-accent" if sound else "bold $text-warning"
    number = plain(f"[{citation.marker}{state.sign}] ", style)
    title = one_line(item.title or item.path, "bold" if chosen else "")
    found = plain(state.words, GOOD if sound else WARN)
    indent = plain(" " * number.cell_length)
    where = joined([indent, found, plain("  "), one_line(item.path, QUIET)])
    meta = {"citation": citation.marker}
    place = plain(short_place(item.location) if item.verified else "", QUIET)
    lines = [Row(clickable(joined([number, title]), meta), place), Row(clickable(where, meta))]
    return [Indented(line, mark, mark) for line in lines]


def _uncited(items: Sequence[EvidenceItem], all_shown: bool) -> list[Block]:
    """Give what was retrieved and not cited: one line for all, or a line for each."""
    if not items:
        return []
    arrow = "▾" if all_shown else "▸"
    key = plain("  e", "bold")
    head = joined([plain(f"{arrow} {len(items)} retrieved, not cited", QUIET), key])
    blocks: list[Block] = [Text(), Row(clickable(head, {"all": True}))]
    if all_shown:
        for number, item in enumerate(items):
            words = one_line(item.quote, QUIET)
            title = one_line(item.title or item.path)
            line = clickable(joined([title, plain(": "), words]), {"retrieved": number})
            blocks.append(Indented(Row(line), plain("  · ", QUIET)))
    return blocks
