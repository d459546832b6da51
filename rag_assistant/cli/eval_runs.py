"""`rag-assistant eval runs` and `report`: the runs that are kept, listed, shown and removed."""

import shutil
from argparse import Namespace
from datetime import datetime

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import home_of, print_json, print_prose, print_text, say
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.runs.encoding import plain_json
from rag_assistant.evaluation.runs.header import Header
from rag_assistant.evaluation.runs.store import RunStore


def number_of(store: RunStore, written: str | None, *, unfinished: bool = False) -> int:
    """Give the number of the run that is meant."""
    if written and written != "last":
        if not written.isdecimal():
            raise QuestionSetError(
                f"{written!r} is no number of a run.", hint="List them: `rag-assistant eval runs`."
            )
        return int(written)
    for header in store.headers():
        if not unfinished or header.ended is None:
            return header.number
    raise QuestionSetError(
        "No run was broken off." if unfinished else "There is no run yet.",
        hint="Begin one: `rag-assistant eval FILE`.",
    )


def run_report(options: Namespace) -> int:
    """Show a kept run, or write it."""
    from rag_assistant.evaluation.measuring.measured import report_of
    from rag_assistant.evaluation.reports.as_json import report_json
    from rag_assistant.evaluation.reports.table import report_table
    from rag_assistant.evaluation.reports.writing import check_outputs, write_reports

    check_outputs(options.output)
    store = RunStore(home_of(options))
    report = report_of(store.read(number_of(store, options.number)))
    for path in write_reports(report, options.output):
        say(f"Written: {path}")
    if options.json:
        print_json(report_json(report))
    elif not options.output:
        print_text(report_table(report, shutil.get_terminal_size().columns))
    return Exit.DONE


def run_runs(options: Namespace) -> int:
    """List the runs that are kept, or remove some."""
    store = RunStore(home_of(options))
    for written in options.remove:
        number = number_of(store, written)
        store.remove(number)
        say(f"Run {number} is removed.")
    found = list(store.headers())
    if options.json:
        print_json({"runs": [plain_json(header) for header in found]})
        return Exit.DONE
    for header in found:
        print_prose(_line(header, store))
    readable = {header.number for header in found}
    for number in store.numbers():
        if number not in readable:
            say(
                f"Run {number} cannot be read. Remove it: rag-assistant eval runs --remove {number}"
            )
    if not found and not options.remove:
        say("No run is kept yet. Begin one: rag-assistant eval FILE")
    return Exit.DONE


def _line(header: Header, store: RunStore) -> str:
    """Say in a line what a run was."""
    settings, state = header.settings, ""
    if header.ended is None:
        state = "going on" if store.going_on(header.number) else "broken off"
    parts = [
        f"{header.number:>4}",
        datetime.fromtimestamp(header.started).strftime("%Y-%m-%d %H:%M"),
        header.set_name,
        f"{header.questions} question{'' if header.questions == 1 else 's'}",
        "+".join(settings.stages),
        ", ".join(filter(None, dict.fromkeys((settings.model, settings.helper)))),
        state,
    ]
    return "  ".join(filter(None, parts))
