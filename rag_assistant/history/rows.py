"""What goes into rows: text that SQLite takes, and moments in ISO 8601, UTC."""

from datetime import UTC, datetime
from typing import Any


def now() -> str:
    """Give the present moment."""
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def storable(text: str) -> str:
    """Give a text with lone surrogates, which SQLite refuses, as question marks."""
    return text.encode("utf-8", "replace").decode()


def row(*values: Any) -> tuple[Any, ...]:
    """Give values as a row that can be stored."""
    return tuple(storable(value) if isinstance(value, str) else value for value in values)
