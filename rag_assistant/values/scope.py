"""Scope: some documents of a database, which a question or a search is limited to."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Scope:
    """A part of `database`: whole files, whole folders, single entries by id.

    `paths` are as in the ledger; one that ends with a stroke is a folder, with all that is in it
    when it is asked. Nothing named is nothing in scope: a database without a scope is asked whole.
    """

    database: str
    paths: tuple[str, ...] = ()
    entries: tuple[int, ...] = ()


Wanted = str | Scope
"""What is to be searched: a whole database by its name, or a part of one."""


def name_of(wanted: Wanted) -> str:
    """Give the name of the database that is meant."""
    return wanted if isinstance(wanted, str) else wanted.database


def scopes_in(wanted: Sequence[Wanted]) -> tuple[Scope, ...]:
    """Give those that are parts of databases."""
    return tuple(one for one in wanted if isinstance(one, Scope))


def joint(scopes: Sequence[Scope]) -> Scope:
    """Give what is in any of some parts of one database."""
    return Scope(
        scopes[0].database,
        tuple(dict.fromkeys(path for scope in scopes for path in scope.paths)),
        tuple(dict.fromkeys(entry for scope in scopes for entry in scope.entries)),
    )


def wanted_of(databases: Sequence[str], scopes: Sequence[Scope]) -> tuple[Wanted, ...]:
    """Give databases by name with some of them limited to parts."""
    parts = {scope.database: scope for scope in scopes}
    return tuple(parts.get(name, name) for name in databases)
