"""Models that can be named: those of the settings, and those of servers on this machine."""

import asyncio
import os
import shlex
from collections.abc import Sequence
from dataclasses import fields

from rag_assistant.config import Config, ModelSettings
from rag_assistant.config.writing import Value
from rag_assistant.errors import ModelError
from rag_assistant.models.discovery import LocalServer, discover, ports_of
from rag_assistant.models.registry import resolve
from rag_assistant.models.whereabouts import CLOUD_HOST, is_named_remote
from rag_assistant.text.safe_text import clean_line

PATIENT_SECONDS = 2.0
"""How long these commands wait for a local server; one that loads a model may be slow."""
SHOWN_MODELS = 20


def local_servers(seconds: float = PATIENT_SECONDS) -> tuple[LocalServer, ...]:
    """Look for model servers on this machine."""
    return asyncio.run(discover(ports_of(os.environ), seconds=seconds))


def unused_models(servers: Sequence[LocalServer], config: Config) -> list[str]:
    """Give the models of local servers, but of those where a configured one is already."""
    used = {settings.base_url.rstrip("/") for settings in config.models.values()}
    free = [server for server in servers if server.base_url not in used]
    return [name for server in free for name in server.models]


def described(server: LocalServer) -> str:
    """Say in one line what a server is and has."""
    if server.problem:
        return f"{server.host}: {server.problem}"
    names = ", ".join(map(_named, server.models[:SHOWN_MODELS])) or "no model yet"
    more = len(server.models) - SHOWN_MODELS
    further = f" and {more:,} more" if more > 0 else ""
    unfit = f" ({server.left_out:,} names unfit to be shown)" if server.left_out else ""
    return f"{server.kind} at {server.host}: {names}{further}{unfit}"


def _named(model: str) -> str:
    return f"{model} (runs at {CLOUD_HOST})" if is_named_remote(model) else model


def use_command(name: str) -> str:
    """Write the command that chooses a model."""
    return f"rag-assistant model use {shlex.quote(name)}"


def settings_of(name: str, config: Config, port: int | None) -> tuple[ModelSettings, bool]:
    """Find a model: in the configuration, on this machine, at the environment's endpoint.

    The second value says whether it is in the configuration. Raises ModelError.
    """
    if name in config.models and port is None:
        return config.models[name], True
    servers = [s for s in local_servers() if name in s.models and port in (None, s.port)]
    if len(servers) > 1:
        where = " or ".join(f"--port {server.port}" for server in servers)
        raise ModelError(f"Several servers here have {name!r}.", hint=f"Add {where}.")
    if servers:
        return ModelSettings(name, servers[0].base_url), False
    if port is not None:
        raise ModelError(
            f"No server at 127.0.0.1:{port} has a model {clean_line(name)!r}.",
            hint="rag-assistant model list shows what there is.",
        )
    return resolve(name, config, os.environ), False


def table_of(settings: ModelSettings) -> dict[str, Value]:
    """Give what a new table of the file says: the address, and what is not the usual value."""
    usual = ModelSettings(settings.model)
    said: dict[str, Value] = {"model": settings.model, "base_url": settings.base_url}
    for field in fields(settings):
        value = getattr(settings, field.name)
        if value != getattr(usual, field.name):
            said[field.name] = value
    return said
