"""What every command starts from: the home directory, the settings, the library, the assistant."""

import json
import os
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.library.library import Library
from rag_assistant.safe_text import clean, clean_line

if TYPE_CHECKING:
    from rag_assistant.assistant import Assistant
    from rag_assistant.config import Config
    from rag_assistant.egress.gate import Gate
    from rag_assistant.tools.provider import ToolProvider

HOME_VARIABLE = "RAG_ASSISTANT_HOME"


def home_of(options: Namespace) -> Path:
    """Give the home directory: the option, the environment, or the system's place for user data."""
    chosen = options.home or os.environ.get(HOME_VARIABLE)
    if chosen:
        return Path(chosen).expanduser().absolute()
    from platformdirs import user_data_path

    return user_data_path("rag-assistant", appauthor=False)


def config_path(options: Namespace) -> Path:
    """Give the place of the configuration file."""
    return home_of(options) / "config.toml"


def config_of(options: Namespace) -> "Config":
    """Read the settings."""
    from rag_assistant.config import load_config

    return load_config(config_path(options))


def library_of(options: Namespace) -> Library:
    """Open the library."""
    return Library(home_of(options))


def searching_library_of(options: Namespace) -> Library:
    """Open the library to search it with the embedder and the reranker that are configured."""
    if not config_path(options).exists():
        return library_of(options)  # without loading what reads settings: search starts sooner
    return _searching_library(config_of(options), home_of(options))


def _searching_library(config: "Config", home: Path, gate: "Gate | None" = None) -> Library:
    embedder = reranker = None
    if gate is None and (config.embedder or config.reranker):
        from rag_assistant.egress.gate import Gate

        gate = Gate(home, config)
    if config.embedder:
        from rag_assistant.models.embedders import make_embedder

        embedder = make_embedder("", config, home, os.environ, gate=gate)
    if config.reranker:
        from rag_assistant.models.rerankers import make_reranker

        reranker = make_reranker("", config, os.environ, gate)
    return Library(home, embedder, reranker)


def assistant_of(
    options: Namespace, gate: "Gate | None" = None, *, mcp: bool = True
) -> "Assistant":
    """Make the assistant; what it sends to another machine passes `gate`."""
    from rag_assistant.assistant import Assistant
    from rag_assistant.config.persona import load_persona
    from rag_assistant.egress.gate import Gate

    config, home = config_of(options), home_of(options)
    gate = gate or Gate(home, config)  # one for all: leave for this run is known to it alone
    return Assistant(
        _searching_library(config, home, gate),
        config,
        os.environ,
        extra_tools=lambda: _extra_tools(config if mcp else replace(config, mcp={}), gate),
        persona=load_persona(config.persona, home),
        gate=gate,
    )


def _extra_tools(config: "Config", gate: "Gate") -> "list[ToolProvider]":
    """Make what gives a conversation tools beside those of the databases."""
    from rag_assistant.tools.mcp_client.provider import McpProvider
    from rag_assistant.tools.python_session.provider import PythonProvider

    mcp = McpProvider(config.mcp, os.environ, gate)
    return [PythonProvider(config.tools), mcp]


def print_json(value: Any) -> None:
    """Print one JSON object."""
    json.dump(value, sys.stdout, ensure_ascii=False, indent=2 if sys.stdout.isatty() else None)
    sys.stdout.write("\n")


def print_event(value: dict[str, Any]) -> None:
    """Print one JSON object as a line, at once and whole whichever thread prints beside."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def print_text(text: str) -> None:
    """Print untrusted text, made safe for the terminal."""
    print(clean(text))


def say(line: str) -> None:
    """Tell the person something that is not data."""
    print(clean_line(line), file=sys.stderr)
