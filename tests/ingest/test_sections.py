"""What is cited must show the section of its words, whatever format they are kept in."""

import pytest

from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document, Location
from tests.ingest.office_writer import REL, A, P, S, docx, odf, para, rels, zipped
from tests.ingest.pdf_writer import pdf, words
from tests.ingest.reading import read
from tests.ingest.test_epub import epub

_BOATS, _CARS = "A berth is £40.", "A permit is £12 a year."
_LEVEL = '<w:outlineLvl w:val="{}"/>'.format


def place(document: Document, quote: str) -> Location:
    """Give the place of a quote as a citation of it does."""
    for passage in split(document):
        if quote in passage.text:
            begin = passage.text.index(quote)
            return passage.place(begin, begin + len(quote))
    raise AssertionError(f"{quote!r} is in no passage of {document.text!r}")


def slide_file(*slides: tuple[str, str]) -> bytes:
    """Make a presentation of slides, each with its title, "" for none, and a line."""
    shape = "<p:sp><p:nvSpPr><p:nvPr>{}</p:nvPr></p:nvSpPr><p:txBody>{}</p:txBody></p:sp>".format
    line = "<a:p><a:r><a:t>{}</a:t></a:r></a:p>".format
    members: dict[str, str | bytes] = {}
    listed = "".join(f'<p:sldId r:id="r{n}"/>' for n in range(len(slides)))
    show = f'<p:presentation xmlns:p="{P}" xmlns:r="{REL}"><p:sldIdLst>{listed}</p:sldIdLst>'
    members["ppt/presentation.xml"] = f"{show}</p:presentation>"
    for number, (title, body) in enumerate(slides):
        named = shape('<p:ph type="title"/>', line(title)) if title else ""
        shapes = f"<p:cSld><p:spTree>{named}{shape('', line(body))}</p:spTree></p:cSld>"
        slide = f'<p:sld xmlns:p="{P}" xmlns:a="{A}">{shapes}</p:sld>'
        members[f"ppt/slides/s{number}.xml"] = slide
    kinds = {f"r{number}": f"slide slides/s{number}.xml" for number in range(len(slides))}
    members["ppt/_rels/presentation.xml.rels"] = rels(**kinds)
    return zipped(members)


def sheet_file(**sheets: str) -> bytes:
    """Make a workbook of sheets by name, each with one cell."""
    spaces = f'xmlns="{S}" xmlns:r="{REL}"'
    listed = "".join(f'<sheet name="{name}" r:id="{name}"/>' for name in sheets)
    members: dict[str, str | bytes] = {
        "xl/workbook.xml": f"<workbook {spaces}><sheets>{listed}</sheets></workbook>",
        "xl/_rels/workbook.xml.rels": rels(**{name: f"worksheet {name}.xml" for name in sheets}),
    }
    for name, cell in sheets.items():
        row = f'<row><c t="inlineStr"><is><t>{cell}</t></is></c></row>'
        members[f"xl/{name}.xml"] = f"<worksheet {spaces}><sheetData>{row}</sheetData></worksheet>"
    return zipped(members)


def _open_document() -> bytes:
    head = '<text:h text:outline-level="{}">{}</text:h>'.format
    line = "<text:p>{}</text:p>".format
    return odf(head(1, "Fees") + head(2, "Boats") + line(_BOATS) + head(2, "Cars") + line(_CARS))


_HTML = f"<h1>Fees</h1><h2>Boats</h2><p>{_BOATS}</p><h2>Cars</h2><p>{_CARS}</p>"
_FILES = {
    "a.md": f"# Fees\n\n## Boats\n\n{_BOATS}\n\n## Cars\n\n{_CARS}\n".encode(),
    "a.html": f'<html><head><meta charset="utf-8"></head><body>{_HTML}</body></html>'.encode(),
    "a.docx": docx(
        para("Fees", _LEVEL(0))
        + para("Boats", _LEVEL(1))
        + para(_BOATS)
        + para("Cars", _LEVEL(1))
        + para(_CARS)
    ),
    "a.odt": _open_document(),
    "a.epub": epub("bc", cover=_HTML),
    "a.rst": f"Fees\n====\n\nBoats\n-----\n\n{_BOATS}\n\nCars\n----\n\n{_CARS}\n".encode(),
    "a.org": f"* Fees\n** Boats\n{_BOATS}\n** Cars\n{_CARS}\n".encode(),
    "a.adoc": f"= Fees\n\n== Boats\n\n{_BOATS}\n\n== Cars\n\n{_CARS}\n".encode(),
    "a.tex": (
        f"\\section{{Fees}}\n\\subsection{{Boats}}\n{_BOATS}\n\\subsection{{Cars}}\n{_CARS}\n"
    ).encode(),
}


@pytest.mark.parametrize("name", _FILES)
def test_each_quote_is_of_its_own_section(name: str) -> None:
    """Small sections share a passage; the first would be named for the words of the others."""
    document = read(name, _FILES[name])
    assert place(document, _BOATS).heading == "Fees › Boats"
    assert place(document, _CARS).heading == "Fees › Cars"


def test_sheets_and_slides_are_the_sections_of_their_words() -> None:
    """A citation would name another sheet or slide than the one to open."""
    book = read("a.xlsx", sheet_file(Boats=_BOATS, Cars=_CARS))
    shows = slide_file(("Boats", _BOATS), ("Cars", _CARS))
    for document in (book, read("a.pptx", shows)):
        found = [place(document, quote) for quote in (_BOATS, _CARS)]
        assert [(one.page, one.heading) for one in found] == [(1, "Boats"), (2, "Cars")]


def test_what_has_no_title_is_not_under_the_title_before_it() -> None:
    """A slide of pictures and a chapter's cover would be cited under what came before them."""
    show = read("a.pptx", slide_file(("Boats", _BOATS), ("", "Thank you."), ("Cars", _CARS)))
    assert place(show, "Thank you.") == Location(24, 34, page=2)
    assert place(show, _CARS).heading == "Cars"
    book = read("a.epub", epub("bc", cover="<p>The end.</p>"))
    assert place(book, "The end.").heading is None
    assert place(book, "It was a night.").heading == "Then"


def test_the_end_of_a_section_on_the_next_page_is_still_of_it() -> None:
    """Its last words would be cited under the heading that follows them on that page."""
    large = {"size": 24}
    pages = [
        words("Boats", **large) + words("A berth is 40 pounds.", y=650),
        words("Paid in June.") + words("Cars", y=650, **large) + words("A permit is 12.", y=600),
    ]
    document = read("a.pdf", pdf(pages))
    found = [place(document, quote) for quote in ("40 pounds", "Paid in June", "permit is 12")]
    assert [(one.page, one.heading) for one in found] == [(1, "Boats"), (2, "Boats"), (2, "Cars")]


def test_mail_and_tables_have_no_sections_but_lines_and_rows() -> None:
    """A heading would be made up where there is none."""
    mail = b"From: ann@example.org\nSubject: Fees\n\n# not a heading\nA berth is 40.\n"
    assert place(read("a.eml", mail), "A berth").heading is None
    assert place(read("a.csv", b"what,fee\nberth,40\npermit,12\n"), "permit").heading is None
