"""Taking the questions of a run through its stages: some at once, within a budget, each kept."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from rag_assistant.errors import ModelError
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.budget import EvaluationBudget, Spending
from rag_assistant.evaluation.runs.outcomes import Outcome, SearchOutcome, Stage
from rag_assistant.evaluation.runs.store import OpenRun

Take = Callable[[Stage, Question], Awaitable[Outcome]]
"""Puts a question to a stage. A run that breaks is an outcome; what it raises ends everything."""


BROKEN = 5
"""Questions that break off one after the other before a run is given up."""


DOING: Mapping[Stage, str] = {
    "search": "searching",
    "retrieve": "gathering evidence",
    "answer": "asking",
}


@dataclass(frozen=True, slots=True)
class RunProgress:
    """How far a run is in a stage: questions done of all, and what it has cost so far."""

    stage: Stage
    done: int
    total: int
    run: int = 0
    cost: float = 0

    @property
    def doing(self) -> str:
        """Say what is being done."""
        return DOING[self.stage]


Tell = Callable[[RunProgress], None]


def silently(_: RunProgress) -> None:
    """Tell nobody."""


async def take_all(
    run: OpenRun, take: Take, budget: EvaluationBudget, on_progress: Tell = silently
) -> str:
    """Take what is not done yet; give why it ended early, "" when all is done.

    `budget.at_once` must be set. Raises what `take` raises; what is done by then is kept.
    """
    spending = Spending(budget)
    for outcome in run.kept.outcomes:
        spending.add(outcome)
    for stage in run.header.settings.stages:
        total, done = len(run.kept.questions), run.done()
        left = [one for one in run.kept.questions if (one.id, stage) not in done]
        on_progress(RunProgress(stage, total - len(left), total, run.header.number, spending.cost))
        # Searches are timed one by one: they would hold each other's cores.
        workers = 1 if stage == "search" else budget.at_once
        work = _Work(run, take, spending, on_progress, total - len(left))
        await work.stage(stage, left, workers)
    whole = len(run.kept.questions) * len(run.header.settings.stages)
    return spending.used_up() if len(run.done()) < whole else ""


@dataclass(slots=True)
class _Work:
    run: OpenRun
    take: Take
    spending: Spending
    on_progress: Tell
    done: int
    broken: list[Outcome] = field(default_factory=list)
    """Outcomes that stopped early before any did not; kept when one does, or when that was all."""
    works: bool = False

    async def stage(self, stage: Stage, questions: Sequence[Question], workers: int) -> None:
        """Take questions through one stage."""
        waiting = iter(questions)
        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(min(workers, len(questions))):
                    group.create_task(self._worker(stage, waiting))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        await self._keep(*self.broken)

    async def _worker(self, stage: Stage, waiting: Iterator[Question]) -> None:
        total = len(self.run.kept.questions)
        for question in waiting:
            if self.spending.used_up():
                return
            outcome = await self.take(stage, question)
            self.spending.add(outcome)
            await self._settle(outcome)
            self.done += 1
            number, cost = self.run.header.number, self.spending.cost
            self.on_progress(RunProgress(stage, self.done, total, number, cost))

    async def _settle(self, outcome: Outcome) -> None:
        """Keep an outcome. A model that nothing comes from ends the run, which can then go on."""
        stopped = "" if isinstance(outcome, SearchOutcome) else outcome.stopped
        if stopped and not self.works:
            self.broken.append(outcome)
            if len(self.broken) == BROKEN:
                raise ModelError(
                    f"The first {BROKEN} questions all broke off: {stopped}",
                    hint="See what the model can do: `rag-assistant doctor`.",
                )
            return
        self.works = True
        broken, self.broken = self.broken, []
        await self._keep(*broken, outcome)

    async def _keep(self, *outcomes: Outcome) -> None:
        for outcome in outcomes:
            await asyncio.to_thread(self.run.add, outcome)
