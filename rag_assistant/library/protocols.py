"""The seams between the engine and models: what makes vectors, and what orders the best hits."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray


class Embedder(Protocol):
    """Makes vectors of texts. Every method may raise ModelError, and none keeps a lock."""

    @property
    def name(self) -> str:
        """The model, named so that two of one name make comparable vectors."""
        ...

    @property
    def dimension(self) -> int:
        """How many numbers a vector has; asking may ask the model."""
        ...

    @property
    def batch(self) -> int:
        """How many passages to give at once."""
        ...

    @property
    def destination(self) -> str:
        """The host that texts are sent to; empty when they stay on this machine."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Give a row of length 1 (Euclidean) for each text."""
        ...

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Give the vector of length 1 of a question."""
        ...


class Reranker(Protocol):
    """Scores passages by how well they answer a question. It may be used from any thread."""

    @property
    def name(self) -> str:
        """The model."""
        ...

    @property
    def destination(self) -> str:
        """The host that the question and the passages are sent to; empty when it is this machine.

        Raises ModelError where the settings allow no request.
        """
        ...

    @property
    def passages(self) -> int:
        """How many hits it is given at most."""
        ...

    @property
    def characters(self) -> int:
        """How much of a passage it is given at most."""
        ...

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        """Give a score for each text, in their order, higher for better. Raises ModelError."""
        ...
