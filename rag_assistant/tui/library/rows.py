"""What the library screen shows of a database, read in one go, and how it looks."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from textual.content import Content

from rag_assistant.config import EgressPolicy
from rag_assistant.egress.gate import Gate
from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.library.makeup import Makeup, makeup_of
from rag_assistant.tui.drawing.interface_words import told
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.makeup_chart import MakeupChart
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, QUIET, SEPARATOR, WARN
from rag_assistant.tui.indexing.progress import IndexingProgress
from rag_assistant.tui.library.folder_paths import short
from rag_assistant.tui.library.folder_work import FolderState
from rag_assistant.tui.lists.pick_list import FactRow, PickItem
from rag_assistant.values.ledger import IndexFigures, LedgerLine, by_reason
from rag_assistant.values.suspicions import SuspicionCounts

SHOWN_REASONS, SHOWN_PATHS = 12, 3
"""Reasons of the ledger beside the list, and paths of each; the rest are behind Enter."""


@dataclass(frozen=True, slots=True)
class LibraryRow:
    """A database with its ledger; `problem` says why it cannot be read."""

    name: str
    figures: IndexFigures | None = None
    vectors: str = ""
    failed: tuple[LedgerLine, ...] = ()
    skipped: tuple[LedgerLine, ...] = ()
    withheld: tuple[LedgerLine, ...] = ()
    megabytes: float = 0.0
    problem: str = ""
    egress: EgressPolicy = "ask"
    suspicious: SuspicionCounts = SuspicionCounts()
    partial: tuple[LedgerLine, ...] = ()
    makeup: Makeup = Makeup()

    @property
    def folder(self) -> str:
        """The folder that it indexes, empty where that is not known."""
        return self.figures.folder if self.figures else ""


def read_library(library: Library) -> tuple[LibraryRow, ...]:
    """Read all databases. It blocks: call it in a thread."""
    return tuple(_row(library, name) for name in library.names())


def _row(library: Library, name: str) -> LibraryRow:
    try:
        database = library.database(name)
        figures = database.figures()
        coverage = database.coverage()
        vectors = "not searched by meaning"
        if coverage.kind:
            vectors = f"{coverage.vectors:,} of {coverage.passages:,}, by {coverage.kind.model}"
        return LibraryRow(
            name,
            figures,
            vectors,
            tuple(database.ledger("failed")),
            tuple(database.ledger("skipped")),
            tuple(database.ledger("withheld")),
            database.path.stat().st_size / 1e6,
            egress=Gate(library.home).policy(name),
            suspicious=database.suspicion_counts(),
            partial=tuple(database.ledger("partial")),
            makeup=makeup_of([database]),
        )
    except (RagError, OSError) as error:
        return LibraryRow(name, problem=told(error))


def head_of(count: int, new: Sequence[str]) -> Content:
    """Say how many databases there are, or which folders are indexed for the first time."""
    if new:
        return one_line(", ".join(f"indexing {name}" for name in new), "$text-accent")
    return plain(f"{count} database{'' if count == 1 else 's'}", QUIET)


def row_item(row: LibraryRow, state: FolderState) -> PickItem:
    """Give a database as a line of the list."""
    if row.problem:
        return PickItem(FactRow(one_line(row.name), (plain("! cannot be read", BAD),)), row.name)
    figures = row.figures
    assert figures is not None
    facts = [
        plain(_passages(figures.passages), QUIET),
        plain(documents_of(figures.entries), QUIET),
    ]
    if state.watched:
        facts.append(plain("◉ watched", "$text-accent"))
    if figures.withheld:
        facts.append(plain(f"! {figures.withheld:,} withheld", WARN))
    if figures.failed:
        facts.append(plain(f"! {figures.failed:,} failed", WARN))
    if figures.partial:
        facts.append(plain(f"! {figures.partial:,} partly read", WARN))
    if barred := row.suspicious.places - row.suspicious.allowed:
        facts.append(plain(f"! {barred:,} hidden", WARN))
    if state.progress:
        facts.append(progress_words(state.progress))
    elif figures.unfinished or not figures.indexed_at:
        facts.append(plain("! unfinished", WARN))
    return PickItem(FactRow(one_line(row.name, "bold"), tuple(facts)), row.name)


def files_of(count: int) -> str:
    """Say how many files there are."""
    return f"{count:,} file{'' if count == 1 else 's'}"


def documents_of(count: int) -> str:
    """Say how many documents there are."""
    return f"{count:,} document{'' if count == 1 else 's'}"


def _passages(count: int) -> str:
    return f"{count:,} passage{'' if count == 1 else 's'}"


def progress_words(progress: IndexingProgress) -> Content:
    """Say how far indexing a folder is."""
    if not progress.total:
        return plain("◌ listing…", "$text-accent")
    return plain(f"◌ {progress.done:,}/{progress.total:,}", "$text-accent")


def row_blocks(row: LibraryRow, state: FolderState) -> tuple[LayoutBlock, ...]:
    """Give all there is to say of a database."""
    blocks: list[LayoutBlock] = [Text(one_line(row.name, "bold"))]
    if row.figures is None:
        return (*blocks, Divider(), Text(one_line(row.problem, BAD)))
    figures = row.figures
    when = "not finished yet: r continues"
    if figures.indexed_at:
        when = f"{datetime.fromisoformat(figures.indexed_at).astimezone():%Y-%m-%d %H:%M}"
        when += ", a later run was interrupted: r continues" if figures.unfinished else ""
    where = short(Path(row.folder)) if row.folder else ""
    folder = [one_line(where), plain(" · watched, w stops" if state.watched else "", QUIET)]
    told = [
        ("folder", joined(folder)),
        ("indexed", plain(when)),
        ("holds", plain(f"{documents_of(figures.entries)} in {_passages(figures.passages)}")),
        ("meaning", one_line(row.vectors)),
        ("hidden", plain(_suspicious(row.suspicious))),
        ("privacy", plain(EGRESS[row.egress])),
        ("file", plain(f"{row.megabytes:.1f} MB")),
        ("left out", plain(_left_out(figures))),
    ]
    if progress := state.progress:
        parts = [progress_words(progress)]
        if progress.failed:
            parts.append(plain(f"{progress.failed:,} failed", WARN))
        parts.append(one_line(progress.path, QUIET))
        told.insert(0, ("now", joined(parts, SEPARATOR)))
    blocks += [Indented(Text(said), plain(f"{what:<10}", QUIET)) for what, said in told]
    if row.makeup.files:
        blocks += [Divider(), MakeupChart(row.makeup)]
    kinds = {"failed": row.failed, "partly read": row.partial, "skipped": row.skipped}
    if any(kinds.values()):
        blocks.append(Divider())
    for what, lines in kinds.items():
        blocks += ledger_blocks(what, lines)
    return tuple(blocks)


def _left_out(figures: IndexFigures) -> str:
    counts = {
        "failed": figures.failed,
        "partly read": figures.partial,
        "skipped": figures.skipped,
        "withheld: mount the disk or let it be read, then r": figures.withheld,
    }
    return ", ".join(f"{count:,} {what}" for what, count in counts.items() if count) or "nothing"


def _suspicious(counted: SuspicionCounts) -> str:
    """Say how much looks as if it were written for a model; the reasons are a key away."""
    if not counted.places:
        return "nothing is hidden from the model"
    told = f"{counted.places:,} place{'' if counted.places == 1 else 's'} in "
    told += documents_of(counted.entries)
    told += f", {counted.unseen:,} of them unseen by readers" if counted.unseen else ""
    return f"{told}, {counted.allowed:,} of them allowed · p lists them, and why"


def ledger_blocks(what: str, lines: Sequence[LedgerLine]) -> list[LayoutBlock]:
    """Give what is not searchable by its reasons, each with what mends it, and with some paths."""
    marks = {"failed": plain("✗ ", BAD), "partly read": plain("! ", WARN)}
    mark = marks.get(what, plain("– ", QUIET))
    blocks: list[LayoutBlock] = []
    groups = by_reason(lines)
    for group in groups[:SHOWN_REASONS]:
        count = f"{len(group.lines):,} file{'' if len(group.lines) == 1 else 's'} {what}: "
        said = joined([plain(count, "bold"), one_line(group.reason)])
        blocks.append(Indented(Text(said), mark))
        paths = ", ".join(group.paths[:SHOWN_PATHS])
        more = len(group.lines) - SHOWN_PATHS
        paths += f" and {more:,} more: Enter lists them" if more > 0 else ""
        blocks.append(Indented(Text(one_line(paths, QUIET)), plain("  ")))
    more = len(groups) - SHOWN_REASONS
    if more > 0:
        reasons = f"and {more:,} more reason{'' if more == 1 else 's'}: Enter lists the files"
        blocks.append(Text(plain(reasons, QUIET)))
    return blocks


EGRESS: Mapping[EgressPolicy, str] = {
    "local": "its text goes only to models on this computer",
    "ask": "you are asked before its text goes elsewhere, once for each host",
    "any": "its text goes to whatever model is asked",
}
"""What each policy lets a database's text do."""

NOTHING = joined(
    [plain("There is no database yet. "), plain("a", "bold"), plain(" adds a folder.")]
)
