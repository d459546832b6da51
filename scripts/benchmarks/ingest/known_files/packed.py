"""Writes texts in the formats that are XML in a zip: of Office, OpenDocument, and e-books."""

import html
import io
import zipfile
from collections.abc import Mapping, Sequence

from scripts.benchmarks.ingest.known_files.markup import as_xhtml, rows_of
from scripts.benchmarks.ingest.known_files.texts import KnownText, Piece
from scripts.benchmarks.ingest.pdf_tables.contents import Known

_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
_W = 'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
_A = 'xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
_P = 'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main"'
_S = 'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
_R = f'xmlns:r="{_OFFICE}"'
_MERGED = '<a:tc hMerge="1"/>'
_ODF = " ".join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in (
        ("office", "office"),
        ("text", "text"),
        ("table", "table"),
        ("draw", "drawing"),
        ("presentation", "presentation"),
    )
)


def zipped(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip of members."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", method) as container:
        for name, content in members.items():
            container.writestr(name, content)
    return data.getvalue()


def _relations(*named: tuple[str, str, str]) -> str:
    """Give a part of relations: id, kind and target of each."""
    lines = (
        f'<Relationship Id="{id_}" Type="{_OFFICE}/{kind}" Target="{target}"/>'
        for id_, kind, target in named
    )
    return f'<Relationships xmlns="{_RELATIONS}">{"".join(lines)}</Relationships>'


def _w_paragraph(words: str, style: str = "") -> str:
    settings = f'<w:pPr><w:pStyle w:val="{style}"/></w:pPr>' if style else ""
    return f"<w:p>{settings}<w:r><w:t>{html.escape(words)}</w:t></w:r></w:p>"


def _w_table(table: Known) -> str:
    rows = []
    for row in rows_of(table):
        cells = (
            f'<w:tc><w:tcPr><w:gridSpan w:val="{span}"/></w:tcPr>{_w_paragraph(words)}</w:tc>'
            for words, span in row
        )
        rows.append(f"<w:tr>{''.join(cells)}</w:tr>")
    caption = _w_paragraph(table.caption, "Caption") if table.caption else ""
    return f"{caption}<w:tbl>{''.join(rows)}</w:tbl>"


def _w_body(text: KnownText) -> str:
    out = []
    for one in text.pieces:
        if isinstance(one, Known):
            out.append(_w_table(one))
        else:
            style = f"Heading{one.level}" if one.kind == "heading" else ""
            out.append(_w_paragraph(one.words, style))
    return "".join(out)


def as_docx(text: KnownText) -> bytes:
    """Write a Word document, which does not say which rows are heads."""
    return zipped(
        {
            "_rels/.rels": _relations(("r", "officeDocument", "word/document.xml")),
            "word/document.xml": f"<w:document {_W}><w:body>{_w_body(text)}</w:body></w:document>",
        }
    )


def as_word_2003(text: KnownText) -> bytes:
    """Write Word's XML of 2003, whose tables look as they did later."""
    space = _W.replace("http://schemas.openxmlformats.org/wordprocessingml/2006/main",
                       "http://schemas.microsoft.com/office/word/2003/wordml")  # fmt: skip
    styles = "".join(
        f'<w:style w:styleId="Heading{n}"><w:name w:val="heading {n}"/></w:style>' for n in (1, 2)
    )
    body = f"<w:styles>{styles}</w:styles><w:body>{_w_body(text)}</w:body>"
    return f'<?xml version="1.0"?><w:wordDocument {space}>{body}</w:wordDocument>'.encode()


def _slide_text(words: Sequence[str], role: str) -> str:
    lines = "".join(f"<a:p><a:r><a:t>{html.escape(one)}</a:t></a:r></a:p>" for one in words)
    place = f'<p:nvSpPr><p:nvPr><p:ph type="{role}"/></p:nvPr></p:nvSpPr>'
    return f"<p:sp>{place}<p:txBody>{lines}</p:txBody></p:sp>"


def _slide_table(table: Known) -> str:
    rows = []
    for row in rows_of(table):
        cells = (
            f'<a:tc gridSpan="{span}"><a:txBody><a:p><a:r><a:t>{html.escape(words)}</a:t></a:r>'
            f"</a:p></a:txBody></a:tc>{_MERGED * (span - 1)}"
            for words, span in row
        )
        rows.append(f"<a:tr>{''.join(cells)}</a:tr>")
    body = f'<a:graphicData><a:tbl><a:tblPr firstRow="1"/>{"".join(rows)}</a:tbl></a:graphicData>'
    caption = _slide_text([table.caption], "other") if table.caption else ""
    return f"{caption}<p:graphicFrame><a:graphic>{body}</a:graphic></p:graphicFrame>"


def as_pptx(text: KnownText) -> bytes:
    """Write a presentation: a slide for each part, and one for each table."""
    slides = [
        _slide_text([part.title], "title") + _slide_text(part.words, "body")
        for part in text.parts()
    ]
    slides += [_slide_table(table) for table in text.tables]
    names = [f"slides/slide{number}.xml" for number in range(len(slides))]
    ids = "".join(f'<p:sldId r:id="s{number}"/>' for number in range(len(slides)))
    listed = [(f"s{number}", "slide", name) for number, name in enumerate(names)]
    return zipped(
        {
            "_rels/.rels": _relations(("r", "officeDocument", "ppt/presentation.xml")),
            "ppt/presentation.xml": f"<p:presentation {_P} {_R}><p:sldIdLst>{ids}</p:sldIdLst>"
            "</p:presentation>",
            "ppt/_rels/presentation.xml.rels": _relations(*listed),
            **{
                f"ppt/{name}": f"<p:sld {_P} {_A}><p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
                "</p:sld>"
                for name, shapes in zip(names, slides, strict=True)
            },
        }
    )


def _column(number: int) -> str:
    return chr(ord("A") + number)


def as_xlsx(text: KnownText) -> bytes:
    """Write a workbook: a sheet for each table, all cells as they are shown."""
    sheets = {}
    for number, table in enumerate(text.tables):
        rows = []
        for at, row in enumerate(rows_of(table), 1):
            cells = (
                f'<c r="{_column(column)}{at}" t="inlineStr">'
                f"<is><t>{html.escape(words)}</t></is></c>"
                for column, (words, _) in enumerate(row)
            )
            rows.append(f'<row r="{at}">{"".join(cells)}</row>')
        sheets[f"worksheets/s{number}.xml"] = (
            f"<worksheet {_S}><sheetData>{''.join(rows)}</sheetData></worksheet>"
        )
    names = [(f"s{number}", "worksheet", name) for number, name in enumerate(sheets)]
    listed = "".join(
        f'<sheet name="{table.caption.replace(":", "")}" r:id="s{number}"/>'
        for number, table in enumerate(text.tables)
    )
    return zipped(
        {
            "_rels/.rels": _relations(("r", "officeDocument", "xl/workbook.xml")),
            "xl/workbook.xml": f"<workbook {_S} {_R}><sheets>{listed}</sheets></workbook>",
            "xl/_rels/workbook.xml.rels": _relations(*names),
            **{f"xl/{name}": sheet for name, sheet in sheets.items()},
        }
    )


def _odf_table(table: Known) -> str:
    rows = []
    for row in rows_of(table):
        cells = (
            f'<table:table-cell table:number-columns-spanned="{span}"><text:p>{html.escape(words)}'
            f"</text:p></table:table-cell>{'<table:covered-table-cell/>' * (span - 1)}"
            for words, span in row
        )
        rows.append(f"<table:table-row>{''.join(cells)}</table:table-row>")
    return f'<table:table table:name="{table.caption}">{"".join(rows)}</table:table>'


def _odf_body(text: KnownText) -> str:
    out = []
    for one in text.pieces:
        if isinstance(one, Known):
            out.append(f"<text:p>{one.caption}</text:p>" * bool(one.caption) + _odf_table(one))
            continue
        words = html.escape(one.words)
        if one.kind == "heading":
            out.append(f'<text:h text:outline-level="{one.level}">{words}</text:h>')
        elif one.kind == "item":
            out.append(f"<text:list><text:list-item><text:p>{words}</text:p></text:list-item>")
            out.append("</text:list>")
        else:
            out.append(f"<text:p>{words}</text:p>")
    return "".join(out)


def _odf(kind: str, body: str, root: str = "document-content") -> str:
    content = f"<office:body><office:{kind}>{body}</office:{kind}></office:body>"
    return f"<office:{root} {_ODF}>{content}</office:{root}>"


def as_odt(text: KnownText) -> bytes:
    """Write an OpenDocument text, which does not say which rows are heads."""
    mime = "application/vnd.oasis.opendocument.text"
    return zipped({"mimetype": mime, "content.xml": _odf("text", _odf_body(text))})


def as_fodt(text: KnownText) -> bytes:
    """Write an OpenDocument text that is a single file of XML."""
    return f'<?xml version="1.0"?>{_odf("text", _odf_body(text), "document")}'.encode()


def as_ods(text: KnownText) -> bytes:
    """Write an OpenDocument workbook: a sheet for each table."""
    mime = "application/vnd.oasis.opendocument.spreadsheet"
    sheets = "".join(_odf_table(table) for table in text.tables)
    return zipped({"mimetype": mime, "content.xml": _odf("spreadsheet", sheets)})


def as_odp(text: KnownText) -> bytes:
    """Write an OpenDocument presentation: a slide for each part."""
    slides = []
    for part in text.parts():
        boxes = [("title", [part.title]), ("outline", [*part.words])]
        frames = (
            f'<draw:frame presentation:class="{role}"><draw:text-box>'
            f"{''.join(f'<text:p>{html.escape(one)}</text:p>' for one in words)}"
            "</draw:text-box></draw:frame>"
            for role, words in boxes
        )
        slides.append(f"<draw:page>{''.join(frames)}</draw:page>")
    mime = "application/vnd.oasis.opendocument.presentation"
    content = _odf("presentation", "".join(slides))
    return zipped({"mimetype": mime, "content.xml": content})


def as_epub(text: KnownText) -> bytes:
    """Write an e-book of two chapters: what stands before the second heading, and the rest."""
    place = [n for n, one in enumerate(text.pieces) if _is_heading(one)][1]
    halves = (text.pieces[:place], text.pieces[place:])
    chapters = {
        f"c{number}.xhtml": as_xhtml(KnownText(text.title, text.language, half))
        for number, half in enumerate(halves)
    }
    items = "".join(
        f'<item id="{name}" href="{name}" media-type="application/xhtml+xml"/>' for name in chapters
    )
    spine = "".join(f'<itemref idref="{name}"/>' for name in chapters)
    dc = 'xmlns:dc="http://purl.org/dc/elements/1.1/"'
    said = f"<dc:title>{text.title}</dc:title><dc:language>{text.language}</dc:language>"
    return zipped(
        {
            "mimetype": "application/epub+zip",
            "META-INF/container.xml": '<container><rootfiles><rootfile full-path="book.opf"/>'
            "</rootfiles></container>",
            "book.opf": f"<package {dc}><metadata>{said}</metadata><manifest>{items}</manifest>"
            f"<spine>{spine}</spine></package>",
            **chapters,
        }
    )


def _is_heading(one: Piece | Known) -> bool:
    return isinstance(one, Piece) and one.kind == "heading"
