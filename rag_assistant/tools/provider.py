"""Where tools beside the databases' own come from: a Python process, MCP servers.

A provider keeps what its tools need between the questions of one conversation, and is closed with
it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from rag_assistant.library.database import Database
from rag_assistant.tools.toolkit import Tool


class ToolProvider(Protocol):
    """Gives the tools of one conversation."""

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        """Give the tools for a question to these databases, and notes on what is missing.

        Called before every question, from any task; what was started for one is kept for the next.
        May raise RagError when there are none: the run then goes on without them and says so.
        """
        ...

    async def renew(self, session: str) -> bool:
        """Start a session of its tools anew, so that it holds nothing it was told; see `Tool`.

        False where it has no such session, or cannot see to that.
        """
        ...

    async def aclose(self) -> None:
        """End what was started, from any task; never raises for what has ended already."""
        ...


MakeProviders = Callable[[], Sequence[ToolProvider]]
"""Makes the providers of one conversation."""
