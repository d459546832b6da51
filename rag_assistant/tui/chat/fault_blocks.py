"""Where a model failed: what is left of its answer, who answers in its place, what can be done."""

from rag_assistant.config import EXTRACTIVE
from rag_assistant.tui.chat.run_state import RunState
from rag_assistant.tui.chat.three_lines import in_full, three_lines
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import one_line, plain
from rag_assistant.tui.drawing.signs import BAD, QUIET, WARN, letters
from rag_assistant.values.scope import name_of

RETRY = ("r", "retry", "retry")
CONTINUE = ("c", "continue", "go_on")
DETAILS = ("d", "details", "details")
_LEFT = plain("│ ", QUIET)


def stand_in_blocks(state: RunState, *, details: bool) -> list[LayoutBlock]:
    """Say that another model answers than the one that was asked, below what that one wrote."""
    answer = state.answer
    cause = state.failure or (answer.fallback if answer else "")
    if not cause:
        return []
    blocks: list[LayoutBlock] = []
    if state.broken_off:
        blocks += [Indented(one, _LEFT, _LEFT) for one in markdown_blocks(state.broken_off, {})]
        blocks += [Text(plain(f"■ incomplete: {_words(state.broken_off)}", WARN)), Text()]
    asked = state.model or "the model that was asked"
    instead = answer.model if answer else EXTRACTIVE
    by = "the built-in model" if instead == EXTRACTIVE else instead
    verb = "broke off" if state.broken_off else "failed"
    headline = one_line(f"{asked} {verb}: {by} answers")
    blocks += three_lines(plain("! ", WARN), headline, cause, state.remedy, letters([RETRY]))
    return [*blocks, *(in_full(cause) if details else [])]


def failure_blocks(state: RunState, *, details: bool) -> list[LayoutBlock]:
    """Say that there is no answer, or no whole one; `details` has all that is known of it."""
    left = f"The answer broke off: {_words(state.text)}" if state.text.strip() else "No answer came"
    again = [RETRY, CONTINUE] if state.text.strip() else [RETRY]
    keys = letters([*again, DETAILS])
    blocks = three_lines(plain("✗ ", BAD), plain(left), state.reason, state.hint, keys)
    if details:
        blocks += in_full(state.reason)
        asked = ", ".join(map(name_of, state.databases))
        told = [f"asked: {asked}, after {state.seconds:.1f} s", *state.details]
        if state.model:
            told.insert(0, f"model: {state.model}")
        blocks += [Indented(Text(plain(said, QUIET)), plain("  ")) for said in told]
    return blocks


def _words(text: str) -> str:
    count = len(text.split())
    return f"{count} word{'' if count == 1 else 's'} came"
