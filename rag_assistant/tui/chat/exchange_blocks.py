"""How a question with its steps, its answer and its outcome looks."""

from collections.abc import Sequence

from rag_assistant.tui.chat.answer_blocks import answer_blocks
from rag_assistant.tui.chat.exchange_outcome import outcome_blocks
from rag_assistant.tui.chat.fault_blocks import stand_in_blocks
from rag_assistant.tui.chat.run_state import Phase, Remark, RunState, ToolStep
from rag_assistant.tui.drawing.growing_markdown import GrowingMarkdown
from rag_assistant.tui.drawing.interface_words import in_keys
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import (
    BAD,
    GOOD,
    MARGIN,
    QUIET,
    SEPARATOR,
    WARN,
    image_token,
    seconds,
)
from rag_assistant.tui.drawing.suggestion_keys import said_of
from rag_assistant.values.scope import Scope, Wanted

SHORT_OUTCOME = 40
"""Characters of what came of a step that stand in its own line; more stands below it."""


def exchange_blocks(
    state: RunState,
    *,
    expanded: bool,
    chosen: bool = False,
    details: bool = False,
    growing: GrowingMarkdown | None = None,
) -> tuple[LayoutBlock, ...]:
    """Give the blocks of one exchange.

    `expanded` shows its steps one by one, `details` all of an error; a `chosen` one is what keys of
    the conversation act on. `growing` knows what was written of its answer so far.
    """
    asked = plain("▌ " if chosen else "❯ ", "bold $text-accent" if chosen else "bold $text-primary")
    blocks: list[LayoutBlock] = [Indented(Text(plain(state.question, "bold")), asked)]
    if limits := asked_in(state.databases):
        blocks.append(Indented(Text(one_line(limits, QUIET)), MARGIN))
    for number, image in enumerate(state.images, 1):
        blocks.append(Indented(Text(image_token(number, image.name)), MARGIN))
    blocks += step_blocks(state, expanded=expanded)
    stand_in = stand_in_blocks(state, details=details)
    if stand_in:
        blocks += [Text(), *(Indented(block, MARGIN) for block in stand_in)]
    written = answer_blocks(state, details=details, growing=growing or GrowingMarkdown(MARGIN))
    if written:
        blocks += [Text(), *written]
    outcome = outcome_blocks(state, details=details)
    if (written or stand_in) and outcome:
        blocks.append(Text())
    blocks += [Indented(block, MARGIN) for block in outcome]
    if state.phase is Phase.ANSWERED and state.suggestions:
        blocks += [Text(), *_follow_ups(state.suggestions)]
    return tuple(blocks)


def _follow_ups(questions: Sequence[str]) -> list[LayoutBlock]:
    blocks: list[LayoutBlock] = []
    for place, question in enumerate(questions):
        arrow = plain("→ ", "$text-primary")
        key = plain(f"  {said_of(place)}", QUIET)
        line = joined([clickable(one_line(question), {"suggestion": place}), key])
        blocks.append(Indented(Indented(Text(line), arrow), MARGIN))
    return blocks


def step_blocks(state: RunState, *, expanded: bool) -> list[LayoutBlock]:
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
    head = clickable(joined([arrow, joined(parts, SEPARATOR)]), {"action": "steps"})
    blocks: list[LayoutBlock] = [Indented(Text(head), MARGIN)]
    if expanded:
        blocks += [Indented(block, plain("    ")) for step in state.steps for block in _step(step)]
        told = [joined([plain("↗ ", WARN), one_line(one.words, QUIET)]) for one in sent]
        blocks += [Indented(Text(line), plain("    ")) for line in told]
    return blocks


def _step(step: ToolStep | Remark) -> list[LayoutBlock]:
    if isinstance(step, Remark):
        mark = plain("◇ " if step.is_plan else "– ", QUIET)
        return [Indented(Text(one_line(in_keys(step.text), QUIET)), mark)]
    mark = plain("· ", QUIET) if step.seconds is None else plain("✓ ", GOOD)
    if not step.ok:
        mark = plain("✗ ", BAD)
    words, outcome, rest = step.words, "", step.summary
    if step.ok:
        outcome, _, rest = step.summary.partition(": ")
        if len(outcome) > SHORT_OUTCOME:
            outcome, rest = "", step.summary
    said = words.going if step.seconds is None else words.done + (":" if outcome else "")
    took = "…" if step.seconds is None else seconds(step.seconds)
    facts = [one_line(outcome)] if outcome else []
    right = joined([*facts, plain(took, QUIET)], SEPARATOR)
    blocks: list[LayoutBlock] = [Row(joined([mark, one_line(said)]), right)]
    details = [one_line(f"{name}: {value}", QUIET) for name, value in words.others]
    if rest:
        details.append(joined([plain("→ ", QUIET), one_line(rest, QUIET if step.ok else BAD)]))
    return [*blocks, *(Indented(Text(detail), plain("  ")) for detail in details)]


def asked_in(wanted: Sequence[Wanted]) -> str:
    """Say it: "in 3 documents of handbook"; "" for a question of whole databases."""
    if not any(isinstance(one, Scope) for one in wanted):
        return ""
    return f"in {', '.join(map(_place, wanted))}"


def _place(one: Wanted) -> str:
    if isinstance(one, str):
        return f"all of {one}"
    folders = [path for path in one.paths if path.endswith("/")]
    files = [path for path in one.paths if not path.endswith("/")]
    named = [_counted(files, len(files) + len(one.entries), "document")]
    named.append(_counted(folders, len(folders), "folder"))
    return f"{' and '.join(filter(None, named)) or 'nothing'} of {one.database}"


def _counted(names: Sequence[str], count: int, what: str) -> str:
    """Name the only one, where it has a name; count several."""
    if count == 1:
        return names[0] if names else f"1 {what}"
    return f"{count:,} {what}s" if count else ""
