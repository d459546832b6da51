"""What a question goes to: databases, or parts of them; and what `@` may name."""

import asyncio

from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.beside import beside
from rag_assistant.tui.main.controller import Controller
from rag_assistant.tui.main.database_rows import DatabaseRow
from rag_assistant.tui.question.scope_names import ScopeNames, read_names
from rag_assistant.values.scope import Scope, Wanted, name_of, scopes_in, wanted_of


class ScopeController(Controller):
    """Of `rows`, those not in `left_out` are asked; of those in `scope`, only these parts.

    `parts` names the latter. `counted` says how many documents that are, and `names` is what `@`
    may name, without the files until they are read.
    """

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    scope: reactive[tuple[Scope, ...]] = reactive(())
    parts: reactive[frozenset[str]] = reactive(frozenset())
    counted: reactive[str] = reactive("")
    names: reactive[ScopeNames] = reactive(ScopeNames)

    def __init__(self, library: Library) -> None:
        super().__init__()
        self._library = library
        self._names_are_read = False

    @property
    def asked(self) -> tuple[str, ...]:
        """The databases that a question goes to."""
        return tuple(name for name in self.readable if name not in self.left_out)

    @property
    def readable(self) -> tuple[str, ...]:
        """The databases that a question could go to."""
        return tuple(row.name for row in self.rows if not row.problem)

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What a question goes to."""
        return wanted_of(self.asked, self.scope)

    def take(self, wanted: tuple[Wanted, ...]) -> None:
        """Ask this from now on."""
        named = {name_of(one) for one in wanted}
        self.left_out = frozenset(row.name for row in self.rows if row.name not in named)
        self.scope = scopes_in(wanted)

    def take_known(self, wanted: tuple[Wanted, ...]) -> None:
        """Ask this from now on, as far as its databases are still there."""
        known = {row.name for row in self.rows}
        if there := tuple(one for one in wanted if name_of(one) in known):
            self.take(there)

    def action_everything(self) -> None:
        """Ask all documents of all databases again."""
        self.take(tuple(row.name for row in self.rows))
        self.remark("questions go to all documents again")

    def toggle(self, name: str) -> None:
        """Ask a database, or leave it out; it is asked whole when it is asked again."""
        self.left_out ^= {name}
        self.scope = tuple(part for part in self.scope if part.database != name)

    def watch_rows(self) -> None:
        """Know other names; count what is in scope anew."""
        self._begin_anew()

    def watch_left_out(self) -> None:
        """Know other names, and count what is in scope now."""
        self._begin_anew()

    def watch_scope(self) -> None:
        """Know other names, and count what is in scope now."""
        self.parts = frozenset(part.database for part in self.scope)
        self._begin_anew()

    def _begin_anew(self) -> None:
        self.names = ScopeNames(self.readable)
        self._names_are_read = False
        if scopes_in(self.wanted):
            beside(self, self._count, "scope")
        else:
            self.counted = ""

    async def _count(self) -> None:
        count = await asyncio.to_thread(count_entries, self._library, self.wanted)
        if scopes_in(self.wanted):
            self.counted = f"scope: {count:,} doc{'' if count == 1 else 's'}"

    async def read_names(self) -> bool:
        """Read the folders and files that `@` may name, once; tells whether it did."""
        if self._names_are_read:
            return False
        self._names_are_read = True
        self.names = await asyncio.to_thread(read_names, self._library, self.readable, self.wanted)
        return True


def count_entries(library: Library, wanted: tuple[Wanted, ...]) -> int:
    """Count the documents in scope. It blocks: call it in a thread."""
    count = 0
    for one in wanted:
        try:
            count += library.database(one).figures().entries
        except RagError:
            continue  # the list of databases says what is wrong with it
    return count
