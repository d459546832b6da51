"""`rag-assistant index`: read a folder, show how far it is, say what could not be read."""

import sys
import threading
from argparse import Namespace
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rag_assistant.cli.drawn import GOOD, WARN, DrawnWords, bold, draw, is_drawn, quiet
from rag_assistant.cli.ledger_words import STATE_STYLES, cause_and_mend
from rag_assistant.cli.main import Exit
from rag_assistant.cli.progress_bar import indexing_bar
from rag_assistant.cli.session import library_of, print_event, print_json, say
from rag_assistant.cli.vectors import IndexVectors
from rag_assistant.errors import RagError
from rag_assistant.ingest.walk import WalkRules
from rag_assistant.library.progress import SyncProgress, SyncReport
from rag_assistant.library.rules import ReadingRules
from rag_assistant.values.ledger import LedgerLine, SharedReason, by_reason

MOST_LINES = 20
"""Reasons of failures and skips that are told; the rest is one command away."""

MOST_PATHS = 3
"""Paths that are named for each of them."""


def run_index(options: Namespace) -> int:
    """Index a folder, or with --dry-run say what would be done, or with --watch go on doing it."""
    if options.dry_run:
        return _preview(options)
    report = _index(options, prune=options.prune)
    if report.withheld and _agrees_to_remove(report):
        report = _index(options, prune=True)
    vectors = IndexVectors(options)
    if options.watch and not report.interrupted:
        _tell(report, options, vectors)
        return _watch(options, vectors, report.database)
    if report.interrupted:
        return _tell(report, options, vectors)
    if options.json:  # one object, so it waits for the vectors
        interrupted = vectors.make(report.database)
        code = _tell(report, options, vectors)
    else:
        code = _tell(report, options, vectors)
        interrupted = vectors.make(report.database)
    return Exit.INTERRUPTED if interrupted else code


def _tell(report: SyncReport, options: Namespace, vectors: IndexVectors) -> int:
    """Print a report. Exit code 1 when entries of vanished files wait for a decision."""
    if options.events or options.json:
        told = _report_json(report, vectors)
        if options.json:
            print_json(told)
        else:
            print_event({"event": "indexed", **told})
    else:
        _print_report(report)
    if report.interrupted:
        say("Interrupted; what was read is kept. Run the same command again to go on.")
        return Exit.INTERRUPTED
    if report.unseen:
        say(unseen_line(report))
    if report.withheld:
        gone = len(report.withheld)
        say(
            f"{gone} files of {report.database} are gone, more than half; their entries are kept. "
            "If they are meant to go, run again with --prune."
        )
        return Exit.FAILED
    return Exit.DONE


def _index(options: Namespace, *, prune: bool) -> SyncReport:
    with indexing_bar() as bar:
        return library_of(options).index(
            Path(options.folder),
            name=options.name,
            reading=reading_rules(options),
            prune=prune,
            retry=options.retry,
            listener=_print_progress if options.events else bar,
        )


def reading_rules(options: Namespace) -> ReadingRules | None:
    """Give the rules that the options name; None when they name none, so that the kept ones hold.

    Rules given once hold for every later run, until others are given or --default-rules.
    """
    given: dict[str, Any] = {
        "include": tuple(options.include or ()),
        "exclude": tuple(options.exclude or ()),
        "hidden": options.hidden,
        "follow_links": options.follow_links,
        "largest": options.max_size,
    }
    walk = {name: value for name, value in given.items() if value}
    fields = _fields(options.fields)
    if not (walk or fields or options.default_rules):
        return None
    return ReadingRules(WalkRules(**walk), fields)


def unseen_line(report: SyncReport) -> str:
    """Say how many files could not be looked for, and what to do."""
    count = len(report.unseen)
    files = "1 file" if count == 1 else f"{count} files"
    return (
        f"{files} of {report.database} could not be looked for and cannot be found by a search; "
        "their entries keep their ids. Mount the disk or mend who may read the folder, and run "
        "this again; or leave the folder out: --exclude."
    )


def _fields(written: str | None) -> dict[str, str]:
    """Read "title=headline,text=body"."""
    pairs = [part.partition("=") for part in (written or "").split(",") if part.strip()]
    if any(not (name.strip() and equals and value.strip()) for name, equals, value in pairs):
        raise RagError(
            f"--fields {written!r} cannot be read.", hint="Write it as title=headline,text=body."
        )
    return {name.strip(): value.strip() for name, _, value in pairs}


def _print_progress(progress: SyncProgress) -> None:
    print_event({"event": "progress", **asdict(progress)})


def _preview(options: Namespace) -> int:
    plan = library_of(options).plan(
        Path(options.folder), name=options.name, reading=reading_rules(options)
    )
    if options.json or options.events:
        print_json(
            {
                "database": plan.database,
                "read": [{"path": path, "why": why} for path, why in plan.read],
                "unchanged": plan.unchanged,
                "skipped": [{"path": path, "reason": reason} for path, reason in plan.skipped],
                "gone": list(plan.gone),
                "unseen": [{"path": path, "reason": reason} for path, reason in plan.unseen],
            }
        )
        return Exit.DONE
    for path, why in plan.read:
        draw(DrawnWords("read     ", GOOD), path, quiet(f"  ({why})"), hang=9)
    for path, reason in plan.skipped:
        draw(quiet("skip     "), path, quiet(f"  ({reason})"), hang=9)
    for path in plan.gone:
        draw(DrawnWords("gone     ", WARN), path, hang=9)
    for path, reason in plan.unseen:
        draw(DrawnWords("withhold ", WARN), path, quiet(f"  ({reason})"), hang=9)
    say(
        f"{plan.database}: {len(plan.read)} to read, {plan.unchanged} unchanged, "
        f"{len(plan.skipped)} skipped, {len(plan.gone)} gone. Nothing was changed."
    )
    return Exit.DONE


def _watch(options: Namespace, vectors: IndexVectors, name: str) -> int:
    """Follow the folder until Ctrl-C, while vectors are made in a thread."""
    from rag_assistant.library.watch import watch

    stop = threading.Event()
    library = library_of(options)
    if not (options.events or options.json):
        say(f"Watching {options.folder}. Ctrl-C ends it.")

    background = vectors.beside()

    def changed() -> None:
        try:
            report = _index(options, prune=False)
        except RagError as error:
            say(str(error))
            return
        changed = report.added or report.updated or report.moved or report.deleted
        if changed or report.withheld or report.unseen:
            _tell(report, options, vectors)
        if report.interrupted:
            stop.set()
        elif background:
            background.want(library.database(report.database))

    folder = Path(options.folder).expanduser().absolute()
    home = library.home

    def counts(path: str) -> bool:
        # Our own writing is no change, should the home directory lie in the folder.
        return not (folder / path).is_relative_to(home)

    try:
        watch(folder, changed, stop, note=say, counts=counts)
    except KeyboardInterrupt:
        stop.set()
    if background:
        background.stop()
        vectors.say_what_is_left(name)
    return Exit.DONE


def _agrees_to_remove(report: SyncReport) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    question = f"{len(report.withheld)} files are gone. Remove their entries? [y/N] "
    print(question, end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _report_json(report: SyncReport, vectors: IndexVectors) -> dict[str, Any]:
    counts = ("database", "added", "updated", "unchanged", "moved", "deleted")
    figures = vectors.figures(report.database)  # looked at first: it may have something to note
    return {
        **{name: getattr(report, name) for name in counts},
        "failed": [{"path": path, "reason": reason} for path, reason in report.failed],
        "skipped": [{"path": path, "reason": reason} for path, reason in report.skipped],
        "partial": [{"path": path, "reason": reason} for path, reason in report.partial],
        "withheld": report.withheld,
        "unseen": [{"path": path, "reason": reason} for path, reason in report.unseen],
        "notes": [*report.notes, *([vectors.note] if vectors.note else [])],
        "interrupted": report.interrupted,
        "passages": report.passages,
        **figures,
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
    if report.partial:
        counts.append(f"{len(report.partial)} partly read")
    counted = f"{', '.join(counts) or 'nothing to do'} ({report.seconds:.2f} s)"
    draw(bold(report.database), f": {counted}", hang=2)
    for note in report.notes:
        say(note, indent=2)
    kinds = {
        "withheld": report.unseen,
        "failed": report.failed,
        "partly read": report.partial,
        "skipped": report.skipped,
    }
    lines = [
        (word, shared)
        for word, paths in kinds.items()
        for shared in by_reason(LedgerLine(*line) for line in paths)
    ]
    for word, shared in lines[:MOST_LINES]:
        _say_reason(word, shared)
    if any(len(shared.paths) > MOST_PATHS for _, shared in lines) or len(lines) > MOST_LINES:
        say(f"Each file with its reason: rag-assistant databases info {report.database}", indent=2)


def _say_reason(word: str, shared: SharedReason) -> None:
    """Say what keeps files from being searched: on a terminal the reason first, then what mends
    it, then the files."""
    if not is_drawn(sys.stderr):
        say(f"{word}: {_paths_in_short(shared)}: {shared.reason}")
        return
    reason, mend = cause_and_mend(shared.reason)
    count = f"{len(shared.paths):,} " if len(shared.paths) > 1 else ""
    styled = DrawnWords(f"{count}{word}", STATE_STYLES[word])
    draw(styled, f": {reason}", indent=2, hang=4, to=sys.stderr)
    if mend:
        draw(f"→ {mend}", indent=4, hang=6, to=sys.stderr)
    draw(quiet(_paths_in_short(shared, counted=False)), indent=4, to=sys.stderr)


def _paths_in_short(shared: SharedReason, *, counted: bool = True) -> str:
    count, named = len(shared.paths), list(shared.paths[:MOST_PATHS])
    if count > MOST_PATHS:
        some = f"{', '.join(named)} and {count - MOST_PATHS:,} more"
        return f"{count:,} files ({some})" if counted else some
    *first, last = named
    return f"{', '.join(first)} and {last}" if first else last
