"""`rag-assistant model`: which models there are, which are used, and what a model can do.

A key goes into the system's keyring without being shown.
"""

import getpass
import shlex
import sys
from argparse import Namespace
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

from rag_assistant.cli.fetched_models import fetched_json, fetched_lines
from rag_assistant.cli.main import Exit
from rag_assistant.cli.nameable_models import (
    described,
    local_servers,
    settings_of,
    table_of,
    unused_models,
    use_command,
)
from rag_assistant.cli.session import config_of, config_path, print_json, print_prose, say
from rag_assistant.config import EXTRACTIVE, Config, ModelSettings
from rag_assistant.config.keyring_keys import forget_key, store_key
from rag_assistant.config.writing import Value, set_value, write_config
from rag_assistant.egress.plain_http import plain_warnings
from rag_assistant.errors import ModelError
from rag_assistant.models.endpoint import host_of, shown_host
from rag_assistant.text.safe_text import clean_line


def run_model(options: Namespace) -> int:
    """List models, choose one, or test one."""
    match options.action:
        case "use":
            return _use(options)
        case "test":
            from rag_assistant.cli.model_fit import run_test

            return run_test(options)
        case "key":
            return _key(options)
        case "get":
            from rag_assistant.cli.model_get import run_model_get

            return run_model_get(options)
        case "remove":
            from rag_assistant.cli.model_get import run_model_remove

            return run_model_remove(options)
        case _:
            return _list(options)


def _use(options: Namespace) -> int:
    path, config, name = config_path(options), config_of(options), options.name
    if options.role in ("embedder", "reranker"):
        set_value(path, (options.role,), name)
        print_prose(f"{path}: {options.role} = {clean_line(name)!r}")
        return Exit.DONE
    tables: dict[str, Mapping[str, Value]] = {}
    if name != EXTRACTIVE:
        settings, configured = settings_of(name, config, options.port)
        if not configured:
            tables[name] = table_of(settings)
    write_config(path, {options.role: name}, tables)
    print_prose(f"{path}: {options.role} = {clean_line(name)!r}")
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
        print_json({"models": models, "local": local, "fetched": fetched_json(options)})
        return Exit.DONE
    print_prose("Configured")
    for name in names:
        roles = " and ".join(_roles(name, config))
        print_prose(f"  {clean_line(name)}{f' [{roles}]' if roles else ''}: {_told(config, name)}")
    print_prose("On this machine")
    for server in servers:
        print_prose(f"  {described(server)}")
    if not servers:
        print_prose("  no model server at the usual ports")
    print_prose("Fetched")
    for line in fetched_lines(options):
        print_prose(f"  {line}")
    for warning in plain_warnings(settings.base_url for settings in config.models.values()):
        say(warning)
    unused = unused_models(servers, config)
    if unused:
        say(f"To choose one: {use_command(unused[0])} (with --helper: to condense entries)")
    return Exit.DONE


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


def _key(options: Namespace) -> int:
    """Store the key of the host of a model, an embedder, a reranker or a store, or forget it."""
    config, path = config_of(options), config_path(options)
    table, host = _key_place(options.name, config)
    shown = clean_line(host)
    if options.forget:
        there = forget_key(host)
        set_value(path, (*table, "keyring"), False)
        print_prose(f"The key of {shown} is forgotten." if there else f"{shown} had no key here.")
        return Exit.DONE
    key = _read_key(shown, is_password=table[0] == "stores")
    store_key(host, key)
    set_value(path, (*table, "keyring"), True)
    print_prose(f"The key of {shown} is in the keyring.")
    say(f"{path}: {'.'.join(table)}.keyring = true")
    return Exit.DONE


def _key_place(name: str, config: Config) -> tuple[tuple[str, str], str]:
    """Find the table of the file that a name is of, and the host that its key is for."""
    addresses = {
        "models": {key: table.base_url for key, table in config.models.items()},
        "embedders": {key: table.base_url for key, table in config.embedders.items()},
        "rerankers": {key: table.base_url for key, table in config.rerankers.items()},
        "stores": {key: table.urls[0] for key, table in config.stores.items()},
    }
    for kind, known in addresses.items():
        if name in known:
            return (kind, name), shown_host(known[name])
    raise ModelError(
        f"There is no model or store {clean_line(name)!r} in config.toml.",
        hint="rag-assistant model list shows those that there are.",
    )


def _read_key(host: str, *, is_password: bool = False) -> str:
    if sys.stdin.isatty():
        written = getpass.getpass(f"Key of {host} (not shown): ")
    else:
        written = sys.stdin.readline()
    key = written.strip("\r\n") if is_password else written.strip()
    is_plain = is_password or (key.isascii() and " " not in key)
    if not key or not key.isprintable() or not is_plain:
        raise ModelError("That is no key: it is empty, or holds what no key has.", hint="Copy it.")
    return key
