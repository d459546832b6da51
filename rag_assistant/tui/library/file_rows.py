"""The files of a database, as the library lists them: what is lacking by its reasons, and why."""

from collections.abc import Mapping

from textual.content import Content

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.layout import Divider, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET, WARN
from rag_assistant.tui.library.rows import LibraryRow, documents_of, files_of
from rag_assistant.tui.lists.pick_list import FactRow, PickItem
from rag_assistant.values.ledger import LedgerLine, Listed, SharedReason, by_reason

LISTED_FILES = 5_000
"""Files that are listed at once; a filter finds the others."""

_LACKING: Mapping[str, Listed] = {
    "withheld": "withheld",
    "failed": "failed",
    "partly read": "partial",
    "skipped": "skipped",
}
"""What is said of files that are not searchable, or only in part, and the ledger's name for it."""

_MARKS = {
    "withheld": ("!", WARN),
    "failed": ("✗", BAD),
    "partly read": ("!", WARN),
    "skipped": ("–", QUIET),
    "indexed": ("✓", GOOD),
}
"""The sign and the style of each."""

READABLE = ("indexed", "partly read")
"""What can be opened, of all these."""

NO_FILE = joined([plain("No file fits the filter."), EMPTY])


def read_files(library: Library, name: str, text: str) -> tuple[PickItem, ...]:
    """List the paths of a database that hold a text: what is lacking by its reasons, each below
    what mends it, then what is indexed.
    """
    database = library.database(name)
    wanted = text.casefold()
    items: list[PickItem] = []
    for kind, of_ledger in _LACKING.items():
        lines = [
            line
            for line in database.ledger(of_ledger)
            if wanted in f"{kind} {line.path} {line.reason}".casefold()
        ]
        for group in by_reason(lines):
            items += _below(_group_head(kind, group))
            items += [_lacking_item(kind, line) for line in group.lines]
    counts: dict[str, int] = {}
    for entry in database.entries():
        if wanted in f"indexed {entry.path}".casefold():
            counts[entry.path] = counts.get(entry.path, 0) + 1
    if counts:
        items += _below(plain(f"{files_of(len(counts))} indexed", "bold"))
    for path, count in counts.items():
        mark = plain(f"✓ {documents_of(count)}", GOOD)
        items.append(PickItem(FactRow(one_line(path), (mark,)), f"indexed\n{path}"))
    return tuple(items[1 : LISTED_FILES + 1])  # nothing is above the first head


def entry_of(library: Library, name: str, key: str) -> int | None:
    """Give the first entry of the file of a row; None where nothing of it is indexed."""
    path = key.partition("\n")[2]
    found = (entry.id for entry in library.database(name).entries() if entry.path == path)
    return next(found, None)


def _below(head: Content) -> tuple[PickItem, ...]:
    return PickItem(Text()), PickItem(Row(head))


def _group_head(kind: str, group: SharedReason) -> Content:
    """Say how many files there are of a reason, and what mends it; the reason is on the rows."""
    sign, style = _MARKS[kind]
    head = [plain(f"{sign} {files_of(len(group.lines))} {kind}", f"bold {style}")]
    if remedy := remedy_of(group.reason):
        key = " Then t." if kind == "failed" else ""
        head.append(one_line(f"{remedy}{key}", QUIET))
    return joined(head, plain("  "))


def _lacking_item(kind: str, line: LedgerLine) -> PickItem:
    cause = one_line(cause_of(line.reason), _MARKS[kind][1])
    return PickItem(FactRow(one_line(line.path), (cause,)), f"{kind}\n{line.path}")


def cause_of(reason: str) -> str:
    """Give why a path is not searchable without what mends it, which is the sentence after it."""
    return reason.partition(". ")[0].removesuffix(".")


def remedy_of(reason: str) -> str:
    """Give what mends it; nothing where nothing is known to."""
    return reason.partition(". ")[2]


def file_blocks(row: LibraryRow, key: str) -> tuple[LayoutBlock, ...]:
    """Say what became of one file."""
    status, _, path = key.partition("\n")
    kinds = {
        "withheld": row.withheld,
        "failed": row.failed,
        "partly read": row.partial,
        "skipped": row.skipped,
    }
    reason = next((line.reason for line in kinds.get(status, ()) if line.path == path), "")
    blocks: list[LayoutBlock] = [
        Text(one_line(path, "bold")),
        Divider(),
        Text(plain(status, _MARKS[status][1])),
    ]
    if reason:
        blocks.append(Text(one_line(reason)))
    if status == "withheld":
        blocks += [Text(), Text(plain("It comes back with its ids when it can be read.", QUIET))]
    if status == "failed":
        blocks += [Text(), Text(plain("t reads everything that failed once more.", QUIET))]
    return tuple(blocks)
