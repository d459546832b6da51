"""`rag-assistant model key`: a key goes into the system's keyring without being shown."""

import getpass
import sys
from argparse import Namespace

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, config_path, print_text, say
from rag_assistant.config import Config
from rag_assistant.config.writing import set_value
from rag_assistant.errors import ModelError
from rag_assistant.models.endpoint import shown_host
from rag_assistant.models.keyring_keys import forget_key, store_key
from rag_assistant.safe_text import clean_line


def run_key(options: Namespace) -> int:
    """Store the key of the host of a model, an embedder or a reranker, or forget it."""
    config, path = config_of(options), config_path(options)
    table, host = _place(options.name, config)
    shown = clean_line(host)
    if options.forget:
        there = forget_key(host)
        set_value(path, (*table, "keyring"), False)
        print_text(f"The key of {shown} is forgotten." if there else f"{shown} had no key here.")
        return Exit.DONE
    key = _read(shown)
    store_key(host, key)
    set_value(path, (*table, "keyring"), True)
    print_text(f"The key of {shown} is in the keyring.")
    say(f"{path}: {'.'.join(table)}.keyring = true")
    return Exit.DONE


def _place(name: str, config: Config) -> tuple[tuple[str, str], str]:
    """Find the table of the file that a name is of, and the host that its key is for."""
    addresses = {
        "models": {key: table.base_url for key, table in config.models.items()},
        "embedders": {key: table.base_url for key, table in config.embedders.items()},
        "rerankers": {key: table.base_url for key, table in config.rerankers.items()},
    }
    for kind, known in addresses.items():
        if name in known:
            return (kind, name), shown_host(known[name])
    raise ModelError(
        f"There is no model {clean_line(name)!r} in config.toml.",
        hint="rag-assistant model list shows those that there are.",
    )


def _read(host: str) -> str:
    if sys.stdin.isatty():
        written = getpass.getpass(f"Key of {host} (not shown): ")
    else:
        written = sys.stdin.readline()
    key = written.strip()
    if not key or not (key.isascii() and key.isprintable()) or " " in key:
        raise ModelError("That is no key: it is empty, or holds what no key has.", hint="Copy it.")
    return key
