"""Office files must give the words a reader sees, in order, with their structure, and never more
memory or time than they are worth.
"""

import struct
import zipfile
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.passages import split
from tests.ingest.reading import read, refusal

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents"
OFFICE = frozenset(
    """
    .docx .docm .dotx .dotm .pptx .pptm .ppsx .potx .xlsx .xlsm .xltx .odt .ods .odp .ott .fodt
    .fods .fodp
    """.split()
)
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
    '<cp:coreProperties xmlns:cp="c" xmlns:dc="d" xmlns:dcterms="t"><dc:title> The  plan </dc:title>'
    "<dc:creator>Ann</dc:creator><dcterms:created>2026-01-05T10:00:00Z</dcterms:created>"
    "<dcterms:modified>yesterday</dcterms:modified></cp:coreProperties>"
)


def zipped(members: dict[str, str | bytes], method: int = zipfile.ZIP_DEFLATED) -> bytes:
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


def outline(document: Document) -> list[tuple[int, str]]:
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
    return [(heading.level, heading.title) for heading in document.headings]


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    """Headings would be lost where a style inherits its level, and rows of tables torn apart."""
    styles = (
        '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Mine"><w:basedOn w:val="H2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="L"><w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
        '</w:style><w:style w:type="paragraph" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>'
    )
    cell = "<w:tc>{}</w:tc>".format
    body = (
        para("Top", '<w:pStyle w:val="L"/>')
        + para("One", '<w:pStyle w:val="Loop"/>')
        + para("Below", '<w:pStyle w:val="Mine"/>')
        + para("Not a heading", '<w:pStyle w:val="Mine"/><w:outlineLvl w:val="9"/>')
        + para("a", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>')
        + para("b", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>')
        + para("no item", '<w:numPr><w:numId w:val="0"/></w:numPr>')
        + f"<w:tbl><w:tr>{cell(para('What'))}{cell(para('Price'))}</w:tr>"
        f"<w:tr>{cell(para('Tea') + para('green'))}{cell(para('2 €'))}</w:tr></w:tbl>"
        + f"<w:tbl><w:tr>{cell(para('Outer'))}{cell('<w:tbl><w:tr>' + cell(para('Inner')) * 2)}"
    ).replace("</w:tc></w:tr>\0", "")
    body += "</w:tr></w:tbl></w:tc></w:tr></w:tbl>"
    body = body.replace("</w:tc></w:tc>", "</w:tc>") if body.count("<w:tc>") < 0 else body
    document = read("a.docx", docx(body, styles=styles))
    assert document.text
