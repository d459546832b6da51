"""The server: each request of the protocol, answered from what its client may be handed.

What goes wrong is told in one line: of a tool as its result, which a model reads, else as an error
of the protocol.
"""

import asyncio
import json
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from typing import Any

import mcp_types as types
from mcp.server import Server, ServerRequestContext
from mcp.shared.exceptions import MCPError

from rag_assistant import __version__
from rag_assistant.clients.access import ClientAccess
from rag_assistant.errors import RagError, ToolFailed
from rag_assistant.mcp_server.clients_here import ClientsHere
from rag_assistant.mcp_server.connection import while_connected
from rag_assistant.mcp_server.offers import INSTRUCTIONS, tools
from rag_assistant.mcp_server.progress import Progress
from rag_assistant.mcp_server.prompts import prompt, prompts
from rag_assistant.mcp_server.resources import TEMPLATES, read_resource, resources_page
from rag_assistant.tools.toolkit import parse_arguments
from rag_assistant.values.messages import ToolSpec

NAME = "rag-assistant"

AT_ONCE = 8
"""Calls that are worked on at the same time; others wait."""

Context = ServerRequestContext[Any, Any]


def make_server(clients: ClientsHere) -> Server[None]:
    """Make the server for clients, whose ways it closes in the end."""
    answers = _Answers(clients)

    @asynccontextmanager
    async def lifespan(_: Server[None]) -> AsyncIterator[None]:
        try:
            yield
        finally:
            await clients.aclose()

    return Server(
        NAME,
        version=__version__,
        title="Your documents",
        instructions=INSTRUCTIONS,
        lifespan=lifespan,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resources=answers.list_resources,
        on_list_resource_templates=answers.list_templates,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
    )


class _Answers:
    """What each request of the protocol is answered with."""

    def __init__(self, clients: ClientsHere) -> None:
        self._clients = clients
        self._places = asyncio.Semaphore(AT_ONCE)

    async def list_tools(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListToolsResult:
        return types.ListToolsResult(tools=list(tools()))

    async def call_tool(
        self, context: Context, params: types.CallToolRequestParams
    ) -> types.CallToolResult:
        try:
            async with self._places:
                access = await self._clients.access(context)
                async with Progress(context) as progress:
                    calling = _called(access, params.name, params.arguments or {}, progress)
                    given = await while_connected(context, calling)
        except RagError as error:
            said = types.TextContent(type="text", text=str(error))
            return types.CallToolResult(content=[said], is_error=True)
        text = json.dumps(given, ensure_ascii=False)
        return types.CallToolResult(
            content=[types.TextContent(type="text", text=text)], structured_content=given
        )

    async def list_resources(
        self, context: Context, params: types.PaginatedRequestParams | None
    ) -> types.ListResourcesResult:
        with _protocol_errors():
            access = await self._clients.access(context)
            return await resources_page(access, params.cursor if params else None)

    async def list_templates(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES))

    async def read_resource(
        self, context: Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        with _protocol_errors():
            access = await self._clients.access(context)
            return await read_resource(access, str(params.uri))

    async def list_prompts(
        self, _: Context, __: types.PaginatedRequestParams | None
    ) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=prompts())

    async def get_prompt(
        self, _: Context, params: types.GetPromptRequestParams
    ) -> types.GetPromptResult:
        with _protocol_errors():
            return prompt(params.name, params.arguments or {})


class _protocol_errors:  # noqa: N801 - it is used as a statement
    """Turns an error of ours into one of the protocol."""

    def __enter__(self) -> None:
        return

    def __exit__(self, _: object, error: BaseException | None, __: object) -> None:
        if isinstance(error, RagError):
            raise MCPError(types.INVALID_PARAMS, str(error)) from error


async def _called(
    access: ClientAccess, name: str, arguments: Mapping[str, Any], progress: Progress
) -> dict[str, Any]:
    tool = next((one for one in tools() if one.name == name), None)
    if tool is None:
        known = ", ".join(one.name for one in tools())
        raise ToolFailed(f"There is no tool {name[:60]!r}.", hint=f"There are: {known}.")
    # As JSON, for what came may be no JSON object: a number that is no number, a nested thousand.
    written = json.dumps(dict(arguments))
    given = parse_arguments(written, ToolSpec(name, "", tool.input_schema))
    match name:
        case "databases":
            return await access.databases()
        case "ask":
            asked = access.ask(
                given["question"], databases=given.get("databases", ()), tell=progress.tell
            )
            return dict(await asked)
        case "why_not":
            return await access.why_not(
                given["path"], given.get("question", ""), given.get("database", "")
            )
    return await access.call(name, given, progress.tell)
