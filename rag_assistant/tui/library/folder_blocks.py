"""How a folder looks before it is indexed: what it holds, and where its index goes."""

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.makeup_chart import MakeupChart
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN
from rag_assistant.tui.library.folder_paths import short

if TYPE_CHECKING:  # it loads all formats, which the first picture needs none of
    from rag_assistant.library.scan import Scan

REASONS_SHOWN = 5
SKIPS_SHOWN = 500
"""Paths listed with their reasons; the rest are counted."""

COLUMN = 8
"""Cells of what stands on the left."""


def folder_blocks(
    folder: Path, scan: "Scan | None", problem: Content = EMPTY
) -> tuple[LayoutBlock, ...]:
    """Show what a folder holds, as far as it is known, and where its index goes."""
    said: list[LayoutBlock] = [Text(one_line(short(folder), "bold"))]
    if problem:
        return labelled("Folder", *said, Text(problem))
    stays = Text(plain("stays on this computer", GOOD))
    if scan is None:
        said.append(Text(plain("looking at what is there…", QUIET)))
        return (*labelled("Folder", *said), Text(), *labelled("Index", stays))
    files = scan.readable + len(scan.skipped)
    found = f"{files:,} file{'' if files == 1 else 's'}"
    counted = f"{found} → " if scan.over else f"{found} so far → "
    readable = joined(
        [
            plain(counted, QUIET),
            plain(f"{scan.readable:,} readable", GOOD if scan.readable else WARN),
            plain(f", {_size(scan.size)}", QUIET),
        ]
    )
    said.append(Text(readable))
    if scan.skipped:
        said.append(Text(plain(f"{len(scan.skipped):,} skipped (s: why)", WARN)))
    target = scan.target
    if target.entries is not None:
        known = f"indexed already as {target.database}: what changed is read"
        said.append(Text(one_line(known, QUIET)))
    index = [stays, Text(one_line(short(target.path), QUIET))]
    chart = (MakeupChart(scan.makeup), Text()) if scan.makeup.files else ()
    return (*labelled("Folder", *said), Text(), *chart, *labelled("Index", *index))


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def skipped_blocks(scan: "Scan") -> tuple[LayoutBlock, ...]:
    """List what is not read, with the reasons; how often each comes stands first."""
    reasons = Counter(reason for _, reason in scan.skipped)
    blocks: list[LayoutBlock] = [Text(plain("Skipped", "bold $text-primary"))]
    blocks += [
        Text(joined([plain(f"{count:>6,}  "), one_line(reason, QUIET)]))
        for reason, count in reasons.most_common(REASONS_SHOWN)
    ]
    blocks.append(Text())
    blocks += [
        Text(joined([one_line(path), plain("  "), one_line(reason, QUIET)]))
        for path, reason in scan.skipped[:SKIPS_SHOWN]
    ]
    if len(scan.skipped) > SKIPS_SHOWN:
        more = len(scan.skipped) - SKIPS_SHOWN
        blocks.append(Text(plain(f"and {more:,} more; the Library (F4) lists all", QUIET)))
    return tuple(blocks)


def labelled(name: str, *blocks: LayoutBlock) -> tuple[LayoutBlock, ...]:
    """Put blocks beside what they are about."""
    label, rest = plain(f"{name:<{COLUMN}}", QUIET), plain(" " * COLUMN)
    first, *others = blocks
    return (Indented(first, label, rest), *(Indented(block, rest) for block in others))
