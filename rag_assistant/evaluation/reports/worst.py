"""What is wrong with what came back for a question, and the questions that fared worst."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.evaluation.measuring.ranking import FOUND
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.measuring.verdicts import Verdict, verdict_of


@dataclass(frozen=True, slots=True)
class Fault:
    """A question with what is wrong: at least one line."""

    id: str
    question: str
    lines: tuple[str, ...]


def worst(report: Report, most: int) -> tuple[Sequence[Fault], int]:
    """Give the questions with the most wrong, and how many have anything wrong.

    Those with as much wrong are in the order of the question set.
    """
    judged = [(verdict, faults(verdict)) for verdict in map(verdict_of, report.asked)]
    wrong = [Fault(verdict.id, verdict.question, lines) for verdict, lines in judged if lines]
    return sorted(wrong, key=lambda fault: -len(fault.lines))[:most], len(wrong)


def faults(verdict: Verdict) -> tuple[str, ...]:
    """Say what is not as it should be; nothing where all is, or nothing could be judged."""
    lines: list[str] = []
    if verdict.found is False:
        lines.append(f"no relevant document among the first {FOUND}")
    if verdict.outcome == "stopped":
        lines.append("broke off before it was done")
    elif verdict.answered is False:
        lines.append(_no_answer(verdict))
    if verdict.cited is False:
        lines.append("cites words that are not in the source")
    return tuple(lines)


def _no_answer(verdict: Verdict) -> str:
    if not verdict.answerable:
        return "answered, though the documents have no answer"
    if verdict.outcome == "refused":
        return "refused, though the documents have the answer"
    return "the answer holds none of the reference answers"
