"""How a question with its steps, its answer and its outcome looks."""

from collections.abc import Sequence

from rag_assistant.tui.chat.asked_in import asked_in
from rag_assistant.tui.chat.exchange_outcome import outcome_blocks
from rag_assistant.tui.chat.exchange_steps import step_blocks
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.layout import Block, Indented, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import (
    MARGIN,
    QUIET,
    image_token,
)


def exchange_blocks(
    state: RunState, *, expanded: bool, chosen: bool = False, details: bool = False
) -> tuple[Block, ...]:
    """Give the blocks of one exchange.

    `expanded` shows its steps one by one, `details` all of an error; a `chosen` one is what keys of
    the conversation act on.
    """
    asked = plain("▌ " if chosen else "❯ ", "bold $text-accent" if chosen else "bold $text-primary")
    blocks: list[Block] = [Indented(Text(plain(state.question, "bold")), asked)]
    if limits := asked_in(state.databases):
        blocks.append(Indented(Text(one_line(limits, QUIET)), MARGIN))
    for number, image in enumerate(state.images, 1):
        blocks.append(Indented(Text(image_token(number, image.name)), MARGIN))
    blocks += step_blocks(state, expanded=expanded)
    refused = state.answer is not None and state.answer.refusal is not None
    text = "" if refused else state.text.strip()  # what a refusal says is in the outcome
    if text:
        sentences = state.answer.sentences if state.answer else ()
        written = markdown_blocks(state.text, state.marks, sentences)
        blocks += [Text(), *(Indented(block, MARGIN) for block in written)]
    outcome = outcome_blocks(state, details=details)
    if text and outcome:
        blocks.append(Text())
    blocks += [Indented(block, MARGIN) for block in outcome]
    if state.phase is Phase.ANSWERED and state.suggestions:
        blocks += [Text(), *_follow_ups(state.suggestions)]
    return tuple(blocks)


def _follow_ups(questions: Sequence[str]) -> list[Block]:
    blocks: list[Block] = []
    for place, question in enumerate(questions):
        arrow = plain("→ ", "$text-primary")
        key = plain("  Ctrl+S asks it", QUIET) if place == 0 else plain("")
        line = joined([clickable(one_line(question), {"suggestion": place}), key])
        blocks.append(Indented(Indented(Text(line), arrow), MARGIN))
    return blocks
