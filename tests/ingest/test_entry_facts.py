"""The facts and the outline of an entry must be those of its document, whatever its format."""

import json
import zipfile
from io import BytesIO
from typing import Any

import pytest
from hypothesis import given

from rag_assistant.ingest.entry_facts import MOST_ITEMS, facts_of_document
from rag_assistant.values.documents import Document, Heading, PageStart
from rag_assistant.values.outline import EntryFacts, OutlineItem, facts_json, facts_of
from tests.ingest.office_writer import docx, odf, para, zipped
from tests.ingest.pdf_writer import pdf, words
from tests.ingest.reading import read
from tests.ingest.test_epub import epub
from tests.ingest.test_passages import documents
from tests.ingest.test_sections import sheet_file, slide_file

_LEVEL = '<w:outlineLvl w:val="{}"/>'.format


def facts(path: str, data: bytes) -> EntryFacts:
    """Give the facts of the one document of a file."""
    return facts_of_document(read(path, data), path)


def parts(found: EntryFacts) -> list[tuple[str, str, int]]:
    """Give kind, label and level of each part."""
    return [(one.kind, one.label, one.level) for one in found.outline]


def test_headings_are_the_outline_with_their_places() -> None:
    """A person, or a model, would not be led to the section that was chosen."""
    text = "# Fees\n\nAll.\n\n## Boats\n\nA berth.\n\n## Cars\n\nA permit.\n\n# Rules\n\nOne.\n"
    found = facts("a.md", text.encode())
    assert parts(found) == [
        ("heading", "Fees", 1),
        ("heading", "Boats", 2),
        ("heading", "Cars", 2),
        ("heading", "Rules", 1),
    ]
    spans = [text[one.start : one.end] for one in found.outline]
    assert spans[0].startswith("# Fees") and spans[0].endswith("A permit.\n\n")
    assert spans[1] == "## Boats\n\nA berth.\n\n"
    assert spans[3] == "# Rules\n\nOne.\n"


def test_slides_and_sheets_are_parts_also_without_a_title() -> None:
    """A slide of pictures could not be gone to, and would be counted with the one before."""
    show = facts("a.pptx", slide_file(("Boats", "A berth."), ("", "Thanks."), ("Cars", "A car.")))
    assert (show.kind, show.pages) == ("presentation", 3)
    assert parts(show) == [("slide", "Boats", 1), ("slide", "Slide 2", 1), ("slide", "Cars", 1)]
    assert [one.page for one in show.outline] == [1, 2, 3]
    book = facts("a.xlsx", sheet_file(Boats="A berth.", Cars="A car."))
    assert (book.kind, book.pages) == ("workbook", 2)
    assert parts(book) == [("sheet", "Boats", 1), ("sheet", "Cars", 1)]


def test_pages_are_the_outline_of_what_has_no_headings() -> None:
    """A scanned report of a hundred pages would have no outline at all."""
    pages = [words("First page."), words("Second page.")]
    found = facts("a.pdf", pdf(pages, info=b"/Author (Ann) /CreationDate (D:20240105)"))
    assert (found.kind, found.pages, found.authors) == ("PDF", 2, ("Ann",))
    assert found.created == "2024-01-05"
    assert parts(found) == [("page", "Page 1", 1), ("page", "Page 2", 1)]
    entitled = pdf([words("Boats", size=24) + words("A berth.", y=600), words("More.")])
    assert facts("a.pdf", entitled).outline[0].page == 1


def test_chapters_and_definitions_are_told_from_headings() -> None:
    """A function would be called a heading."""
    book = facts("a.epub", epub("ab"))
    assert (book.kind, book.authors, book.created[:10]) == ("e-book", ("Ann, Bo",), "2020-05-01")
    assert parts(book) == [("chapter", "The beginning", 1), ("chapter", "Then", 1)]
    source = b"import os\n\nclass Boat:\n    def berth(self):\n        return os\n\nFEE = 40\n"
    code = facts("a.py", source)
    assert (code.kind, code.language) == ("source code", "")
    assert parts(code) == [("definition", "Boat", 1), ("definition", "berth", 2)]
    assert source[code.outline[0].end :] == b"FEE = 40\n"


def test_documents_bring_their_authors_and_dates() -> None:
    """`author:` would not find what its author signed."""
    found = facts("a.docx", docx(para("Fees", _LEVEL(0)) + para("A berth is 40.")))
    assert (found.kind, found.authors, found.created) == (
        "document",
        ("Ann",),
        "2026-01-05T10:00:00Z",
    )
    found = facts("a.odt", odf("<text:p>One.</text:p>"))
    assert (found.kind, found.authors, found.modified) == (
        "document",
        ("Ann",),
        "2026-02-01T09:00:00",
    )
    mail = b"From: Ann <ann@x.example>\nDate: Mon, 5 Jan 2026 10:00:00 +0000\nSubject: Hi\n\nYes.\n"
    found = facts("a.eml", mail)
    assert (found.kind, found.authors) == ("e-mail", ("Ann <ann@x.example>",))
    assert found.created == "2026-01-05T10:00:00+00:00"
    page = (
        b'<html lang="de-AT"><head><meta name="author" content="Bo"></head><body>Ja.</body></html>'
    )
    found = facts("a.html", page)
    assert (found.kind, found.authors, found.language) == ("web page", ("Bo",), "de")
    found = facts("a.md", b"---\nauthor: Ann; Bo\ndate: 2024-05-01\n---\n# Hi\n")
    assert (found.authors, found.created) == (("Ann", "Bo"), "2024-05-01")
    found = facts("a.bib", b"@book{a, author={Doe, Jane and Roe, Rick}, title={T}, year={2020}}")
    assert (found.kind, found.authors) == ("reference", ("Doe, Jane", "Roe, Rick"))


def test_the_language_of_the_words_counts_before_that_of_the_template() -> None:
    """Documents of a German office whose program was set up in English would be English ones."""
    text = "Das Dach der Werft wird im Frühling von zwei Leuten geflickt."
    metadata = {"language": "en-US"}
    assert facts_of_document(Document(text, "text/plain", metadata=metadata), "a").language == "de"
    short = Document("Dach", "text/plain", metadata=metadata)
    assert facts_of_document(short, "a.txt").language == "en"


@pytest.mark.parametrize(
    ("text", "count"), [("", 0), ("one two\nthree", 3), ("港の事務所 ok", 6), ("é à", 2)]
)
def test_words_are_counted_as_people_count_them(text: str, count: int) -> None:
    """A Chinese book would be said to have a hundred words."""
    assert facts_of_document(Document(text, "text/plain"), "a.txt").words == count


@given(documents())
def test_every_outline_is_in_order_and_within_its_text(document: Document) -> None:
    """A jump to a section would end behind the text, or in another section."""
    found = facts_of_document(document, "a.txt")
    starts = [one.start for one in found.outline]
    assert starts == sorted(starts)
    for number, one in enumerate(found.outline):
        assert 0 <= one.start <= one.end <= len(document.text)
        after = [other.start for other in found.outline[number + 1 :] if other.level <= one.level]
        assert not after or one.end <= after[0]
    through_json: Any = json.loads(json.dumps(facts_json(found)))
    assert facts_of(through_json) == found


def test_a_document_of_thousands_of_headings_keeps_the_highest() -> None:
    """A generated reference would fill the index, and the screen, with its outline."""
    headings = tuple(Heading(n, 1 + (n % 50 > 0), f"h{n}") for n in range(20 * MOST_ITEMS))
    found = facts_of_document(Document("x" * len(headings), "text/plain", headings=headings), "a")
    assert {one.level for one in found.outline} == {1}
    assert len(found.outline) == 400
    flat = tuple(Heading(n, 1, f"h{n}") for n in range(2 * MOST_ITEMS))
    found = facts_of_document(Document("x" * len(flat), "text/plain", headings=flat), "a")
    assert len(found.outline) == MOST_ITEMS


def test_cells_of_a_notebook_without_headings_are_its_outline() -> None:
    """A notebook of code alone could only be scrolled."""
    pages = (PageStart(0, 1), PageStart(4, 2))
    document = Document("a=1\nb=2", "application/x-ipynb+json", pages=pages)
    found = facts_of_document(document, "a.ipynb")
    assert found.outline == (
        OutlineItem("cell", "Cell 1", 1, 0, 4, 1),
        OutlineItem("cell", "Cell 2", 1, 4, 7, 2),
    )


@pytest.mark.parametrize(("said", "pages"), [("12", 12), ("0", None), ("many", None), ("", None)])
def test_a_text_document_has_the_pages_that_its_program_counted(
    said: str, pages: int | None
) -> None:
    """A person would not see whether a document is a letter or a book."""
    made = zipfile.ZipFile(BytesIO(docx(para("A plan."))))
    members: dict[str, str | bytes] = {name: made.read(name) for name in made.namelist()}
    counted = f"<Properties><Words>2</Words><Pages>{said}</Pages></Properties>"
    assert facts("a.docx", zipped({**members, "docProps/app.xml": counted})).pages == pages
    flat = zipfile.ZipFile(BytesIO(odf("<text:p>A plan.</text:p>")))
    content, meta = (flat.read(name).decode() for name in ("content.xml", "meta.xml"))
    statistic = f'<meta:document-statistic meta:page-count="{said}"/></office:meta>'
    members = {"content.xml": content, "meta.xml": meta.replace("</office:meta>", statistic)}
    assert facts("a.odt", zipped(members)).pages == pages


@pytest.mark.parametrize(("said", "code"), [("de-AT", "de"), ("", ""), ("x" * 200, "")])
def test_a_pdf_is_in_the_language_that_it_names_where_its_text_tells_none(
    said: str, code: str
) -> None:
    """`lang:de` would not find a form of three words, though its file says what it is in."""
    page = words("Formular 7")
    assert facts("a.pdf", pdf([page], language=said)).language == code
    english = words("This is the form that you have to fill in for the harbour.")
    assert facts("a.pdf", pdf([english], language=said)).language == "en"
