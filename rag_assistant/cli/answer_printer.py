"""How a run is printed: for a person as it streams, as one JSON object, or as its events."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from typing import Literal

from rag_assistant.cli.drawn import GOOD, QUIET, WARN, DrawnWords, FileOf, draw, is_drawn
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import print_event, print_json, print_text, say
from rag_assistant.cli.sources import print_sources
from rag_assistant.cli.streamed_answer import StreamedAnswer
from rag_assistant.config import EXTRACTIVE
from rag_assistant.errors import in_full, with_stop
from rag_assistant.tools.step_words import StepWords, step_words
from rag_assistant.values.coverage import coverage_statement, seen_in_part
from rag_assistant.values.events import (
    Answered,
    Event,
    Note,
    RunStarted,
    Stopped,
    TextDelta,
    ToolFinished,
    ToolStarted,
    Waiting,
)
from rag_assistant.values.evidence import DRAFT, Answer, Voice
from rag_assistant.values.json_shapes import answer_json, event_json
from rag_assistant.values.support import check_lines
from rag_assistant.values.voice import ALSO, in_parts

Form = Literal["text", "json", "events"]


def form_of(options: Namespace) -> Form:
    """Give the form that the options ask for."""
    return "events" if options.events else "json" if options.json else "text"


FIRST_WAIT = 10.0
"""Seconds without a word of a model after which it is said that it is waited for."""

SHOWN_NOTES = 5
"""Notes on the evidence that are printed; the others are in the JSON."""


class AnswerPrinter:
    """Prints one run. `code` is 1 from when it was stopped, `ended` says that it came to its end.

    `conversation` gives the number by which the run is kept, None where it is not; `file_of` the
    file of an entry that is cited. Call `close` when no more events come.
    """

    def __init__(
        self,
        form: Form,
        conversation: Callable[[], int | None],
        file_of: FileOf = lambda *_: None,
    ) -> None:
        self.code = Exit.DONE
        self.ended = False
        self._form = form
        self._conversation = conversation
        self._file_of = file_of
        self._quotes = False
        self._streamed = False
        self._stream = StreamedAnswer()
        self._told_wait = 0.0
        self._databases: tuple[str, ...] = ()
        self._steps: dict[str, StepWords] = {}

    def show(self, event: Event) -> None:
        """Print an event."""
        self.ended = self.ended or isinstance(event, Answered | Stopped)
        if isinstance(event, Stopped):
            self.code = Exit.FAILED
        if self._form == "events":
            print_event(event_json(event))
        elif isinstance(event, Waiting):
            self._say_wait(event)
        elif self._form == "json":
            self._print_whole(event)
        else:
            self._print_part(event)

    def _say_wait(self, event: Waiting) -> None:
        """Say on a terminal what is waited for: soon, and then each time it has doubled."""
        if event.seconds < self._told_wait:
            self._told_wait = 0.0  # another wait
        if event.seconds >= max(FIRST_WAIT, 2 * self._told_wait) and sys.stderr.isatty():
            self._told_wait = event.seconds
            self.close()
            say(f"· {event.words} (Ctrl-C stops)", QUIET)

    def _print_whole(self, event: Event) -> None:
        """Print the answer as one object; a stopped run is one too, with the reason."""
        match event:
            case Note(text, was_streamed=False, is_plan=False):
                say(text)
            case Answered(answer):
                print_json({**answer_json(answer), "conversation": self._conversation()})
            case Stopped(reason, hint, partial):
                told = {"stopped": reason, "hint": hint, "conversation": self._conversation()}
                print_json({**answer_json(partial), **told})
                say(in_full(reason, hint))

    def _print_part(self, event: Event) -> None:
        """Show an event to a person.

        Into a pipe the answer goes as a whole, because streamed text may turn out to be a remark.
        """
        live = sys.stdout.isatty() and not self._quotes  # what they are worth is told first
        match event:
            case RunStarted(databases=databases, model=model):
                self._databases = databases
                self._quotes = model == EXTRACTIVE
            case TextDelta(text) if live:
                self._stream.write(text)
                self._streamed = True
            case Note(text, was_streamed, is_plan):
                self._print_note(text, was_streamed=was_streamed, is_plan=is_plan)
            case ToolStarted(call_id, tool, arguments):
                self._steps[call_id] = step_words(tool, arguments, self._databases)
            case ToolFinished(call_id, tool, _, summary, seconds) if sys.stderr.isatty():
                self.close()
                step = self._steps.get(call_id) or step_words(tool, {})
                say(f"· {step.done}: {summary} ({seconds:.2f} s)", QUIET)
            case Answered(answer):
                self._print_answer(answer)
            case Stopped(reason, hint, partial):
                self._print_answer(partial)
                say(in_full(reason, hint))

    def _print_note(self, text: str, *, was_streamed: bool, is_plan: bool) -> None:
        self.close()
        if was_streamed:
            self._streamed = False
        elif sys.stderr.isatty():
            say(f"· {text}" if is_plan else text, QUIET if is_plan else "")
        elif not is_plan:
            say(text)

    def close(self) -> None:
        """Let what was written of the answer so far stand, whatever is told next."""
        self._stream.end_block()

    def _text_left(self, answer: Answer, *, by_model: bool) -> str:
        """Give what is still to be printed of an answer's text, which may have been streamed."""
        self.close()
        if answer.voice:
            return ("\n" if self._streamed else "") + _folded(answer)
        if not self._streamed:
            return answer.text
        if not answer.refusal:
            return ""
        if by_model:
            return "\n" + answer.text.replace(answer.draft.strip(), "", 1)
        return f"\n— {DRAFT}: above. What can be said: —\n\n{answer.text}"

    def _print_answer(self, answer: Answer) -> None:
        by_model = answer.refusal is not None and answer.refusal.by_model
        text = self._text_left(answer, by_model=by_model)
        _print_text(answer, text)
        for line in _checks(answer):
            draw()
            draw(DrawnWords(line, WARN), hang=2)
        for disagreement in answer.disagreements:
            draw()
            draw(DrawnWords(disagreement.words, WARN))
        said = text if answer.voice else answer.text
        print_sources(((citation, "") for citation in answer.citations), said, self._file_of)
        if is_drawn() and answer.citations:
            draw()
        _say_why_nearest(answer)
        self._say_footer(answer)
        if answer.draft.strip() and not self._streamed and not by_model:
            say(f"{DRAFT}:")
            for line in answer.draft.splitlines():
                say(f"  {line}")
        for sent in answer.sent:
            say(f"{sent.words[0].upper()}{sent.words[1:]}.")
        if any(used.cost is not None for used in answer.usage_by_model):
            say(_cost_line(answer), QUIET)

    def _say_footer(self, answer: Answer) -> None:
        """Say what was searched, where the answer is kept, and how sure it is."""
        kept = self._conversation()
        name = f" Conversation {kept}." if kept else ""
        say(coverage_statement(answer.coverage) + name, QUIET)
        if unread := [seen.database for seen in seen_in_part(answer.coverage)]:
            say(f"What could not be read, and why: rag-assistant databases info {unread[0]}", QUIET)
        _say_notes(answer)
        if answer.confidence_words:
            say(f"Confidence: {answer.confidence_words}.", QUIET)


def _print_text(answer: Answer, text: str) -> None:
    """Print what is left of an answer; on a terminal as Markdown, its voice as a headline."""
    if not is_drawn():
        print_text(text)
        return
    from rag_assistant.cli.drawn_markdown import draw_markdown

    marks = {citation.marker: citation.item.state for citation in answer.citations}
    if answer.voice:
        voice, _, text = text.lstrip("\n").partition("\n")
        draw()
        draw(DrawnWords(voice, f"bold {GOOD if answer.voice is Voice.ANSWER else WARN}"))
        draw()
    if text.strip():
        draw_markdown(text, marks)


def _folded(answer: Answer) -> str:
    """Give the text; the further passages by their numbers, since they stand among the sources."""
    first, further = in_parts(answer.text)
    if not further:
        return answer.text
    markers = [f"[{citation.marker}]" for citation in answer.citations]
    others = "".join(marker for marker in markers if marker not in first)
    return f"{first}\n\n{ALSO} {others}" if others else first


def _say_why_nearest(answer: Answer) -> None:
    """Say why nothing is claimed of the nearest passages, and how to find more."""
    if answer.voice is Voice.NEAREST and answer.refusal:
        say(with_stop(f"Nothing is claimed of these: {answer.refusal.reason}"))
        for step in answer.refusal.widen:
            say(f"- {step}")


def _say_notes(answer: Answer) -> None:
    """Say what a reader must know of the evidence, each once, the first few of them."""
    notes = list(dict.fromkeys(note for one in answer.evidence for note in one.notes))
    for note in notes[:SHOWN_NOTES]:
        say(f"Note: {with_stop(note)}", QUIET)
    if len(notes) > SHOWN_NOTES:
        say(f"And {len(notes) - SHOWN_NOTES} more notes: --json has them.")


def _checks(answer: Answer) -> Iterator[str]:
    """Say what the sources say otherwise or do not confirm, and what else is wrong with it."""
    yield from (f"! {line}" for line in check_lines(answer.text, answer.sentences))
    if not answer.refusal:
        yield from (f"! {objection}" for objection in answer.objections)


def _cost_line(answer: Answer) -> str:
    """Say what each model used, and what it cost; one without prices costs nothing known."""
    used = [
        f"{each.model} ({each.role}) {each.usage.input_tokens:,} tokens in, "
        f"{each.usage.output_tokens:,} out"
        + ("" if each.cost is None else f", cost {each.cost:.6f}")
        for each in answer.usage_by_model
    ]
    total = "" if answer.cost is None or len(used) == 1 else f" Together: cost {answer.cost:.6f}."
    return f"Used: {'; '.join(used)}.{total}"
