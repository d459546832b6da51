"""What an evaluation says of each question, and in what two runs differ."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_assistant.evaluation.measuring.ranking import FOUND, first_relevant
from rag_assistant.evaluation.measuring.report import MeasuredQuestion


@dataclass(frozen=True, slots=True)
class Verdict:
    """One question: None is what was not measured, or has no right or wrong.

    `rank` is the place of the first right document, 0 where none is among the first FOUND.
    `measures` are those of the report; `quotes` are the words that the answer cites, each once.
    """

    id: str
    question: str
    databases: tuple[str, ...]
    answerable: bool
    wanted: tuple[str, ...] = ()
    rank: int | None = None
    outcome: str = ""
    answer: str = ""
    measures: Mapping[str, float] = field(default_factory=dict)
    quotes: tuple[str, ...] = ()

    @property
    def found(self) -> bool | None:
        """Whether a right document is among the first."""
        return None if self.rank is None else self.rank > 0

    @property
    def answered(self) -> bool | None:
        """Whether the answer holds a reference answer or, where there is none, was refused."""
        if self.outcome and not self.answerable:
            return self.outcome == "refused"
        if "answer_contains" not in self.measures:
            # Without reference answers only a refusal of what is quoted is known to be wrong.
            return False if "quote_recall" in self.measures and self.outcome == "refused" else None
        return self.outcome == "answered" and self.measures["answer_contains"] == 1

    @property
    def cited(self) -> bool | None:
        """Whether each citation is found in its source."""
        verified = self.measures.get("citation_verified")
        return None if verified is None else verified == 1

    @property
    def wrong(self) -> bool:
        """Whether anything is not as it should be."""
        return False in (self.found, self.answered, self.cited)


def verdict_of(asked: MeasuredQuestion) -> Verdict:
    """Judge a question of a report."""
    question, search, answer = asked.question, asked.search, asked.answer
    grades = search.grades if search else question.relevant
    rank = first_relevant(search) if search and question.ranks else None
    quotes = [citation.item.quote for citation in answer.answer.citations] if answer else []
    return Verdict(
        question.id,
        question.text,
        question.databases,
        question.answerable,
        relevant(grades),
        rank if rank is None or rank <= FOUND else 0,
        answer.outcome if answer else "",
        answer.answer.text if answer else "",
        asked.measures,
        tuple(dict.fromkeys(quotes)),
    )


def relevant(grades: Mapping[str, int]) -> tuple[str, ...]:
    """Name the documents that are relevant by their grades."""
    return tuple(name for name, grade in grades.items() if grade > 0)


def difference(before: Verdict, now: Verdict) -> int:
    """Say whether a question fares better (1), worse (-1) or the same (0) as before.

    What one of the runs has not measured makes no difference; what got worse outweighs the rest.
    """
    moves = [
        int(new) - int(old)
        for old, new in (
            (before.found, now.found),
            (before.answered, now.answered),
            (before.cited, now.cited),
        )
        if old is not None and new is not None
    ]
    if before.rank and now.rank:
        moves.append(before.rank - now.rank)
    worst, best = min(moves, default=0), max(moves, default=0)
    return -1 if worst < 0 else min(best, 1)


def share(values: Sequence[bool | None]) -> str:
    """Say how many of those that were measured are right: 31/36; "" where none was."""
    measured = [value for value in values if value is not None]
    return f"{sum(measured)}/{len(measured)}" if measured else ""
