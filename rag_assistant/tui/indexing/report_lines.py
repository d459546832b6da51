"""What indexing a folder came to, as a few lines for the conversation."""

from collections.abc import Sequence

from textual.content import Content

from rag_assistant.library.progress import SyncReport
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, SEPARATOR, WARN, seconds

PATHS_SHOWN = 5
"""Paths listed of each kind; the rest are counted."""


def report_lines(report: SyncReport) -> list[Content]:
    """Give the lines: what changed, and each path that is not searchable, with the reason."""
    counts = [
        (report.added, "added"),
        (report.updated, "updated"),
        (report.moved, "moved"),
        (report.deleted, "deleted"),
        (report.unchanged, "unchanged"),
    ]
    parts = [plain(f"{count} {what}", QUIET) for count, what in counts if count]
    parts = [
        *parts,
        plain(f"{report.passages} passages", QUIET),
        plain(seconds(report.seconds), QUIET),
    ]
    lines = [
        joined(
            [
                plain("✓ ", GOOD),
                one_line(report.database, "bold"),
                SEPARATOR,
                joined(parts, SEPARATOR),
            ]
        )
    ]
    lines += _listed("unreadable", report.failed)
    lines += _listed("partly read", report.partial)
    lines += _listed("skipped", report.skipped)
    lines += _listed("withheld", report.unseen)
    if report.unseen:
        step = "What is withheld comes back with its ids when its folder can be read again."
        lines.append(plain(f"  {step}", QUIET))
    if report.withheld:
        why = "more than half of the files are gone"
        lines += _listed("kept", [(path, why) for path in report.withheld])
    lines += [joined([plain("! ", WARN), one_line(note)]) for note in report.notes]
    return lines


def _listed(what: str, paths: Sequence[tuple[str, str]]) -> list[Content]:
    lines = [
        joined(
            [
                plain("! ", WARN),
                one_line(f"{what}: {path}"),
                plain(" — ", QUIET),
                one_line(reason, QUIET),
            ]
        )
        for path, reason in paths[:PATHS_SHOWN]
    ]
    if len(paths) > PATHS_SHOWN:
        lines.append(plain(f"  and {len(paths) - PATHS_SHOWN} more {what}", QUIET))
    return lines
