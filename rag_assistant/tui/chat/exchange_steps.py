"""The steps of a run under its question: one line that sums them up, and each by itself."""

from rag_assistant.tui.chat.run_state import Remark, RunState, ToolStep
from rag_assistant.tui.drawing.layout import Block, Indented, Row, Text
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, MARGIN, QUIET, SEPARATOR, WARN, seconds


def step_blocks(state: RunState, *, expanded: bool) -> list[Block]:
    """Give the line that sums the steps up, and below it the steps when they are wanted."""
    if not state.steps:
        return []
    tools = [step for step in state.steps if isinstance(step, ToolStep)]
    count = len(tools)
    has_plan = any(isinstance(step, Remark) and step.is_plan for step in state.steps)
    parts = [plain("plan", QUIET)] if has_plan else []
    if count or not has_plan:
        parts.append(plain(f"{count} step{'' if count == 1 else 's'}" if count else "note", QUIET))
    failed = sum(not step.ok for step in tools)
    if failed:
        parts.append(plain(f"{failed} failed", WARN))
    sent = state.answer.sent if state.answer else ()
    if sent:
        parts.append(one_line(f"sent to {', '.join(one.host for one in sent)}", WARN))
    took = sum(step.seconds or 0 for step in tools)
    if state.answer and state.answer.elapsed_ms:  # steps that ran side by side took no longer
        took = min(took, state.answer.elapsed_ms / 1000)
    if took:
        parts.append(plain(seconds(took), QUIET))
    arrow = plain("▾ " if expanded else "▸ ", QUIET)
    head = clickable(joined([arrow, joined(parts, SEPARATOR)]), {"deed": "steps"})
    blocks: list[Block] = [Indented(Text(head), MARGIN)]
    if expanded:
        blocks += [Indented(block, plain("    ")) for step in state.steps for block in _step(step)]
        told = [joined([plain("↗ ", WARN), one_line(one.words, QUIET)]) for one in sent]
        blocks += [Indented(Text(line), plain("    ")) for line in told]
    return blocks


def _step(step: ToolStep | Remark) -> list[Block]:
    if isinstance(step, Remark):
        mark = plain("◇ " if step.is_plan else "– ", QUIET)
        return [Indented(Text(one_line(step.text, QUIET)), mark)]
    mark = plain("· ", QUIET) if step.seconds is None else plain("✓ ", GOOD)
    if not step.ok:
        mark = plain("✗ ", BAD)
    took = plain("…" if step.seconds is None else seconds(step.seconds), QUIET)
    blocks: list[Block] = [Row(joined([mark, one_line(step.tool)]), took)]
    details = [one_line(f"{name}: {value}", QUIET) for name, value in step.arguments.items()]
    if step.summary:
        details.append(joined([plain("→ ", QUIET), one_line(step.summary, "" if step.ok else BAD)]))
    return [*blocks, *(Indented(Text(detail), plain("  ")) for detail in details)]
