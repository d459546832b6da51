"""The lines under an answer: what is going on, how it ended, how far it can be trusted."""

from textual.content import Content

from rag_assistant.tui.chat.comparison import changed_line, difference_blocks
from rag_assistant.tui.chat.fault_blocks import CONTINUE, RETRY, failure_blocks
from rag_assistant.tui.chat.footer import footer_blocks
from rag_assistant.tui.chat.refusal_blocks import refusal_blocks
from rag_assistant.tui.chat.run_state import Phase, RunState, ToolStep
from rag_assistant.tui.drawing.layout import Ended, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN, letters, seconds
from rag_assistant.tui.drawing.unsupported import HARD_SIGN
from rag_assistant.values.evidence import Answer

QUEUED = ("e", "edit", "edit"), ("d", "remove", "remove")


def outcome_blocks(state: RunState, *, details: bool) -> list[LayoutBlock]:
    """Give the lines; `details` unfolds what an error has to say, or what an answer saw."""
    told = answer_objections(state)
    warned = [text for text in state.warnings if text not in told]
    blocks: list[LayoutBlock] = [
        Text(joined([plain("! ", WARN), one_line(text)])) for text in warned
    ]
    match state.phase:
        case Phase.QUEUED:
            said = plain("◌ queued: after the one before it.", QUIET)
            blocks.append(Ended(said, letters(QUEUED)))
        case Phase.RUNNING:
            blocks.append(Text(_activity(state)))
        case Phase.STOPPED:
            said = joined([plain("■ stopped", WARN), plain(f" after {seconds(state.seconds)}.")])
            again = [RETRY, CONTINUE] if state.text.strip() else [RETRY]
            blocks.append(Ended(said, letters(again)))
        case Phase.FAILED:
            blocks += failure_blocks(state, details=details)
        case Phase.ANSWERED if state.answer:
            blocks += _answered(state, state.answer, details=details)
    return blocks


def _answered(state: RunState, answer: Answer, *, details: bool) -> list[LayoutBlock]:
    blocks = [Text(line) for line in _disagreements(answer)]
    blocks += [Text(line) for line in _said_otherwise(answer)]
    blocks += [Text(joined([plain("! ", WARN), one_line(one)])) for one in answer_objections(state)]
    refused: list[LayoutBlock] = []
    if answer.unsupported:
        refused += refusal_blocks(state, answer, unfolded=details)
        refused.append(Text())
    changed = [Text(line) for line in changed_line(state)]
    footer = footer_blocks(state, answer, unfolded=details)
    return [*blocks, *refused, *changed, *footer, *difference_blocks(state)]


def answer_objections(state: RunState) -> tuple[str, ...]:
    """Give what was found wrong with an answer; what was withheld needs it no more."""
    answer = state.answer
    return answer.objections if answer and not answer.refusal else ()


def _activity(state: RunState) -> Content:
    elapsed = state.elapsed
    took = f" {elapsed:.1f} s" if elapsed < 3 else f" {elapsed:.0f} s"
    waiting = f" ({state.waiting})" if state.waiting else ""
    said = one_line(doing(state) + waiting, "$text-primary")
    return joined([said, plain(f"{took}, Esc stops", QUIET)])


def doing(state: RunState) -> str:
    """Say in a few words what a run is at."""
    going = [step for step in state.steps if isinstance(step, ToolStep) and step.seconds is None]
    waiting = next((step for step in going if step.waits), None)
    if waiting:
        return f"waiting for you: {waiting.words.going}"
    if going:
        kind = going[0].tool.split("_")[0]
        kinds = {"search": "searching…", "query": _reading(state)}
        return kinds.get(kind, f"{going[0].words.going}…")
    return "writing…" if state.text.strip() else "thinking…"


def _reading(state: RunState) -> str:
    """Say which of the entries that were asked for is being read."""
    reads = [s for s in state.steps if isinstance(s, ToolStep) and s.tool.startswith("query_")]
    done = sum(len(step.entries) for step in reads if step.seconds is not None)
    whole = sum(len(step.entries) for step in reads)
    return f"reading {done + 1} of {whole}…" if whole > 1 else "reading…"


def _disagreements(answer: Answer) -> list[Content]:
    """Say where the sources contradict one another, with each value and its date."""
    return [joined([plain("! ", WARN), one_line(one.words)]) for one in answer.disagreements]


def _said_otherwise(answer: Answer) -> list[Content]:
    """Say what the sources say otherwise, each value with that of the source."""
    told = [one.note for one in answer.sentences if one.support.is_hard and one.note]
    return [joined([plain(f"{HARD_SIGN} ", WARN), one_line(note)]) for note in told]
