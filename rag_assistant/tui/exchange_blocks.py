"""How a question with its steps, its answer and its outcome looks."""

from collections.abc import Sequence

from textual.content import Content

from rag_assistant.evidence import Answer
from rag_assistant.tui.layout import Block, Indented, Row, Text
from rag_assistant.tui.markdown_blocks import markdown_blocks
from rag_assistant.tui.run_state import Phase, Remark, RunState, ToolStep
from rag_assistant.tui.safe_widgets import clickable, joined, one_line, plain

MARGIN = plain("  ")
QUIET = "$foreground 60%"
GOOD = "$text-success"
WARN = "$text-warning"
BAD = "$text-error"
SEPARATOR = plain(" · ", QUIET)


def exchange_blocks(state: RunState, *, expanded: bool) -> tuple[Block, ...]:
    """Give the blocks of one exchange; `expanded` shows its steps one by one."""
    asked = plain("❯ ", "bold $text-primary")
    question = Text(plain(state.question, "bold"))
    blocks: list[Block] = [Indented(question, asked)]
    if state.steps:
        blocks += _steps(state, expanded)
    if state.text.strip():
        verified = {citation.marker: citation.item.verified for citation in state.citations}
        written = markdown_blocks(state.text, verified)
        blocks += [Text(), *(Indented(block, MARGIN) for block in written)]
    outcome = _outcome(state)
    if state.text.strip() and outcome:
        blocks.append(Text())
    blocks += [Indented(Text(line), MARGIN) for line in outcome]
    return tuple(blocks)


def problem(reason: str, hint: str) -> Content:
    """Give an error as one line: what is wrong, and the next step."""
    parts = [plain("✗ ", BAD), one_line(reason)]
    if hint:
        parts += [plain(" "), one_line(hint, QUIET)]
    return joined(parts)


def _steps(state: RunState, expanded: bool) -> list[Block]:
    """Give the line that sums the steps up, and below it the steps when they are wanted."""
    tools = [step for step in state.steps if isinstance(step, ToolStep)]
    count = len(tools)
    parts = [plain(f"{count} step{'' if count == 1 else 's'}" if count else "note", QUIET)]
    failed = sum(not step.ok for step in tools)
    if failed:
        parts.append(plain(f"{failed} failed", WARN))
    arrow = plain("▾ " if expanded else "▸ ", QUIET)
    head = clickable(joined([arrow, joined(parts, SEPARATOR)]), {"toggle": "steps"})
    blocks: list[Block] = [Indented(Text(head), MARGIN)]
    if expanded:
        blocks += [Indented(block, plain("    ")) for step in state.steps for block in _step(step)]
    return blocks


def _step(step: ToolStep | Remark) -> list[Block]:
    if isinstance(step, Remark):
        return [Indented(Text(one_line(step.text, QUIET)), plain("– ", QUIET))]
    mark = plain("· ", QUIET) if step.seconds is None else plain("✓ ", GOOD)
    if not step.ok:
        mark = plain("✗ ", BAD)
    took = plain("…" if step.seconds is None else seconds(step.seconds), QUIET)
    blocks: list[Block] = [Row(joined([mark, one_line(step.tool)]), took)]
    details = [one_line(f"{name}: {value}", QUIET) for name, value in step.arguments.items()]
    if step.summary:
        details.append(joined([plain("→ ", QUIET), one_line(step.summary, "" if step.ok else BAD)]))
    return [*blocks, *(Indented(Text(detail), plain("  ")) for detail in details)]


def _outcome(state: RunState) -> list[Content]:
    """Give the lines under an answer: what is going on, or how it ended."""
    warnings = [joined([plain("! ", WARN), one_line(text)]) for text in state.warnings]
    match state.phase:
        case Phase.QUEUED:
            return [plain("◌ queued: answered after the one before it", QUIET)]
        case Phase.RUNNING:
            return [*warnings, _activity(state)]
        case Phase.STOPPED:
            kept = "the text so far is kept" if state.text.strip() else "nothing was written yet"
            return [
                *warnings,
                joined(
                    [plain("■ stopped", WARN), plain(f" after {seconds(state.seconds)}; {kept}")]
                ),
            ]
        case Phase.FAILED:
            return [*warnings, problem(state.reason, state.hint)]
        case Phase.ANSWERED:
            return [*warnings, _verdict(state.answer)] if state.answer else warnings


def _activity(state: RunState) -> Content:
    running = [
        step.tool for step in state.steps if isinstance(step, ToolStep) and step.seconds is None
    ]
    doing = "writing…" if state.text.strip() else "thinking…"
    if running:
        doing = f"{running[0]}…"
    return joined(
        [
            one_line(doing, "$text-primary"),
            SEPARATOR,
            plain(f"{state.elapsed:.1f} s", QUIET),
            SEPARATOR,
            plain("Esc stops", QUIET),
        ]
    )


def _verdict(answer: Answer) -> Content:
    """Say how far the answer can be trusted, what it saw, and what it took."""
    coverage = answer.coverage
    parts = [
        _checked(answer),
        plain(f"read {coverage.entries_read} of {coverage.entries_indexed} entries", QUIET),
    ]
    if coverage.entries_failed:
        parts.append(plain(f"{coverage.entries_failed} files unreadable", WARN))
    if answer.usage.total_tokens:
        parts.append(plain(f"{answer.usage.total_tokens} tokens", QUIET))
    parts.append(plain(seconds(answer.elapsed_ms / 1000), QUIET))
    return joined(parts, SEPARATOR)


def _checked(answer: Answer) -> Content:
    cited = len(answer.citations)
    missing = sum(not citation.item.verified for citation in answer.citations)
    if not cited:
        return plain("○ nothing cited", WARN)
    if missing:
        return plain(f"! {missing} of {cited} quotes not found", WARN)
    return plain(f"✓ {cited} quote{'' if cited == 1 else 's'} found", GOOD)


def seconds(value: float) -> str:
    """Give a duration for reading: milliseconds below one second."""
    return f"{value:.1f} s" if value >= 1 else f"{value * 1000:.0f} ms"


def hint_lines(lines: Sequence[tuple[str, str]], widest: int = 0) -> list[Block]:
    """Give aligned lines of a key, in `widest` cells or what they need, and what it does."""
    widest = max(widest, *(len(key) for key, _ in lines))
    return [
        Indented(Text(plain(text, QUIET)), plain(f"{key.ljust(widest)}  ", "bold"))
        for key, text in lines
    ]
