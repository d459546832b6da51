"""Choosing a folder: its path is written, pasted or dropped, or walked to in a list below."""

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from rag_assistant.errors import FolderError
from rag_assistant.tui.beside import beside
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import EMPTY, ContentLine, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, problem
from rag_assistant.tui.library.folder_paths import Folders, chosen_folder, folders_at, parent_of
from rag_assistant.tui.lists.pick_list import PickItem, PickList
from rag_assistant.tui.question.attaching import written_path

SAMPLE = "/sample"
"""What is written for the folder of examples."""


class FolderField(Input):
    """Where the path is written; what is pasted or dropped takes the place of what stood there."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Choose"),
        Binding("tab", "complete", "Complete"),
        Binding("down", "to_list", "To the list"),
    ]

    class CompletionWanted(Message):
        """The path is to go on with the first folder that fits."""

    class ListWanted(Message):
        """The keys are to act on the list."""

    def on_paste(self, event: events.Paste) -> None:
        """Take a path as terminals paste it: quoted, with escaped blanks, or as a URI."""
        self.write(written_path(event.text.partition("\n")[0]))
        event.prevent_default()
        event.stop()

    def write(self, path: str) -> None:
        """Write another path."""
        self.value = path
        self.cursor_position = len(path)

    def action_complete(self) -> None:
        """Go on with the first folder that fits."""
        self.post_message(self.CompletionWanted())

    def action_to_list(self) -> None:
        """Let the keys act on the list."""
        self.post_message(self.ListWanted())


class FolderPicker(Vertical):
    """A path, and the folders that it may go on with, beginning at `written`.

    Where `sample` gives a folder of examples, `/sample` is taken for it.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Choose"),
        Binding("right,l", "enter_folder", "Open it"),
        Binding("left,h", "leave_folder", "Up"),
        Binding("escape", "leave", "Back"),
    ]

    class Chosen(Message):
        """This folder is wanted."""

        def __init__(self, folder: Path) -> None:
            super().__init__()
            self.folder = folder

    class Left(Message):
        """The person thought better of it."""

    def __init__(self, written: str = "", sample: Callable[[], Path] | None = None) -> None:
        super().__init__()
        self._written = written
        self._sample = sample
        self._folders = Folders("")

    def compose(self) -> ComposeResult:
        """Make the parts."""
        yield FolderField(
            self._written,
            placeholder="a path, such as ~/Documents/notes",
            select_on_focus=False,
            compact=True,
            id="folder",
        )
        yield ContentLine(id="folder-problem")
        yield PickList(id="folders")

    def on_mount(self) -> None:
        """Begin without a complaint, and list what there is."""
        self._say("")
        self._read_soon(self._written)

    def to_field(self) -> None:
        """Let what is typed go into the path."""
        field = self.query_one(FolderField)
        field.focus()
        field.cursor_position = len(field.value)

    # Listing

    @on(Input.Changed)
    def _list(self, event: Input.Changed) -> None:
        event.stop()
        self._say("")
        self._read_soon(event.value)

    def _read_soon(self, written: str) -> None:
        work = partial(self._read, written)
        beside(self, work, "folders")

    async def _read(self, written: str) -> None:
        self._folders = await asyncio.to_thread(folders_at, written_path(written))
        if self._sample and len(written) > 1 and SAMPLE.startswith(written):
            self._folders = Folders("/", (SAMPLE[1:], *self._folders.names))
        items = tuple(
            PickItem(Row(one_line(f"{name}/")), str(number))
            for number, name in enumerate(self._folders.names)
        )
        self.query_one(PickList).show(items, plain("no folders in here", QUIET))

    @property
    def _at_cursor(self) -> str:
        """The path of the folder with the cursor; empty where there is none."""
        key = self.query_one(PickList).key
        names = self._folders.names
        there = key.isdecimal() and int(key) < len(names)
        return f"{self._folders.parent}{names[int(key)]}" if there else ""

    # Keys

    @on(FolderField.CompletionWanted)
    def action_enter_folder(self) -> None:
        """List what is in the folder with the cursor."""
        if self._at_cursor:
            self.query_one(FolderField).write(f"{self._at_cursor}/")

    def action_leave_folder(self) -> None:
        """List the folder above, with the cursor on the one that was listed."""
        field = self.query_one(FolderField)
        field.write(parent_of(written_path(field.value)))

    @on(FolderField.ListWanted)
    def _to_list(self) -> None:
        self.query_one(PickList).focus()

    @on(PickList.LeftUpwards)
    def _leave_list(self) -> None:
        self.to_field()

    @on(PickList.Moved)
    def _moved(self, event: PickList.Moved) -> None:
        event.stop()

    @on(PickList.Chosen)
    def action_choose(self) -> None:
        """Take the folder with the cursor."""
        self._take(self._at_cursor or self._folders.parent)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._take(event.value)

    def _take(self, written: str) -> None:
        work = partial(self._check, written)
        beside(self, work, "check")

    async def _check(self, written: str) -> None:
        try:
            if self._sample and written.rstrip("/ ") == SAMPLE:
                folder = await asyncio.to_thread(self._sample)
            else:
                folder = await asyncio.to_thread(chosen_folder, written)
        except FolderError as error:
            begun = self._at_cursor if written.strip() else ""
            if begun.lower().startswith(written_path(written).lower()) and begun != written:
                await self._check(begun)  # the list shows it as what is meant
            else:
                self._say(error.message, error.hint)
        else:
            self.post_message(self.Chosen(folder))

    def _say(self, reason: str, hint: str = "") -> None:
        line = self.query_one("#folder-problem", ContentLine)
        line.show(problem(reason, hint) if reason else EMPTY)
        line.display = bool(reason)

    def action_leave(self) -> None:
        """Go from the list to the path, from there back."""
        if self.query_one(PickList).has_focus:
            self.to_field()
        else:
            self.post_message(self.Left())
