"""Opening what a home directory holds: its library, and the assistant that answers from it."""

import os
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant
    from rag_assistant.config import Config
    from rag_assistant.egress.gate import Gate
    from rag_assistant.library.library import Library
    from rag_assistant.tools.provider import ToolProvider

HOME_VARIABLE = "RAG_ASSISTANT_HOME"


def default_home(environ: Mapping[str, str] = os.environ) -> Path:
    """Give the home directory: what the environment names, or the system's place for user data."""
    if chosen := environ.get(HOME_VARIABLE):
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("rag-assistant", appauthor=False)


def home_at(given: Path | str | None) -> Path:
    """Give a home directory that was named, else the one by default."""
    return Path(given).expanduser().absolute() if given else default_home()


def config_file(home: Path) -> Path:
    """Give the place of a home's configuration file."""
    return home / "config.toml"


def searching_library(
    home: Path, config: "Config | None" = None, gate: "Gate | None" = None
) -> "Library":
    """Give a home's library; it searches with the embedder and the reranker that are configured.

    What goes to another machine passes `gate`. Raises ConfigError where none of these can be made.
    """
    from rag_assistant.library.library import Library  # a command that opens none starts sooner

    if config is None or not (config.embedder or config.reranker):
        return Library(home)
    from rag_assistant.egress.gate import Gate

    gate = gate or Gate(home, config)
    embedder = reranker = None
    if config.embedder:
        from rag_assistant.models.embedders import make_embedder

        embedder = make_embedder("", config, home, os.environ, gate=gate)
    if config.reranker:
        from rag_assistant.models.rerankers import make_reranker

        reranker = make_reranker("", config, home, os.environ, gate)
    return Library(home, embedder, reranker)


def open_assistant(
    home: Path,
    config: "Config | None" = None,
    gate: "Gate | None" = None,
    *,
    library: "Library | None" = None,
    mcp: bool = True,
) -> "Assistant":
    """Open the assistant of a home, with the settings that its file holds where none are given.

    What goes to another machine passes `gate`. `library` is the home's where it is open already.
    Without `mcp` no MCP server is started. Close the assistant with `aclose`. Raises ConfigError
    where the settings cannot be read.
    """
    from rag_assistant.assistant import Assistant
    from rag_assistant.config import load_config
    from rag_assistant.config.persona import load_persona
    from rag_assistant.egress.gate import Gate

    config = config or load_config(config_file(home))
    gate = gate or Gate(home, config)  # one for all: permission for this run is known to it alone
    with_tools = config if mcp else replace(config, mcp={})
    return Assistant(
        library or searching_library(home, config, gate),
        config,
        os.environ,
        extra_tools=lambda: _extra_tools(with_tools, gate),
        persona=load_persona(config.persona, home),
        gate=gate,
    )


def _extra_tools(config: "Config", gate: "Gate") -> "list[ToolProvider]":
    """Make what gives a conversation tools beside those of the databases."""
    from rag_assistant.tools.mcp_client.provider import McpProvider
    from rag_assistant.tools.python_session.provider import PythonProvider

    mcp = McpProvider(config.mcp, os.environ, gate)
    return [PythonProvider(config.tools), mcp]
