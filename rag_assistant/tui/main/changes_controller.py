"""How many files have changed since they were indexed, in the databases that are asked."""

from collections.abc import Callable
from dataclasses import dataclass

from textual import on, work
from textual.message import Message
from textual.reactive import reactive
from textual.worker import get_current_worker

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.main.controller import Controller


class ChangesController(Controller):
    """Counts the files that differ from what was indexed as `changed`; `asked` names databases."""

    changed: reactive[int] = reactive(0)

    @dataclass
    class Counted(Message):
        """The files of some databases were compared with what was indexed."""

        changed: int

    def __init__(self, library: Library, asked: Callable[[], tuple[str, ...]]) -> None:
        super().__init__()
        self._library = library
        self._asked = asked

    def on_mount(self) -> None:
        """Look when the person comes back from elsewhere."""
        self.watch(self.app, "app_focus", self.look, init=False)

    def look(self) -> None:
        """Count anew, beside everything else."""
        if self.app.app_focus:
            self._count(self._asked())

    @work(thread=True, exclusive=True, group="changes", exit_on_error=False)
    def _count(self, names: tuple[str, ...]) -> None:
        from rag_assistant.library.source_files import count_changed  # noqa: PLC0415 - in its thread

        worker, changed = get_current_worker(), 0
        for name in names:
            try:
                database = self._library.database(name)
                changed += count_changed(database, lambda: worker.is_cancelled)
            except RagError:
                continue  # the list of databases says what is wrong with it
        if not worker.is_cancelled:
            self.post_message(self.Counted(changed))

    @on(Counted)
    def _take_count(self, event: Counted) -> None:
        event.stop()
        self.changed = event.changed
