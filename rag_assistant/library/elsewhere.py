"""Databases in a store elsewhere: connecting to them, and the leave and the record of what is sent.

Nothing of a folder goes there before the person has said yes to it, for this database and host.
"""

from collections.abc import Sequence
from pathlib import Path
from urllib.parse import urlsplit

from rag_assistant.config import load_config
from rag_assistant.egress.gate import CONFIG_NAME, Gate, may_not_leave
from rag_assistant.egress.hosts import host_of, is_loopback
from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.errors import LibraryError
from rag_assistant.store.links import Asking, Sending
from rag_assistant.store.opening import Link, link_at, store_elsewhere, write_link

PURPOSE, SEARCHED = "kept in a store", "searched in a store"


def link_of(home: Path, wanted: str, database: str, *, is_owner: bool = False) -> Link:
    """Make a link of what a person wrote: the name of a table [stores.NAME], or an address.

    Raises LibraryError where it is neither.
    """
    path = home / CONFIG_NAME
    stores = load_config(path).stores if path.exists() else {}
    if wanted in stores:
        return Link(stores[wanted].urls, database, wanted, is_owner)
    if "@" in urlsplit(wanted).netloc:
        raise LibraryError(
            "A password in an address would be shown wherever the address is.",
            hint="Make a table [stores.NAME] with urls, user and password_env; then name it.",
        )
    if urlsplit(wanted).scheme not in ("http", "https") or not host_of(wanted):
        listed = f" There are: {', '.join(sorted(stores))}." if stores else ""
        raise LibraryError(
            f"{wanted!r} is no store.",
            hint=f"Give an address, https://search.example:9200, or a table [stores.NAME].{listed}",
        )
    named = next((name for name, one in stores.items() if wanted in one.urls), "")
    return Link((wanted,), database, named, is_owner)


def host_of_link(link: Link) -> str:
    """Name the host that text is sent to; empty where it is certain to stay on this machine."""
    hosts = [host_of(url) for url in link.urls]
    return next((host for host in hosts if not is_loopback(host)), "")


def connect(home: Path, path: Path, link: Link) -> None:
    """Let the database of a link be found at `path`. Raises LibraryError where it is not there."""
    if path.exists():
        raise LibraryError(
            f"There is a database {path.stem!r} already.", hint="Choose another: `--as NAME`."
        )
    store = store_elsewhere(home, link)
    store.demand_engine()
    with store.reading() as reader:
        reader.ledger.facts()
    write_link(path, link)


def sending_from(path: Path) -> Sending | None:
    """Give what records what leaves for the store of the database at `path`; None where none does.

    Raises EgressError where the person has not allowed it.
    """
    link = link_at(path)
    host = host_of_link(link) if link else ""
    if not host:
        return None
    demand_leave(path, host)
    ledger = EgressLedger(path.parent)

    def record(size: int, entries: Sequence[int]) -> None:
        of_them = tuple((path.stem, entry) for entry in entries)
        ledger.write(Departure(host, "", PURPOSE, (path.stem,), of_them, size, size, 0))

    return record


def asking_from(path: Path) -> Asking | None:
    """Give what records the words of searches that go to the store of the database at `path`.

    None where they stay on this machine. That the person named the store is their leave.
    """
    link = link_at(path)
    host = host_of_link(link) if link else ""
    if not host:
        return None
    ledger = EgressLedger(path.parent)

    def record(words: str) -> None:
        size = len(words.encode("utf-8", "replace"))
        ledger.write(Departure(host, "", SEARCHED, (path.stem,), (), len(words), size, 0))

    return record


def demand_leave(path: Path, host: str) -> None:
    """See that the text of the database at `path` may go to a host. Raises EgressError."""
    verdicts = Gate(path.parent).verdicts([path.stem], host)
    if verdicts[path.stem] != "yes":
        raise may_not_leave([path.stem], verdicts, host)
