"""What can be asked about a database in the line at the bottom, and what is done with the answer.

Each is a value: nothing of the screen is known here. What is done blocks: call it in a thread.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from textual.content import Content

from rag_assistant.egress.ledger import EgressLedger, day_line
from rag_assistant.egress.policies import set_policy
from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.library.rows import EGRESS, LibraryRow

SHOWN_DAYS = 12
"""Lines of what left; all of it: rag-assistant egress."""


@dataclass(frozen=True, slots=True)
class LibraryChange:
    """Something to do, which gives the lines that tell of it; it may raise RagError.

    `go_to` names the database that the cursor is on then; "" for the one that it is on.
    """

    make: Callable[[], Sequence[str]]
    go_to: str = ""


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question for one value, which begins as `value`.

    `take` gives the change that an answer means, or what is asked next. It raises RagError where
    the answer is none.
    """

    label: Content
    value: str
    take: Callable[[str], "LibraryChange | Inquiry"]


def ask_name(library: Library, row: LibraryRow) -> Inquiry:
    """Ask for another name of a database."""

    def take(written: str) -> LibraryChange:
        wanted = written.strip()
        rename = partial(library.rename, row.name, wanted)
        return LibraryChange(_told(rename, f"{row.name} is now {wanted}"), wanted)

    return Inquiry(plain("Name", "bold"), row.name, take)


def policy_change(library: Library, name: str, chosen: str) -> LibraryChange:
    """Let the text of a database go where one of the policies lets it."""
    policy = next(known for known in EGRESS if known == chosen)
    change = partial(set_policy, library.home, name, policy)
    return LibraryChange(_told(change, f"{name}: {EGRESS[policy]}"))


def ask_removal(library: Library, row: LibraryRow) -> Inquiry:
    """Ask for the name of a database, before it is removed."""

    def take(written: str) -> LibraryChange:
        if written.strip() != row.name:
            raise RagError(f"That is not {row.name}; nothing was removed.")
        return LibraryChange(_told(partial(library.remove, row.name), f"{row.name} is removed"))

    label = joined([plain("Type ", "bold"), one_line(row.name, "bold $text-accent")])
    label = joined([label, plain(" to remove this index. Your files stay.", "bold")])
    return Inquiry(label, "", take)


def ask_repair(library: Library, row: LibraryRow) -> Inquiry:
    """Ask for the folder that a database is made anew of; it begins as the one that it says."""

    def take(written: str) -> LibraryChange:
        if not written.strip():
            raise RagError("Write the path of its folder.")
        folder = Path(written.strip()).expanduser()
        return LibraryChange(partial(_repaired, library, row.name, folder))

    label = joined([plain("Make ", "bold"), one_line(row.name, "bold $text-accent")])
    label = joined([label, plain(" anew from its folder", "bold")])
    return Inquiry(label, library.last_folder(row.name), take)


def _repaired(library: Library, name: str, folder: Path) -> list[str]:
    return [f"{name} is repaired", *library.repair(name, folder).notes]


INQUIRIES = {"name": ask_name, "removal": ask_removal, "repair": ask_repair}
"""What is asked to change a database, by what it is about."""


def ask_why_not(library: Library, path: str) -> Inquiry:
    """Ask for a path and a question, to say why that is not found by it."""
    from rag_assistant.library.why_not_words import why_not_told  # noqa: PLC0415

    def take(written: str) -> Inquiry:
        def tell(question: str) -> LibraryChange:
            return LibraryChange(partial(why_not_told, library, written.strip(), question.strip()))

        return Inquiry(plain("For which question? Nothing: for any", "bold"), "", tell)

    return Inquiry(plain("Why is this file not found? A path", "bold"), path, take)


def what_left(library: Library) -> list[str]:
    """Say what left this machine, by day and host. Raises RagError where that cannot be read."""
    days = EgressLedger(library.home).by_day_and_host()[:SHOWN_DAYS]
    return [day_line(day) for day in days] or ["Nothing has left this computer."]


def _told(change: Callable[[], object], said: str) -> Callable[[], Sequence[str]]:
    def make() -> Sequence[str]:
        change()
        return (said,)

    return make
