"""What stands above a document: which one it is, where it was opened, how far one is in it, and
what is not as it should be.
"""

from rag_assistant.text.fact_words import size_words
from rag_assistant.tui.drawing.layout import LayoutBlock, Row
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, SEPARATOR, WARN
from rag_assistant.tui.reader.document import OpenDocument
from rag_assistant.tui.sources.reference import place_of
from rag_assistant.values.evidence import QuoteState


def head_blocks(document: OpenDocument, share: int, marker: int | None) -> tuple[LayoutBlock, ...]:
    """Give the head, where so many percent of the document are seen or above what is seen.

    `marker` is the number of the citation that is open; None where none is.
    """
    entry = document.entry
    number = EMPTY if marker is None else plain(f"[{marker}] ", "bold $text-accent")
    right = [one_line(document.database.name, QUIET), plain(f"{share} %", QUIET)]
    where = one_line(" · ".join([entry.path, *place_of(document.place)]), QUIET)
    title = joined([number, one_line(entry.title.strip() or entry.path, "bold")])
    blocks: list[LayoutBlock] = [Row(title, joined(right, SEPARATOR))]
    blocks.append(Row(where, one_line(", ".join(size_words(document.facts)), QUIET)))
    if remark := document.opened.form.remark:
        blocks.append(Row(one_line(f"– {remark}", QUIET)))
    if document.stale:
        blocks.append(Row(plain(QuoteState.STALE.words, WARN)))
    elif document.state is not QuoteState.FOUND:
        blocks.append(Row(plain(document.state.words, WARN)))
    if document.suspicious:
        blocks.append(Row(one_line(document.suspicious, WARN)))
    return tuple(blocks)
