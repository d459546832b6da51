"""PDF files of operators (ISO 32000-1, 9.4): each word put at its place, or each row written as one
string whose parts are moved apart. No library lays anything out.
"""

from collections.abc import Iterator, Sequence
from pathlib import Path

from scripts.benchmarks.ingest.pdf_tables.contents import PROSE, Known, before


def pages_of(contents: Sequence[bytes]) -> bytes:
    """Write a file of pages of US letter in Helvetica, each with its content."""
    kids = " ".join(f"{4 + 2 * number} 0 R" for number in range(len(contents)))
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        f"<< /Type /Pages /Count {len(contents)} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
    ]
    for number, content in enumerate(contents):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources"
            b" << /Font << /F1 3 0 R >> >>" + f" /Contents {5 + 2 * number} 0 R >>".encode()
        )
        objects.append(
            f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"
        )
    written = b"%PDF-1.7\n"
    offsets = []
    for number, one in enumerate(objects, 1):
        offsets.append(len(written))
        written += f"{number} 0 obj\n".encode() + one + b"\nendobj\n"
    table = "".join(f"{offset:010} 00000 n \n" for offset in offsets)
    size = len(objects) + 1
    written += f"xref\n0 {size}\n0000000000 65535 f \n{table}".encode()
    return written + (
        f"trailer\n<< /Size {size} /Root 1 0 R >>\nstartxref\n".encode()
        + str(written.rindex(b"xref")).encode()
        + b"\n%%EOF\n"
    )


def prose_page(texts: Sequence[str], size: int) -> bytes:
    """Give the content of a page of lines."""
    return b"".join(_show(72, 730 - 1.3 * size * n, text, size) for n, text in enumerate(texts))


def write_operators(tables: Sequence[Known], target: Path) -> None:
    """Write each cell as an operator at its place, or each line as one with wide kerning."""
    target.write_bytes(pages_of([_operators(table, before(n)) for n, table in enumerate(tables)]))


_WIDE = 0.52  # of the size: a guess of how wide a letter of Helvetica is


def _operators(table: Known, prose: str) -> bytes:
    parts: list[bytes] = []
    y = 740.0
    for paragraph in (prose, None, PROSE[1]):
        if paragraph is None:
            y = _written_table(table, y - 14, parts) - 14
            continue
        words = paragraph.split()
        for start in range(0, len(words), 15):
            parts.append(_show(72, y, " ".join(words[start : start + 15]), 10))
            y -= 13
    return b"".join(parts)


def _written_table(table: Known, y: float, parts: list[bytes]) -> float:
    bounds = _bounds(table)
    rules = [y + 11]
    for head in table.heads:
        column = 0
        for words, span in head:
            left, right = bounds[column], bounds[column + span]
            x = left + 3 if not column else (left + right) / 2 - len(words) * 9 * _WIDE / 2
            if words:
                parts.append(_show(x, y, words, 9))
            column += span
        y -= 13
        rules.append(y + 9)
    for row in table.rows:
        parts.extend(_row(table, row, bounds, y))
        y -= 13
        rules.append(y + 9)
    if table.style == "boxes":
        parts.extend(_boxes(table, bounds, rules))
    return y


def _bounds(table: Known) -> list[float]:
    """Give where the columns begin, and the last one ends."""
    first = 72.0
    letters = max(len(row[0]) for row in table.rows if len(row) > 1)
    wide = min(max(letters * 9 * _WIDE + 16, 90), 330)
    step = min(88.0 if "measures" in table.name else 64.0, (540 - wide) / (table.columns - 1))
    if _of_words(table):
        wide, step = 80.0, 110.0
    return [first, *(first + wide + step * n for n in range(table.columns))]


def _of_words(table: Known) -> bool:
    return "remarks" in table.name or "people" in table.name


def _row(table: Known, row: tuple[str, ...], bounds: Sequence[float], y: float) -> Iterator[bytes]:
    cells = [(bounds[0] + 3, row[0])]
    for column, words in enumerate(row[1:], 1):
        x = bounds[column] + 3
        if not _of_words(table):
            x = bounds[column + 1] - 4 - sum(_width(letter) for letter in words) * 9
        cells.append((x, words))
    if table.style == "kerned":
        yield _kerned(cells, y)
    else:
        yield from (_show(x, y, words, 9) for x, words in cells)


def _boxes(table: Known, bounds: Sequence[float], rules: Sequence[float]) -> Iterator[bytes]:
    """Draw a box around each cell, and one around those that a head spans."""
    for at in rules:
        yield f"{bounds[0]} {at:.1f} m {bounds[-1]} {at:.1f} l S\n".encode()
    spanned = range(2, table.columns, 2) if len(table.heads) > 1 else ()
    for number, x in enumerate(bounds):
        start = rules[1] if number in spanned else rules[0]
        yield f"{x} {start:.1f} m {x} {rules[-1]:.1f} l S\n".encode()


def _show(x: float, y: float, words: str, size: int) -> bytes:
    return f"BT /F1 {size} Tf {x:.2f} {y:.2f} Td {_string(words)} Tj ET\n".encode("latin-1")


def _string(words: str) -> str:
    escaped = words.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"({escaped.replace('—', chr(0x97))})"


def _kerned(cells: Sequence[tuple[float, str]], y: float) -> bytes:
    """Write a row as one string whose parts are moved apart, as some typesetters do."""
    shown: list[str] = []
    at = cells[0][0]
    for x, words in cells:
        move = (x - at) / 9 * 1000
        shown.append(f"{-move:.0f} {_string(words)}" if shown else _string(words))
        at = x + sum(_width(letter) for letter in words) * 9
    return f"BT /F1 9 Tf {cells[0][0]:.2f} {y:.2f} Td [{' '.join(shown)}] TJ ET\n".encode("latin-1")


# Widths of Helvetica in thousandths of its size, from U+0020 (Adobe's metrics of the 14 fonts).
_HELVETICA = """
278 278 355 556 556 889 667 191 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556
556 278 278 584 584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778
722 667 611 722 667 944 667 667 611 278 278 278 469 556 333 556 556 500 556 556 278 556 556 222 222
500 222 833 556 556 556 556 333 500 278 556 500 722 500 500 500
""".split()


def _width(letter: str) -> float:
    at = ord(letter) - 32
    return int(_HELVETICA[at]) / 1000 if 0 <= at < len(_HELVETICA) else 1.0
