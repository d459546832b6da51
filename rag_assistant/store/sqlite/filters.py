"""The filters of a plan as an SQL condition over the tables `files` and `entries`.

Several values of path, type or lang are alternatives; everything else must hold together.
"""

import json
import sqlite3
from collections.abc import Iterable

from rag_assistant.store.file_types import suffixes_of
from rag_assistant.store.folding import author_words, folded
from rag_assistant.values.documents import DATE_KEYS
from rag_assistant.values.search_plan import UNKNOWN_LANGUAGE, Filter

Condition = tuple[str, tuple[object, ...]]
"""An SQL condition ("" for none) and its parameters."""

_ISO_GLOB = "[12][0-9][0-9][0-9]*"

DATE = (
    "coalesce(CASE WHEN entries.metadata <> '{}' THEN coalesce("
    + ", ".join(
        f"CASE WHEN json_extract(entries.metadata, '$.{key}') GLOB '{_ISO_GLOB}'"
        f" THEN json_extract(entries.metadata, '$.{key}') END"
        for key in DATE_KEYS
    )
    + ") END, strftime('%Y-%m-%dT%H:%M:%S', files.mtime_ns / 1000000000, 'unixepoch'))"
)
"""SQL for an entry's date, as a text in ISO 8601 that sorts by time.

The first of the document's own dates `modified`, `date`, `updated` and `created` that begins with a
year, as it is written there, without regard to its zone; else when its file was changed (UTC).
"""


def condition_of(connection: sqlite3.Connection, filters: Iterable[Filter]) -> Condition:
    """Make one condition of all filters.

    `connection` is taught to compare other letters than ASCII, if that is needed.
    """
    alternatives: dict[str, list[Condition]] = {"path": [], "type": [], "lang": []}
    every: list[Condition] = []
    for wanted in filters:
        made = _one(connection, wanted)
        if wanted.negated:
            every.append((f"NOT ({made[0]})", made[1]))
        else:
            alternatives.get(wanted.name, every).append(made)
    every += [joined(" OR ", found) for found in alternatives.values() if found]
    return joined(" AND ", every)


def _one(connection: sqlite3.Connection, wanted: Filter) -> Condition:
    match wanted.name:
        case "path":
            return _path(connection, wanted.value)
        case "title":
            column = _folded_column(connection, "entries.title", wanted.value)
            return f"instr({column}, ?) > 0", (folded(wanted.value),)
        case "type":
            return _type(wanted.value)
        case "author":
            return _author(wanted.value)
        case "lang":
            return _language(wanted.value)
        case _:
            return f"{DATE} {'>=' if wanted.name == 'after' else '<'} ?", (wanted.value,)


_FACTS = "EXISTS (SELECT 1 FROM entry_facts WHERE entry_id = entries.id AND {})"


def _author(value: str) -> Condition:
    """Match words that names of authors begin with, in any order."""
    words = author_words(value).split()
    return _FACTS.format(" AND ".join(["instr(author_words, ?) > 0"] * len(words))), tuple(
        f" {word}" for word in words
    )


def _language(value: str) -> Condition:
    codes = ["" if code == UNKNOWN_LANGUAGE else code for code in value.split(",")]
    return _FACTS.format("language IN (SELECT value FROM json_each(?))"), (json.dumps(codes),)


def joined(operator: str, conditions: Iterable[Condition]) -> Condition:
    """Join conditions, each in brackets; nothing gives "", which is no condition."""
    given = [condition for condition in conditions if condition[0]]
    if len(given) == 1:
        return given[0]
    text = operator.join(f"({sql})" for sql, _ in given)
    return text, tuple(parameter for _, parameters in given for parameter in parameters)


def _path(connection: sqlite3.Connection, value: str) -> Condition:
    """Match a part of the path, or a pattern with * and ? that a path or folder begins with."""
    value = value.replace("\\", "/").removeprefix("./")
    column = _folded_column(connection, "files.path", value)
    value = folded(value)
    if "*" not in value and "?" not in value:
        return f"instr({column}, ?) > 0", (value,)
    pattern = value.replace("[", "[[]")
    return f"'/' || {column} GLOB ?", (f"*/{pattern}",)


def _folded_column(connection: sqlite3.Connection, column: str, value: str) -> str:
    """Give a column in the form in which it is compared with a folded value."""
    if value.isascii():
        return f"lower({column})"
    connection.create_function("folded", 1, folded, deterministic=True)
    return f"folded({column})"


def _type(value: str) -> Condition:
    """Match suffixes of the path, or media types where there is a stroke, or parts of them."""
    return joined(" OR ", [_one_type(name) for name in value.replace("|", ",").split(",")])


def _one_type(name: str) -> Condition:
    if "/" in name:
        return "lower(entries.media_type) GLOB ?", (name.replace("[", "[[]"),)
    name = name.lstrip(".")
    suffixes = suffixes_of(name)
    ends = [("lower(files.path) GLOB ?", (f"*.{suffix}",)) for suffix in suffixes]
    # The media type says what a file is whose name says nothing: "application/pdf", "image/png".
    pattern = f"{name}/*" if name in ("image", "audio", "video") else f"*/{name}"
    return joined(" OR ", [*ends, ("lower(entries.media_type) GLOB ?", (pattern,))])
