"""How a folder looks before it is indexed, and the models that could answer."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from textual.content import Content

from rag_assistant.config import EXTRACTIVE
from rag_assistant.models.offers import ModelOffer
from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, clickable, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN
from rag_assistant.tui.library.folder_paths import short
from rag_assistant.tui.library.folder_picker import SAMPLE

if TYPE_CHECKING:  # it loads all formats, which the first picture needs none of
    from rag_assistant.library.scan import Scan

KINDS_SHOWN = 5
SKIPS_SHOWN = 500
"""Paths listed with their reasons; the rest are counted."""

COLUMN = 8
"""Cells of what stands on the left."""

QUOTES = "built in, no model needed: it finds passages and quotes them word for word"

_WHY = (
    "Every file below it that can be read is indexed on this computer. The files stay where they "
    "are and are never changed."
)
_EXAMPLES = joined(
    [plain("No documents at hand? "), plain(SAMPLE, "bold"), plain(" opens examples.")]
)
WHICH_FOLDER: tuple[LayoutBlock, ...] = (
    Text(plain("Which folder do you want to ask?", "bold")),
    Text(plain(_WHY, QUIET)),
    Text(_EXAMPLES),
)
"""What stands above the field of the folder."""


def folder_blocks(
    folder: Path, scan: "Scan | None", problem: Content = EMPTY
) -> tuple[LayoutBlock, ...]:
    """Show what a folder holds, as far as it is known, and where its index goes."""
    said = [Text(one_line(short(folder), "bold"))]
    if problem:
        return _beside("Folder", *said, Text(problem))
    if scan is None:
        return _beside("Folder", *said, Text(plain("looking what is there…", QUIET)))
    files = scan.readable + len(scan.skipped)
    counted = f"{files:,} files → " if scan.over else f"{files:,} files so far → "
    readable = joined(
        [
            plain(counted, QUIET),
            plain(f"{scan.readable:,} readable", GOOD if scan.readable else WARN),
            plain(f", {_size(scan.size)}", QUIET),
        ]
    )
    said.append(Text(readable))
    if scan.kinds:
        said.append(Text(one_line(_kinds(scan.kinds), QUIET)))
    if scan.skipped:
        said.append(Text(plain(f"{len(scan.skipped):,} skipped (s: why)", WARN)))
    target = scan.target
    if target.entries is not None:
        known = f"indexed already as {target.database}: what changed is read"
        said.append(Text(one_line(known, QUIET)))
    index = [
        Text(plain("stays on this computer", GOOD)),
        Text(one_line(short(target.path), QUIET)),
    ]
    return (*_beside("Folder", *said), Text(), *_beside("Index", *index))


def _kinds(kinds: Sequence[tuple[str, int]]) -> str:
    shown = [f"{count:,} {kind}" for kind, count in kinds[:KINDS_SHOWN]]
    rest = sum(count for _, count in kinds[KINDS_SHOWN:])
    return ", ".join([*shown, *([f"{rest:,} others"] if rest else [])])


def _size(size: int) -> str:
    return f"{size / 1e6:,.1f} MB" if size >= 1e5 else f"{size / 1e3:,.1f} kB"


def skipped_blocks(scan: "Scan") -> tuple[LayoutBlock, ...]:
    """List what is not read, with the reasons; how often each comes stands first."""
    reasons = Counter(reason for _, reason in scan.skipped)
    blocks: list[LayoutBlock] = [Text(plain("Skipped", "bold $text-primary"))]
    blocks += [
        Text(joined([plain(f"{count:>6,}  "), one_line(reason, QUIET)]))
        for reason, count in reasons.most_common(KINDS_SHOWN)
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


def model_blocks(offers: Sequence[ModelOffer] | None, model: str) -> tuple[LayoutBlock, ...]:
    """Show what answers, and what else could; `offers` are None while they are looked for."""
    if model != EXTRACTIVE:
        return _beside("Model", Text(joined([_ON, one_line(model, "bold"), plain(" answers")])))
    quotes = Text(joined([_ON, plain("quotes", "bold"), plain(f"  {QUOTES}", QUIET)]))
    if offers is None:
        return _beside("Model", quotes, Text(plain("looking for models on this computer…", QUIET)))
    if not offers:
        nothing = (
            "No model was found on this computer, and none is needed: finding works, and questions "
            "are answered with quotes. F3 takes a model, now or at any time."
        )
        return _beside("Model", quotes, Text(plain(nothing, QUIET)))
    listed = [_offer(number, offer) for number, offer in enumerate(offers, 1)]
    return _beside("Model", quotes, *listed)


_ON = plain("● ", GOOD)


def _offer(number: int, offer: ModelOffer) -> LayoutBlock:
    key = joined([plain(str(number), "bold"), plain(" ")])
    if offer.is_local:
        name, rest = offer.model, f"{offer.where}, stays on this computer"
    else:
        said = f"{offer.key_env} is set" if offer.key_env else offer.where
        name, rest = offer.model or offer.host, f"{said}; sends passages to {offer.host}"
    line = joined([one_line(name), plain("  "), one_line(rest, QUIET)])
    return Indented(Text(clickable(line, {"offer": number})), key)


def _beside(name: str, *blocks: LayoutBlock) -> tuple[LayoutBlock, ...]:
    """Put blocks beside what they are about."""
    label, rest = plain(f"{name:<{COLUMN}}", QUIET), plain(" " * COLUMN)
    first, *others = blocks
    return (Indented(first, label, rest), *(Indented(block, rest) for block in others))
