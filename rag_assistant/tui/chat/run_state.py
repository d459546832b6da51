"""What is known of one question so far, gathered from the events of its run."""

import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path

from rag_assistant.history.recording import Follows
from rag_assistant.tools.step_words import StepWords, asked_entries, step_words
from rag_assistant.values.events import (
    Answered,
    CitationResolved,
    Event,
    EvidenceFound,
    Note,
    PermissionWanted,
    RunStarted,
    Stopped,
    Suggested,
    TextDelta,
    TitleGiven,
    ToolFinished,
    ToolStarted,
    Waiting,
)
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, QuoteState
from rag_assistant.values.scope import Wanted, name_of, wanted_of


class Phase(Enum):
    """How far a question has come."""

    QUEUED = "queued"
    RUNNING = "running"
    ANSWERED = "answered"
    STOPPED = "stopped"
    FAILED = "failed"


@dataclass(slots=True)
class ToolStep:
    """A tool call; `seconds` is None while it runs."""

    call_id: str
    tool: str
    arguments: Mapping[str, object]
    summary: str = ""
    ok: bool = True
    seconds: float | None = None
    waits: bool = False
    """Whether it waits for the person's permission."""

    databases: tuple[str, ...] = ()
    """Those that were asked, which tools are named after."""

    @property
    def words(self) -> StepWords:
        """What it does, for a person."""
        return step_words(self.tool, self.arguments, self.databases)

    @property
    def entries(self) -> list[str]:
        """The ids of the entries that it reads, as the model wrote them."""
        return asked_entries(self.arguments)


@dataclass(frozen=True, slots=True)
class Remark:
    """Something said on the way that is not part of the answer; `is_plan` says what comes next."""

    text: str
    is_plan: bool = False


@dataclass(frozen=True, slots=True)
class Attached:
    """The file of an image that goes along with a question."""

    path: Path

    @property
    def name(self) -> str:
        """The file's name."""
        return self.path.name


@dataclass(slots=True)
class RunState:
    """One question, with all that has happened to it.

    `waiting` says which model is waited for. `reason` and `hint` say why it was stopped or failed,
    and `details` what else is known of it. `failure` says what was wrong with a model in whose
    place another goes on, `remedy` what can be done, and `broken_off` is what it had written.
    `warnings` are remarks that qualify the answer and belong beside it. `quotes` has how citations
    stand to their sources now, as far as that was looked up; `closest` is what was found where
    nothing is cited. `before` is the earlier asking that the answer is compared with. `kept` is
    where it is kept, and `wrong` has the citations that the person holds for wrong. `can_widen`:
    there are documents that it was not asked of.
    """

    question: str
    databases: tuple[Wanted, ...] = ()
    phase: Phase = Phase.QUEUED
    images: tuple[Attached, ...] = ()
    title: str = ""
    model: str = ""
    text: str = ""
    steps: list[ToolStep | Remark] = field(default_factory=list)
    citations: list[Citation] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)
    suggestions: list[str] = field(default_factory=list)
    answer: Answer | None = None
    waiting: str = ""
    reason: str = ""
    hint: str = ""
    details: tuple[str, ...] = ()
    failure: str = ""
    remedy: str = ""
    broken_off: str = ""
    can_widen: bool = False
    quotes: Mapping[int, QuoteState] = field(default_factory=dict)
    closest: tuple[EvidenceItem, ...] = ()
    before: "RunState | None" = None
    kept: Follows | None = None
    wrong: frozenset[int] = frozenset()
    started: float = 0.0
    seconds: float = 0.0

    @property
    def marks(self) -> dict[int, QuoteState]:
        """How each citation stands to its source, by its number, or that it is held for wrong."""
        return {
            citation.marker: QuoteState.WRONG
            if citation.marker in self.wrong
            else self.quotes.get(citation.marker, citation.item.state)
            for citation in self.citations
        }

    @property
    def over(self) -> bool:
        """Whether nothing more will come."""
        return self.phase not in (Phase.QUEUED, Phase.RUNNING)

    @property
    def elapsed(self) -> float:
        """Seconds since it was taken up, as long as it runs; then what it took."""
        running = self.phase is Phase.RUNNING
        return time.monotonic() - self.started if running else self.seconds

    def start(self) -> None:
        """Note that the question is being answered from now on."""
        self.phase, self.started = Phase.RUNNING, time.monotonic()

    def stop(self) -> None:
        """Note that the person stopped it; what there is stays."""
        self._end(Phase.STOPPED)

    def fail(self, reason: str, hint: str, details: tuple[str, ...] = ()) -> None:
        """Note that it cannot be answered."""
        self.reason, self.hint, self.details = reason, hint, details
        self._end(Phase.FAILED)

    def apply(self, event: Event) -> None:
        """Take in the next event; what comes after the end is left out."""
        if self.over:
            return
        self.waiting = event.words if isinstance(event, Waiting) else ""
        match event:
            case RunStarted():
                self.model = event.model
                self.databases = wanted_of(event.databases, event.scope)
            case TextDelta():
                self.text += event.text
            case CitationResolved():
                self.citations.append(event.citation)
            case Answered():
                self._take(event.answer, Phase.ANSWERED)
            case Stopped():
                self.reason, self.hint = event.reason, event.hint
                self._take(event.partial, Phase.FAILED)
            case Note():
                self._note(event)
            case TitleGiven():
                self.title = event.title
            case Suggested():
                self.suggestions.append(event.question)
            case _:
                self._step(event)

    def _note(self, note: Note) -> None:
        """Keep a remark; one that was streamed was no part of the answer."""
        if note.failure:
            self.failure, self.remedy = note.failure, note.hint
            return
        if note.was_streamed:
            self.text = ""
            self.citations.clear()
        if note.broke_off:
            self.broken_off = note.text
            return
        self.steps.append(Remark(note.text, note.is_plan))
        if note.passing:
            self.waiting = note.text
        elif not (note.was_streamed or note.is_plan):
            self.warnings.append(note.text)

    def _step(
        self, event: ToolStarted | ToolFinished | EvidenceFound | PermissionWanted | Waiting
    ) -> None:
        match event:
            case ToolStarted():
                names = tuple(map(name_of, self.databases))
                self.steps.append(
                    ToolStep(event.call_id, event.tool, event.arguments, databases=names)
                )
            case PermissionWanted():
                if step := self._going_on(event.call_id):
                    step.waits = True
            case ToolFinished():
                if step := self._going_on(event.call_id):
                    step.summary, step.ok, step.seconds = event.summary, event.ok, event.seconds
                    step.waits = False
            case EvidenceFound():
                self.steps += [Remark(note) for note in event.evidence.notes]

    def _going_on(self, call_id: str) -> ToolStep | None:
        """Find the step of a call that has not ended; ids may come more than once."""
        for step in self.steps:
            if isinstance(step, ToolStep) and step.call_id == call_id and step.seconds is None:
                return step
        return None

    def _take(self, answer: Answer, phase: Phase) -> None:
        self.answer, self.text, self.citations = answer, answer.text, list(answer.citations)
        self.closest = answer.refusal.nearest if answer.refusal else self.closest
        self._end(phase)

    def _end(self, phase: Phase) -> None:
        self.seconds = time.monotonic() - self.started if self.started else 0.0
        self.phase = phase
