"""What the reader's threads post: what was read of a document or done with it, or why not."""

from collections.abc import Callable

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.tui.reader.document import OpenDocument
from rag_assistant.tui.sources.reading import Hits


class DocumentRead(Message):
    """A document was read, to be shown."""

    def __init__(self, document: OpenDocument) -> None:
        super().__init__()
        self.document = document


class HitsFound(Message):
    """The document was searched."""

    def __init__(self, hits: Hits) -> None:
        super().__init__()
        self.hits = hits


class FileOpened(Message):
    """The file was opened elsewhere; `said` tells by what."""

    def __init__(self, said: str) -> None:
        super().__init__()
        self.said = said


class ReadingFailed(Message):
    """Something could not be read or done; `error` says why."""

    def __init__(self, error: RagError) -> None:
        super().__init__()
        self.error = error


def outcome(work: Callable[[], Message]) -> Message:
    """Give what came of work that blocks, as a message; call it in a thread."""
    try:
        return work()
    except RagError as error:
        return ReadingFailed(error)
    except Exception as error:  # noqa: BLE001 - a defect must not leave the screen without a word
        return ReadingFailed(RagError(f"{type(error).__name__}: {error}.", hint="Try again."))
