"""What engines.py asks of a search engine."""

from collections.abc import Sequence
from typing import Any, Protocol

TOP = 10

Rows = Sequence[tuple[int, str, str]]
"""Number, title and text of passages."""


class Engine(Protocol):
    """An index in a folder."""

    def open(self) -> None:
        """Open the index that a build made."""

    def prepare(self, rows: Rows) -> Any:
        """Put passages into the shape in which they are read, which is not timed."""

    def add(self, ready: Any) -> None:
        """Index some passages that were prepared; the first call finds an empty folder."""

    def finish(self) -> None:
        """Make what was added durable and let all merging end."""

    def search(self, profile: str, question: str, words: Sequence[str]) -> int:
        """Count the hits of a query, TOP at most; `words` is the question without stop words."""
