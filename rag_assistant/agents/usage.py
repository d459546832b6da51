"""What a run used of each model, and what that cost where prices are set."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_assistant.config import ModelSettings
from rag_assistant.values.evidence import ModelUsage
from rag_assistant.values.messages import Usage

MILLION = 1_000_000


@dataclass(slots=True)
class UsageMeter:
    """Usage by role and model; `settings` hold the prices, by the models' names."""

    settings: Mapping[str, ModelSettings] = field(default_factory=dict)
    _used: dict[tuple[str, str], Usage] = field(default_factory=dict)

    def add(self, role: str, model: str, usage: Usage) -> None:
        """Count what a model used in a role; see `ModelUsage`."""
        if usage != Usage():
            self._used[role, model] = self._used.get((role, model), Usage()) + usage

    @property
    def total(self) -> Usage:
        """All of it together."""
        return sum(self._used.values(), Usage())

    def by_model(self) -> tuple[ModelUsage, ...]:
        """Give a line for each model in each role, in the order they were first used."""
        return tuple(
            ModelUsage(model, role, usage, self._cost(model, usage))
            for (role, model), usage in self._used.items()
        )

    def cost(self) -> float | None:
        """Give the cost of the models that have prices; None when none has."""
        costs = [used.cost for used in self.by_model() if used.cost is not None]
        return round(sum(costs), 9) if costs else None

    def _cost(self, model: str, usage: Usage) -> float | None:
        settings = self.settings.get(model)
        if settings is None or not (settings.price_input or settings.price_output):
            return None
        price = (
            usage.input_tokens * settings.price_input + usage.output_tokens * settings.price_output
        )
        return round(price / MILLION, 9)
