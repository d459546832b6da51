"""`rag-assistant model`: which models there are, which one answers, and what a model can do."""

import asyncio
import os
import shlex
from argparse import Namespace
from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, config_path, print_json, print_text, say
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.config.writing import Value, write_config
from rag_assistant.errors import ModelError
from rag_assistant.models.discovery import LocalServer, discover, ports_of
from rag_assistant.models.endpoint import host_of
from rag_assistant.models.registry import resolve
from rag_assistant.safe_text import clean_line

PATIENT_SECONDS = 2.0
"""How long these commands wait for a local server; one that loads a model may be slow."""
SHOWN_MODELS = 20


def run_model(options: Namespace) -> int:
    """List models, choose one, or test one."""
    match options.action:
        case "use":
            return _use(options)
        case "test":
            from rag_assistant.cli.model_fit import run_test

            return run_test(options)
        case "key":
            from rag_assistant.cli.model_key import run_key

            return run_key(options)
        case _:
            return _list(options)


def local_servers(seconds: float = PATIENT_SECONDS) -> tuple[LocalServer, ...]:
    """Look for model servers on this machine."""
    return asyncio.run(discover(ports_of(os.environ), seconds=seconds))


def use_command(name: str) -> str:
    """Write the command that chooses a model."""
    return f"rag-assistant model use {shlex.quote(name)}"


def described(server: LocalServer) -> str:
    """Say in one line what a server is and has."""
    if server.problem:
        return f"{server.host}: {server.problem}"
    names = ", ".join(server.models[:SHOWN_MODELS]) or "no model yet"
    more = len(server.models) - SHOWN_MODELS
    further = f" and {more:,} more" if more > 0 else ""
    unfit = f" ({server.left_out:,} names unfit to be shown)" if server.left_out else ""
    return f"{server.kind} at {server.host}: {names}{further}{unfit}"


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


def _use(options: Namespace) -> int:
    path, config, name = config_path(options), config_of(options), options.name
    tables: dict[str, Mapping[str, Value]] = {}
    if name != EXTRACTIVE:
        settings, configured = settings_of(name, config, options.port)
        if not configured:
            tables[name] = table_of(settings)
    seat = "helper" if options.helper else "model"
    write_config(path, {seat: name}, tables)
    print_text(f"{path}: {seat} = {clean_line(name)!r}")
    if name != EXTRACTIVE:
        say(f"To see what it can do: rag-assistant model test {shlex.quote(name)}")
    return Exit.DONE


def _list(options: Namespace) -> int:
    config = config_of(options)
    servers = local_servers()
    names = [*config.models, EXTRACTIVE]
    if options.json:
        models = [
            {"name": name, "roles": _roles(name, config), **_facts(config.models.get(name))}
            for name in names
        ]
        local = [{**asdict(server), "base_url": server.base_url} for server in servers]
        print_json({"models": models, "local": local})
        return Exit.DONE
    print_text("Configured")
    for name in names:
        roles = " and ".join(_roles(name, config))
        print_text(f"  {clean_line(name)}{f' [{roles}]' if roles else ''}: {_told(config, name)}")
    print_text("On this machine")
    for server in servers:
        print_text(f"  {described(server)}")
    if not servers:
        print_text("  no model server at the usual ports")
    unused = unused_models(servers, config)
    if unused:
        say(f"To choose one: {use_command(unused[0])} (with --helper: to condense entries)")
    return Exit.DONE


def unused_models(servers: Sequence[LocalServer], config: Config) -> list[str]:
    """Give the models of local servers, but of those where a configured one is already."""
    used = {settings.base_url.rstrip("/") for settings in config.models.values()}
    free = [server for server in servers if server.base_url not in used]
    return [name for server in free for name in server.models]


def _roles(name: str, config: Config) -> list[str]:
    helper = config.helper or config.model
    return [role for role, who in (("main", config.model), ("helper", helper)) if who == name]


def _facts(settings: ModelSettings | None) -> dict[str, Any]:
    if settings is None:
        return {}
    return {"host": host_of(settings.base_url), **asdict(settings)}


def _told(config: Config, name: str) -> str:
    settings = config.models.get(name)
    if settings is None:
        return "built in; no key, no network"
    calls = "native tools" if settings.native_tools else f"tools by text ({settings.call_form})"
    prices = settings.price_input or settings.price_output
    cost = f"{settings.price_input:g} in, {settings.price_output:g} out for a million tokens"
    parts = (
        f"{clean_line(settings.model)} at {clean_line(host_of(settings.base_url))}",
        settings.wire,
        calls,
        "images" if settings.images else "no images",
        cost if prices else "no prices",
    )
    return " · ".join(parts)
