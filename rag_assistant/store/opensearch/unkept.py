"""What a database on a cluster does not keep yet: vectors, and which entries are versions.

A reader finds none, as in a database that never had any; to write vectors is refused in one line.
"""

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING

from rag_assistant.errors import LibraryError
from rag_assistant.store.opensearch.view import View
from rag_assistant.values.documents import Version
from rag_assistant.values.embeddings import EmbeddingCoverage, PassageWords, VectorKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

NO_VERSIONS = (
    "versions of documents are not looked for in a store elsewhere: each is shown by itself"
)


class NoVersions:
    """Finds no versions; `store.reading.Versions`."""

    def others(self, entry_id: int) -> tuple[Version, ...]:
        """Give none."""
        return ()

    def newest(self, entry_ids: Collection[int]) -> dict[int, int]:
        """Give none."""
        return {}


class NoVectors:
    """Finds no vectors; `store.searching.Vectors`."""

    def __init__(self, view: View) -> None:
        self._view = view

    def kind(self) -> VectorKind | None:
        """Say that there never were any."""
        return None

    def coverage(self) -> EmbeddingCoverage:
        """Count the passages, all of which have none."""
        return EmbeddingCoverage(None, 0, int(self._view.state["totals"][0]))

    def without(self, kind: VectorKind, after: int, limit: int) -> list[PassageWords]:
        """Refuse: what is asked for is to be given vectors."""
        raise no_vectors(self._view.name)

    def nearest(
        self,
        vector: "NDArray[np.float32]",
        limit: int,
        among: Iterable[int] | None = None,
    ) -> dict[int, float]:
        """Find nothing."""
        return {}

    def cosines(self, vector: "NDArray[np.float32]", passages: Iterable[int]) -> dict[int, float]:
        """Find nothing."""
        return {}


def no_vectors(name: str) -> LibraryError:
    """Say that a database keeps none."""
    return LibraryError(
        f"The database {name!r} is in a store elsewhere, which keeps no vectors yet.",
        hint="Search it by its words; index the folder on this machine to search it by meaning.",
    )
