"""Writes texts in formats that are binary: of Office before 2007, of Apple's programs, and PDF."""

import html
import struct
from pathlib import Path
from subprocess import run

from scripts.benchmarks.ingest.known_files import iwork, ole
from scripts.benchmarks.ingest.known_files.markup import html_body, rows_of
from scripts.benchmarks.ingest.known_files.texts import KnownText, Piece
from scripts.benchmarks.ingest.pdf_tables.contents import Known
from scripts.benchmarks.ingest.pdf_tables.makers import chromium
from scripts.benchmarks.ingest.pdf_tables.operators import pages_of, prose_page

_HEADING_STYLE = {1: 11, 2: 12}
_LINE = 95


def as_doc(text: KnownText) -> bytes:
    """Write a document of Word 97."""
    words, formats = "", []
    for one in text.pieces:
        if isinstance(one, Known):
            words += f"{one.caption}\r"
            formats.append(ole.PLAIN)
            for row in rows_of(one):
                words += "".join(f"{cell}\x07" for cell, _ in row) + "\x07"
                formats += [*[ole.CELL] * len(row), ole.ROW_END]
        else:
            words += f"{one.words}\r"
            styled = struct.pack("<H", one.level) if one.kind == "heading" else ole.PLAIN
            formats.append(ole.ITEM if one.kind == "item" else styled)
    return ole.compound(ole.word([words], formats))


def as_xls(text: KnownText) -> bytes:
    """Write a workbook of Excel 97: a sheet for each table, all cells as they are shown."""
    sheets = []
    for number, table in enumerate(text.tables):
        cells = b"".join(
            ole.label(at, column, words)
            for at, row in enumerate(rows_of(table))
            for column, (words, _) in enumerate(row)
        )
        sheets.append((f"Sheet{number + 1}", cells))
    return ole.compound({"Workbook": ole.workbook(sheets)})


def said_in_sheets(text: KnownText) -> str:
    """Give what such a workbook shows: the name of each sheet, then its rows."""
    lines = []
    for number, table in enumerate(text.tables):
        rows = (" ".join(words for words, _ in row) for row in rows_of(table))
        lines += [f"Sheet{number + 1}", *rows]
    return "\n".join(lines)


def as_ppt(text: KnownText) -> bytes:
    """Write a presentation of PowerPoint 97: a slide for each part."""
    return ole.compound(ole.slides([(part.title, "\r".join(part.words)) for part in text.parts()]))


def as_pages(text: KnownText) -> bytes:
    """Write a document of Pages: a text whose headings have styles."""
    styles = [(_HEADING_STYLE[level], iwork.style(f"Heading {level}")) for level in (1, 2)]
    words, places = "", []
    for one in text.prose.pieces:
        assert isinstance(one, Piece)
        places.append((len(words), _HEADING_STYLE[one.level] if one.kind == "heading" else 10))
        words += f"{one.words}\n"
    objects = [
        (1, 10000, b"", (3,)),
        (3, 2001, iwork.storage(words, places), (10, 11, 12)),
        (10, 2022, iwork.style("Body"), ()),
        *((id_, 2022, body, ()) for id_, body in styles),
    ]
    return iwork.document({"Index/Document.iwa": iwork.archive(objects)})


def as_numbers(text: KnownText) -> bytes:
    """Write a workbook of Numbers: one sheet with the first table."""
    table = text.tables[0]
    strings: dict[str, int] = {}
    rows = []
    for at, row in enumerate(rows_of(table)):
        keys = [strings.setdefault(words, len(strings) + 1) for words, _ in row]
        cells = [iwork.cell(3, 8, key.to_bytes(4, "little")) for key in keys]
        rows.append(iwork.row(at, cells))
    message, ref = iwork.message, iwork.ref
    model = message(
        (4, message((3, message((1, message((2, ref(30)))))), (4, ref(31)))), (8, table.caption)
    )
    listed = (message((1, key), (3, words)) for words, key in strings.items())
    objects: list[tuple[int, int, bytes, tuple[int, ...]]] = [
        (1, 1, message((1, ref(20))), (20,)),
        (20, 2, message((1, "Sheet1"), (2, ref(21))), (21,)),
        (21, 6000, message((2, ref(22))), ()),
        (22, 6001, model, (30, 31)),
        (30, 6002, message(*((5, one) for one in rows)), ()),
        (31, 6005, message(*((3, one) for one in listed)), ()),
    ]
    return iwork.document({"Index/Document.iwa": iwork.archive(objects)})


def said_in_numbers(text: KnownText) -> str:
    """Give what such a workbook shows: its sheet's name, and the table with its own."""
    table = text.tables[0]
    rows = (" ".join(words for words, _ in row) for row in rows_of(table))
    return "\n".join(["Sheet1", table.caption, *rows])


def as_keynote(text: KnownText) -> bytes:
    """Write a show of Keynote: a slide for each part."""
    message, ref = iwork.message, iwork.ref
    slides = {}
    nodes, starts = [], []
    for number, part in enumerate(text.parts()):
        first = 100 + 10 * number
        held = message((5, ref(first + 1)), (6, ref(first + 3)))
        slides[f"Index/Slide-{number}.iwa"] = iwork.archive(
            [
                (first, 5, held, (first + 1, first + 3)),
                (first + 1, 7, b"", (first + 2,)),
                (first + 2, 2001, iwork.storage(part.title), ()),
                (first + 3, 7, b"", (first + 4,)),
                (first + 4, 2001, iwork.storage("\n".join(part.words)), ()),
            ]
        )
        nodes.append((40 + number, 4, message((2, ref(first))), (first,)))
        starts.append(ref(40 + number))
    tree = message(*((2, start) for start in starts))
    show = iwork.archive(
        [
            (1, 1, message((2, ref(2))), (2,)),
            (2, 2, message((3, tree)), tuple(node[0] for node in nodes)),
            *nodes,
        ]
    )
    return iwork.document({**slides, "Index/Document.iwa": show})


def print_pdf(text: KnownText, target: Path) -> bool:
    """Print a page by Chromium; say whether it is on this machine."""
    program = chromium()
    if program is None:
        return False
    page = target.with_suffix(".html")
    style = "body { font: 11pt/1.4 serif } td, th { border: .6pt solid; padding: 2pt 6pt }"
    head = f"<meta charset=utf-8><title>{html.escape(text.title)}</title><style>{style}</style>"
    page.write_text(f"{head}<html lang={text.language}>{html_body(text)}", encoding="utf-8")
    options = ["--headless", "--no-sandbox", "--disable-gpu", "--no-pdf-header-footer"]
    options += [f"--user-data-dir={target.parent / 'profile'}", f"--print-to-pdf={target}"]
    run([program, *options, page.as_uri()], check=True, capture_output=True, timeout=120)
    page.unlink()
    return True


def as_pdf(text: KnownText) -> bytes:
    """Write a PDF file of operators, its lines broken at words; what it says is Western."""
    lines = []
    for one in text.prose.pieces:
        assert isinstance(one, Piece)
        line = ""
        for word in one.words.split():
            if len(line) + len(word) >= _LINE:
                lines.append(line)
                line = ""
            line = f"{line} {word}".strip()
        lines += [line, ""]
    return pages_of([prose_page([_western(line) for line in lines], 10)])


def _western(line: str) -> str:
    """Give the letters of a line as the bytes that WinAnsiEncoding has for them."""
    return line.encode("cp1252").decode("latin-1")
