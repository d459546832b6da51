"""The seam between the engine and whatever makes vectors of texts."""

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
