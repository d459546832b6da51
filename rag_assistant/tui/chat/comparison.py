"""How an answer differs from the one that was given before, word by word and by its sources."""

from textual.content import Content

from rag_assistant.assistant.asking_again import AnswerDifference, answer_difference
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN, letters
from rag_assistant.values.evidence import Citation, QuoteState

COMPARE = ("a", "asks again and compares", "compare")

_NO_MORE = (QuoteState.CHANGED, QuoteState.MISSING)
_STYLES = {"same": "", "gone": f"strike {WARN}", "new": f"underline {GOOD}"}
_SIGNS = {"same": ("", ""), "gone": ("[-", "-]"), "new": ("{+", "+}")}


def changed_line(state: RunState) -> list[Content]:
    """Say which sources of an answer have changed or vanished since, and what can be done."""
    changed = [
        citation.marker
        for citation in state.citations
        if state.quotes.get(citation.marker) in _NO_MORE and citation.item.verified
    ]
    if not changed:
        return []
    numbers = ", ".join(f"[{marker}]" for marker in changed)
    said = plain(f"! {numbers} may not hold any more: ", WARN)
    return [joined([said, letters([COMPARE])])]


def difference_blocks(state: RunState) -> list[LayoutBlock]:
    """Give how an answer differs from the earlier one that it is compared with."""
    before, answer = state.before, state.answer
    if before is None or answer is None:
        return []
    found = answer_difference(before.text, tuple(before.citations), answer)
    if found.is_none:
        return [Text(plain("= the same answer as before, by the same sources", GOOD))]
    return [Text(plain("compared with the answer before:", "bold")), *_difference(found)]


def _difference(found: AnswerDifference) -> list[LayoutBlock]:
    pieces: list[Content] = []
    for change in found.words:
        opening, closing = _SIGNS[change.kind]
        bare = change.text.lstrip()
        space = " " if bare != change.text else ""
        pieces += [plain(space), plain(f"{opening}{bare}{closing}", _STYLES[change.kind])]
    blocks: list[LayoutBlock] = [Indented(Text(joined(pieces)), plain("  "))]
    blocks += [_source("- ", WARN, citation) for citation in found.gone]
    blocks += [_source("+ ", GOOD, citation) for citation in found.new]
    return blocks


def _source(sign: str, style: str, citation: Citation) -> LayoutBlock:
    item = citation.item
    title, words = one_line(item.title or item.path), one_line(f"“{item.quote}”", QUIET)
    return Indented(Text(joined([title, plain("  "), words])), plain(f"  {sign}", style))
