"""The engines that keep databases: what they promise is tested on each, by the same tests.

Another engine is one more line of `ENGINES`.
"""

from collections.abc import Callable, Mapping
from pathlib import Path

from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.store.writing import Store

ENGINES: Mapping[str, Callable[[Path], Store]] = {
    "sqlite": SqliteStore,
}
"""By name, what opens the database of an engine for a path that no other test uses."""
