"""The lines under an answer: what is going on, how it ended, how far it can be trusted."""

from collections import Counter

from textual.content import Content

from rag_assistant.tui.chat.comparison import changed_line, difference_blocks
from rag_assistant.tui.chat.refusal_blocks import refusal_blocks
from rag_assistant.tui.chat.run_state import Phase, RunState, ToolStep
from rag_assistant.tui.drawing.layout import Ended, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, SEPARATOR, WARN, letters, problem, seconds
from rag_assistant.tui.drawing.unsupported import HARD_SIGN, SIGN
from rag_assistant.values.coverage import Coverage, coverage_details, coverage_statement
from rag_assistant.values.evidence import Answer, ModelUsage, QuoteState
from rag_assistant.values.scope import name_of

RETRY = ("r", "retry", "retry")
CONTINUE = ("c", "continue", "go_on")
QUEUED = ("e", "edit", "edit"), ("d", "remove", "remove")

REASON = 200
"""Characters of a reason that are shown in its line; the details have all of it."""


def outcome_blocks(state: RunState, *, details: bool) -> list[LayoutBlock]:
    """Give the lines; `details` unfolds what an error has to say, or what an answer saw."""
    lines = [joined([plain("! ", WARN), one_line(text)]) for text in state.warnings]
    blocks: list[LayoutBlock] = [Text(line) for line in lines]
    match state.phase:
        case Phase.QUEUED:
            said = plain("◌ queued: after the one before it.", QUIET)
            blocks.append(Ended(said, letters(QUEUED)))
        case Phase.RUNNING:
            blocks.append(Text(_activity(state)))
        case Phase.STOPPED:
            said = joined([plain("■ stopped", WARN), plain(f" after {seconds(state.seconds)}.")])
            blocks.append(Ended(said, _again(state)))
        case Phase.FAILED:
            blocks += _failure(state, details=details)
        case Phase.ANSWERED if state.answer:
            blocks += _took_over(state.answer)
            blocks += [Text(line) for line in _disagreements(state.answer)]
            blocks += [Text(line) for line in _said_otherwise(state.answer)]
            blocks += [Text(line) for line in _objections(state.answer)]
            if state.answer.unsupported:
                blocks += refusal_blocks(state, state.answer, unfolded=details)
            blocks.append(Text(_verdict(state, state.answer)))
            blocks += [Text(line) for line in changed_line(state)]
            blocks += coverage_blocks(state.answer.coverage, unfolded=details)
            blocks += difference_blocks(state)
    return blocks


def _again(state: RunState) -> Content:
    return letters([RETRY, CONTINUE] if state.text.strip() else [RETRY])


def _failure(state: RunState, *, details: bool) -> list[LayoutBlock]:
    """Give an error: one line with the next step, and the whole of it where that is wanted."""
    short = state.reason if len(state.reason) <= REASON else f"{state.reason[:REASON]}…"
    words = len(state.text.split())
    kept = plain(f" {words} word{'' if words == 1 else 's'} kept." if words else "", QUIET)
    keys = joined([_again(state), letters([DETAILS])], plain("  "))
    blocks: list[LayoutBlock] = [Ended(joined([problem(short, state.hint), kept]), keys)]
    if details:
        whole = [state.reason] if short != state.reason else []
        asked = ", ".join(map(name_of, state.databases))
        told = [f"asked: {asked}, after {seconds(state.seconds)}", *state.details]
        if state.model:
            told.insert(0, f"model: {state.model}")
        for said in (*whole, *told):
            blocks.append(Indented(Text(plain(said, QUIET)), plain("  ")))
    return blocks


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
        return f"waiting for your leave: {waiting.words.going}"
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


def _took_over(answer: Answer) -> list[LayoutBlock]:
    """Say that another model than the one asked has answered, and why; it can be asked again."""
    if not answer.fallback:
        return []
    said = f"{answer.model} answered instead: {answer.fallback}"
    return [Ended(joined([plain("! ", WARN), one_line(said)]), letters([RETRY]))]


def _disagreements(answer: Answer) -> list[Content]:
    """Say where the sources contradict one another, with each value and its date."""
    return [joined([plain("! ", WARN), one_line(one.words)]) for one in answer.disagreements]


def _said_otherwise(answer: Answer) -> list[Content]:
    """Say what the sources say otherwise, each value with that of the source."""
    told = [one.note for one in answer.sentences if one.support.is_hard and one.note]
    return [joined([plain(f"{HARD_SIGN} ", WARN), one_line(note)]) for note in told]


def _objections(answer: Answer) -> list[Content]:
    """Say what was found wrong with the answer; what was withheld needs it no more."""
    lines = () if answer.refusal else answer.objections
    return [joined([plain("! ", WARN), one_line(line)]) for line in lines]


def _verdict(state: RunState, answer: Answer) -> Content:
    """Say how far the answer can be trusted, and what it took."""
    parts = [] if answer.unsupported and not answer.voice else _checked(state)
    if hard := sum(one.support.is_hard for one in answer.sentences):
        count = f"{hard} sentence{'' if hard == 1 else 's'}"
        parts.append(plain(f"{HARD_SIGN} the sources say otherwise: {count}", WARN))
    if soft := sum(one.support.is_soft for one in answer.sentences):
        parts.append(plain(f"{SIGN} {soft} not confirmed word for word", QUIET))
    if answer.confidence_words:
        parts.append(plain(answer.confidence_words, QUIET))
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


def _checked(state: RunState) -> list[Content]:
    """Count the quotes by how they stand to their sources."""
    counts = Counter(state.marks.values())
    if not counts:
        return [plain("○ nothing cited", WARN)]
    parts: list[Content] = []
    for quote, count in sorted(counts.items(), key=lambda pair: list(QuoteState).index(pair[0])):
        sign, _, words = quote.words.partition(" ")
        if quote is QuoteState.FOUND:
            parts.append(plain(f"{sign} {count} quote{'' if count == 1 else 's'} found", GOOD))
        else:
            parts.append(plain(f"{sign} {count} {words}", WARN))
    return parts


DETAILS = ("d", "details", "details")
FAILURES = ("f", "unread files", "failures")

WIDEST_KIND = 10
"""Cells of what a part is: database, left out, scope, search, read, limit."""


def coverage_blocks(coverage: Coverage, *, unfolded: bool) -> list[LayoutBlock]:
    """Give the line, and all parts where they are wanted; nothing where there was no database."""
    if not coverage.databases:
        return []
    unread = coverage.entries_failed or coverage.files_partial
    lacks = unread or coverage.limits or coverage.left_out
    said = one_line(coverage_statement(coverage), WARN if lacks else QUIET)
    keys = [DETAILS, FAILURES] if unread else [DETAILS]
    arrow = plain("▾ " if unfolded else "▸ ", QUIET)
    blocks: list[LayoutBlock] = [Ended(joined([arrow, said]), letters(keys))]
    if unfolded:
        for kind, text in coverage_details(coverage):
            head = plain(f"  {kind.ljust(WIDEST_KIND)}", QUIET)
            blocks.append(Indented(Text(one_line(text)), head))
    return blocks
