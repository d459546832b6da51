"""What indexing a folder came to, in a line; which files and why is the Library's to say."""

from textual.content import Content

from rag_assistant.library.progress import SyncReport
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, SEPARATOR, WARN, seconds


def report_line(report: SyncReport) -> Content:
    """Say how many documents can be asked now, what changed, and how many were left out."""
    changes = [
        (report.added, "added"),
        (report.updated, "updated"),
        (report.moved, "moved"),
        (report.deleted, "deleted"),
    ]
    ready = report.added + report.updated + report.moved + report.unchanged
    parts = [plain(f"{ready:,} {'file' if ready == 1 else 'files'} ready")]
    if report.unchanged:  # at the first time all are new
        parts += [plain(f"{count:,} {what}", QUIET) for count, what in changes if count]
    left_out = [
        (len(report.failed), "could not be read"),
        (len(report.partial), "read in part"),
        (len(report.skipped), "skipped"),
        (len(report.unseen), "withheld until the folder can be read again"),
        (len(report.withheld), "kept: more than half of the files are gone"),
    ]
    missing = [plain(f"{count:,} {what}", WARN) for count, what in left_out if count]
    if missing:
        missing[-1] = joined([missing[-1], plain(" (F4 shows them)", QUIET)])
    parts += [*missing, *(one_line(note, WARN) for note in report.notes)]
    parts.append(plain(seconds(report.seconds), QUIET))
    name = one_line(report.database, "bold")
    return joined([plain("✓ ", GOOD), name, SEPARATOR, joined(parts, SEPARATOR)])
