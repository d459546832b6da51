"""An embedder that knows what a few words mean, for tests of search and reading by meaning."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from rag_assistant.errors import ModelError

SENSES = {"holiday": 0, "leave": 0, "vacation": 0, "crane": 1, "hoist": 1, "salary": 2, "wages": 2}


class SenseEmbedder:
    """Makes vectors of senses: words of one meaning give one direction."""

    batch = 8
    destination = ""

    def __init__(self, name: str = "senses") -> None:
        self.name = name
        self.dimension = 4
        self.dead = False

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.dead:
            raise ModelError("127.0.0.1 refused the connection.", hint="Start the server.")
        vector = np.full(4, 0.01, np.float32)
        for word, sense in SENSES.items():
            vector[sense] += word in text.lower()
        return (vector / np.linalg.norm(vector)).astype(np.float32)
