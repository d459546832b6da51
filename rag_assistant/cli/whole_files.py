"""`rag-assistant databases check` and `repair`: what is wrong with the files of a home."""

from argparse import Namespace
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import print_json, print_prose, say
from rag_assistant.cli.suspicious import counts_json, counts_line
from rag_assistant.errors import LibraryError, RagError
from rag_assistant.library.library import Library
from rag_assistant.values.suspicions import SuspicionCounts


@dataclass(frozen=True, slots=True)
class CheckedFile:
    """A file of the home: what it goes by, its place, what is wrong, and what mends it."""

    name: str
    path: Path
    problems: tuple[str, ...]
    mended_by: str = ""


def checked_files(library: Library) -> Iterator[CheckedFile]:
    """Check all that is kept: databases, conversations, the record of what left, evaluations.

    What cannot be checked just now, as a database that is being changed, is a problem like others.
    """
    for name in library.names():
        yield _checked(name, library.database(name).path, partial(library.check, name))
    for name, (path, problems, _) in _others(library).items():
        if path.exists():
            yield _checked(name, path, problems)
    from rag_assistant.evaluation.runs.store import RunStore

    runs = RunStore(library.home)
    for number in runs.numbers():
        if found := runs.problems(number):
            folder = runs.folder / str(number)
            yield CheckedFile(
                f"run {number}", folder, tuple(found), f"rag-assistant eval runs --remove {number}"
            )


def _checked(name: str, path: Path, check: Callable[[], list[str]]) -> CheckedFile:
    try:
        found = check()
    except RagError as error:
        return CheckedFile(name, path, (error.message,), error.hint)
    return CheckedFile(name, path, tuple(found), repair_command(name) if found else "")


def repair_command(name: str) -> str:
    """Give the command that mends a database, or a file of the home."""
    return f"rag-assistant databases repair {name}"


_Other = tuple[Path, Callable[[], list[str]], Callable[[], str]]


def _others(library: Library) -> dict[str, _Other]:
    """Give what is no database, by the name of its file, with what checks and what mends it."""
    from rag_assistant.egress.ledger import FILE_NAME as LEDGER
    from rag_assistant.egress.ledger import EgressLedger
    from rag_assistant.history.store import FILE_NAME as CONVERSATIONS
    from rag_assistant.history.store import ConversationStore

    ledger, store = EgressLedger(library.home), ConversationStore(library.home / CONVERSATIONS)
    return {
        CONVERSATIONS: (store.path, store.problems, store.repair),
        LEDGER: (ledger.path, ledger.problems, ledger.repair),
    }


def check(library: Library, options: Namespace) -> int:
    """Check one database, or one file of the home, or all. Exit code 1 when one is not whole."""
    if options.name is None:
        return _check_all(library, options)
    other = _others(library).get(options.name)
    found = other[1]() if other else library.check(options.name)
    counted = SuspicionCounts()
    if not (found or other):
        counted = library.database(options.name).suspicion_counts()
    if options.json:
        counts = counts_json(counted)
        print_json({"database": options.name, "problems": found, "suspicions": counts})
    elif found:
        for problem in found:
            print_prose(problem)
        say(f"Mend it: {repair_command(options.name)}")
    else:
        marked = f"; suspicious places: {counts_line(counted)}" if counted.places else ""
        print_prose(f"{options.name}: whole{marked}")
    return Exit.FAILED if found else Exit.DONE


def _check_all(library: Library, options: Namespace) -> int:
    files = list(checked_files(library))
    if options.json:
        print_json(
            {
                "files": [
                    {
                        "name": file.name,
                        "path": str(file.path),
                        "problems": list(file.problems),
                        "next": file.mended_by,
                    }
                    for file in files
                ]
            }
        )
    else:
        for file in files:
            for problem in file.problems or ("whole",):
                print_prose(f"{file.name}: {problem}")
            if file.mended_by:
                say(f"{file.path}: {file.mended_by}")
        if not files:
            say("Nothing is kept yet.")
    return Exit.FAILED if any(file.problems for file in files) else Exit.DONE


def repair(library: Library, options: Namespace) -> int:
    """Make a database, or another file of the home, anew of what can be read."""
    other = _others(library).get(options.name)
    if other is None:
        return _repair_database(library, options)
    if not other[0].exists():
        raise LibraryError(f"There is no {other[0]}.", hint="Nothing of it was kept yet.")
    said = other[2]()
    if options.json:
        print_json({"repaired": options.name, "notes": [said]})
    else:
        print_prose(f"{options.name}: {said}")
    return Exit.DONE


def _repair_database(library: Library, options: Namespace) -> int:
    from rag_assistant.cli.progress_bar import indexing_bar

    folder = Path(options.folder) if options.folder else None
    with indexing_bar() as bar:
        report = library.repair(options.name, folder, listener=bar)
    if options.json:
        print_json({"repaired": options.name, "notes": report.notes})
    else:
        for note in report.notes:
            print_prose(f"{options.name}: {note}")
        entries = library.database(options.name).figures().entries
        print_prose(f"{options.name}: {entries} entries, read again from the folder")
    return Exit.INTERRUPTED if report.interrupted else Exit.DONE
