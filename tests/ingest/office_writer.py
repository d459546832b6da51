"""Writes small office files, zipped as programs write them, from the markup of their bodies."""

import zipfile
from collections.abc import Mapping
from io import BytesIO

REL = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
A = "http://schemas.openxmlformats.org/drawingml/2006/main"
P = "http://schemas.openxmlformats.org/presentationml/2006/main"
S = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
ODF = (
    " ".join(
        f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
        for prefix, name in (
            ("office", "office"),
            ("text", "text"),
            ("table", "table"),
            ("draw", "drawing"),
            ("presentation", "presentation"),
            ("meta", "meta"),
        )
    )
    + ' xmlns:dc="http://purl.org/dc/elements/1.1/"'
)
CORE = (
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title> The  plan '
    "</dc:title><dc:creator>Ann</dc:creator><dcterms:created>2026-01-05T10:00:00Z</dcterms:created>"
    "<dcterms:modified>yesterday</dcterms:modified></cp:coreProperties>"
)


def zipped(members: Mapping[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
    """Make a zip of members."""
    data = BytesIO()
    with zipfile.ZipFile(data, "w", method) as container:
        for name, content in members.items():
            container.writestr(name, content)
    return data.getvalue()


def rels(**kinds: str) -> str:
    """Make a relationships part: each keyword is an id, its value `kind target`."""
    lines = (
        f'<Relationship Id="{key}" Type="{REL}/{value.split()[0]}" Target="{value.split()[1]}"/>'
        for key, value in kinds.items()
    )
    return f"<Relationships>{''.join(lines)}</Relationships>"


def para(text: str, settings_: str = "") -> str:
    return f"<w:p><w:pPr>{settings_}</w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>"


def docx(body: str, **parts: str) -> bytes:
    """Make a document; keywords are further parts, referred to by their names as kinds."""
    spaces = f'xmlns:w="{W}" xmlns:r="{REL}" xmlns:mc="mc" xmlns:wps="wps" xmlns:v="v"'
    members: dict[str, str | bytes] = {
        "word/document.xml": f"<w:document {spaces}><w:body>{body}</w:body></w:document>",
        "docProps/core.xml": CORE,
        "word/_rels/document.xml.rels": rels(**{name: f"{name} {name}.xml" for name in parts}),
    }
    for name, content in parts.items():
        members[f"word/{name}.xml"] = f"<w:{name} {spaces}>{content}</w:{name}>"
    return zipped(members)


def row(*cells: str) -> str:
    return "<w:tr>" + "".join(f"<w:tc>{cell}</w:tc>" for cell in cells) + "</w:tr>"


def sheet_book(sheet: str, *, shared: str = "", formats: str = "", **more: str) -> bytes:
    """Make a workbook of one sheet; `more` are relations of the sheet, `kind target`."""
    spaces = f'xmlns="{S}" xmlns:r="{REL}"'
    return zipped(
        {
            "xl/workbook.xml": f'<workbook {spaces}><sheets><sheet name="Costs" r:id="a"/></sheets>'
            "</workbook>",
            "xl/_rels/workbook.xml.rels": rels(
                a="worksheet worksheets/s.xml", b="sharedStrings ss.xml", c="styles styles.xml"
            ),
            "xl/ss.xml": f"<sst {spaces}>{shared}</sst>",
            "xl/styles.xml": f"<styleSheet {spaces}>{formats}</styleSheet>",
            "xl/worksheets/s.xml": f"<worksheet {spaces}><sheetData>{sheet}</sheetData>"
            "</worksheet>",
            "xl/worksheets/_rels/s.xml.rels": rels(**more),
            "xl/comments.xml": f"<comments {spaces}><authors><author>Ann</author></authors>"
            '<commentList><comment ref="B2" authorId="0"><text><r><t>Why so much?</t></r></text>'
            "</comment></commentList></comments>",
        }
    )


def odf(body: str, kind: str = "text", method: int = zipfile.ZIP_DEFLATED) -> bytes:
    content = f"<office:document-content {ODF}><office:body><office:{kind}>{body}"
    content += f"</office:{kind}></office:body></office:document-content>"
    meta = f"<office:document-meta {ODF}><office:meta><dc:title>Plan</dc:title>"
    meta += "<meta:initial-creator>Ann</meta:initial-creator><dc:date>2026-02-01T09:00:00</dc:date>"
    meta += "<meta:keyword>a</meta:keyword><meta:keyword>b</meta:keyword></office:meta>"
    return zipped({"content.xml": content, "meta.xml": f"{meta}</office:document-meta>"}, method)
