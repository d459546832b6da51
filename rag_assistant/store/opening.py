"""Where databases are, and which engine keeps them: the one place that names it."""

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.store.links import Asking, Link, Sending, link_at, write_link
from rag_assistant.store.sqlite.connections import kept_open
from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.store.writing import Store

if TYPE_CHECKING:
    from rag_assistant.store.opensearch.cluster import Cluster
    from rag_assistant.store.opensearch.store import OpenSearchStore

__all__ = [
    "DATABASE_SUFFIX", "Link", "database_file", "kept_open", "link_at", "store_at",
    "store_elsewhere", "write_link",
]  # fmt: skip

DATABASE_SUFFIX = ".db"
"""How the file of a database is named, behind its own name."""

CONFIG_NAME = "config.toml"


def database_file(home: Path, name: str) -> Path:
    """Give the file of a database."""
    return home / f"{name}{DATABASE_SUFFIX}"


def store_at(path: Path, sending: Sending | None = None, asking: Asking | None = None) -> Store:
    """Give the content of the database at a path, whether there is one yet or not.

    Of one that is kept elsewhere, `sending` and `asking` hear of what leaves. Raises IndexDamaged
    or ConfigError where the link, or what the settings say of its store, cannot be used.
    """
    link = link_at(path)
    return store_elsewhere(path.parent, link, sending, asking) if link else SqliteStore(path)


def store_elsewhere(
    home: Path, link: Link, sending: Sending | None = None, asking: Asking | None = None
) -> "OpenSearchStore":
    """Give the database that a link leads to, by the settings of a home."""
    from rag_assistant.config import StoreSettings, load_config  # noqa: PLC0415
    from rag_assistant.store.opensearch.address import Address  # noqa: PLC0415
    from rag_assistant.store.opensearch.store import OpenSearchStore  # noqa: PLC0415

    path = home / CONFIG_NAME
    stores = load_config(path).stores if path.exists() else {}
    settings = stores.get(link.store) or StoreSettings()
    address = Address.of(link.urls, settings)
    return OpenSearchStore(_cluster(address), link.database, sending, asking)


@lru_cache(maxsize=16)
def _cluster(address: object) -> "Cluster":
    """Give the cluster at an address, whose connections stay open from one request to the next."""
    from rag_assistant.store.opensearch.address import Address  # noqa: PLC0415
    from rag_assistant.store.opensearch.cluster import Cluster  # noqa: PLC0415

    assert isinstance(address, Address)
    return Cluster(address)
