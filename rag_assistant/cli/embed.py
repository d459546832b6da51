"""`rag-assistant embed`: give the passages of databases their vectors, as far as they lack them."""

import sys
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, library_of, print_json, print_text, say
from rag_assistant.library.embedder import Embedder
from rag_assistant.library.embedding import (
    EmbedListener,
    EmbedProgress,
    EmbedReport,
    embed_database,
)


def run_embed(options: Namespace) -> int:
    """Embed the named databases one after the other, up to the first that cannot be."""
    databases = library_of(options).databases(options.names)
    embedder = _embedder(options)
    reports: list[EmbedReport] = []
    for database in databases:
        passages = database.figures().passages
        if embedder.destination:
            say(
                f"The text of {database.name} ({passages} passages) goes to {embedder.destination}."
            )
        with _progress(database.name) as listener:
            reports.append(embed_database(database, embedder, listener))
        if not options.json:
            _print_report(reports[-1])
        if reports[-1].failure or reports[-1].interrupted:
            break
    if options.json:
        print_json({"embedder": embedder.name, "databases": [_report_json(r) for r in reports]})
    return _end(reports[-1])


def _end(report: EmbedReport) -> int:
    """Say what ended the last run early, if anything did."""
    if report.failure:
        say(f"rag-assistant: {report.failure}")
        return Exit.FAILED
    if report.interrupted:
        say("Interrupted; what was made is kept. Run the same command again to go on.")
        return Exit.INTERRUPTED
    return Exit.DONE


def _embedder(options: Namespace) -> Embedder:
    """Make the embedder, asking whether its model may be fetched when it is not here."""
    from rag_assistant.models.embedders import make_embedder
    from rag_assistant.models.local_embedder import ModelNotHere

    def make(*, allowed: bool) -> Embedder:
        config, home = config_of(options), home_of(options)
        return make_embedder(options.embedder or "", config, home, allow_download=allowed)

    embedder = make(allowed=options.allow_download)
    try:
        _ = embedder.dimension
    except ModelNotHere as error:
        if not _agrees(error.message):
            raise
        embedder = make(allowed=True)
    return embedder


def _agrees(message: str) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    question = f"{message} Fetch it from huggingface.co? [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


@contextmanager
def _progress(name: str) -> Iterator[EmbedListener]:
    """Draw a bar on standard error when that is a terminal; else only say that it has to wait."""
    if not sys.stderr.isatty():
        yield _Waiting(name)
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[state]}", markup=False),
    )
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(f"embedding {name}", total=None, state="")

        def show(progress: EmbedProgress) -> None:
            bar.update(
                task, total=progress.total, completed=progress.done, state=describe(progress)
            )

        yield show


class _Waiting:
    """Says once that another process is waited for."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._said = False

    def __call__(self, progress: EmbedProgress) -> None:
        if progress.waiting and not self._said:
            self._said = True
            say(f"{self._name} is being changed by another process; waiting for it to end.")


def describe(progress: EmbedProgress) -> str:
    """Say in a line what the counts of a bar do not."""
    if progress.waiting:
        return "waiting for another process that changes the database"
    if (left := progress.seconds_left) is None:
        return "passages"
    return f"passages · {progress.made / progress.seconds:.0f} a second · {left:.0f} s left"


def _report_json(report: EmbedReport) -> dict[str, Any]:
    return {
        "database": report.database,
        "model": report.kind.model,
        "dimension": report.kind.dimension,
        "embedded": report.embedded,
        "vectors": report.vectors,
        "passages": report.passages,
        "replaced": report.replaced,
        "error": str(report.failure) if report.failure else "",
        "interrupted": report.interrupted,
        "seconds": round(report.seconds, 3),
    }


def _print_report(report: EmbedReport) -> None:
    if report.replaced and report.vectors:
        say(f"  vectors of {report.replaced} were replaced")
    print_text(
        f"{report.database}: {report.embedded} embedded, {report.vectors} of {report.passages}"
        f" passages have vectors of {report.kind} ({report.seconds:.2f} s)"
    )
