"""What a run may take: questions at a time, money, tokens, time."""

import time
from dataclasses import dataclass, field

from rag_assistant.evaluation.runs.outcomes import AnswerOutcome, Outcome


@dataclass(frozen=True, slots=True)
class EvaluationBudget:
    """Limits of a run; None is no limit.

    `at_once` is how many questions are asked at the same time, 0 for what suits the model. `cost`
    is in the currency of the models' prices, `tokens` counts those in and out of all models.
    Questions that are being asked when a limit is met are waited for, and no other is begun.
    """

    at_once: int = 0
    cost: float | None = None
    tokens: int | None = None
    minutes: float | None = None


@dataclass(slots=True)
class Spending:
    """What a run has taken so far, against its budget."""

    budget: EvaluationBudget
    cost: float = 0
    tokens: int = 0
    _started: float = field(default_factory=time.monotonic)

    def add(self, outcome: Outcome) -> None:
        """Count what a question took."""
        self.cost += outcome.traffic.cost or 0
        self.tokens += outcome.traffic.tokens_in + outcome.traffic.tokens_out
        if isinstance(outcome, AnswerOutcome) and outcome.judgement:
            self.cost += outcome.judgement.cost or 0
            self.tokens += outcome.judgement.tokens_in + outcome.judgement.tokens_out

    def used_up(self) -> str:
        """Say which limit is met, "" for none."""
        budget = self.budget
        if budget.cost is not None and self.cost >= budget.cost:
            spent = f"{self.cost:.4g} spent, with what was being asked then"
            return f"the budget of {budget.cost:g} is used up (--max-cost; {spent})"
        if budget.tokens is not None and self.tokens >= budget.tokens:
            spent = f"{self.tokens:,} with what was being asked then"
            return f"the budget of {budget.tokens:,} tokens is used up (--max-tokens; {spent})"
        minutes = (time.monotonic() - self._started) / 60
        if budget.minutes is not None and minutes >= budget.minutes:
            return f"the {budget.minutes:g} minutes are over (--max-minutes)"
        return ""
