"""`uninstall`: what this program keeps, where, and its end if the person agrees.

Documents are nowhere among it. The program itself is left to what installed it.
"""

import sys
from argparse import Namespace
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from rag_assistant.cli.fetched_models import megabytes
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, print_json, print_prose, say
from rag_assistant.config.installation import how_to_remove
from rag_assistant.errors import ConfigError, ModelError
from rag_assistant.files.home_contents import HomeContents, contents_of, delete_contents

if TYPE_CHECKING:
    from rag_assistant.config import Config


def run_uninstall(options: Namespace) -> int:
    """Tell what there is; delete it when asked to."""
    home = home_of(options)
    contents, hosts = contents_of(home), list(_hosts_with_keys(options))
    if not options.json:
        _tell(str(home), contents, hosts)
    there = bool(contents.kept or hosts)
    agreed = there and (options.yes or (not options.json and _agreed()))
    if agreed:
        _check_idle(contents)
        _forget_keys(hosts)
        delete_contents(home, contents)
    if options.json:
        print_json(_as_json(str(home), contents, hosts, deleted=agreed))
    elif agreed:
        print_prose("All of this is deleted.")
    elif there:
        say("Nothing was deleted. To do it: rag-assistant uninstall --yes")
    if not options.json:
        say(f"The program itself: {how_to_remove()}")
    return Exit.DONE


def _tell(home: str, contents: HomeContents, hosts: list[str]) -> None:
    if not contents.kept:
        print_prose(f"Nothing is kept in {home}.")
    else:
        total = megabytes(sum(kept.size for kept in contents.kept))
        print_prose(f"In {home}, {total}; your documents are none of it, and stay:")
    for kept in contents.kept:
        names = ", ".join(path.name for path in kept.paths[:6])
        more = f", and {len(kept.paths) - 6} more" if len(kept.paths) > 6 else ""
        print_prose(f"  {kept.kind} ({megabytes(kept.size)}): {names}{more}")
    if contents.others:
        names = ", ".join(path.name for path in contents.others[:6])
        print_prose(
            f"  not of this program, and stays: {names}{', …' * (len(contents.others) > 6)}"
        )
    if hosts:
        print_prose(f"In the system's keyring: the keys of {', '.join(hosts)}")


def _agreed() -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    sys.stderr.write("Delete all of this? It cannot be had back. [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _check_idle(contents: HomeContents) -> None:
    """See that no database is being written. Raises LibraryError."""
    from rag_assistant.library.writing import writers_lock
    from rag_assistant.store.opening import DATABASE_SUFFIX

    paths = (path for kept in contents.kept for path in kept.paths if kept.kind == "databases")
    for path in paths:
        if path.suffix == DATABASE_SUFFIX:
            with writers_lock(path):
                pass


def _hosts_with_keys(options: Namespace) -> Iterator[str]:
    """Name the hosts whose keys `model key` put into the keyring, as the settings say."""
    from rag_assistant.models.endpoint import shown_host

    try:
        config: Config = config_of(options)
    except ConfigError as error:
        say(f"Keys in the keyring cannot be told: {error}")
        return
    places = [(one.base_url, one.keyring) for one in config.models.values()]
    places += [(one.base_url, one.keyring) for one in config.embedders.values()]
    places += [(one.base_url, one.keyring) for one in config.rerankers.values()]
    places += [(one.urls[0], one.keyring) for one in config.stores.values()]
    yield from sorted({shown_host(address) for address, kept in places if kept})


def _forget_keys(hosts: list[str]) -> None:
    from rag_assistant.config.keyring_keys import forget_key

    for host in hosts:
        try:
            forget_key(host)
        except ModelError as error:  # the rest is deleted all the same
            say(f"The key of {host} stays in the keyring: {error}")


def _as_json(
    home: str, contents: HomeContents, hosts: list[str], *, deleted: bool
) -> dict[str, Any]:
    return {
        "home": home,
        "kept": [
            {"kind": kept.kind, "paths": [str(path) for path in kept.paths], "bytes": kept.size}
            for kept in contents.kept
        ],
        "others": [str(path) for path in contents.others],
        "keyring": hosts,
        "deleted": deleted,
        "program": how_to_remove(),
    }
