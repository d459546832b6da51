"""The tools of all servers of the configuration, for the questions of one conversation.

Servers start at the same time and go on from question to question. One that cannot be used is a
note; its tools are missing, and nothing else.
"""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rag_assistant.config import McpSettings
from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.gate import Destination, Gate
from rag_assistant.egress.hosts import is_loopback
from rag_assistant.egress.provenance import carried
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.mcp_client.failures import ServerFailed
from rag_assistant.tools.mcp_client.offers import (
    BrokenSchema,
    OfferedTool,
    checked_schema,
    for_models,
    legal_name,
    shortened,
)
from rag_assistant.tools.mcp_client.place import ServerAddress, locate, unset_variables
from rag_assistant.tools.mcp_client.results import as_output
from rag_assistant.tools.permission import Extent
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.messages import JsonObject, ToolSpec

if TYPE_CHECKING:
    from rag_assistant.tools.mcp_client.server import McpServer

TOOLS = 64
"""Tools of one server that are taken; each is in every request to the model."""

_EXTRA = ("mcp", "mcp_types", "httpx2", "anyio", "pydantic")


@dataclass(frozen=True, slots=True)
class ServerTools:
    """What came of one server: its tools, what to say of it, and its failure, if it failed."""

    name: str
    tools: tuple[Tool, ...] = ()
    notes: tuple[str, ...] = ()
    failure: ServerFailed | None = None


class McpProvider:
    """Gives the tools of the configured servers.

    The arguments of calls to a server on another machine pass `gate`; a program of this machine may
    itself send them anywhere, which is why it asks first.
    """

    def __init__(
        self,
        servers: Mapping[str, McpSettings],
        environ: Mapping[str, str],
        gate: Gate | None = None,
    ) -> None:
        self._gate = gate or Gate()
        self._settings = servers
        self._environ = environ
        self._servers: dict[str, McpServer] = {}

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        """Give the tools for one question, and a line for each thing that is missing."""
        found = await self.survey()
        failures = [str(server.failure) for server in found if server.failure]
        notes = [note for server in found for note in server.notes]
        # Without the extra all servers fail in the same words.
        return [tool for server in found for tool in server.tools], [
            *dict.fromkeys(failures),
            *notes,
        ]

    async def survey(self) -> list[ServerTools]:
        """Start what does not run, all at the same time, and say what came of each server."""
        if not self._settings:
            return []
        if not self._servers:
            try:
                await self._load()
            except ServerFailed as failure:
                return [ServerTools(name, failure=failure) for name in self._settings]
        return list(await asyncio.gather(*map(self._ask, self._servers.values())))

    async def renew(self, session: str) -> bool:
        """Never done: a program keeps what it was told where it likes, and so does a server."""
        return False

    async def aclose(self) -> None:
        """End all servers."""
        await asyncio.gather(*(server.aclose() for server in self._servers.values()))

    async def _load(self) -> None:
        """Import the SDK, which takes a second, without holding up anything else."""
        try:
            module = await asyncio.to_thread(import_module, "rag_assistant.tools.mcp_client.server")
        except ModuleNotFoundError as error:
            if (error.name or "").partition(".")[0] not in _EXTRA:
                raise
            names = ", ".join(clean_line(name) for name in self._settings)
            raise ServerFailed(
                f"MCP servers ({names}) need the extra mcp, which is not installed.",
                hint=f"Run `{how_to_add('mcp')}`.",
            ) from error
        for name, settings in self._settings.items() if not self._servers else ():
            self._servers[name] = module.McpServer(name, settings, self._environ)

    async def _ask(self, server: "McpServer") -> ServerTools:
        try:
            place = locate(server.name, server.settings, self._environ)
            offers = await server.offers()
        except ServerFailed as failure:
            return ServerTools(server.name, failure=failure)
        notes = [
            f"{variable}, which the MCP server {server.name} is to be given, is not set."
            for variable in unset_variables(server.settings, self._environ)
        ]
        unknown = set(server.settings.allow) - {offer.name for offer in offers}
        if unknown:
            listed = ", ".join(sorted(unknown))
            notes.append(f"The MCP server {server.name} has no tool {listed}: correct its allow.")
        if len(offers) > TOOLS:
            notes.append(
                f"The MCP server {server.name} offers {len(offers)} tools; the first {TOOLS} are "
                "used. Start it with fewer, where it can be told to."
            )
        tools: dict[str, Tool] = {}
        for offer in offers[:TOOLS]:
            try:
                tool = self._tool(server, place, offer)
            except BrokenSchema as problem:
                name = clean_line(offer.name)[:80]
                notes.append(f"The tool {name} of {server.name} is left out: {problem}.")
            else:
                if why := why_suspicious(shortened(offer.description)):
                    notes.append(
                        f"What {server.name} says of its tool {offer.name} is kept from models: "
                        f"it {why}. See that you trust this server."
                    )
                tools.setdefault(tool.spec.name, tool)
        return ServerTools(server.name, tuple(tools.values()), tuple(map(clean_line, notes)))

    def _tool(self, server: "McpServer", place: ServerAddress, offer: OfferedTool) -> Tool:
        if why := why_suspicious(re.sub(r"[\W_]+", " ", offer.name)):
            raise BrokenSchema(f"its name {why}")
        name = legal_name(server.name, offer.name, self._settings)

        to = destination_of(server.settings, name)

        async def run(arguments: JsonObject) -> ToolOutput:
            if not to.stays:
                passed = await asyncio.to_thread(self._gate.release, to, arguments, carried())
                arguments = passed.body
            try:
                result = await server.call(offer.name, arguments)
            except ServerFailed as failure:
                return failure.output(name)
            return as_output(result, name, place.hide)

        def explain(arguments: JsonObject) -> str:
            return (
                f"Run the tool {clean_line(offer.name)} of the MCP server "
                f"{clean_line(server.name)} ({place.shown}) with "
                f"{json.dumps(arguments, ensure_ascii=False)}"
            )

        described = f"From the MCP server {server.name}: {for_models(offer.description)}"
        return Tool(
            ToolSpec(name, described, checked_schema(offer.schema)),
            run,
            reads_only=offer.name in server.settings.allow,
            explain=explain,
            extent=_extent(server, offer.name, "" if to.stays else to.host),
            destination="" if to.stays else to.host,
            alias=offer.name,
            session=f"MCP server {clean_line(server.name)}",
        )


def _extent(server: "McpServer", tool: str, host: str) -> Extent:
    named = clean_line(server.name)
    return Extent(
        f"Run {clean_line(tool)} of {named}?",
        f"what is below goes to {host}" if host else f"whatever {named} does: nothing limits it",
        f"whatever {named} may touch: nothing limits it",
        f"at most {server.settings.timeout_seconds:g} seconds",
    )


def destination_of(settings: McpSettings, tool: str) -> Destination:
    """Say where the arguments of a call go; to a program, as far as we know, not off this machine.

    A web address is known to be one.
    """
    parts = urlsplit(settings.url)
    host = parts.hostname or ""
    there = f"{host}:{parts.port}" if parts.port else host
    address = f"{parts.scheme}://{there}{parts.path}"
    return Destination(there, address, tool, stays=not settings.url or is_loopback(host))


async def survey(
    servers: Mapping[str, McpSettings], environ: Mapping[str, str]
) -> list[ServerTools]:
    """Look once at what the servers offer, and end them."""
    provider = McpProvider(servers, environ)
    try:
        return await provider.survey()
    finally:
        await provider.aclose()
