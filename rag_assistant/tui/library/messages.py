"""What the library screen's threads post: what was read, and what was done or could not be."""

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.tui.library.rows import LibraryRow
from rag_assistant.tui.lists.pick_list import PickItem


class LibraryRead(Message):
    """The databases were read."""

    def __init__(self, rows: tuple[LibraryRow, ...]) -> None:
        super().__init__()
        self.rows = rows


class FilesRead(Message):
    """The files of a database were read, as far as they hold a text."""

    def __init__(self, name: str, text: str, items: tuple[PickItem, ...]) -> None:
        super().__init__()
        self.name = name
        self.text = text
        self.items = items


class LibraryChanged(Message):
    """Something was done: `said` are lines about it, `go_to` is where the cursor goes."""

    def __init__(self, *said: str, go_to: str = "") -> None:
        super().__init__()
        self.said = said
        self.go_to = go_to


class LibraryFailed(Message):
    """Something could not be read or done; `error` says why."""

    def __init__(self, error: RagError) -> None:
        super().__init__()
        self.error = error
