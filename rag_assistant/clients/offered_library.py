"""The library as one client sees it."""

from collections.abc import Sequence

from rag_assistant.egress.clients import Client, offered
from rag_assistant.egress.gate import Gate
from rag_assistant.errors import LibraryError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.values.scope import Wanted, name_of


class OfferedLibrary(Library):
    """A library for reading, in which there is nothing but what a client may be handed.

    What it may be handed is looked up each time, so that a change of settings counts at once.
    """

    def __init__(self, whole: Library, gate: Gate, client: Client) -> None:
        super().__init__(whole.home, whole.embedder, whole.reranker)
        self._gate = gate
        self._client = client

    def names(self) -> list[str]:
        """List the databases that the client may be handed, by name."""
        return offered(self._gate, self._client, super().names())

    def database(self, wanted: Wanted) -> Database:
        """Give a database for reading, or a part of it. One that the client may not be handed is
        not there, as one that never was. Raises LibraryError."""
        name, names = name_of(wanted), self.names()
        if name not in names:
            known = f"There are: {', '.join(names)}." if names else NOTHING_OFFERED
            raise LibraryError(f"There is no database {name[:60]!r}.", hint=known)
        return super().database(wanted)

    def databases(self, names: Sequence[Wanted] | None = None) -> list[Database]:
        """Give the named databases or parts, each once; all of them when none are named."""
        if not names and not self.names():
            raise LibraryError("There is no database for this program.", hint=NOTHING_OFFERED)
        return super().databases(names)


NOTHING_OFFERED = "The person decides which: `rag-assistant databases`, `rag-assistant mcp allow`."
