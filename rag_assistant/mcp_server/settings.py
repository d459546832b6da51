"""The settings by which the programs that people use find this server, in each one's own form."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_assistant.errors import RagError

SERVER = "rag-assistant"
"""What the server is called in settings."""

TOKEN_VARIABLE = "RAG_ASSISTANT_MCP_TOKEN"
"""The environment variable that holds the token where settings name one."""


@dataclass(frozen=True, slots=True)
class WayIn:
    """How a client reaches the server: by a command that it starts, or an address with a token."""

    command: Sequence[str] = ()
    url: str = ""
    token: str = ""

    @property
    def started(self) -> dict[str, Any]:
        """The settings of a program that is started, as most clients write them."""
        return {"command": self.command[0], "args": list(self.command[1:])}

    @property
    def headers(self) -> dict[str, str]:
        """What is sent along with each request."""
        return {"Authorization": f"Bearer {self.token}"}


@dataclass(frozen=True, slots=True)
class ClientProgram:
    """A program by the `name` it is a client under: its `title`, where its settings are and how
    they are written; `source` is where its makers say so."""

    name: str
    title: str
    place: str
    written: Callable[[WayIn], str]
    source: str
    over_http: bool = True


def settings_for(name: str, reached: WayIn) -> str:
    """Write the settings of a client. Raises RagError for one that is not known."""
    program = program_named(name)
    if reached.url and not program.over_http:
        raise RagError(
            f"{program.title} has no settings for servers over HTTP on this machine.",
            hint=f"Leave --http out: `rag-assistant mcp config {name}`.",
        )
    return program.written(reached)


def program_named(name: str) -> ClientProgram:
    """Give a client by its name. Raises RagError for one that is not known."""
    if name in PROGRAMS:
        return PROGRAMS[name]
    from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

    near = process.extractOne(name.lower(), list(PROGRAMS), score_cutoff=60)
    meant = f"Did you mean {near[0]}? " if near else ""
    raise RagError(
        f"The settings of {name[:60]!r} are not known.",
        hint=f"{meant}There are: {', '.join(PROGRAMS)}. For any other, json gives the usual form.",
    )


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2)


def _servers(reached: WayIn, key: str = "mcpServers", *, url: str = "url", kind: str = "") -> str:
    if reached.url:
        form: dict[str, Any] = {url: reached.url, "headers": reached.headers}
        kind = kind and "http"
    else:
        form = reached.started
        kind = kind and "stdio"
    return _json({key: {SERVER: {**({"type": kind} if kind else {}), **form}}})


def _typed(reached: WayIn) -> str:
    return _servers(reached, kind="type")


def _vs_code(reached: WayIn) -> str:
    return _servers(reached, "servers", kind="type")


def _gemini(reached: WayIn) -> str:
    return _servers(reached, url="httpUrl")


def _zed(reached: WayIn) -> str:
    form = {"source": "custom", **reached.started, "env": {}}
    return _json({"context_servers": {SERVER: form}})


def _codex(reached: WayIn) -> str:
    # JSON's strings and lists of strings are TOML's as well.
    table = f"[mcp_servers.{SERVER}]"
    if reached.url:
        return "\n".join(
            [
                f"# {TOKEN_VARIABLE} in the environment: {reached.token}",
                table,
                f"url = {json.dumps(reached.url)}",
                f"bearer_token_env_var = {json.dumps(TOKEN_VARIABLE)}",
            ]
        )
    started = reached.started
    lines = [table, *(f"{name} = {json.dumps(value)}" for name, value in started.items())]
    return "\n".join(lines)


_DESKTOP_PLACES = (
    "claude_desktop_config.json (macOS: ~/Library/Application Support/Claude, Windows: "
    "%APPDATA%\\Claude, Linux: ~/.config/Claude)"
)

PROGRAMS = {
    one.name: one
    for one in (
        ClientProgram(
            "claude-desktop",
            "Claude Desktop",
            _DESKTOP_PLACES,
            _servers,
            "modelcontextprotocol.io/docs/develop/connect-local-servers",
            over_http=False,
        ),
        ClientProgram(
            "claude-code",
            "Claude Code",
            ".mcp.json in the project, or by `claude mcp add`",
            _typed,
            "code.claude.com/docs/en/mcp",
        ),
        ClientProgram(
            "cursor",
            "Cursor",
            "~/.cursor/mcp.json, or .cursor/mcp.json in the project",
            _servers,
            "cursor.com/docs/mcp",
        ),
        ClientProgram(
            "vscode",
            "Visual Studio Code",
            ".vscode/mcp.json in the project, or the user's mcp.json",
            _vs_code,
            "code.visualstudio.com/docs/copilot/reference/mcp-configuration",
        ),
        ClientProgram(
            "zed",
            "Zed",
            "~/.config/zed/settings.json",
            _zed,
            "zed.dev/docs/ai/mcp",
            over_http=False,
        ),
        ClientProgram(
            "codex",
            "Codex CLI",
            "~/.codex/config.toml",
            _codex,
            "developers.openai.com/codex/mcp",
        ),
        ClientProgram(
            "gemini-cli",
            "Gemini CLI",
            "~/.gemini/settings.json, or .gemini/settings.json in the project",
            _gemini,
            "github.com/google-gemini/gemini-cli, docs/tools/mcp-server.md",
        ),
        ClientProgram("json", "any other client", "where it keeps its MCP servers", _servers, ""),
    )
}
"""The clients whose settings are known."""
