"""The tables of documents, sheets and pages of the web: files of each format made of known content,
what is read of them, and whether a search finds a value by its row and its heads.
"""

import csv
import html
import io
import random
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from rag_assistant.ingest.loaders import loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Document
from scripts.benchmarks.ingest.pdf_tables.comparing import Score, score
from scripts.benchmarks.ingest.pdf_tables.contents import PROSE, Known, known

_WORD = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"
_ODF = "urn:oasis:names:tc:opendocument:xmlns"
_ODT = "application/vnd.oasis.opendocument.text"
_MOST = 10**8
_SEARCHED = 40
_FRESH = 9_000

Row = Sequence[tuple[str, int]]
"""The words of cells, with how many columns each spans."""


def rows_of(table: Known) -> Iterator[Row]:
    """Give all rows of a table; one that names a section has a single cell."""
    yield from table.heads
    for row in table.rows:
        yield [(words, 1) for words in row]


def as_html(table: Known) -> bytes:
    """Write a page."""
    lines = []
    for number, row in enumerate(rows_of(table)):
        tag = "th" if number < len(table.heads) else "td"
        cells = (f"<{tag} colspan={span}>{html.escape(words)}</{tag}>" for words, span in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    caption = f"<caption>{table.caption}</caption>" if table.caption else ""
    return f"<p>{PROSE[0]}</p><table>{caption}{''.join(lines)}</table><p>{PROSE[1]}</p>".encode()


def as_markdown(table: Known) -> bytes:
    """Write a Markdown file."""
    lines = [f"| {' | '.join(words for words, _ in row)} |" for row in rows_of(table)]
    lines.insert(1, "|" + " --- |" * table.columns)
    return "\n".join([PROSE[0], "", *lines, "", PROSE[1]]).encode()


def as_csv(table: Known) -> bytes:
    """Write comma-separated values."""
    target = io.StringIO()
    csv.writer(target).writerows([words for words, _ in row] for row in rows_of(table))
    return target.getvalue().encode()


def as_rtf(table: Known) -> bytes:
    """Write an RTF file."""
    rows = (
        r"\pard\intbl " + "".join(rf"{words}\cell " for words, _ in row) + r"\row"
        for row in rows_of(table)
    )
    body = "\n".join(rows).replace("—", r"\'97")
    return rf"{{\rtf1\ansi\ansicpg1252 {PROSE[0]}\par {body}\pard {PROSE[1]}\par}}".encode("cp1252")


def as_docx(table: Known) -> bytes:
    """Write a Word document, which does not say which rows are heads."""
    rows = []
    for row in rows_of(table):
        cells = (
            f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{_paragraph(words)}</w:tc>'
            for words, span in row
        )
        rows.append(f"<w:tr>{''.join(cells)}</w:tr>")
    body = f"{_paragraph(PROSE[0])}<w:tbl>{''.join(rows)}</w:tbl>{_paragraph(PROSE[1])}"
    relation = f'<Relationship Id="r" Type="{_DOCUMENT}" Target="word/document.xml"/>'
    return _packed(
        {
            "_rels/.rels": f'<Relationships xmlns="{_RELATIONS}">{relation}</Relationships>',
            "word/document.xml": f"<w:document {_WORD}><w:body>{body}</w:body></w:document>",
        }
    )


def _paragraph(words: str) -> str:
    return f"<w:p><w:r><w:t>{html.escape(words)}</w:t></w:r></w:p>"


def as_odt(table: Known) -> bytes:
    """Write an OpenDocument text, which does not say which rows are heads."""
    rows = []
    for row in rows_of(table):
        cells = (
            f'<table:table-cell table:number-columns-spanned="{span}"><text:p>{html.escape(words)}'
            f"</text:p></table:table-cell>{'<table:covered-table-cell/>' * (span - 1)}"
            for words, span in row
        )
        rows.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    spaces = " ".join(f'xmlns:{name}="{_ODF}:{name}:1.0"' for name in ("office", "text", "table"))
    body = f"<text:p>{PROSE[0]}</text:p><table:table>{''.join(rows)}</table:table>"
    content = f"<office:body><office:text>{body}</office:text></office:body>"
    written = f"<office:document-content {spaces}>{content}</office:document-content>"
    return _packed({"mimetype": _ODT, "content.xml": written})


def _packed(members: dict[str, str]) -> bytes:
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w") as container:
        for name, text in members.items():
            container.writestr(name, text)
    return target.getvalue()


_WRITERS: dict[str, tuple[Callable[[Known], bytes], bool]] = {
    "html": (as_html, True),
    "docx": (as_docx, True),
    "odt": (as_odt, True),
    "md": (as_markdown, False),
    "csv": (as_csv, False),
    "rtf": (as_rtf, False),
}
"""By suffix: what writes a file, and whether its format has heads over several columns."""


def read_file(name: str, data: bytes) -> Document:
    """Read a file by the loader of its suffix."""
    loader = loader_for(name, data)
    if loader is None:
        raise ValueError(f"no loader reads {name}")
    (document,) = loader.load(LoadInput(name, data, {}, _MOST))
    return document


def by_format() -> Iterator[tuple[str, Score]]:
    """Compare what is read of files of each format with what they say."""
    for suffix, (write, spans) in _WRITERS.items():
        whole = Score()
        for table in known({"a": "", "b": "", "c": ""}, seed=_FRESH):
            if spans or len(table.heads) == 1:
                document = read_file(f"a.{suffix}", write(table))
                whole.add(score(table, document.tables))
        yield suffix, whole


def values_of(document: Document) -> Iterator[tuple[str, str, str]]:
    """Give label, heads and words of the values whose label no other table of a document has."""
    labels = [
        {cell.text for cell in table.cells if cell.row >= table.heads and not cell.column}
        for table in document.tables
    ]
    for table in document.tables:
        for cell in table.cells:
            label = (table.label_of(cell.row) or ("",))[-1]
            if (
                cell.row >= table.heads
                and cell.column
                and sum(label in all_ for all_ in labels) == 1
            ):
                yield label, " ".join(table.heads_of(cell.column)), cell.text


def is_numbered(label: str) -> bool:
    """Say whether a label has a number in it, as those of parcels have."""
    return any(map(str.isdecimal, label))


def in_first_passage(scratch: Path) -> dict[bool, tuple[int, int]]:
    """Count the values whose row is in the first passage found by name, row and heads.

    Each of the pages has tables of all contents. Gives how many were found and how many sought; by
    whether their labels are numbered ("Graz 25" among other towns and numbers) or words.
    """
    folder = scratch / "searched"
    folder.mkdir(exist_ok=True)
    rng = random.Random(5)
    asked: list[tuple[str, str, str, str]] = []
    for number in range(_SEARCHED):
        name = f"{rng.choice('BDFGKLMNPRST')}{rng.choice('aeiou')}{rng.choice('lmnr')}da{number}"
        tables = known({"a": ""}, seed=_FRESH + 100 * number)
        parts = (f"<h2>Part {at}</h2>" + as_html(one).decode() for at, one in enumerate(tables))
        page = f"<title>Report of {name}</title><h1>{name}</h1>{''.join(parts)}"
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        cells = [*values_of(read_file("a.html", page.encode()))]
        for numbered in (False, True):
            some = [cell for cell in cells if is_numbered(cell[0]) == numbered]
            asked += [(name, *cell) for cell in rng.sample(some, min(5, len(some)))]
    library = Library(scratch / "searched-home")
    library.index(folder)
    database = library.database("searched")
    counts = {False: (0, 0), True: (0, 0)}
    for name, label, heads, value in asked:
        lines = _first_passage(database, f"{name} {label} {heads}").split("\n")
        numbered = is_numbered(label)
        found, sought = counts[numbered]
        here = any(label in line and value in line for line in lines)
        counts[numbered] = found + here, sought + 1
    return counts


def _first_passage(database: Database, question: str) -> str:
    hits = search_databases([database], question, 1).hits
    places = [(hit.entry_id, hit.location.start) for hit in hits]
    return "".join(passage.text for passage in database.passages_at(places) if passage)
