"""The events of a run, the whole interface between the assistant and its front ends.

A run yields any number of events and ends with exactly one `Answered` or `Stopped`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rag_assistant.values.evidence import Answer, Citation, Evidence
from rag_assistant.values.scope import Scope


@dataclass(frozen=True, slots=True)
class RunStarted:
    """A question was taken up; `scope` has the parts of databases that it was limited to."""

    question: str
    databases: tuple[str, ...]
    model: str
    scope: tuple[Scope, ...] = ()


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, as it streams; citation markers are already numbered."""

    text: str


@dataclass(frozen=True, slots=True)
class Note:
    """Something to know that is not the answer.

    `was_streamed`: the text of this step's `TextDelta`s turned out to be no part of the answer,
    such as a remark before tool calls; a front end takes it out. Where it is what came of a reply
    that `broke_off`, it is kept beside the answer, marked as incomplete. `is_plan`: the model says
    what it is about to do; a front end shows it folded. `failure` says what was wrong with a model
    in whose place another goes on, and `hint` what can be done; `text` says both. What is `passing`
    says how things stand now, and qualifies no answer.
    """

    text: str
    was_streamed: bool = False
    is_plan: bool = False
    broke_off: bool = False
    failure: str = ""
    hint: str = ""
    passing: bool = False


@dataclass(frozen=True, slots=True)
class Waiting:
    """A model is waited for: no word of it came for so many seconds.

    It tells how things stand now, and is not kept. `tokens` is about how many it was given to read;
    `is_working` where something comes of it that is no text, such as thoughts.
    """

    model: str
    seconds: float
    tokens: int
    is_working: bool = False

    @property
    def words(self) -> str:
        """Say in a line what is waited for."""
        doing = "is thinking" if self.is_working else f"is reading about {self.tokens:,} tokens"
        return f"{self.model} {doing}: no word for {self.seconds:.0f} s"


@dataclass(frozen=True, slots=True)
class ToolStarted:
    """A tool call is about to run."""

    call_id: str
    tool: str
    arguments: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class ToolFinished:
    """A tool call ended; `summary` is one line for a person. A failure goes on to the model."""

    call_id: str
    tool: str
    ok: bool
    summary: str
    seconds: float


@dataclass(frozen=True, slots=True)
class EvidenceFound:
    """Entries were condensed to the words that matter."""

    evidence: Evidence


@dataclass(frozen=True, slots=True)
class CitationResolved:
    """The answer cites this for the first time."""

    citation: Citation


@dataclass(frozen=True, slots=True)
class TitleGiven:
    """The model named the conversation."""

    title: str


@dataclass(frozen=True, slots=True)
class Suggested:
    """The model suggests a question that might follow."""

    question: str


@dataclass(frozen=True, slots=True)
class PermissionWanted:
    """A tool that does more than read waits for the person's permission.

    The answer goes through the run's `permit`; without one the call is denied. `explanation` is
    what will happen, for a person to judge.
    """

    call_id: str
    tool: str
    arguments: Mapping[str, Any]
    explanation: str


@dataclass(frozen=True, slots=True)
class Answered:
    """The run is done."""

    answer: Answer


@dataclass(frozen=True, slots=True)
class Stopped:
    """The run ended early; `partial` is what there was until then."""

    reason: str
    hint: str
    partial: Answer


Event = (
    RunStarted
    | TextDelta
    | Note
    | Waiting
    | ToolStarted
    | ToolFinished
    | EvidenceFound
    | CitationResolved
    | TitleGiven
    | Suggested
    | PermissionWanted
    | Answered
    | Stopped
)
