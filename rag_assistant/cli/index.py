"""`rag-assistant index`: read a folder, show how far it is, say what could not be read."""

import sys
from argparse import Namespace
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import library_of, print_json, say
from rag_assistant.library.sync import Progress, SyncReport

MOST_LINES = 20
"""Failures and skips listed in full; the rest is one command away."""


def run_index(options: Namespace) -> int:
    """Index a folder. Exit code 1 when entries of vanished files wait for a decision."""
    report = _index(options, prune=options.prune)
    if report.withheld and _agrees_to_remove(report):
        report = _index(options, prune=True)
    if options.json:
        print_json(_report_json(report))
    else:
        _print_report(report)
    if report.interrupted:
        say("Interrupted; what was read is kept. Run the same command again to go on.")
        return Exit.INTERRUPTED
    if report.withheld:
        gone = len(report.withheld)
        say(
            f"{gone} files of {report.database} are gone, more than half; their entries are kept. "
            "If they are meant to go, run again with --prune."
        )
        return Exit.FAILED
    return Exit.DONE


def _index(options: Namespace, *, prune: bool) -> SyncReport:
    with _progress_shown() as listener:
        return library_of(options).index(
            Path(options.folder), name=options.name, prune=prune, listener=listener
        )


@contextmanager
def _progress_shown() -> Iterator[Callable[[Progress], None]]:
    """Draw a progress bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("files · {task.fields[failed]} failed", markup=False),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("listing", total=None, failed=0)

        def show(progress: Progress) -> None:
            if progress.total:
                bar.update(
                    task,
                    description="indexing",
                    total=progress.total,
                    completed=progress.done,
                    failed=progress.failed,
                )

        yield show


def _agrees_to_remove(report: SyncReport) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    question = f"{len(report.withheld)} files are gone. Remove their entries? [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _report_json(report: SyncReport) -> dict[str, object]:
    counts = ("database", "added", "updated", "unchanged", "moved", "deleted")
    return {
        **{name: getattr(report, name) for name in counts},
        "failed": [{"path": path, "reason": reason} for path, reason in report.failed],
        "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
        "withheld": report.withheld,
        "notes": report.notes,
        "interrupted": report.interrupted,
        "passages": report.passages,
        "seconds": round(report.seconds, 3),
    }


def _print_report(report: SyncReport) -> None:
    counts = [
        f"{count} {word}"
        for word in ("added", "updated", "moved", "deleted", "unchanged")
        if (count := getattr(report, word))
    ]
    for word in ("failed", "skipped"):
        if lines := getattr(report, word):
            counts.append(f"{len(lines)} {word}")
    print(f"{report.database}: {', '.join(counts) or 'nothing to do'} ({report.seconds:.2f} s)")
    for note in report.notes:
        say(f"  {note}")
    lines = [("failed", *line) for line in report.failed]
    lines += [("skipped", *line) for line in report.skipped]
    for word, path, reason in lines[:MOST_LINES]:
        say(f"  {word}: {path}: {reason}")
    if len(lines) > MOST_LINES:
        rest = len(lines) - MOST_LINES
        say(f"  and {rest} more: rag-assistant databases info {report.database}")
