"""The statement of what an answer saw: a line under it, which unfolds to all its parts."""

from rag_assistant.coverage import Coverage, coverage_details, coverage_statement
from rag_assistant.tui.drawing.layout import Block, Ended, Indented, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN, letters

DETAILS = ("d", "details", "details")
FAILURES = ("f", "unread files", "failures")

WIDEST_KIND = 10
"""Cells of what a part is: database, left out, scope, search, read, limit."""


def coverage_blocks(coverage: Coverage, *, unfolded: bool) -> list[Block]:
    """Give the line, and all parts where they are wanted; nothing where there was no database."""
    if not coverage.databases:
        return []
    lacks = coverage.entries_failed or coverage.limits or coverage.left_out
    said = one_line(coverage_statement(coverage), WARN if lacks else QUIET)
    keys = [DETAILS, FAILURES] if coverage.entries_failed else [DETAILS]
    arrow = plain("▾ " if unfolded else "▸ ", QUIET)
    blocks: list[Block] = [Ended(joined([arrow, said]), letters(keys))]
    if unfolded:
        for kind, text in coverage_details(coverage):
            head = plain(f"  {kind.ljust(WIDEST_KIND)}", QUIET)
            blocks.append(Indented(Text(one_line(text)), head))
    return blocks
