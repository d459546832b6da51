"""How a question with its steps, its answer and its outcome looks."""

from collections.abc import Sequence

from textual.content import Content

from rag_assistant.evidence import Answer, ModelUsage
from rag_assistant.tui.layout import Block, Indented, Row, Text
from rag_assistant.tui.markdown_blocks import markdown_blocks
from rag_assistant.tui.run_state import Attached, Phase, Remark, RunState, ToolStep
from rag_assistant.tui.safe_widgets import clickable, joined, one_line, plain

MARGIN = plain("  ")
QUIET = "$foreground 60%"
GOOD = "$text-success"
WARN = "$text-warning"
BAD = "$text-error"
SEPARATOR = plain(" · ", QUIET)
QUEUED = "◌ queued: after the one before it. Shift+Tab, then e edits, d removes"
AGAIN = "Shift+Tab, then r asks again, e edits"


def exchange_blocks(state: RunState, *, expanded: bool, chosen: bool = False) -> tuple[Block, ...]:
    """Give the blocks of one exchange.

    `expanded` shows its steps one by one; a `chosen` one is what keys of the conversation act on.
    """
    asked = plain("▌ " if chosen else "❯ ", "bold $text-accent" if chosen else "bold $text-primary")
    question = Text(plain(state.question, "bold"))
    blocks: list[Block] = [Indented(question, asked)]
    blocks += [Indented(Text(image_token(n, i.name)), MARGIN) for n, i in _counted(state.images)]
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
    if state.phase is Phase.ANSWERED and state.suggestions:
        blocks += [Text(), *_follow_ups(state.suggestions)]
    return tuple(blocks)


def image_token(number: int, name: str) -> Content:
    """Give what stands for an image that goes along with a question."""
    return one_line(f"[image {number}: {name}]", "$text-secondary")


def _counted(images: Sequence[Attached]) -> list[tuple[int, Attached]]:
    return list(enumerate(images, 1))


def _follow_ups(questions: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    for place, question in enumerate(questions):
        arrow = plain("→ ", "$text-primary")
        key = plain("  Ctrl+S asks it", QUIET) if place == 0 else plain("")
        line = joined([clickable(one_line(question), {"suggestion": place}), key])
        blocks.append(Indented(Indented(Text(line), arrow), MARGIN))
    return blocks


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
    has_plan = any(isinstance(step, Remark) and step.is_plan for step in state.steps)
    parts = [plain("plan", QUIET)] if has_plan else []
    if count or not has_plan:
        parts.append(plain(f"{count} step{'' if count == 1 else 's'}" if count else "note", QUIET))
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


def _outcome(state: RunState) -> list[Content]:
    """Give the lines under an answer: what is going on, or how it ended."""
    warnings = [joined([plain("! ", WARN), one_line(text)]) for text in state.warnings]
    match state.phase:
        case Phase.QUEUED:
            return [plain(QUEUED, QUIET)]
        case Phase.RUNNING:
            return [*warnings, _activity(state)]
        case Phase.STOPPED:
            kept = "the text so far is kept" if state.text.strip() else "nothing was written yet"
            return [
                *warnings,
                joined(
                    [
                        plain("■ stopped", WARN),
                        plain(f" after {seconds(state.seconds)}; {kept}. "),
                        plain(AGAIN, QUIET),
                    ]
                ),
            ]
        case Phase.FAILED:
            again = plain(AGAIN, QUIET)
            return [*warnings, joined([problem(state.reason, state.hint), plain(" "), again])]
        case Phase.ANSWERED:
            if not state.answer:
                return warnings
            return [*warnings, *_took_over(state.answer), _verdict(state.answer)]


def _took_over(answer: Answer) -> list[Content]:
    """Say that another model than the one asked has answered, and why."""
    if not answer.fallback:
        return []
    said = f"{answer.model} answered instead: {answer.fallback}"
    return [joined([plain("! ", WARN), one_line(said)])]


def _activity(state: RunState) -> Content:
    return joined(
        [
            one_line(doing(state), "$text-primary"),
            SEPARATOR,
            plain(f"{state.elapsed:.1f} s", QUIET),
            SEPARATOR,
            plain("Esc stops", QUIET),
        ]
    )


def doing(state: RunState) -> str:
    """Say in a few words what a run is at."""
    going = [step for step in state.steps if isinstance(step, ToolStep) and step.seconds is None]
    waiting = next((step.tool for step in going if step.waits), "")
    if waiting:
        return f"waiting for you: run {waiting}?"
    if going:
        kinds = {"search": "searching…", "query": "reading…"}
        return kinds.get(going[0].tool.split("_")[0], f"{going[0].tool}…")
    return "writing…" if state.text.strip() else "thinking…"


def _verdict(answer: Answer) -> Content:
    """Say how far the answer can be trusted, what it saw, and what it took."""
    coverage = answer.coverage
    parts = [_checked(answer)]
    if coverage.entries_indexed:
        read = f"read {coverage.entries_read} of {coverage.entries_indexed} entries"
        parts.append(plain(read, QUIET))
    if coverage.entries_failed:
        parts.append(plain(f"{coverage.entries_failed} files unreadable", WARN))
    if answer.usage.total_tokens:
        parts.append(one_line(_tokens(answer), QUIET))
    if answer.cost is not None:
        parts.append(plain(f"cost {answer.cost:.4f}", QUIET))
    parts.append(plain(seconds(answer.elapsed_ms / 1000), QUIET))
    return joined(parts, SEPARATOR)


def _tokens(answer: Answer) -> str:
    """Count tokens; where more than one model had a part, each by what it did."""
    used = [used for used in answer.usage_by_model if used.usage.total_tokens]
    whole = f"{answer.usage.total_tokens:,} tokens".replace(",", " ")
    return f"{whole} ({', '.join(map(_share, used))})" if len(used) > 1 else whole


def _share(used: ModelUsage) -> str:
    return f"{used.role} {used.usage.total_tokens:,}".replace(",", " ")


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
