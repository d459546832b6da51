"""Embeddings of passages: which vectors a database has, how many, and what they are made of."""

from dataclasses import dataclass

MOST_COMPARED = 200_000
"""Vectors that are each compared with a question's; of more, only those that are likely nearest."""


@dataclass(frozen=True, slots=True)
class VectorKind:
    """What makes vectors comparable: the model, as its embedder names it, and their length."""

    model: str
    dimension: int

    def __str__(self) -> str:
        return f"{self.model} ({self.dimension} numbers)"


@dataclass(frozen=True, slots=True)
class EmbeddingCoverage:
    """How many of an index's passages have a vector, and of what kind (None: no vectors yet)."""

    kind: VectorKind | None
    vectors: int
    passages: int

    @property
    def is_estimated(self) -> bool:
        """Whether what is nearest of all of them is an estimate, and not compared one by one."""
        return min(self.vectors, self.passages) > MOST_COMPARED

    def lacking(self, model: str) -> int:
        """Count the passages without a vector of this model."""
        ours = self.kind is not None and self.kind.model == model
        return self.passages - self.vectors * ours


@dataclass(frozen=True, slots=True)
class PassageWords:
    """What of a passage goes into its vector, and its entry."""

    id: int
    title: str
    heading: str | None
    text: str
    entry_id: int = 0

    def whole(self) -> str:
        """Give title, heading path and text, one below the other; empty when they are blank."""
        parts = (self.title, self.heading or "", self.text)
        return "\n".join(part.strip() for part in parts if part.strip())
