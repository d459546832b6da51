"""Which tables a page shows: detectors one after the other, each over the words that no table has
yet. A gate that reads no boxes tells most pages without tables.
"""

import ctypes
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.pdf_tables.bands import bands
from rag_assistant.ingest.parsing.pdf_tables.blocks import blocks
from rag_assistant.ingest.parsing.pdf_tables.boxes import Word, lines_of, words_of
from rag_assistant.ingest.parsing.pdf_tables.grid import Grid, compact, count_heads, without_title
from rag_assistant.ingest.parsing.pdf_tables.lattice import edges_of, lattices
from rag_assistant.ingest.parsing.pdf_tables.rules import Drawn, drawn_on
from rag_assistant.ingest.parsing.pdf_tables.verticals import verticals

if TYPE_CHECKING:
    from pypdfium2 import PdfTextPage

_WIDEST = 0.64  # of the size of the type: what a letter takes, on the average of a line
_MOST_RECTS = 800


def tables_on(
    textpage: "PdfTextPage", whole: str, spans: Sequence[tuple[int, int]], sizes: Sequence[float]
) -> list[Grid]:
    """Find the tables of a page in `spans` of its text, the lines, with the sizes of their type.

    They come top down.
    """
    page = textpage.page
    turned = int(page.get_rotation()) // 90
    drawn = drawn_on(page, turned)
    if not (drawn.may_bound or _has_gaps(textpage, spans, sizes)):
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
        lambda rest: blocks(rest, drawn.across),
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
        return replace(table, heads=count_heads(table))
    return table


def _has_gaps(
    textpage: "PdfTextPage", spans: Sequence[tuple[int, int]], sizes: Sequence[float]
) -> bool:
    """Say whether some lines have gaps: between what is drawn at once, or within it, where a line
    goes on for longer than its letters need.
    """
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    handle, get_box, get_rect = (
        textpage.raw,
        pdfium.FPDFText_GetLooseCharBox,
        pdfium.FPDFText_GetRect,
    )
    one, two = pdfium.FS_RECTF(), pdfium.FS_RECTF()
    first, last = ctypes.byref(one), ctypes.byref(two)
    found = 0
    for (start, end), size in zip(spans, sizes, strict=True):
        if get_box(handle, start, first) and get_box(handle, end - 1, last):
            wide = max(two.right - one.left, one.top - two.bottom)
            found += wide > _WIDEST * size * (end - start) > 0
    if found > 2:
        return True
    count = pdfium.FPDFText_CountRects(handle, 0, -1)
    if count - len(spans) < 3:
        return False
    edges = [ctypes.c_double() for _ in range(4)]
    given = [ctypes.byref(edge) for edge in edges]
    left, top, right, bottom = edges
    before, height, begun = (0.0, 0.0), 1.0, 0.0
    parted: set[int] = set()  # the heights of lines, in halves of them
    for number in range(min(count, _MOST_RECTS)):
        if not get_rect(handle, number, *given):
            continue
        middle = (top.value + bottom.value) / 2
        height = max(top.value - bottom.value, 0.7 * height)
        if abs(middle - before[1]) > 0.5 * height:
            begun = left.value
        # What stands behind a bullet, or the number of an item, has a gap before it as well.
        elif left.value - before[0] > 1.15 * height and before[0] - begun > 1.6 * height:
            parted.add(round(middle / height * 2))
        before = right.value, middle
    return len(parted) > 2
