"""Where no answer is given: that it is so and why, what can be done, what comes nearest."""

from collections.abc import Iterator

from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.chat.three_lines import three_lines, two_lines
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN, letters
from rag_assistant.tui.rendering.snippets import quote_line
from rag_assistant.tui.sources.reference import short_place
from rag_assistant.values.evidence import DRAFT, Answer

WIDEN = ("w", "asks all documents", "widen")
NOT_HELD = "The documents do not hold the answer."
NOT_SUPPORTED = "No passage in scope supports an answer."


def refusal_blocks(state: RunState, answer: Answer, *, unfolded: bool) -> Iterator[LayoutBlock]:
    """Say that nothing supports an answer, and what comes nearest; digits open that.

    What the model wrote, and further steps, are `unfolded` with the other details. Where the answer
    shows the nearest passages itself, it has the headline, and this says why.
    """
    refusal = answer.refusal
    by_model = refusal is not None and refusal.by_model
    if by_model:
        marks = {citation.marker: citation.item.state for citation in answer.citations}
        yield from markdown_blocks(answer.draft, marks)
        yield Text()
    headline = NOT_HELD if by_model else NOT_SUPPORTED
    cause = f"Because {refusal.reason}" if refusal and not by_model else ""
    step, *further = refusal.widen if refusal and refusal.widen else [""]
    action = f"→ {step}" if step else ""
    keys = letters([WIDEN] if state.can_widen else [])
    if answer.voice:
        yield from two_lines(plain("○ ", WARN), cause, action, keys)
    else:
        yield from three_lines(plain("○ ", WARN), plain(headline, WARN), cause, action, keys)
    if unfolded:
        for one in further:
            yield Indented(Text(one_line(in_keys(one))), plain("  → ", "$text-primary"))
    if state.closest and not answer.voice:
        yield from _closest(state)
    if unfolded and answer.draft.strip() and not by_model:
        yield Text()
        yield Text(plain(f"{DRAFT}:", QUIET))
        for block in markdown_blocks(answer.draft, {}):
            yield Indented(block, plain("│ ", QUIET))


def _closest(state: RunState) -> Iterator[LayoutBlock]:
    yield Text()
    yield Text(plain(f"Closest {len(state.closest)}:", QUIET))
    for number, item in enumerate(state.closest, 1):
        title = one_line(item.title or item.path, "bold")
        words = joined([title, plain("  "), quote_line(item.quote, item.path, QUIET)])
        place = plain(short_place(item.location), QUIET)
        row = Row(clickable(words, {"closest": number}), place)
        yield Indented(row, plain(f"{number} ", "bold $text-accent"))
