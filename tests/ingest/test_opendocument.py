"""OpenDocument files must give the words a reader sees, in order, and repeats must end."""

from time import process_time

from tests.ingest.office_writer import ODF, odf
from tests.ingest.reading import outline, read


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
        "Head\n\nOne two\nthree!\n\nFootnote 1: Noted.\n\n- a\n  - b\n- c\n\nx | x\n\nBoxed."
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


def styled(name: str, *levels: str) -> str:
    return f'<text:list-style style:name="{name}">{"".join(levels)}</text:list-style>'


def number(level: int, form: str, more: str = "", kind: str = "list") -> str:
    return (
        f'<text:{kind}-level-style{"-number" if kind == "list" else ""} text:level="{level}" '
        f'style:num-format="{form}" {more}/>'
    )


def open_text(body: str, styles: str) -> bytes:
    """Make a flat text with styles."""
    spaces = f'{ODF} xmlns:style="style" xmlns:svg="svg"'
    return (
        f"<office:document {spaces}><office:styles>{styles}</office:styles><office:body>"
        f"<office:text>{body}</office:text></office:body></office:document>"
    ).encode()


def items(*texts: str, more: str = "", item: str = "") -> str:
    """Make a list; a text that is markup stands as it is."""
    inner = "".join(
        f"<text:list-item {item}>{text if '<' in text else f'<text:p>{text}</text:p>'}"
        "</text:list-item>"
        for text in texts
    )
    return f"<text:list {more}>{inner}</text:list>"


def test_headings_and_clauses_have_the_numbers_that_writer_shows() -> None:
    """ "What does clause 2.1 say?" would find nothing, or the clause of another number."""
    outline_style = (
        "<text:outline-style>"
        + number(1, "1", 'style:num-suffix="."', "outline")
        + number(2, "a", 'style:num-prefix="§ " text:display-levels="2"', "outline")
        + "</text:outline-style>"
    )
    legal = styled(
        "L",
        number(1, "1", 'style:num-suffix="." text:start-value="2"'),
        number(2, "1", 'text:display-levels="2"'),
        number(3, "i", 'style:num-prefix="(" style:num-suffix=")"'),
        '<text:list-level-style-bullet text:level="4"/>',
    )
    head = '<text:h text:outline-level="{}" {}>{}</text:h>'.format
    named = 'text:style-name="L"'
    inner = items("Due in 30 days.", "Late.")
    body = (
        head(1, "", "Scope")
        + head(2, "", "Goods")
        + head(1, 'text:is-list-header="true"', "No number")
        + head(1, 'text:restart-numbering="true" text:start-value="7"', "Seventh")
        + head(2, 'text:style-name="Bare"', "Bare")
        + items(f"<text:p>Price</text:p><text:p>in euros</text:p>{inner}", "Place", more=named)
        + items("Third", more=f'{named} text:continue-numbering="true"')
        + items(
            items(items("deep", items("bullet"))), more=f'{named} text:continue-numbering="true"'
        )
        + items("Anew", more=named)
        + items("Fifth", more=named, item='text:start-value="5"')
    )
    bare = '<style:style style:name="Bare" style:family="paragraph" style:list-style-name=""/>'
    document = read("a.fodt", open_text(body, outline_style + legal + bare))
    assert document.text == (
        "1. Scope\n\n§ 1.a Goods\n\nNo number\n\n7. Seventh\n\nBare\n\n2. Price\n  in euros\n"
        "  2.1 Due in 30 days.\n  2.2 Late.\n3. Place\n4. Third\n    (i) deep\n      - bullet\n"
        "2. Anew\n5. Fifth"
    )


def test_comments_changes_and_pictures_of_an_open_document_are_told() -> None:
    """Nobody would know what a comment is about, or that a text is not settled."""
    change = (
        "<text:changed-region><text:{0}><office:change-info><dc:creator>{1}</dc:creator>"
        "</office:change-info><text:p>gone</text:p></text:{0}></text:changed-region>"
    ).format
    body = (
        f"<text:tracked-changes>{change('insertion', 'Ann')}{change('deletion', 'Bob')}"
        '</text:tracked-changes><text:p>The <office:annotation office:name="c1"><dc:creator>Eve'
        "</dc:creator><text:p>Really?</text:p></office:annotation>price<office:annotation-end "
        'office:name="c1"/> is fixed. <draw:frame><draw:image/><svg:title>Chart</svg:title>'
        "<svg:desc>Sales by year</svg:desc></draw:frame></text:p>"
    )
    document = read("a.fodt", open_text(body, ""))
    assert document.text == (
        "The price is fixed.\n\nComment (Eve) on “price”: Really?\n\nImage: Sales by year"
    )
    assert document.metadata["tracked_changes"] == "1 insertion, 1 deletion by Ann, Bob"
    assert document.metadata["comments"] == "1 by Eve"
