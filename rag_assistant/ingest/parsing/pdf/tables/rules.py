"""What is drawn on a page that may bound cells: rules, and fills with their edges.

A path that is thin is a rule, whether it is stroked or filled, and however pale. Of longer paths
the straight segments count. All is bounded: a page with more is a drawing, not a table.
"""

import ctypes
import math
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice, repeat
from typing import TYPE_CHECKING, Any

from rag_assistant.ingest.parsing.pdf.calls import address_of, pdfium_calls
from rag_assistant.ingest.parsing.pdf.tables.boxes import turned_box

if TYPE_CHECKING:
    from pypdfium2 import PdfMatrix, PdfPage

THICKEST = 3.5
"""Points that a rule may be thick."""

NEAR = 3.0
"""Points by which two ends, or two rules, may miss one another and still meet."""

MOST_RULES = 1_500
"""Of one direction, after those in one line were joined."""

_SHORTEST = 4.0
_FEWEST_PATHS = 1
_MOST_PATHS, _MOST_SEGMENTS, _MOST_OBJECTS = 6_000, 12_000, 30_000
_FURTHEST = 20_000.0
_DEEPEST = 4  # forms within forms


@dataclass(frozen=True, slots=True)
class DrawnRule:
    """A straight line at `at` from `start` to `end`: at y from x to x, or at x from y to y."""

    at: float
    start: float
    end: float


@dataclass(frozen=True, slots=True)
class Fill:
    """A box that is filled with a colour."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Drawn:
    """What is drawn on a page: horizontals by y, verticals by x, and fills."""

    across: tuple[DrawnRule, ...] = ()
    down: tuple[DrawnRule, ...] = ()
    fills: tuple[Fill, ...] = ()

    @property
    def may_bound(self) -> bool:
        """Say whether it may bound cells by itself: lines that meet, or tiles in several rows."""
        if (len(self.across) > 1 and len(self.down) > 1) or len(self.down) > 2:
            return True
        rows = Counter(round(fill.top / NEAR) for fill in self.fills)
        return sum(count > 1 for count in rows.values()) > 1


class _Gathered:
    def __init__(self, turned: int) -> None:
        self.turned = turned
        self.across: list[DrawnRule] = []
        self.down: list[DrawnRule] = []
        self.fills: list[Fill] = []
        self.segments = 0

    def box(self, left: float, bottom: float, right: float, top: float) -> None:
        """Take a box: a rule if it is thin, else a fill."""
        left, top, right, bottom = turned_box(left, bottom, right, top, self.turned)
        wide, high = right - left, bottom - top
        if high <= THICKEST < wide:
            self.across.append(DrawnRule((top + bottom) / 2, left, right))
        elif wide <= THICKEST < high:
            self.down.append(DrawnRule((left + right) / 2, top, bottom))
        elif wide > THICKEST and high > THICKEST:
            self.fills.append(Fill(left, top, right, bottom))

    def segment(self, one: tuple[float, float], two: tuple[float, float]) -> None:
        """Take a stroked segment, if it is level or upright."""
        (x, y), (to_x, to_y) = one, two
        left, bottom, right, top = min(x, to_x), min(y, to_y), max(x, to_x), max(y, to_y)
        if right - left <= 1 or top - bottom <= 1:
            left, top, right, bottom = turned_box(left, bottom, right, top, self.turned)
            if right - left >= bottom - top:
                self.across.append(DrawnRule((top + bottom) / 2, left, right))
            else:
                self.down.append(DrawnRule((left + right) / 2, top, bottom))


def drawn_on(page: "PdfPage", turned: int) -> Drawn:
    """Gather what is drawn on a page; nothing where it is less, or more, than any table has."""
    paths = list(islice(_paths(page.raw, None, 0), _MOST_PATHS + 1))
    if not _FEWEST_PATHS <= len(paths) <= _MOST_PATHS:
        return Drawn()
    gathered = _Gathered(turned)
    for path, matrix in paths:
        _take(path, matrix, gathered)
        if gathered.segments > _MOST_SEGMENTS:
            return Drawn()
    across, down = merged(gathered.across), merged(gathered.down)
    if max(len(across), len(down)) > MOST_RULES:
        return Drawn()
    return Drawn(tuple(across), tuple(down), tuple(dict.fromkeys(gathered.fills)))


def _paths(
    holder: Any, matrix: "PdfMatrix | None", depth: int
) -> "Iterator[tuple[Any, PdfMatrix | None]]":
    """Give the paths of a page, or of a form on it with the matrix that places the form."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    calls = pdfium_calls()
    count = pdfium.FPDFFormObj_CountObjects if depth else pdfium.FPDFPage_CountObjects
    get = calls.form_object if depth else calls.page_object
    path, form = pdfium.FPDF_PAGEOBJ_PATH, pdfium.FPDF_PAGEOBJ_FORM
    numbers = range(min(count(holder), _MOST_OBJECTS))
    found = [*map(get, repeat(address_of(holder)), numbers)]
    for address, kind in zip(found, map(calls.kind_of, found), strict=True):
        if kind not in (path, form):
            continue
        raw = ctypes.cast(address or 0, pdfium.FPDF_PAGEOBJECT)
        if kind == path:
            yield raw, matrix
        elif depth < _DEEPEST:
            yield from _paths(raw, _placed(raw, matrix), depth + 1)


def _placed(raw: Any, outer: "PdfMatrix | None") -> "PdfMatrix":
    """Give the matrix from an object's space to the page's."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415
    from pypdfium2 import PdfMatrix  # noqa: PLC0415

    own = pdfium.FS_MATRIX()
    matrix = PdfMatrix()
    if pdfium.FPDFPageObj_GetMatrix(raw, own):
        matrix = PdfMatrix.from_raw(own)
    return matrix.multiply(outer) if outer else matrix


def _take(raw: Any, outer: "PdfMatrix | None", gathered: _Gathered) -> None:
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    mode, stroked = ctypes.c_int(), ctypes.c_int()
    if not pdfium.FPDFPath_GetDrawMode(raw, mode, stroked):
        return
    filled = bool(mode.value) and _seen(raw)
    if not (filled or stroked.value):
        return  # only clips
    edges = [ctypes.c_float() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetBounds(raw, *edges):
        return
    left, bottom, right, top = (edge.value for edge in edges)
    if outer:
        left, bottom, right, top = outer.on_rect(left, bottom, right, top)
    if not all(math.isfinite(v) and abs(v) < _FURTHEST for v in (left, bottom, right, top)):
        return
    thin = min(right - left, top - bottom) <= THICKEST
    count = pdfium.FPDFPath_CountSegments(raw)
    if thin or (filled and count <= 5):
        gathered.box(left, bottom, right, top)
    if not thin and (stroked.value or count > 5):
        _segments(raw, outer, count, gathered)


def _seen(raw: Any) -> bool:
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    parts = [ctypes.c_uint() for _ in range(4)]
    if not pdfium.FPDFPageObj_GetFillColor(raw, *parts):
        return True  # a pattern
    return parts[3].value > 0


def _segments(raw: Any, outer: "PdfMatrix | None", count: int, gathered: _Gathered) -> None:
    """Take the straight segments of a path: those of a rectangle, or of many lines at once."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415

    gathered.segments += count
    if gathered.segments > _MOST_SEGMENTS:
        return
    matrix = _placed(raw, outer)
    x, y = ctypes.c_float(), ctypes.c_float()
    before = first = (0.0, 0.0)
    for index in range(count):
        segment = pdfium.FPDFPath_GetPathSegment(raw, index)
        if not pdfium.FPDFPathSegment_GetPoint(segment, x, y):
            return
        point = matrix.on_point(x.value, y.value)
        if not all(math.isfinite(v) and abs(v) < _FURTHEST for v in point):
            return
        kind = pdfium.FPDFPathSegment_GetType(segment)
        if kind == pdfium.FPDF_SEGMENT_MOVETO:
            first = point
        elif kind == pdfium.FPDF_SEGMENT_LINETO:
            gathered.segment(before, point)
        before = point
        if pdfium.FPDFPathSegment_GetClose(segment):
            gathered.segment(before, first)
            before = first


def merged(rules: Iterable[DrawnRule]) -> list[DrawnRule]:
    """Join rules that lie in one line and touch; what is too short for a cell is dropped.

    The result is in order of `at`.
    """
    lines: list[list[DrawnRule]] = []
    for rule in sorted(rules, key=lambda one: one.at):
        if lines and rule.at - lines[-1][0].at <= NEAR / 2:
            lines[-1].append(rule)
        else:
            lines.append([rule])
    found: list[DrawnRule] = []
    for line in lines:
        at = sum(rule.at for rule in line) / len(line)
        start = end = math.nan
        for rule in sorted(line, key=lambda one: one.start):
            if rule.start <= end + NEAR:
                end = max(end, rule.end)
                continue
            if end - start >= _SHORTEST:
                found.append(DrawnRule(at, start, end))
            start, end = rule.start, rule.end
        if end - start >= _SHORTEST:
            found.append(DrawnRule(at, start, end))
    return found
