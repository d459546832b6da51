"""The part of the main screen that knows what a question goes to: databases, or parts of them."""

import asyncio

from textual import on
from textual.reactive import reactive

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.beside import beside
from rag_assistant.tui.main.databases_panel import DatabasesPanel
from rag_assistant.tui.main.sources_screen import SourcesScreen
from rag_assistant.tui.main.status_bar import StatusBar
from rag_assistant.tui.question.question_box import QuestionBox
from rag_assistant.tui.question.scope_names import ScopeNames, read_names
from rag_assistant.values.scope import Scope, Wanted, name_of, scopes_in, wanted_of


class ScopingScreen(SourcesScreen):
    """A screen whose questions go to the ticked databases; of those in `scope`, to these parts."""

    scope: reactive[tuple[Scope, ...]] = reactive(())

    @property
    def wanted(self) -> tuple[Wanted, ...]:
        """What a question goes to."""
        return wanted_of(self.asked, self.scope)

    def take_scope(self, wanted: tuple[Wanted, ...]) -> None:
        """Ask this from now on."""
        named = {name_of(one) for one in wanted}
        self.left_out = frozenset(row.name for row in self.rows if row.name not in named)
        self.scope = scopes_in(wanted)

    def watch_rows(self) -> None:
        """Offer other names in the box; count what is in scope anew."""
        self._names_are_old()
        self._count()

    def watch_left_out(self) -> None:
        """Offer other names, and say how much is in scope now."""
        self._names_are_old()
        self._count()

    def watch_scope(self) -> None:
        """Offer other names, and say how much is in scope now."""
        self._names_are_old()
        self._count()

    @on(DatabasesPanel.Toggled)
    def _toggle_part(self, event: DatabasesPanel.Toggled) -> None:
        """Take a database out of the scope: ticked again, it is asked whole."""
        self.scope = tuple(part for part in self.scope if part.database != event.name)

    # What is in scope

    def _count(self) -> None:
        parts = scopes_in(self.wanted)
        if parts:
            beside(self, self._say_scope, "scope")
        else:
            self._show_scope("")

    async def _say_scope(self) -> None:
        count = await asyncio.to_thread(count_entries, self._assistant.library, self.wanted)
        self._show_scope(f"scope: {count:,} doc{'' if count == 1 else 's'}")

    def _show_scope(self, said: str) -> None:
        for bar in self.query(StatusBar):
            bar.scope = said
        for panel in self.query(DatabasesPanel):
            panel.parts = frozenset(part.database for part in self.scope)

    def action_scope(self) -> None:
        """Choose the documents that are asked."""
        from rag_assistant.tui.scope.screen import ScopeScreen  # noqa: PLC0415 - when it is wanted

        def take(wanted: tuple[Wanted, ...] | None) -> None:
            if wanted:
                self.take_scope(wanted)

        self.app.push_screen(ScopeScreen(self._assistant.library, self.wanted), take)

    def action_everything(self) -> None:
        """Ask all documents of all databases again."""
        self.take_scope(tuple(row.name for row in self.rows))
        self.remark("all documents are asked again")

    # What `@` may name

    def _names_are_old(self) -> None:
        for box in self.query(QuestionBox):
            box.names = ScopeNames(self._named)
            box.names_read = False

    @property
    def _named(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows if not row.problem)

    @on(QuestionBox.NamesWanted)
    async def read_names(self) -> None:
        """Let the box offer folders and files, read when `@` is typed first."""
        box = self.query_one(QuestionBox)
        if not box.names_read:
            box.names_read = True
            names = await asyncio.to_thread(
                read_names, self._assistant.library, self._named, self.wanted
            )
            box.names = names
            box.offer_again()


def count_entries(library: Library, wanted: tuple[Wanted, ...]) -> int:
    """Count the documents in scope. It blocks: call it in a thread."""
    count = 0
    for one in wanted:
        try:
            count += library.database(one).figures().entries
        except RagError:
            continue  # the list of databases says what is wrong with it
    return count
