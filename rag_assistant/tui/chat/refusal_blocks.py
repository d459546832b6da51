"""Where no answer is given: that it is so and why, what comes nearest, and what can be done."""

from collections.abc import Iterator

from textual.content import Content

from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Ended, Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN, letters
from rag_assistant.tui.sources.reference import short_place
from rag_assistant.values.evidence import DRAFT, Answer

WIDEN = ("w", "widens the scope", "widen")
NO_KEYS = plain("")
NOT_HELD = "○ The documents do not hold the answer."
NOT_SUPPORTED = "○ No passage in scope supports an answer."


def refusal_blocks(state: RunState, answer: Answer, *, unfolded: bool) -> Iterator[LayoutBlock]:
    """Say that nothing supports an answer, and what comes nearest; digits open that.

    What the model wrote is folded, and `unfolded` with the other details. Where the answer shows
    the nearest passages itself, this says why nothing is claimed of them.
    """
    if answer.voice:
        yield from _reason_blocks(answer, letters([WIDEN]))
        return
    by_model = answer.refusal is not None and answer.refusal.by_model
    if by_model:
        marks = {citation.marker: citation.item.state for citation in answer.citations}
        yield from markdown_blocks(answer.draft, marks)
    said = plain(NOT_HELD if by_model else NOT_SUPPORTED, WARN)
    if state.closest:
        said = joined([said, plain(f" Closest {len(state.closest)}:")])
    yield Ended(said, letters([WIDEN]))
    for number, item in enumerate(state.closest, 1):
        title = one_line(item.title or item.path, "bold")
        line = clickable(
            joined([title, plain("  "), one_line(item.quote, QUIET)]), {"closest": number}
        )
        place = plain(short_place(item.location), QUIET)
        yield Indented(Row(line, place), plain(f"  {number} ", "bold $text-accent"))
    yield from _reason_blocks(answer)
    if answer.draft.strip() and not by_model:
        yield from _draft(answer, unfolded=unfolded)


def _reason_blocks(answer: Answer, keys: Content = NO_KEYS) -> Iterator[LayoutBlock]:
    """Say why, unless the model did, and what can be done."""
    if not (refusal := answer.refusal):
        return
    if not refusal.by_model:
        yield Ended(one_line(f"Because {refusal.reason}.", QUIET), keys)
    for step in refusal.widen:
        yield Indented(Text(one_line(step)), plain("→ ", "$text-primary"))


def _draft(answer: Answer, *, unfolded: bool) -> Iterator[LayoutBlock]:
    arrow = plain("▾ " if unfolded else "▸ ", QUIET)
    key = plain("" if unfolded else "  d shows it", QUIET)
    yield Text(clickable(joined([arrow, plain(DRAFT, QUIET), key]), {"action": "details"}))
    if unfolded:
        for block in markdown_blocks(answer.draft, {}):
            yield Indented(block, plain("  │ ", QUIET))
