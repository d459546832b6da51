"""Office files must give the words a reader sees, in order, with their structure, and never more
memory or time than they are worth.
"""

import zipfile
from collections.abc import Mapping
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


def outline(document: Document) -> list[tuple[int, str]]:
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
    return [(heading.level, heading.title) for heading in document.headings]


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


def test_a_word_document_keeps_headings_lists_and_tables() -> None:
    """Headings would be lost where a style inherits its level, and rows of tables torn apart."""
    styles = (
        '<w:style w:type="paragraph" w:styleId="H2"><w:name w:val="heading 2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="Mine"><w:basedOn w:val="H2"/></w:style>'
        '<w:style w:type="paragraph" w:styleId="L"><w:pPr><w:outlineLvl w:val="0"/></w:pPr>'
        '</w:style><w:style w:type="paragraph" w:styleId="Loop"><w:basedOn w:val="Loop"/></w:style>'
    )
    inner = f"<w:tbl>{row(para('Inner'), para('cell'))}</w:tbl>"
    body = (
        para("Top", '<w:pStyle w:val="L"/>')
        + para("One", '<w:pStyle w:val="Loop"/>')
        + para("Below", '<w:pStyle w:val="Mine"/>')
        + para("Not a heading", '<w:pStyle w:val="Mine"/><w:outlineLvl w:val="9"/>')
        + para("a", '<w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr>')
        + para("b", '<w:numPr><w:ilvl w:val="1"/><w:numId w:val="3"/></w:numPr>')
        + para("no item", '<w:numPr><w:numId w:val="0"/></w:numPr>')
        + f"<w:tbl>{row(para('What'), para('Price'))}{row(para('Tea') + para('green'), para('2'))}"
        f"</w:tbl><w:tbl>{row(para('Outer'), inner)}</w:tbl>"
    )
    document = read("a.docx", docx(body, styles=styles))
    assert document.text == (
        "Top\n\nOne\n\nBelow\n\nNot a heading\n\n- a\n  - b\n\nno item\n\n"
        "What | Price\nTea green | 2\n\nOuter\n\nInner | cell"
    )
    assert outline(document) == [(1, "Top"), (2, "Below")]
    assert document.title == "The plan"
    assert document.metadata == {"author": "Ann", "created": "2026-01-05T10:00:00Z"}


def test_a_word_document_keeps_what_stands_beside_its_text() -> None:
    """Text boxes, content controls, fields, notes, comments and headers would not be found."""
    box = f"<w:txbxContent>{para('In a box.')}</w:txbxContent>"
    run = "<w:r>{}</w:r>".format
    body = (
        f"<w:p>{run('<w:t>See </w:t>')}<w:hyperlink>{run('<w:t>the page</w:t>')}</w:hyperlink>"
        f"{run('<w:instrText>PAGE</w:instrText>')}{run('<w:tab/><w:t>3</w:t><w:br/><w:t>on</w:t>')}"
        f"<w:del>{run('<w:delText>gone</w:delText>')}</w:del>"
        '<w:r><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r>'
        f"<w:r><mc:AlternateContent><mc:Choice><wps:txbx>{box}</wps:txbx></mc:Choice>"
        f"<mc:Fallback><v:textbox>{box}</v:textbox></mc:Fallback></mc:AlternateContent></w:r></w:p>"
        f"<w:sdt><w:sdtContent>{para('Controlled.')}</w:sdtContent></w:sdt>"
    )
    document = read(
        "a.docx",
        docx(
            body,
            footnotes=f'<w:footnote w:id="2">{para("A note.")}</w:footnote>',
            endnotes=f'<w:endnote w:id="2">{para("Unreferenced.")}</w:endnote>',
            comments=f'<w:comment w:id="0" w:author="Ann">{para("Really?")}</w:comment>',
            header=para("Confidential"),
            footer=para("Confidential") + para("7"),
        ),
    )
    assert document.text == (
        "See the page 3\non\n\nFootnote: A note.\n\nComment (Ann): Really?\n\nIn a box.\n\n"
        "Controlled.\n\nEndnote: Unreferenced.\n\nConfidential"
    )


def test_a_broken_part_beside_the_text_costs_that_part_only_and_is_named() -> None:
    """A document would be lost for its notes, or the notes without a word."""
    document = read("a.docx", docx(para("Body."), footnotes="<w:footnote>"))
    assert document.text == "Body."
    assert document.metadata["unreadable"] == "word/footnotes.xml"


def test_a_web_page_within_a_word_document_is_read() -> None:
    """Reports that programs write as one piece of HTML would be empty."""
    data = zipped(
        {
            "word/document.xml": f'<w:document xmlns:w="{W}" xmlns:r="{REL}"><w:body>'
            '<w:altChunk r:id="h"/></w:body></w:document>',
            "word/_rels/document.xml.rels": rels(h="aFChunk page.html"),
            "word/page.html": "<h1>Head</h1><p>Text &amp; more",
        }
    )
    document = read("a.docm", data)
    assert document.text == "Head\n\nText & more"
    assert outline(document) == [(1, "Head")]


def test_slides_are_pages_with_their_title_first() -> None:
    """A citation would name the wrong slide, or notes, tables and charts not be found."""

    def shape(kind: str, *lines: str) -> str:
        text = "".join(f"<a:p><a:r><a:t>{line}</a:t></a:r></a:p>" for line in lines)
        ph = f"<p:ph {kind}/>" if kind != "-" else ""
        return f"<p:sp><p:nvSpPr><p:nvPr>{ph}</p:nvPr></p:nvSpPr><p:txBody>{text}</p:txBody></p:sp>"

    def slide(shapes: str) -> str:
        tree = f"<p:cSld><p:spTree>{shapes}</p:spTree></p:cSld>"
        return f'<p:sld xmlns:p="{P}" xmlns:a="{A}">{tree}</p:sld>'

    table = "<a:tbl>" + "".join(
        "<a:tr>" + "".join(f"<a:tc><a:txBody><a:p><a:r><a:t>{word}</a:t></a:r></a:p></a:txBody>"
                           "</a:tc>" for word in words) + "</a:tr>"
        for words in (("a", "b"), ("1", "2"))
    ) + "</a:tbl>"  # fmt: skip
    footer, number = shape('type="ftr"', "Our firm"), shape('type="sldNum"', "2")
    data = zipped(
        {
            "ppt/presentation.xml": f'<p:presentation xmlns:p="{P}" xmlns:r="{REL}"><p:sldIdLst>'
            '<p:sldId id="256" r:id="r9"/><p:sldId id="257" r:id="r1"/><p:sldId r:id="r2"/>'
            "</p:sldIdLst></p:presentation>",
            "ppt/_rels/presentation.xml.rels": rels(
                r1="slide slides/s1.xml", r2="slide slides/s2.xml", r9="slide slides/s9.xml",
                r3="commentAuthors authors.xml",
            ),
            "ppt/authors.xml": '<x><cmAuthor id="0" name="Bo"/></x>',
            "ppt/slides/s9.xml": slide(
                shape('type="body" idx="1"', "One", "Two") + shape('type="title"', "Start") + footer
            ),
            "ppt/slides/s1.xml": slide(""),
            "ppt/slides/s2.xml": slide(
                shape("-", "A box") + f"<p:graphicFrame>{table}</p:graphicFrame>" + footer + number
            ),
            "ppt/slides/_rels/s2.xml.rels": rels(
                n="notesSlide n.xml", c="comments c.xml", h="chart h.xml"
            ),
            "ppt/slides/n.xml": slide(shape('type="body"', "Say hello.") + number),
            "ppt/slides/c.xml": '<x><cm authorId="0"><text>Shorter!</text></cm></x>',
            "ppt/slides/h.xml": f'<c xmlns:a="{A}"><a:p><a:r><a:t>Sales</a:t></a:r></a:p><strCache>'
            "<pt><v>North</v></pt><pt><v>South</v></pt></strCache></c>",
        }
    )  # fmt: skip
    document = read("a.pptx", data)
    assert document.text == (
        "Start\n\n- One\n- Two\n\nOur firm\n\nA box\n\na | b\n1 | 2\n\nSales\n\n"
        "North, South\n\nNotes: Say hello.\n\nComment (Bo): Shorter!"
    )
    assert [(document.text[page.start :][:5], page.number) for page in document.pages] == [
        ("Start", 1),
        ("A box", 3),
    ]
    assert document.title == "Start"
    assert [passage.location.page for passage in split(document)] == [1, 3]


def test_a_sheet_gives_its_rows_with_values_as_a_person_sees_them() -> None:
    """A search for a date or a percentage would find nothing, or columns be mixed up."""
    formats = (
        '<numFmts><numFmt numFmtId="164" formatCode="[Red]&quot;day&quot; yyyy\\-mm"/>'
        '<numFmt numFmtId="165" formatCode="0.00 &quot;hours&quot;"/></numFmts><cellXfs>'
        + "".join(f'<xf numFmtId="{number}"/>' for number in (0, 14, 10, 22, 20, 164, 165, 46))
        + "</cellXfs>"
    )
    shared = (
        "<si><t>Rent</t></si><si><r><t>Te</t></r><r><t>a_x000D_</t></r><rPh><t>x</t></rPh></si>"
    )
    sheet = (
        '<row r="1"><c r="B1" t="s"><v>0</v></c><c r="C1" t="s"><v>1</v></c>'
        '<c r="E1" t="inlineStr"><is><t>Inline</t></is></c></row><row r="2"/>'
        '<row r="9"><c r="C9" t="str"><f>A1&amp;A2</f><v>formula</v></c>'
        '<c r="D9" t="b"><v>1</v></c><c r="XFD9"><v>0.30000000000000004</v></c></row><row>'
        + "".join(
            f'<c s="{style}"><v>{value}</v></c>'
            for style, value in (
                (1, "43831"), (2, "0.07"), (3, "43831.5"), (4, "0.75"), (5, "59"), (6, "1.5"),
                (7, "1.25"), (1, "1e99"), (99, "8"), (1, "nan"),
            )
        )
        + '<c t="s"><v>77</v></c></row>'
    )  # fmt: skip
    data = sheet_book(sheet, shared=shared, formats=formats, c="comments ../comments.xml")
    document = read("a.xlsx", data)
    assert document.text == (
        "Costs\n\nRent | Tea | | Inline\n| formula | TRUE | 0.3\n"
        "2020-01-01 | 7% | 2020-01-01 12:00:00 | 18:00:00 | 1900-02-28 | 1.5 | 30:00:00 | 1e99 | 8"
        " | nan\n\nComment (B2, Ann): Why so much?"
    )
    assert outline(document) == [(1, "Costs")]
    assert [(page.start, page.number) for page in document.pages] == [(0, 1)]
    assert document.title == ""


def test_a_sparse_sheet_and_a_giant_one_cost_what_they_hold() -> None:
    """A kilobyte would fill the memory, or a large sheet be cut off without a word."""
    start = process_time()
    sparse = '<row><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row><row r="1048576">'
    sparse += '<c r="XFD1048576"><v>3</v></c></row>'
    assert read("a.xlsx", sheet_book(sparse)).text == "Costs\n\n1 | 2\n3"
    shared = f"<si><t>{'word ' * 6000}</t></si>"
    giant = "<row>" + '<c t="s"><v>0</v></c>' * 20_000 + "</row>"
    document = read("a.xlsx", sheet_book(giant, shared=shared))
    assert len(document.text) == 20_000_000
    assert "20,000,000" in document.metadata["truncated"]
    assert process_time() - start < 10


def test_a_stream_of_cells_is_read_to_its_end() -> None:
    """The parser's chunks end within cells, and rows of long sheets would be dropped."""
    rows = "".join(f'<row><c><v>{n}</v></c><c t="b"><v>1</v></c></row>' for n in range(350_000))
    lines = read("a.xlsx", sheet_book(rows)).text.split("\n")
    assert len(lines) == 350_002
    assert lines[-1] == "349999 | TRUE"


def test_an_open_document_keeps_its_structure() -> None:
    """Headings, lists, notes and repeated cells of LibreOffice would be lost."""
    body = (
        "<text:tracked-changes><text:p>gone</text:p></text:tracked-changes><text:h text:outline-"
        'level="2">Head</text:h><text:p>One<text:s text:c="2000000000"/>two<text:line-break/>three'
        '<text:note text:note-class="footnote"><text:note-citation>1</text:note-citation>'
        "<text:note-body><text:p>Noted.</text:p></text:note-body></text:note>!</text:p>"
        "<text:list><text:list-item><text:p>a</text:p><text:list><text:list-item><text:p>b</text:p>"
        "</text:list-item></text:list></text:list-item><text:list-item><text:p>c</text:p>"
        "</text:list-item></text:list><table:table><table:table-row><table:table-cell table:number-"
        'columns-repeated="2"><text:p>x</text:p></table:table-cell></table:table-row>'
        '<table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-'
        'columns-repeated="1024"/></table:table-row></table:table><text:p><draw:frame>'
        "<draw:text-box><text:p>Boxed.</text:p></draw:text-box></draw:frame></text:p>"
    )
    document = read("a.odt", odf(body))
    assert document.text == (
        "Head\n\nOne two\nthree!\n\nFootnote: Noted.\n\n- a\n  - b\n- c\n\nx | x\n\nBoxed."
    )
    assert outline(document) == [(2, "Head")]
    assert document.title == "Plan"
    assert document.metadata == {
        "author": "Ann", "modified": "2026-02-01T09:00:00", "keywords": "a, b"
    }  # fmt: skip


def test_open_sheets_and_slides_are_pages() -> None:
    """A citation would not say which sheet or slide it is from."""
    cell = '<table:table-cell table:number-columns-repeated="{}">{}</table:table-cell>'.format
    sheets = "".join(
        f'<table:table table:name="{name}"><table:table-row>{cell(3, "")}'
        f"{cell(2, f'<text:p>{name}!</text:p>')}{cell(16_000, '')}</table:table-row></table:table>"
        for name in ("One", "Two")
    )
    document = read("a.ods", odf(sheets, "spreadsheet"))
    assert document.text == "One\n\nOne! | One!\n\nTwo\n\nTwo! | Two!"
    assert [(page.start, page.number) for page in document.pages] == [(0, 1), (18, 2)]
    frame = "<draw:frame {}><draw:text-box><text:p>{}</text:p></draw:text-box></draw:frame>".format
    title = 'presentation:class="title"'
    slide = (
        f"<draw:page>{frame('', 'Body.')}{frame(title, 'Head')}"
        f"<presentation:notes>{frame('', 'Say it.')}</presentation:notes></draw:page>"
    )
    document = read("a.odp", odf(slide, "presentation"))
    assert document.text == "Head\n\nBody.\n\nNotes: Say it."
    flat = f'<?xml version="1.0"?><office:document {ODF}><office:body><office:text><text:p>Flat.'
    flat += "</text:p></office:text></office:body></office:document>"
    assert read("a.fodt", flat.encode()).text == "Flat."


def test_repeats_of_repeats_end() -> None:
    """A file of a kilobyte would repeat its cells for ever."""
    start = process_time()
    opened = '<table:table><table:table-row table:number-rows-repeated="50"><table:table-cell '
    opened += 'table:number-columns-repeated="50">'
    closed = "</table:table-cell></table:table-row></table:table>"
    body = opened * 30 + "<text:p>x</text:p>" + closed * 30
    for kind, path in (("text", "a.odt"), ("spreadsheet", "a.ods")):
        assert len(read(path, odf(body, kind)).text) < 20_000
    assert process_time() - start < 5


@pytest.mark.parametrize("suffix", [".docx", ".pptx", ".xlsx", ".odt", ".epub"])
def test_what_is_no_such_file_is_refused_with_a_reason(suffix: str) -> None:
    """A person would not learn that a file has a password, or was cut short."""
    path = "a" + suffix
    ole = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(600)
    encrypted = ole + "EncryptedPackage".encode("utf-16-le")
    old = ole + "WordDocument".encode("utf-16-le")
    assert refusal(path, encrypted) == refusal(path, ole) == "password-protected"
    assert refusal(path, old) == "an older Office format under a newer suffix"
    assert refusal(path, docx(para("x"))[:-80]) == "broken file: its end is missing"
    assert refusal(path, b"plain words") == "not what its suffix says"
    assert refusal(path, zipped({"other.txt": "x"}))
    many = zipped(dict.fromkeys(map(str, range(20_001)), ""), zipfile.ZIP_STORED)
    assert refusal(path, many) == "more than 20,000 files within the file"


def test_an_encrypted_member_is_told_as_a_password() -> None:
    """The reason would be that the file is broken."""
    data = docx(para("secret"))
    locked = bytearray(data)
    at = -1
    while (at := locked.find(b"PK\x01\x02", at + 1)) >= 0:
        locked[at + 8] |= 1
    assert refusal("a.docx", bytes(locked)) == "password-protected"
    manifest = "<m><e><encryption-data/></e></m>"
    members: dict[str, str | bytes] = {
        "content.xml": b"\x8f\x00",
        "META-INF/manifest.xml": manifest,
    }
    assert refusal("a.odt", zipped(members)) == "password-protected"


def test_bombs_and_hostile_markup_are_refused_quickly() -> None:
    """One attachment would fill the memory of the machine, or read files from it."""
    start = process_time()
    bomb = refusal("a.docx", docx("<w:p/>" * 10_000_000))
    assert "unpacks to more than 200 times its size" in bomb
    stored = {"content.xml": "<a>" + "<b/>" * 10_000_000 + "</a>"}
    assert "needs too much memory" in refusal("a.odt", zipped(stored, zipfile.ZIP_STORED))
    text = odf(f"<text:p>{'a' * 11_000_000}</text:p>", method=zipfile.ZIP_STORED)
    assert "a text or name of more than 10 MB" in refusal("a.odt", text)
    entity = '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/passwd">]><a>&x;</a>'
    for encoded in (entity.encode(), entity.encode("utf-16")):
        said = refusal("a.odt", zipped({"content.xml": encoded}))
        assert said == "refused: content.xml declares entities, which no office program does"
    deep = odf("<text:section>" * 5_000 + "<text:p>x</text:p>" + "</text:section>" * 5_000)
    assert refusal("a.odt", deep) == "nested too deep"
    tables = "<w:tbl><w:tr><w:tc>" * 80 + para("deep") + "</w:tc></w:tr></w:tbl>" * 80
    assert read("a.docx", docx(tables)).text == "deep"
    packed = zipped({"content.xml": b"\0" * 50_000_000}, zipfile.ZIP_BZIP2)
    assert refusal("a.odt", packed) == "unknown compression of content.xml"
    assert process_time() - start < 20


def test_a_declared_size_that_lies_is_not_believed() -> None:
    """A bomb that says it is small would be unpacked."""
    data = bytearray(docx("<w:p/>" * 4_000_000))
    at = data.find(b"PK\x01\x02")
    data[at + 24 : at + 28] = (100).to_bytes(4, "little")
    assert refusal("a.docx", bytes(data))


_PIECES = st.sampled_from(
    '<w:p> </w:p> <w:r> </w:r> <w:t>word</w:t> <w:tbl> </w:tbl> <w:tr> </w:tr> <w:tc> </w:tc> '
    '<w:pPr><w:outlineLvl_w:val="0"/></w:pPr> <w:sdt> </w:sdt> <w:txbxContent> </w:txbxContent> '
    '<w:br/> <w:altChunk/> <w:footnoteReference/> <mc:AlternateContent/> <w:sym_w:char="zz"/>'
    .split()
)  # fmt: skip


@settings(max_examples=60)
@given(st.lists(_PIECES).map("".join))
def test_any_markup_ends_as_text_or_as_a_reason(markup: str) -> None:
    """Some odd document would end a run, or a heading's offset point elsewhere."""
    try:
        document = read("a.docx", docx(markup.replace("_", " ")))
    except LoadError as error:
        assert "loader failed" not in error.message
        return
    outline(document)


@settings(max_examples=60)
@given(st.integers(0, 2_000), st.integers(0, 255))
def test_a_flipped_byte_ends_as_text_or_as_a_reason(at: int, value: int) -> None:
    """A damaged file would be reported as a defect of the loader."""
    data = bytearray(sheet_book('<row><c t="s"><v>0</v></c></row>', shared="<si><t>a</t></si>"))
    data[at % len(data)] = value
    try:
        read("a.xlsx", bytes(data))
    except LoadError as error:
        assert "loader failed" not in error.message


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_office_files_end_as_text_with_true_headings_or_as_a_reason() -> None:
    """Files that programs really write would be lost."""
    files = [path for path in sorted(DOCUMENTS.rglob("*")) if path.suffix.lower() in OFFICE]
    reasons: dict[str, str] = {}
    for path in files:
        try:
            document = read(path.name, path.read_bytes())
        except LoadError as error:
            reasons[path.name] = error.message
            continue
        outline(document)
        assert "".join(passage.text for passage in split(document)) == document.text
    assert not [reason for reason in reasons.values() if "loader failed" in reason]
    expected = ("password-protected", "broken file", "not what its suffix", "no text in it")
    assert all(reason.startswith(expected) for reason in reasons.values()), reasons
    assert len(files) - len(reasons) >= 0.75 * len(files)
