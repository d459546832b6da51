"""What a run comes to: each question with its outcomes and measures, and all together."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.header import Header
from rag_assistant.evaluation.runs.outcomes import AnswerOutcome, EvidenceOutcome, SearchOutcome

Metrics = Mapping[str, float | None]
"""Names and values; None where the questions give nothing to measure it on."""


@dataclass(frozen=True, slots=True)
class MeasuredQuestion:
    """A question, what came back for it as far as it was asked, and what that is worth.

    `measures` has what the question's references allow to measure, of all stages.
    """

    question: Question
    search: SearchOutcome | None
    evidence: EvidenceOutcome | None
    answer: AnswerOutcome | None
    measures: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Interval:
    """The ends of a 95 % confidence interval of a mean over the questions."""

    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Bin:
    """The answers of one confidence: how many, the mean confidence (0 to 1), the share right."""

    confidence: float
    answers: int
    right: float


@dataclass(frozen=True, slots=True)
class Report:
    """The outcome of a run, finished or not.

    `metrics` go by name, in the order of the stages; `intervals` are of those that are means over
    questions. `reliability` has the bins of answers by confidence that hold any. `notes` say what
    a reader of the figures must know.
    """

    header: Header
    asked: tuple[MeasuredQuestion, ...]
    metrics: Metrics
    intervals: Mapping[str, Interval]
    reliability: tuple[Bin, ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def ranked(self) -> int:
        """The number of questions whose ranking can be judged."""
        return sum(one.question.ranks for one in self.asked)

    @property
    def answerable(self) -> int:
        """The number of questions whose answer is in the documents."""
        return sum(one.question.answerable for one in self.asked)
