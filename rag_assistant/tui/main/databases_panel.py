"""The databases, which of them are asked, and what is being indexed."""

from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.reactive import reactive

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingProgress
from rag_assistant.tui.main.database_rows import DatabaseRow

if TYPE_CHECKING:
    from rag_assistant.library.background import VectorNews


class DatabasesPanel(LaidText, can_focus=True):
    """Lists `rows`; those named in `left_out` are not asked, of `parts` only some documents are.

    `progress` is of folders being indexed, `vectors` of databases whose vectors are being made.
    """

    FOCUS_ON_CLICK = False  # a click ticks a row; what is typed next is a question

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "Up", show=False),
        Binding("down,j", "move(1)", "Down", show=False),
        Binding("space,enter", "tick", "Ask it or leave it out"),
        Binding("r", "refresh_index", "Index it again"),
        Binding("a", "add", "Add a folder"),
        Binding("escape", "leave", "Back"),
    ]

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    parts: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    vectors: "reactive[tuple[VectorNews, ...]]" = reactive(())
    cursor: reactive[int] = reactive(0)

    class Toggled(Message):
        """A database is to be asked or left out."""

        def __init__(self, name: str) -> None:
            super().__init__()
            self.name = name

    class RefreshWanted(Message):
        """A database is to be brought into step with its folder."""

        def __init__(self, row: DatabaseRow) -> None:
            super().__init__()
            self.row = row

    class AddWanted(Message):
        """A folder is to be added."""

    class Left(Message):
        """The person is done here."""

    def on_mount(self) -> None:
        """Show what there is."""
        self._draw()

    def watch_rows(self) -> None:
        """List other rows."""
        self.cursor = max(0, min(self.cursor, len(self.rows) - 1))
        self._draw()

    def watch_left_out(self) -> None:
        """Tick other rows."""
        self._draw()

    def watch_parts(self) -> None:
        """Mark other rows as asked in part."""
        self._draw()

    def watch_progress(self) -> None:
        """Show how far indexing is."""
        self._draw()

    def watch_vectors(self) -> None:
        """Show how far the making of vectors is."""
        self._draw()

    def watch_cursor(self) -> None:
        """Mark another row."""
        self._draw()

    def watch_has_focus(self, focus: bool) -> None:
        """Show the cursor while the keys act here."""
        super().watch_has_focus(focus)
        self._draw()

    def action_move(self, rows: int) -> None:
        """Move the cursor."""
        self.cursor = max(0, min(self.cursor + rows, len(self.rows) - 1))

    def action_tick(self) -> None:
        """Ask the database at the cursor, or leave it out."""
        if self.rows:
            self.post_message(self.Toggled(self.rows[self.cursor].name))

    def action_refresh_index(self) -> None:
        """Index the folder of the database at the cursor again."""
        if self.rows and self.rows[self.cursor].folder:
            self.post_message(self.RefreshWanted(self.rows[self.cursor]))

    def action_add(self) -> None:
        """Add a folder."""
        self.post_message(self.AddWanted())

    def action_leave(self) -> None:
        """Go back to the question."""
        self.post_message(self.Left())

    def on_click(self, event: events.Click) -> None:
        """Toggle the row that was clicked, or add a folder."""
        meta = event.style.meta
        if "row" in meta:
            self.cursor = meta["row"]
            self.action_tick()
        elif "add" in meta:
            self.action_add()

    def _draw(self) -> None:
        blocks: list[LayoutBlock] = [
            Row(plain("Databases", "bold"), plain("documents", QUIET)),
            Divider(),
        ]
        for number, row in enumerate(self.rows):
            blocks += self._row(number, row)
        if not self.rows and not self.progress:
            blocks.append(Text(plain("none yet", QUIET)))
        for progress in self.progress:
            if not any(progress.target.meets(row.target) for row in self.rows):
                blocks += [Text(), _progress(progress)]
        add = clickable(
            joined([plain("+ ", "bold $text-accent"), plain("Add a folder")]), {"add": 1}
        )
        self.blocks = (*blocks, Text(), Row(add, plain("^O", QUIET)))

    def _progress_of(self, row: DatabaseRow) -> IndexingProgress | None:
        """Give how far the indexing of a database is, if it goes on."""
        found = (one for one in self.progress if one.target.meets(row.target))
        return next(found, None)

    def _row(self, number: int, row: DatabaseRow) -> list[LayoutBlock]:
        asked = row.name not in self.left_out
        mark = "[ ] " if not asked else "[-] " if row.name in self.parts else "[x] "
        box = plain(mark, "$text-success" if asked else QUIET)
        here = self.has_focus and number == self.cursor
        name = one_line(row.name, "reverse" if here else "" if asked else QUIET)
        count = plain(
            str(row.entries) if not row.problem else "!", QUIET if not row.problem else BAD
        )
        line = Row(clickable(joined([box, name]), {"row": number}), count)
        blocks: list[LayoutBlock] = [line]
        if row.problem:
            blocks.append(Indented(Text(one_line(row.problem, BAD)), plain("    ")))
        elif progress := self._progress_of(row):
            blocks.append(Text(plain(f"    {_counted(progress)}", QUIET)))
        elif not row.whole:
            blocks.append(Text(plain("    unfinished: press r", WARN)))
        elif row.failed:
            blocks.append(Text(plain(f"    {row.failed} unreadable", WARN)))
        news = next((news for news in self.vectors if news.database == row.name), None)
        if news:
            blocks.append(Indented(Text(_vectors(news)), plain("    ")))
        elif row.lacking and row.whole and not self._progress_of(row):
            blocks.append(Text(plain(f"    {row.lacking} without vector: press r", QUIET)))
        return blocks


def _counted(progress: IndexingProgress) -> str:
    return f"reading {progress.done:,}/{progress.total:,}" if progress.total else "listing files…"


def _vectors(news: "VectorNews") -> Content:
    """Say how far the vectors of a database are, and where its text goes."""
    counts = f"vectors {news.done}/{news.total}" if news.total else "no vectors"
    if news.state == "failed":
        return one_line(f"{counts}: {news.reason}", WARN)
    if news.state == "waiting":
        return plain(f"{counts}, waiting for another process", QUIET)
    return one_line(counts + (f" → {news.destination}" if news.destination else ""), QUIET)


def _progress(progress: IndexingProgress) -> Row:
    """Name one folder that is being indexed; the line above all says how far it is."""
    name = joined([plain("◌ ", "$text-accent"), one_line(progress.name)])
    count = f"{progress.done:,}/{progress.total:,}" if progress.total else "…"
    return Row(name, plain(count, QUIET))
