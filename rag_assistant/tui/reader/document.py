"""The part of the reader that shows a document: its text from the place it was opened for, and its
head. All reading is done in threads.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Input

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.source_files import is_changed
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Block, Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, SEPARATOR, WARN, problem
from rag_assistant.tui.drawing.text_lines import Excerpt
from rag_assistant.tui.indexing.progress import IndexingEnded
from rag_assistant.tui.keys.key_bar import KeyBar
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.sources.page_picture import PagePicture
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.tui.sources.reading import place_at, read_more, read_window
from rag_assistant.tui.sources.reference import place_of
from rag_assistant.tui.sources.source_text import SourceText
from rag_assistant.values.documents import Entry, Location
from rag_assistant.values.evidence import Citation, QuoteState


@dataclass(frozen=True, slots=True)
class Source:
    """A document that is read, opened at the words from `place.start` to `place.end`."""

    database: Database
    entry: Entry
    place: Location
    excerpt: Excerpt
    citation: Citation | None = None
    state: QuoteState = QuoteState.FOUND
    stale: bool = False
    suspicious: str = ""


@dataclass(frozen=True, slots=True)
class Trail:
    """What an answer cites and what was retrieved besides, to go through one after the other.

    `mark_wrong` marks a citation as wrong or takes that back, and tells what came of it.
    """

    library: Library
    cited: tuple[Citation, ...] = ()
    others: tuple[Citation, ...] = ()
    mark_wrong: Callable[[Citation, Callable[[str], None]], None] | None = None


@dataclass(frozen=True, slots=True)
class More:
    """Text that goes before or after what is shown of a source."""

    source: Source
    excerpt: Excerpt
    side: int
    """0 puts it in the place of what is shown, -1 and 1 before and after that."""
    at: int = 0


class Read(Message):
    """Something was read: `value` says what; a RagError says why it was not."""

    def __init__(self, value: object) -> None:
        super().__init__()
        self.value = value


class DocumentScreen(Screen[None]):
    """Shows the entry, with the characters `start` to `end` marked; of a `trail`, `opened`."""

    def __init__(
        self,
        database: Database,
        entry_id: int,
        start: int,
        end: int,
        trail: Trail | None = None,
        opened: Citation | None = None,
    ) -> None:
        super().__init__()
        self._source: Source | None = None
        self._trail = trail
        self._all_shown = bool(opened and trail and opened not in trail.cited)
        self._first = partial(_read_source, database, entry_id, start, max(start, end))
        self._opened = opened

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield LaidText(id="reader-head")
        with Horizontal(id="reader-columns"):
            yield PickList(id="reader-outline")
            with Vertical(id="reader-middle"):
                yield SourceText(id="reader-text")
                yield PagePicture(id="picture")
        yield LaidText(id="reader-remark")
        yield Input(placeholder="search this document", compact=True, id="reader-search")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        """Open the document."""
        self.add_class("reader")
        for part in ("#reader-outline", "#reader-search"):
            self.query_one(part).display = False
        self.text.focus()
        self.remark()
        if self._trail and self._opened:
            self.read(partial(read_cited, self._trail.library, self._opened))
        else:
            self.read(self._first)

    @property
    def text(self) -> SourceText:
        """The text, as far as it is held."""
        return self.query_one("#reader-text", SourceText)

    @work(thread=True, exit_on_error=False)
    def read(self, read: Callable[[], object]) -> None:
        """Read something in a thread; what came of it is told by `Read`."""
        try:
            self.post_message(Read(read()))
        except Exception as error:  # noqa: BLE001 - a defect must not leave the screen without a word
            self.post_message(Read(told(error)))

    @on(Read)
    def _take_document(self, event: Read) -> None:
        match event.value:
            case Source() as source:
                self.show_source(source)
            case More(source, excerpt, side, at) if source is self._source:
                if side:
                    self.text.extend(excerpt, side)
                else:
                    self.text.open(excerpt, at)
            case RagError() as error:
                self.text.let_go()
                self.remark(problem(error.message, error.hint))

    def show_source(self, source: Source) -> None:
        """Open a document."""
        self._source = source
        span = source.place.start, source.place.end
        self.text.mark(span, ())
        self.text.open(source.excerpt, span[0])
        self._head()

    # The text

    def jump(self, at: int) -> None:
        """Go to a character of the document."""
        if self._source and not self.text.bring_into_view(at):
            self.read(partial(_read_at, self._source, at))

    @on(SourceText.MoreWanted)
    def _more(self, event: SourceText.MoreWanted) -> None:
        if self._source:
            self.read(partial(_read_more, self._source, event.edge, event.side))

    @on(SourceText.JumpWanted)
    def _jump_to_end(self, event: SourceText.JumpWanted) -> None:
        if self._source:
            self.jump(0 if event.side < 0 else max(0, self._source.entry.length - 1))

    def action_home(self) -> None:
        """Go back to the words that the document was opened for."""
        if self._source:
            self.jump(self._source.place.start)

    @on(SourceText.Scrolled)
    def _head(self) -> None:
        if self._source is None:
            return
        source, entry = self._source, self._source.entry
        share = 100 * self.text.top() // max(1, entry.length)
        right = [one_line(source.database.name, QUIET), plain(f"{share} %", QUIET)]
        where = one_line(" · ".join([entry.path, *place_of(source.place)]), QUIET)
        blocks: list[Block] = [
            Row(
                joined([self._number(), one_line(entry.title.strip() or entry.path, "bold")]),
                joined(right, SEPARATOR),
            ),
            Row(where),
        ]
        if source.stale:
            blocks.append(Row(plain(QuoteState.STALE.words, WARN)))
        elif source.state is not QuoteState.FOUND:
            blocks.append(Row(plain(source.state.words, WARN)))
        if source.suspicious:
            blocks.append(Row(one_line(source.suspicious, WARN)))
        # Another head is laid out anew with the screen: not for every line that is scrolled.
        if tuple(blocks) != (head := self.query_one("#reader-head", LaidText)).blocks:
            head.blocks = tuple(blocks)

    def _number(self) -> Content:
        citation = self._source.citation if self._source else None
        if citation is None or not (self._trail and citation in self._trail.cited):
            return EMPTY
        return plain(f"[{citation.marker}] ", "bold $text-accent")

    def remark(self, said: Content = EMPTY) -> None:
        """Say something in the line below the text."""
        shown = self.query_one("#reader-remark", LaidText)
        shown.blocks = (Text(said),) if said else ()
        shown.display = bool(said)

    # Files that have changed

    async def action_rescan(self) -> None:
        """Have the databases in scope read again, by the screen that does it."""
        begun = await self.app.run_action("rescan", self.app.screen_stack[0])
        self.remark(one_line("reading the files again…" if begun else "no screen here does that"))

    @on(IndexingEnded)
    def _open_again(self) -> None:
        """Show the document as it was read just now."""
        source = self._source
        if source and source.citation and self._trail:
            self.read(partial(read_cited, self._trail.library, source.citation))
        elif source:
            place = (source.entry.id, source.place.start, source.place.end)
            self.read(partial(_read_source, source.database, *place))


def _read_source(database: Database, entry_id: int, start: int, end: int) -> Source:
    entry = database.entry(entry_id)
    place = place_at(database, entry_id, start, end)
    excerpt = read_window(database, entry_id, entry.length, start, end)
    stale = is_changed(database, entry.path)
    suspicious = _suspicious(database, entry_id, (start, end))
    return Source(database, entry, place, excerpt, stale=stale, suspicious=suspicious)


def _suspicious(database: Database, entry_id: int, span: tuple[int, int]) -> str:
    """Say what of a document no model reads, and why: where it is opened, or else first."""
    found = [row.suspicion for row in database.suspicions(entry_id) if not row.suspicion.allowed]
    if not found:
        return ""
    here = [one for one in found if one.place == "text" and one.start < span[1] > span[0] < one.end]
    one = (here or found)[0]
    more = f", and {len(found) - 1} more" if len(found) > 1 else ""
    return f"! kept out of prompts{' here' if here else ''}: {one.reason}{more}"


def read_cited(library: Library, citation: Citation) -> Source:
    """Read the document that a citation is from. Raises RagError where it is gone."""
    passage = read_passage(library, citation)
    if passage.entry is None:
        raise RagError(passage.problem, hint=passage.hint)
    database = library.database(citation.item.database)
    place = place_at(database, passage.entry.id, passage.start, passage.end)
    span = (passage.start, passage.end)
    suspicious = _suspicious(database, passage.entry.id, span)
    facts = (citation, passage.state, passage.stale, suspicious)
    return Source(database, passage.entry, place, passage.excerpt, *facts)


def _read_at(source: Source, at: int) -> More:
    entry = source.entry
    return More(source, read_window(source.database, entry.id, entry.length, at), 0, at)


def _read_more(source: Source, edge: int, side: int) -> More:
    entry = source.entry
    return More(source, read_more(source.database, entry.id, entry.length, edge, side), side)


def told(error: Exception) -> RagError:
    """Give any failure of a thread as one that can be shown."""
    if isinstance(error, RagError):
        return error
    return RagError(f"{type(error).__name__}: {error}", hint="Try again.")
