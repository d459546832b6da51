"""A search of a single database on a connection of the test's own, in its thread."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rag_assistant.search.part import Part
from rag_assistant.search.ranking import Profile, SearchResult
from rag_assistant.search.together import Request, search_together

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Alone:
    """A single database."""

    part: Part

    def ask(self, step: Callable[[Part], Result]) -> list[Result]:
        """Take a step."""
        return [step(self.part)]


def search_alone(
    connection: sqlite3.Connection,
    database: str,
    text: str,
    limit: int,
    profile: Profile = "question",
) -> SearchResult:
    """Search it."""
    return search_together(Alone(Part(connection, database)), Request(text, limit, profile))
