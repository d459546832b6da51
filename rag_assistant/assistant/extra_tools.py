"""The tools of one question beside the databases' own, from providers that may fail."""

import asyncio
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.tools.provider import ToolProvider
from rag_assistant.tools.toolkit import Tool


@dataclass(frozen=True, slots=True)
class ExtraTools:
    """Tools, and a line for each thing that is missing."""

    tools: tuple[Tool, ...] = ()
    notes: tuple[str, ...] = ()

    def without(self, hosts: Collection[str], sessions: Collection[str] = ()) -> "ExtraTools":
        """Give the same without the tools whose arguments go to some hosts, or into sessions."""
        kept = tuple(
            tool
            for tool in self.tools
            if tool.destination not in hosts and tool.session not in sessions
        )
        return replace(self, tools=kept)


async def extra_tools(
    providers: Sequence[ToolProvider], databases: Sequence[Database]
) -> ExtraTools:
    """Ask all providers at the same time. One that fails is a note, and the rest are there."""
    asked = (provider.tools(databases) for provider in providers)
    tools: list[Tool] = []
    notes: list[str] = []
    for given in await asyncio.gather(*asked, return_exceptions=True):
        match given:
            case RagError():
                notes.append(f"{given} The question is answered without these tools.")
            case Exception():
                notes.append(f"Tools failed to start: {type(given).__name__}: {given}.")
            case BaseException():
                raise given
            case more, said:
                tools += more
                notes += said
    return ExtraTools(tuple(tools), tuple(notes))
