"""The engines that keep databases: what they promise is tested on each, by the same tests.

Another engine is one more line of `ENGINES`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.store.writing import Store
from tests.store.opensearch.cluster import store_on_cluster

ENGINES: Mapping[str, Callable[[Path], Store]] = {
    "sqlite": SqliteStore,
    "opensearch": store_on_cluster,
}
"""By name, what opens the database of an engine for a path that no other test uses."""
