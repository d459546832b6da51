"""How the sources of an answer are listed: a card for each, and what was retrieved besides."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN
from rag_assistant.tui.sources.reference import short_place
from rag_assistant.values.evidence import (
    Citation,
    Disagreement,
    EvidenceItem,
    QuoteState,
    Retrieved,
)

NOTHING_CITED = "What an answer cites is listed here, and opens at the quoted words."


STAGES = ("words", "title", "meaning")
"""The stages of ranking that a card names, of all that there are."""

Reasons = Mapping[tuple[str, int], Retrieved]
"""Why entries were read, by database and id."""


CARD_LINES = 2
"""Lines of a card."""


def card_line(number: int) -> int:
    """Give the line of the list on which a card begins; cards count from 0."""
    return 2 + CARD_LINES * number


@dataclass(frozen=True, slots=True)
class Sources:
    """What an answer cites and what else was found for it; `states` says how quotes stand."""

    citations: Sequence[Citation]
    uncited: Sequence[EvidenceItem]
    states: Mapping[int, QuoteState]
    reasons: Reasons
    disagreements: Sequence[Disagreement] = ()


def panel_cards(sources: Sources, chosen: int, *, all_shown: bool) -> tuple[LayoutBlock, ...]:
    """Give the list, with the card of the number `chosen` marked."""
    citations, uncited = sources.citations, sources.uncited
    head = [plain("Sources", "bold")]
    total = len(citations) + len(uncited)
    if citations or uncited:
        of = f" of {total}" if uncited else ""
        head.append(plain(f"  {len(citations)} cited{of}", QUIET))
    blocks: list[LayoutBlock] = [Row(joined(head)), Divider()]
    if not citations:
        blocks.append(Text(plain(NOTHING_CITED, QUIET)))
    for citation in citations:
        item = citation.item
        state = sources.states.get(citation.marker, item.state)
        why = _why(sources.reasons.get((item.database, item.entry_id)))
        blocks += _card(citation, state, why, chosen=citation.marker == chosen)
    blocks += _disagreements(sources.disagreements)
    return (*blocks, *_uncited(uncited, all_shown))


def _card(
    citation: Citation, state: QuoteState, why: Content, *, chosen: bool
) -> list[LayoutBlock]:
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
    # What is wrong with a quote needs the room more than why it was found.
    facts = why if sound else EMPTY
    lines = [
        Row(clickable(joined([number, title]), meta), place),
        Row(clickable(where, meta), facts),
    ]
    return [Indented(line, mark, mark) for line in lines]


def _disagreements(found: Sequence[Disagreement]) -> list[LayoutBlock]:
    """Give what sources contradict one another in: each value with its source and date."""
    blocks: list[LayoutBlock] = []
    for one in found:
        about = Text(joined([plain("Sources disagree: ", WARN), one_line(one.about, QUIET)]))
        blocks += [Text(), Indented(about, plain("! ", WARN))]
        for side in one.sides:
            line = joined([one_line(side.value, "bold"), plain("  "), one_line(side.item.path)])
            blocks.append(Indented(Row(line, one_line(side.dated, QUIET)), plain("  ")))
    return blocks


def _why(retrieved: Retrieved | None) -> Content:
    """Give how high an entry stood in the search that led to it."""
    if retrieved is None:
        return EMPTY
    ranks = [one for one in retrieved.ranks if one.stage in STAGES] or retrieved.ranks[:1]
    return one_line(" · ".join(f"{one.stage} #{one.rank}" for one in ranks), QUIET)


def _uncited(items: Sequence[EvidenceItem], all_shown: bool) -> list[LayoutBlock]:
    """Give what was retrieved and not cited: one line for all, or a line for each."""
    if not items:
        return []
    arrow = "▾" if all_shown else "▸"
    key = plain("  e", "bold")
    head = joined([plain(f"{arrow} {len(items)} found, not cited", QUIET), key])
    blocks: list[LayoutBlock] = [Text(), Row(clickable(head, {"all": True}))]
    if all_shown:
        from rag_assistant.tui.rendering.snippets import quote_line  # noqa: PLC0415

        for number, item in enumerate(items):
            words = quote_line(item.quote, item.path, QUIET)
            title = one_line(item.title or item.path)
            line = clickable(joined([title, plain(": "), words]), {"retrieved": number})
            blocks.append(Indented(Row(line), plain("  · ", QUIET)))
    return blocks
