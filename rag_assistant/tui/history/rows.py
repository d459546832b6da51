"""How kept conversations look: a line in the list by day, and the one at the cursor as a whole."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta

from textual.content import Content

from rag_assistant.history.kept import KeptConversation, KeptExchange, Summary
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.model_names import shown_name
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import MARGIN, QUIET, SEPARATOR, WARN
from rag_assistant.tui.lists.pick_list import FactRow, PickItem
from rag_assistant.values.coverage import coverage_statement

SHOWN_EXCHANGES = 20
"""Questions that a preview shows; the rest are counted."""

_STATES = {
    "running": "being answered",
    "answered": "",
    "stopped": "stopped",
    "interrupted": "interrupted",
}


def items_by_day(summaries: Sequence[Summary], today: date) -> tuple[PickItem, ...]:
    """List conversations below the days on which something was last said."""
    items: list[PickItem] = []
    day: date | None = None
    for summary in summaries:
        when = _local(summary.updated)
        if when.date() != day:
            day = when.date()
            items += [PickItem(Text())] if items else []
            items.append(PickItem(Text(plain(day_name(day, today), "bold $text-secondary"))))
        items.append(PickItem(_line(summary, f"{when:%H:%M}"), str(summary.id)))
    return tuple(items)


def items_found(summaries: Sequence[Summary]) -> tuple[PickItem, ...]:
    """List conversations as a search gave them, the best first."""
    return tuple(
        PickItem(_line(summary, f"{_local(summary.updated):%Y-%m-%d}"), str(summary.id))
        for summary in summaries
    )


def day_name(day: date, today: date) -> str:
    """Say a day as a person does."""
    if day == today:
        return "Today"
    if day == today - timedelta(days=1):
        return "Yesterday"
    return f"{day:%A} {day.day} {day:%B %Y}"


def _local(written: str) -> datetime:
    return datetime.fromisoformat(written).astimezone()


def _line(summary: Summary, when: str) -> FactRow:
    state = _STATES[summary.state]
    cited = f"{summary.citations} cited" if summary.citations else "none cited"
    return FactRow(
        joined([plain(f"{when}  ", QUIET), one_line(summary.title)]),
        (
            one_line(", ".join(summary.databases), QUIET),
            plain(counted(summary.exchanges, "question"), QUIET),
            plain(cited, QUIET),
            plain(f"! {state}", WARN) if state else EMPTY,
        ),
    )


def counted(number: int, what: str) -> str:
    """Say how many of something there are."""
    return f"{number:,} {what}{'' if number == 1 else 's'}"


def preview(kept: KeptConversation, snippets: Mapping[int, str]) -> tuple[LayoutBlock, ...]:
    """Give a whole conversation; `snippets` are the words that were found in its answers."""
    summary = kept.summary
    facts = [
        one_line(", ".join(summary.databases), QUIET),
        one_line(shown_name(summary.model), QUIET),
    ]
    if summary.parent:
        facts.append(plain(f"branch of conversation {summary.parent}", QUIET))
    blocks: list[LayoutBlock] = [
        Text(one_line(summary.title, "bold")),
        Text(joined(facts, SEPARATOR)),
    ]
    found = snippets.get(summary.id)
    if found:
        blocks.append(Indented(Text(one_line(found)), plain("found: ", "bold $text-accent")))
    blocks.append(Divider())
    for exchange in kept.exchanges[:SHOWN_EXCHANGES]:
        blocks += [*_exchange(exchange), Text()]
    more = len(kept.exchanges) - SHOWN_EXCHANGES
    if more > 0:
        blocks.append(Text(plain(f"and {counted(more, 'more question')}: Enter opens all", QUIET)))
    return tuple(blocks)


def _exchange(exchange: KeptExchange) -> Iterator[LayoutBlock]:
    yield Indented(Text(plain(exchange.question, "bold")), plain("❯ ", "bold $text-primary"))
    if exchange.answer.strip():
        marks = {kept.citation.marker: kept.citation.item.state for kept in exchange.citations}
        for block in markdown_blocks(exchange.answer, marks):
            yield Indented(block, MARGIN)
    ended = _ended(exchange)
    if ended:
        yield Indented(Text(ended), MARGIN)
    if exchange.coverage:
        yield Text()
        yield Indented(Text(one_line(coverage_statement(exchange.coverage), QUIET)), MARGIN)


def _ended(exchange: KeptExchange) -> Content:
    state = _STATES[exchange.state]
    if not state:
        return one_line(exchange.reason, QUIET) if exchange.reason else EMPTY
    told = [plain(f"■ {state}", WARN)]
    if exchange.reason:
        told.append(one_line(exchange.reason, QUIET))
    return joined(told, SEPARATOR)
