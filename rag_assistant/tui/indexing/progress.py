"""Indexing a folder, and making vectors, in threads that tell the interface how far they are."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.progress import SyncProgress, SyncReport

if TYPE_CHECKING:  # vectors are made for those who have set up a model that makes them
    from rag_assistant.library.background import BackgroundEmbedding, VectorNews

TELL_SECONDS = 0.1
"""How often progress is told; a folder has more files than a person sees go by."""


@dataclass(frozen=True, slots=True)
class IndexTarget:
    """A folder, and the database that it is indexed into.

    "" is the database that holds the folder, or a new one of its name.
    """

    folder: Path
    database: str = ""

    @property
    def name(self) -> str:
        """The database's name, or else the folder's own."""
        return self.database or self.folder.name or str(self.folder)

    def meets(self, other: "IndexTarget") -> bool:
        """Tell whether both are about one database; by the folder where a name is not known."""
        if self.database and other.database:
            return self.database == other.database
        return self.folder == other.folder


@dataclass(frozen=True, slots=True)
class IndexingProgress:
    """How far the indexing of a folder is; `total` is 0 while it is being listed.

    `searchable` files can be found already. The rate and the time left are None too early on.
    """

    target: IndexTarget
    done: int = 0
    total: int = 0
    failed: int = 0
    path: str = ""
    searchable: int = 0
    files_per_second: float | None = None
    seconds_left: float | None = None

    @property
    def name(self) -> str:
        """What is being indexed, as a person knows it."""
        return self.target.name


class IndexingMoved(Message):
    """Indexing went on."""

    def __init__(self, progress: IndexingProgress) -> None:
        super().__init__()
        self.progress = progress


class IndexingEnded(Message):
    """Indexing ended: with a report, or with an error in one line and a hint."""

    def __init__(
        self,
        target: IndexTarget,
        report: SyncReport | None = None,
        reason: str = "",
        hint: str = "",
    ) -> None:
        super().__init__()
        self.target = target
        self.report = report
        self.reason = reason
        self.hint = hint


class VectorsMoved(Message):
    """The making of a database's vectors went on, ended or failed."""

    def __init__(self, news: "VectorNews") -> None:
        super().__init__()
        self.news = news


def vectors_beside(
    library: Library, post: Callable[[Message], object]
) -> "BackgroundEmbedding | None":
    """Give what makes vectors in a thread of its own; None where no embedder is configured.

    Not a worker of Textual's: those keep the program from ending until a model has answered.
    """
    if library.embedder is None:
        return None
    from rag_assistant.library.background import BackgroundEmbedding  # noqa: PLC0415

    return BackgroundEmbedding(library.embedder, lambda news: post(VectorsMoved(news)))


def with_news(known: "Sequence[VectorNews]", news: "VectorNews") -> "tuple[VectorNews, ...]":
    """Put news in place of what was known of its database; what is made is no news any more."""
    others = [one for one in known if one.database != news.database]
    return tuple(others if news.state == "made" else [*others, news])


def _shown(target: IndexTarget, progress: SyncProgress) -> IndexingProgress:
    return IndexingProgress(
        target,
        progress.done,
        progress.total,
        progress.failed,
        progress.path,
        progress.searchable,
        progress.files_per_second,
        progress.seconds_left,
    )


def index_folder(
    library: Library,
    target: IndexTarget,
    post: Callable[[Message], object],
    is_cancelled: Callable[[], bool],
    *,
    retry: bool = False,
) -> None:
    """Index a folder; call it in a thread. What was indexed stays when it is cancelled.

    `retry` reads again what failed before.
    """
    told = 0.0

    def listen(progress: SyncProgress) -> None:
        nonlocal told
        if is_cancelled():
            raise KeyboardInterrupt  # what ends a run early, with what was done kept
        now = time.monotonic()
        if now - told >= TELL_SECONDS:
            told = now
            post(IndexingMoved(_shown(target, progress)))

    try:
        report = library.index(
            target.folder, name=target.database or None, retry=retry, listener=listen
        )
    except KeyboardInterrupt:
        return
    except RagError as error:
        post(IndexingEnded(target, reason=error.message, hint=error.hint))
    except Exception as error:  # noqa: BLE001 - a defect must not take the conversation down
        reason = f"{target.folder} could not be indexed: {type(error).__name__}: {error}."
        post(IndexingEnded(target, reason=reason, hint="What was indexed before is kept."))
    else:
        post(IndexingEnded(target, report))
