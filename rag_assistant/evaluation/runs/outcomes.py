"""What came back for a question, stage by stage: what is kept of a run, and measured later."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Evidence

Stage = Literal["search", "retrieve", "answer"]
STAGES: tuple[Stage, ...] = ("search", "retrieve", "answer")


@dataclass(frozen=True, slots=True)
class QuestionCost:
    """What one question took.

    Times are in milliseconds; `first_ms` is until the first thing that a person can read: a hit, a
    quote, a word of the answer; None where there was none. `tokens_in` and `tokens_out` are of all
    models together, `cost` is in the currency of their prices and None where none has any.
    """

    elapsed_ms: float
    first_ms: float | None = None
    tool_calls: int = 0
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class RankedDocument:
    """A document of a ranking, named as in the question set, with its score (higher is better)."""

    document: str
    score: float


@dataclass(frozen=True, slots=True)
class ShownHit:
    """One of the first hits as a person sees it.

    `document` is its name in the question set, and `grade` that document's, 0 for none.
    """

    database: str
    entry_id: int
    title: str
    path: str
    location: Location
    snippet: str
    grade: int
    document: str = ""


@dataclass(frozen=True, slots=True)
class SearchOutcome:
    """What search gave for a question: documents, best first, each once, and the first hits.

    `grades` are those that the ranking is judged by: versions of a document count as one.
    """

    question_id: str
    ranking: tuple[RankedDocument, ...]
    grades: Mapping[str, int]
    traffic: QuestionCost
    hits: tuple[ShownHit, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Characters `start` to `end` of an entry's text."""

    database: str
    entry_id: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Overlap:
    """Tokens of the reference excerpts, of the retrieved ones, and those that are in both."""

    wanted: int
    retrieved: int
    common: int


@dataclass(frozen=True, slots=True)
class EvidenceOutcome:
    """What the RetrievalAgent gave for a question, against the reference excerpts.

    `wanted` are the places of the question's quotes, `unplaced` those quotes that stand in no
    document that was searched. `passage_overlap` compares `passages`, which are those that searches
    gave the model, whole; `evidence_overlap` compares the verified quotes of `evidence`. Both are
    None where no quote was placed. `stopped` says why it ended early, if it did.
    """

    question_id: str
    traffic: QuestionCost
    wanted: tuple[Span, ...] = ()
    unplaced: tuple[str, ...] = ()
    passages: tuple[Span, ...] = ()
    evidence: tuple[Evidence, ...] = ()
    passage_overlap: Overlap | None = None
    evidence_overlap: Overlap | None = None
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class RecordedCall:
    """A call of a tool during a run."""

    tool: str
    ok: bool
    seconds: float


@dataclass(frozen=True, slots=True)
class ModelVerdict:
    """What a judging model says of an answer: "right", "partly" or "wrong", and why.

    `failure` says why there is no verdict, which is then "".
    """

    model: str
    verdict: Literal["right", "partly", "wrong", ""]
    reason: str = ""
    failure: str = ""
    tokens_in: int = 0
    tokens_out: int = 0
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class AnswerOutcome:
    """What the assistant gave for a question.

    `stopped` says why the run ended early, if it did; `answer` is then what there was. `documents`
    has the document of each of its citations, in their order, named as in the question set.
    """

    question_id: str
    answer: Answer
    traffic: QuestionCost
    stopped: str = ""
    tools: tuple[RecordedCall, ...] = field(default=())
    judgement: ModelVerdict | None = None
    documents: tuple[str, ...] = ()

    @property
    def outcome(self) -> Literal["answered", "refused", "stopped"]:
        """A run that broke is neither an answer nor a refusal."""
        if self.stopped:
            return "stopped"
        return "answered" if self.answer.answered else "refused"


Outcome = SearchOutcome | EvidenceOutcome | AnswerOutcome


def stage_of(outcome: Outcome) -> Stage:
    """Give the stage that an outcome is of."""
    if isinstance(outcome, SearchOutcome):
        return "search"
    return "retrieve" if isinstance(outcome, EvidenceOutcome) else "answer"
