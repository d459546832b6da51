"""Indexing a folder in a thread, telling the interface how far it is."""

import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from textual.message import Message

from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.progress import Progress, SyncReport

TELL_SECONDS = 0.1
"""How often progress is told; a folder has more files than a person sees go by."""


@dataclass(frozen=True, slots=True)
class IndexingProgress:
    """How far the indexing of a folder is; `total` is 0 while it is being listed."""

    folder: Path
    done: int = 0
    total: int = 0
    failed: int = 0
    path: str = ""


class IndexingMoved(Message):
    """Indexing went on."""

    def __init__(self, progress: IndexingProgress) -> None:
        super().__init__()
        self.progress = progress


class IndexingEnded(Message):
    """Indexing ended: with a report, or with an error in one line and a hint."""

    def __init__(
        self, folder: Path, report: SyncReport | None = None, reason: str = "", hint: str = ""
    ) -> None:
        super().__init__()
        self.folder = folder
        self.report = report
        self.reason = reason
        self.hint = hint


def index_folder(
    library: Library,
    folder: Path,
    post: Callable[[Message], object],
    is_cancelled: Callable[[], bool],
) -> None:
    """Index `folder`; call it in a thread. What was indexed stays when it is cancelled."""
    told = 0.0

    def listen(progress: Progress) -> None:
        nonlocal told
        if is_cancelled():
            raise KeyboardInterrupt  # what ends a run early, with what was done kept
        now = time.monotonic()
        if now - told >= TELL_SECONDS:
            told = now
            counts = (progress.done, progress.total, progress.failed, progress.path)
            post(IndexingMoved(IndexingProgress(folder, *counts)))

    try:
        report = library.index(folder, listener=listen)
    except KeyboardInterrupt:
        return
    except RagError as error:
        post(IndexingEnded(folder, reason=error.message, hint=error.hint))
    except Exception as error:  # noqa: BLE001 - a defect must not take the conversation down
        reason = f"{folder} could not be indexed: {type(error).__name__}: {error}"
        post(IndexingEnded(folder, reason=reason, hint="What was indexed before is kept."))
    else:
        post(IndexingEnded(folder, report))
