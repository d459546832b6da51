"""Word documents must give the words a reader sees, in order, with their structure."""

from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from tests.examples import examples
from tests.ingest.office_writer import REL, W, docx, para, rels, row, zipped
from tests.ingest.reading import outline, read


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
        "See the page 3\non\n\nFootnote 1: A note.\n\nComment (Ann): Really?\n\nIn a box.\n\n"
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


_PIECES = st.sampled_from(
    '<w:p> </w:p> <w:r> </w:r> <w:t>word</w:t> <w:tbl> </w:tbl> <w:tr> </w:tr> <w:tc> </w:tc> '
    '<w:pPr><w:outlineLvl_w:val="0"/></w:pPr> <w:sdt> </w:sdt> <w:txbxContent> </w:txbxContent> '
    '<w:br/> <w:altChunk/> <w:footnoteReference/> <mc:AlternateContent/> <w:sym_w:char="zz"/>'
    .split()
)  # fmt: skip


@settings(max_examples=examples(60))
@given(st.lists(_PIECES).map("".join))
def test_any_markup_ends_as_text_or_as_a_reason(markup: str) -> None:
    """Some odd document would end a run, or a heading's offset point elsewhere."""
    try:
        document = read("a.docx", docx(markup.replace("_", " ")))
    except LoadError as error:
        assert "loader failed" not in error.message
        return
    outline(document)
