"""`rag-assistant databases copy`: to a store elsewhere, or from there to this machine."""

from argparse import Namespace
from dataclasses import asdict

from rag_assistant.cli.main import Exit
from rag_assistant.cli.progress_bar import drawn_bar
from rag_assistant.cli.sending import get_permission
from rag_assistant.cli.session import print_json, say
from rag_assistant.egress.gate import Gate
from rag_assistant.library.elsewhere import host_of_link, link_of
from rag_assistant.library.library import Library

HERE = "here"


def copy(library: Library, options: Namespace) -> int:
    """Copy a database, asking once whether its text may go there, and say what came of it."""
    name = options.name
    own = options.own or f"{name}-copy"
    library.database(name)
    link = None if options.to == HERE else link_of(library.home, options.to, own, is_owner=True)
    if link and (host := host_of_link(link)):
        get_permission(Gate(library.home), [name, own], host)
    with drawn_bar(time_left=True) as bar:
        task = bar.add_task("copying", state="files") if bar else None

        def show(done: int, of: int) -> None:
            if bar and task is not None:
                bar.update(task, completed=done, total=of)

        report = library.copy(name, own, link, show)
    if options.json:
        print_json({"database": name, "copy": own, **asdict(report)})
        return Exit.DONE
    for note in report.notes:
        say(note)
    say(
        f"{own}: {report.entries:,} entr{'y' if report.entries == 1 else 'ies'} with the same ids;"
        f" files copied: {report.copied:,}, there already: {report.unchanged:,}."
        f" Verified: digest {report.digest[:16]}."
    )
    return Exit.DONE
