"""How the text of an answer looks: what the built-in model quotes stands below its voice."""

from collections.abc import Mapping
from dataclasses import replace

from textual.content import Content

from rag_assistant.config import EXTRACTIVE
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.growing_markdown import GrowingMarkdown
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.drawing.safe_widgets import clickable, plain
from rag_assistant.tui.drawing.signs import GOOD, MARGIN, QUIET, WARN
from rag_assistant.values.evidence import Answer, Voice
from rag_assistant.values.voice import in_parts

_STYLES: Mapping[Voice, str] = {
    Voice.ANSWER: f"bold {GOOD}",
    Voice.PROBABLY: "bold",
    Voice.NEAREST: f"bold {WARN}",
}


def answer_blocks(state: RunState, *, details: bool, growing: GrowingMarkdown) -> list[LayoutBlock]:
    """Give the blocks of what is written, in its place; `details` unfolds the further passages.

    What a refusal says is in the outcome. What the built-in model quotes waits for its voice.
    """
    answer = state.answer
    if not state.text.strip() or (state.phase is Phase.RUNNING and state.model == EXTRACTIVE):
        return []
    if answer is None:
        return growing.blocks(state.text, state.marks)
    if answer.voice and answer.chance is not None:
        blocks = _spoken(state, answer, answer.voice, details=details)
    elif answer.refusal:
        blocks = []
    else:
        blocks = markdown_blocks(state.text, state.marks, answer.sentences)
    return [Indented(block, MARGIN) for block in blocks]


def _spoken(state: RunState, answer: Answer, voice: Voice, *, details: bool) -> list[LayoutBlock]:
    head, _, text = answer.text.partition("\n\n")
    first, further = in_parts(text)
    shown = text if details else first
    begin = len(answer.text) - len(text)
    sentences = [
        replace(one, start=one.start - begin, end=one.end - begin)
        for one in answer.sentences
        if begin <= one.start and one.end <= begin + len(shown)
    ]
    blocks: list[LayoutBlock] = [Text(plain(head.removesuffix(":"), _STYLES[voice])), Text()]
    blocks += markdown_blocks(shown, state.marks, sentences)
    if further and not details:
        count = sum(f"[{one.marker}]" in further for one in answer.citations)
        blocks += [Text(), Text(_folded(count))]
    return blocks


def _folded(count: int) -> Content:
    """Say how many further passages there are; a click unfolds them, as the footer's key does."""
    what = f"{count} further passage{'' if count == 1 else 's'}"
    return clickable(plain(f"▸ Also: {what}", QUIET), {"action": "details"})
