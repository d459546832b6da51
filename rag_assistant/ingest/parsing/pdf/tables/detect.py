"""Which tables a page shows: detectors one after the other, each over the words that no table has
yet. A gate that reads no boxes tells most pages without tables.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf.calls import address_of, pdfium_calls
from rag_assistant.ingest.parsing.pdf.tables.bands import bands
from rag_assistant.ingest.parsing.pdf.tables.blocks import blocks
from rag_assistant.ingest.parsing.pdf.tables.boxes import Word, lines_of, words_of
from rag_assistant.ingest.parsing.pdf.tables.grid import Grid, compact, without_title
from rag_assistant.ingest.parsing.pdf.tables.lattice import edges_of, lattices
from rag_assistant.ingest.parsing.pdf.tables.rules import Drawn, drawn_on
from rag_assistant.ingest.parsing.pdf.tables.verticals import verticals
from rag_assistant.ingest.parsing.tables.head_rows import count_heads

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_WIDEST = 0.64  # of the size of the type: what a letter takes, on the average of a line
_GAP, _LABEL = 1.0, 1.5  # of the size of the type: a gap between cells, the least before it
_ENOUGH = 3  # lines with gaps, where nothing is drawn


def tables_on(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]], sizes: Sequence[float]
) -> list[Grid]:
    """Find the tables of a page in `spans` of its text, the lines, with the sizes of their type.

    They come top down.
    """
    page = textpage.page
    turned = int(page.get_rotation()) // 90
    gaps = _gaps(textpage, whole, spans, sizes)
    if not gaps:
        return []
    drawn = drawn_on(page, turned)
    if not (drawn.may_bound or gaps >= _ENOUGH):
        return []
    words = words_of(textpage, whole, spans, turned)
    return tables_in(words, drawn) if len(words) > 3 and not _upright(words) else []


def _upright(words: Sequence[Word]) -> bool:
    """Whether the lines of a page run up or down."""
    long = [word for word in words if word.end - word.start > 3]
    return sum(word.height > word.right - word.left for word in long) > 0.5 * len(long)


def tables_in(words: Sequence[Word], drawn: Drawn) -> list[Grid]:
    """Find the tables of words and what is drawn around them, top down."""
    lines = lines_of(words)
    if not drawn.may_bound and sum(len(line.chunks) > 1 for line in lines) < 2:
        return []
    across, down = edges_of(drawn.fills)
    detectors: list[Callable[[Sequence[Word]], list[Grid]]] = [
        lambda rest: lattices(drawn.across, drawn.down, rest),
        lambda rest: (
            lattices([*drawn.across, *across], [*drawn.down, *down], rest, soft=True)
            if across
            else []
        ),
        lambda rest: verticals(drawn.down, rest),
        lambda rest: bands(drawn.across, rest),
        lambda rest: blocks(lines if len(rest) == len(words) else lines_of(rest), drawn.across),
    ]
    found: list[Grid] = []
    rest = list(words)
    for detect in detectors:
        for grid in detect(rest):
            table = _finished(grid, {id(word) for word in rest})
            if table is not None:
                found.append(table)
                taken = {id(word) for word in table.words}
                rest = [word for word in rest if id(word) not in taken]
    return sorted(found, key=lambda grid: grid.top)


def _finished(grid: Grid, free: set[int]) -> Grid | None:
    """Give a table without empty rows and columns, with its heads; None where it is none."""
    if not all(id(word) in free for word in grid.words):
        return None
    table = compact(grid)
    if table is None:
        return None
    table = without_title(table)
    filled = len(table.cells)
    if table.rows < (2 if table.ruled else 3) or filled < 4 or table.columns < 2:
        return None
    if any(len(cell.words) > 400 for cell in table.cells):
        return None  # a page that is framed
    if not table.heads:
        return replace(table, heads=count_heads(table.cells, table.rows))
    return table


class _Lines:
    """The lines of a page's text, looked at for gaps that are wider than a space."""

    def __init__(self, textpage: "PdfTextPage", whole: str) -> None:
        import pypdfium2.raw as pdfium  # noqa: PLC0415

        calls = pdfium_calls()
        self._handle = address_of(textpage.raw)
        self._get_box = calls.loose_box
        self._index_of = calls.index_of
        self._is_generated = calls.is_generated
        self._same = pdfium.FPDFText_CountChars(textpage.raw) == len(whole)
        self._whole = whole
        self._boxes = pdfium.FS_RECTF(), pdfium.FS_RECTF()
        self._given = tuple(map(ctypes.addressof, self._boxes))

    def index(self, offset: int) -> int:
        """Give the number of a character, by its place in the text."""
        return offset if self._same else self._index_of(self._handle, offset)

    def is_long(self, start: int, end: int, size: float) -> bool:
        """Say whether a line goes on for longer than its letters need."""
        one, two = self._boxes
        if not self._measured(self.index(start), self.index(end - 1)):
            return False
        wide = max(two.right - one.left, one.top - two.bottom)
        return bool(wide > _WIDEST * size * (end - start) > 0)

    def is_parted(self, start: int, end: int, size: float) -> bool:
        """Say whether a line has a gap that nothing is written in, but one behind a bullet."""
        one, two = self._boxes
        gap = self._whole.find(" ", start, end)
        while gap >= 0:
            at = self.index(gap)
            if (
                self._is_generated(self._handle, at) == 1
                and self._measured(at - 1, self.index(gap + 1))
                and two.left - one.right > _GAP * size > 0
            ):
                right = one.right
                # What stands behind a bullet, or an item's number, has a gap before it as well.
                if self._measured(self.index(start), at) and right - one.left > _LABEL * size:
                    return True
            gap = self._whole.find(" ", gap + 1, end)
        return False

    def _measured(self, first: int, second: int) -> bool:
        one, two = self._given
        return bool(
            self._get_box(self._handle, first, one) and self._get_box(self._handle, second, two)
        )


def _gaps(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]], sizes: Sequence[float]
) -> int:
    """Count lines with gaps, up to as many as tell that there may be a table."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    lines = _Lines(textpage, whole)
    sized = [(*span, size) for span, size in zip(spans, sizes, strict=True)]
    long = 0
    for line in sized:
        long += lines.is_long(*line)
        if long >= _ENOUGH:
            return long
    parted = 0
    # What is drawn at once has no gaps but its spaces.
    pieces = pdfium.FPDFText_CountRects(textpage.raw, 0, -1)
    for line in sized if pieces - len(spans) >= _ENOUGH else ():
        parted += lines.is_parted(*line)
        if parted >= _ENOUGH:
            return parted
    return max(long, parted)
