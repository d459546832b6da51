"""What is of an engine stays in its room: SQL on a database's content, and sqlite3 itself."""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import rag_assistant

ROOT = Path(rag_assistant.__file__).parent

OTHER_FILES = ("history/", "egress/ledger", "files/", "store/sqlite/")
"""Rooms that have SQLite files, each its own; `files` mends those of any."""

ASKS_SQLITE = {
    "text/terms.py": "how FTS5 cuts words and stems them, in memory",
    "evaluation/running/circumstances.py": "the version of SQLite, for a run's header",
    "cli/doctor.py": "the version of SQLite, and whether it has FTS5",
}
"""Modules that use sqlite3 without any file, and for what."""

SQL = re.compile(
    r"\b(SELECT .+ FROM|INSERT (OR \w+ )?INTO|UPDATE \w+ SET|DELETE FROM"
    r"|CREATE (TEMP |VIRTUAL )*TABLE|MATCH \?|PRAGMA \w)",
    re.DOTALL,
)
TABLES = re.compile(r"\b(passages_fts|previous_texts|former_ids|kept_vectors|withheld_entries)\b")
WORDS = re.compile(rf"sqlite3|SELECT|INSERT|UPDATE|DELETE|CREATE|MATCH|PRAGMA|{TABLES.pattern}")
"""One of these stands in each source that is looked into more closely."""


@cache
def modules() -> dict[str, ast.Module]:
    """Give the modules with `WORDS` that are in none of these rooms, by their path."""
    names = {file.relative_to(ROOT).as_posix(): file for file in sorted(ROOT.rglob("*.py"))}
    others = {name: file for name, file in names.items() if not name.startswith(OTHER_FILES)}
    found = {name: file.read_text(encoding="utf-8") for name, file in others.items()}
    return {name: ast.parse(source) for name, source in found.items() if WORDS.search(source)}


def imports_sqlite(tree: ast.Module) -> bool:
    """Say whether a module imports sqlite3 anywhere."""
    return any(
        (isinstance(node, ast.Import) and any(one.name == "sqlite3" for one in node.names))
        or (isinstance(node, ast.ImportFrom) and node.module == "sqlite3")
        for node in ast.walk(tree)
    )


def texts(tree: ast.Module) -> Iterator[str]:
    """Give the texts of a module, each whole, with those that are docstrings left out."""
    documented = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
    described = {
        id(node.body[0].value)
        for node in ast.walk(tree)
        if isinstance(node, documented) and node.body and isinstance(node.body[0], ast.Expr)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and id(node) not in described:
            yield from [node.value] if isinstance(node.value, str) else []


def test_only_the_rooms_of_files_know_sqlite() -> None:
    """Another engine would have to be built into every module that opens a database."""
    known = {name for name, tree in modules().items() if imports_sqlite(tree)}
    assert known == ASKS_SQLITE.keys()


def test_sql_on_content_stands_in_the_store_alone() -> None:
    """A change of the tables would break modules that nobody thinks of."""
    found = {
        name
        for name, tree in modules().items()
        for text in texts(tree)
        if SQL.search(text) or TABLES.search(text)
    }
    assert found <= ASKS_SQLITE.keys()


def test_sql_elsewhere_is_found() -> None:
    """The checks above would say that all is well whatever stands in a module."""
    source = '''
def read(connection):
    """SELECT a database FROM those there are."""
    import sqlite3
    return connection.execute("SELECT text FROM passages WHERE id = ?", (1,))
'''
    tree = ast.parse(source)
    assert imports_sqlite(tree)
    assert [text for text in texts(tree) if SQL.search(text)] == [
        "SELECT text FROM passages WHERE id = ?"
    ]
