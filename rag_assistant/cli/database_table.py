"""The databases as a table, drawn on a terminal."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from rag_assistant.cli.drawn import (
    BAD,
    GOOD,
    WARN,
    DrawnWords,
    Part,
    bold,
    draw_table,
    has_links,
    in_short,
    quiet,
)


def unread(row: dict[str, Any]) -> list[str]:
    """Say how much is not searchable, or not as a whole."""
    kinds = {"failed": "could not be read", "withheld": "withheld", "partial": "partly read"}
    return [f"{row[kind]} {words}" for kind, words in kinds.items() if row[kind]]


def draw_list(rows: Sequence[dict[str, Any]]) -> None:
    """Draw a row for each database, which says whether it is ready."""
    drawn: list[list[Part]] = []
    for row in rows:
        if "error" in row:
            drawn.append([bold(row["name"]), "", DrawnWords(row["error"], BAD)])
            continue
        lacking = ", ".join(unread(row))
        state = DrawnWords(lacking, WARN) if lacking else DrawnWords("ready", GOOD)
        folder = Path(row["folder"])
        lead = folder if has_links(os.environ) and folder.is_dir() else None
        drawn.append(
            [bold(row["name"]), f"{row['entries']:,}", state, quiet(in_short(folder), lead)]
        )
    draw_table(("database", "entries", "state", "folder"), drawn, right=(1,))
