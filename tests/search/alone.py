"""A search of a single database through a reader of the test's own, in its thread."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import TypeVar

from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.ranking import Profile, SearchResult
from rag_assistant.search.together import search_together
from rag_assistant.store.reading import StoreReader

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class Alone:
    """A single database."""

    search: DatabaseSearch

    def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
        """Take a step."""
        return [step(self.search)]


def search_alone(
    reader: StoreReader, database: str, text: str, limit: int, profile: Profile = "question"
) -> SearchResult:
    """Search it."""
    return search_together(Alone(DatabaseSearch(reader, database)), text, limit, profile)
