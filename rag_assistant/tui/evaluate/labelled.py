"""How citations look that the person has marked wrong: a line for all, and each beside the list."""

from collections.abc import Iterator, Sequence

from rag_assistant.history.kept import KeptCitation, KeptConversation, KeptExchange
from rag_assistant.tui.drawing.layout import Block, Indented, Rule, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, SEPARATOR, WARN
from rag_assistant.tui.lists.pick_list import Facts, Item
from rag_assistant.tui.sources.reference import place_of

LABELLED = "\nmarked wrong"
"""The key of the line; no path has it."""


def labelled_items(kept: Sequence[KeptConversation]) -> tuple[Item, ...]:
    """Give the line, apart from what stands above it."""
    wrong = sum(1 for conversation in kept for _ in _wrong(conversation))
    count = f"{wrong} in {len(kept)} conversation{'' if len(kept) == 1 else 's'}"
    line = Facts(plain("Citations you marked wrong"), (plain(count, WARN),))
    return Item(Text()), Item(line, LABELLED)


def labelled_blocks(kept: Sequence[KeptConversation]) -> tuple[Block, ...]:
    """Give each of them, below the question that it was an answer to."""
    blocks: list[Block] = [Text(plain("Citations you marked wrong", "bold")), Rule()]
    for conversation in kept:
        for exchange, cited in _wrong(conversation):
            item = cited.citation.item
            place = [item.path, *place_of(item.location), f"conversation {conversation.summary.id}"]
            blocks += [
                Text(one_line(exchange.question, "bold")),
                Indented(Text(plain(item.quote)), plain(f"[{cited.citation.marker}✗] ", WARN)),
                Text(joined([one_line(part, QUIET) for part in place], SEPARATOR)),
                Text(),
            ]
    return tuple(blocks)


def _wrong(conversation: KeptConversation) -> Iterator[tuple[KeptExchange, KeptCitation]]:
    for exchange in conversation.exchanges:
        for cited in exchange.citations:
            if cited.wrong:
                yield exchange, cited
