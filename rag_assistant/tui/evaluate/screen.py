"""Question sets: those beside the indexed folders, those that were run before, any other file."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.assistant import Assistant
from rag_assistant.errors import RagError
from rag_assistant.evaluation.running.kept_sets import LastRuns, known_sets, last_runs
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.history.kept import KeptCitation, KeptConversation, KeptExchange
from rag_assistant.history.store import ConversationStore
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, SEPARATOR, WARN
from rag_assistant.tui.evaluate.rows import summary, when
from rag_assistant.tui.evaluate.set_editing import make_set
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.choice_dialog import ChoiceDialog
from rag_assistant.tui.lists.pick_list import FactRow, PickItem, PickList
from rag_assistant.tui.sources.reference import place_of

LABELLED = "\nmarked wrong"
"""The key of the line; no path has it."""


def labelled_items(kept: Sequence[KeptConversation]) -> tuple[PickItem, ...]:
    """Give the line, apart from what stands above it."""
    wrong = sum(1 for conversation in kept for _ in _wrong(conversation))
    count = f"{wrong} in {len(kept)} conversation{'' if len(kept) == 1 else 's'}"
    line = FactRow(plain("Citations you marked wrong"), (plain(count, WARN),))
    return PickItem(Text()), PickItem(line, LABELLED)


def labelled_blocks(kept: Sequence[KeptConversation]) -> tuple[LayoutBlock, ...]:
    """Give each of them, below the question that it was an answer to."""
    blocks: list[LayoutBlock] = [Text(plain("Citations you marked wrong", "bold")), Divider()]
    for conversation in kept:
        for exchange, cited in _wrong(conversation):
            item = cited.citation.item
            place = [item.path, *place_of(item.location), f"conversation {conversation.summary.id}"]
            blocks += [
                Text(one_line(exchange.question, "bold")),
                Indented(Text(plain(item.quote)), plain(f"[{cited.citation.marker}✗] ", WARN)),
                Text(joined([one_line(part, QUIET) for part in place], SEPARATOR)),
                Text(),
            ]
    return tuple(blocks)


def _wrong(conversation: KeptConversation) -> Iterator[tuple[KeptExchange, KeptCitation]]:
    for exchange in conversation.exchanges:
        for cited in exchange.citations:
            if cited.wrong:
                yield exchange, cited


NOTHING = (
    "There is no question set yet. It is a list of questions whose answers are known: running it "
    "shows how many of them are found, and answered, and what got better since the last time. "
    "n makes one from your documents; o opens a file that you have."
)


class EvaluateScreen(BrowseScreen[None]):
    """Lists question sets, of which Enter opens one, and the citations marked wrong in `store`."""

    NAME = "Evaluate"
    PLACEHOLDER = "filter question sets by name"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Open"),
        Binding("n", "make", "Make questions"),
        Binding("o", "other", "Open a file"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """It is known which sets there are."""

        def __init__(
            self,
            sets: tuple[tuple[Path, LastRuns], ...],
            labelled: Sequence[KeptConversation],
            failure: RagError | None,
        ) -> None:
            super().__init__()
            self.sets = sets
            self.labelled = labelled
            self.failure = failure

    def __init__(self, assistant: Assistant, store: ConversationStore | None = None) -> None:
        super().__init__()
        self._assistant = assistant
        self._store = store
        self._labelled: Sequence[KeptConversation] = ()
        self._sets: tuple[tuple[Path, LastRuns], ...] = ()

    @work(thread=True, exclusive=True, exit_on_error=False, group="sets")
    def reload(self) -> None:
        """Look for sets."""
        library = self._assistant.library
        found = known_sets(library)
        labelled: Sequence[KeptConversation] = ()
        failure: RagError | None = None
        try:
            labelled = self._store.labelled() if self._store else ()
        except RagError as error:
            failure = error
        sets = tuple((path, last_runs(RunStore(library.home), path)) for path in found)
        self.post_message(self.Read(sets, labelled, failure))

    @on(Read)
    def _show(self, event: Read) -> None:
        self._sets, self._labelled = event.sets, event.labelled
        self.filter_changed(self.filter_text)
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)

    def filter_changed(self, text: str) -> None:
        """List the sets whose path holds what is typed."""
        items = tuple(
            PickItem(FactRow(one_line(path.name), (summary(runs),)), str(path))
            for path, runs in self._sets
            if text.casefold() in str(path).casefold()
        )
        if self._labelled and not text:
            above = items or (PickItem(Text(plain("No question set yet: n makes one.", QUIET))),)
            items = (*above, *labelled_items(self._labelled))
        self.listing.show(items, plain(NOTHING if not self._sets else "No set fits the filter."))
        self.head(plain(f"question sets: {len(self._sets)}", QUIET))

    @on(PickList.Moved)
    def _moved(self) -> None:
        if self.listing.key == LABELLED:
            self.detail(*labelled_blocks(self._labelled))
            return
        runs = next((runs for path, runs in self._sets if str(path) == self.listing.key), None)
        if runs is None:
            self.detail()
            return
        path = Path(self.listing.key)
        place = Text(one_line(str(path.parent), QUIET))
        ran = (Text(when(runs.last)),) if runs.last else ()
        self.detail(Text(one_line(path.name, "bold")), place, Divider(), Text(summary(runs)), *ran)

    def choose(self) -> None:
        """Open the set at the cursor."""
        if self.listing.key == LABELLED:
            self.remark(plain("Ctrl+R opens a conversation; x on the source takes a mark back"))
            return
        self._open(Path(self.listing.key))

    def action_make(self) -> None:
        """Make questions of a database, asking which where there are several."""
        names = self._assistant.library.names()
        if not names:
            self.complain("There is no database yet.", "Esc, then Ctrl+O adds a folder.")
        elif len(names) == 1:
            self._make(names[0])
        else:

            def make(name: str | None) -> None:
                if name:
                    self._make(name)

            choices = [(name, name) for name in names]
            self.app.push_screen(ChoiceDialog("Make questions from", choices, names[0]), make)

    @work(exclusive=True, exit_on_error=False, group="make")
    async def _make(self, name: str) -> None:
        def tell(said: str) -> None:
            self.app.call_later(self.remark, plain(said, QUIET))

        tell(f"reading {name}…")
        try:
            path = await make_set(self._assistant, name, tell)
        except RagError as error:
            self.complain(error.message, error.hint)
            return
        self.remark()
        self._open(path)

    def action_other(self) -> None:
        """Ask for a file."""

        def take(written: str) -> None:
            path = Path(written.strip()).expanduser()
            if not written.strip() or not path.exists():
                self.complain(f"There is no file {written.strip()}.")
                return
            self.edit.close()
            self._open(path)

        self.edit.open(plain("A file of questions, or a folder of them", "bold"), "", take)

    def _open(self, path: Path) -> None:
        from rag_assistant.tui.evaluate.questions import QuestionsScreen  # noqa: PLC0415

        def look_again(_: None) -> None:
            self.reload()

        self.app.push_screen(QuestionsScreen(self._assistant, path), look_again)
