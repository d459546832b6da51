"""The line that is searched for, with what its filters can be filled with offered below it."""

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical

from rag_assistant.library.library import Library
from rag_assistant.tui.find.box import FindBox
from rag_assistant.tui.find.search import NamesRead
from rag_assistant.tui.question.completion import CompletionList
from rag_assistant.tui.question.scope_names import read_names
from rag_assistant.values.scope import Wanted, name_of


class QueryLine(Vertical):
    """A box that begins with `query`; names are read from `databases`, all where none is named."""

    DEFAULT_CSS = "QueryLine { height: auto; }"

    def __init__(self, library: Library, databases: tuple[Wanted, ...], query: str) -> None:
        super().__init__()
        self._library = library
        self._databases = databases
        self._query = query

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield FindBox(self._query)
        yield CompletionList(id="find-offered")

    @property
    def box(self) -> FindBox:
        """Where the words are typed."""
        return self.query_one(FindBox)

    @on(FindBox.Offered)
    def _offer(self, event: FindBox.Offered) -> None:
        words = self.query_one(CompletionList)
        words.choices, words.cursor = event.choices, event.cursor

    @on(FindBox.NamesWanted)
    @work(thread=True, exclusive=True, group="names", exit_on_error=False)
    def _read_names(self) -> None:
        wanted = self._databases or tuple(self._library.names())
        names = read_names(self._library, tuple(map(name_of, wanted)), wanted)
        self.post_message(NamesRead(names))

    @on(NamesRead)
    def _take_names(self, event: NamesRead) -> None:
        self.box.names = event.names
        self.box.offer_again()
