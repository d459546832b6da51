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
