"""What an evaluation says of each question, and in what two runs differ.

Read from the JSON of a report, which is also what is kept of a run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

TOP = 10
"""Ranks among which a right document counts as found."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """One question: None is what was not measured, or has no right or wrong.

    `rank` is the place of the first right document, 0 where none is among the first TOP. `answered`
    is whether the answer holds a reference answer, or, where the documents have none, whether it
    was refused. `cited` is whether each citation is found in its source.
    """

    id: str
    question: str
    databases: tuple[str, ...]
    answerable: bool
    wanted: tuple[str, ...] = ()
    rank: int | None = None
    answered: bool | None = None
    cited: bool | None = None
    outcome: str = ""
    answer: str = ""

    @property
    def found(self) -> bool | None:
        """Whether a right document is among the first."""
        return None if self.rank is None else self.rank > 0

    @property
    def wrong(self) -> bool:
        """Whether anything is not as it should be."""
        return False in (self.found, self.answered, self.cited)


def verdicts_of(report: Mapping[str, Any]) -> tuple[Verdict, ...]:
    """Judge each question of a report's JSON."""
    return tuple(map(_verdict, report["per_question"]))


def _verdict(said: Mapping[str, Any]) -> Verdict:
    measured, answerable = said["metrics"], said["answerable"]
    grades = said.get("relevant", {})
    rank = None
    if "R@10" in measured:
        ranking = said["ranking"][:TOP]
        places = [place for place, each in enumerate(ranking, 1) if each["grade"] > 0]
        rank = places[0] if places else 0
    outcome = said.get("outcome", "")
    answered = None
    if outcome and not answerable:
        answered = outcome == "refused"
    elif "answer_contains" in measured:
        answered = outcome == "answered" and measured["answer_contains"] == 1
    cited = measured["citation_verified"] == 1 if "citation_verified" in measured else None
    return Verdict(
        said["id"],
        said["question"],
        tuple(said["databases"]),
        answerable,
        tuple(name for name, grade in grades.items() if grade > 0),
        rank,
        answered,
        cited,
        outcome,
        said.get("answer", ""),
    )


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
