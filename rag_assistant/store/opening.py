"""Where databases are, and which engine keeps them: the one place that names it."""

from pathlib import Path

from rag_assistant.store.sqlite.connections import kept_open
from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.store.writing import Store

__all__ = ["DATABASE_SUFFIX", "database_file", "kept_open", "store_at"]

DATABASE_SUFFIX = ".db"
"""How the file of a database is named, behind its own name."""


def database_file(home: Path, name: str) -> Path:
    """Give the file of a database."""
    return home / f"{name}{DATABASE_SUFFIX}"


def store_at(path: Path) -> Store:
    """Give the content of the database at a path, whether there is one yet or not."""
    return SqliteStore(path)
