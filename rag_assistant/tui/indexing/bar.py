"""The line that shows how far the indexing of folders is, for as long as it goes on."""

from textual.content import Content
from textual.reactive import reactive

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.indexing.progress import IndexingProgress
from rag_assistant.tui.keys.key_bar import Fitting

BAR = 16
"""Cells of the bar."""


class IndexingBar(LaidText):
    """Shows the first folder of `progress`: the bar, and then as much as there is room for."""

    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())

    def on_mount(self) -> None:
        """Begin hidden."""
        self.watch_progress()

    def watch_progress(self) -> None:
        """Show how far it is."""
        self.display = bool(self.progress)
        self.blocks = tuple(Fitting(tuple(_parts(one))) for one in self.progress[:1])


def _parts(progress: IndexingProgress) -> list[Content]:
    """Give what there is to say, the most telling first."""
    if not progress.total:
        return [
            joined([plain("◌ ", "$text-accent"), one_line(progress.name)]),
            plain("listing files…", QUIET),
        ]
    done = BAR * progress.done // progress.total
    bar = joined([plain("█" * done, "$accent"), plain("░" * (BAR - done), QUIET)])
    parts = [joined([bar, plain(f" {progress.done:,}/{progress.total:,}", "bold")])]
    if progress.seconds_left is not None:
        parts.append(plain(f"~{about(progress.seconds_left)} left"))
    parts.append(plain(f"searchable: {progress.searchable:,}"))
    if progress.failed:
        parts.append(plain(f"failed: {progress.failed:,}", WARN))
    if progress.files_per_second:
        parts.append(plain(f"{progress.files_per_second:,.0f} files/s", QUIET))
    if progress.path:
        parts.append(one_line(progress.path.rsplit("/", 1)[-1], QUIET))
    return parts


def about(seconds: float) -> str:
    """Give a time that is only estimated, no more exactly than it is known."""
    if seconds < 10:
        return f"{max(1, round(seconds))} s"
    if seconds < 55:
        return f"{5 * round(seconds / 5)} s"
    if seconds < 55 * 60:
        return f"{max(1, round(seconds / 60))} min"
    return f"{seconds / 3600:.1f} h"


def indexing_in_short(progress: IndexingProgress) -> str:
    """Say in a few words how far the indexing of a folder is."""
    if not progress.total:
        return f"indexing {progress.name}…"
    left = progress.seconds_left
    time = "" if left is None else f" · ~{about(left)}"
    return f"indexing {progress.done:,}/{progress.total:,}{time}"
