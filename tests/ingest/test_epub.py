"""An e-book must give its chapters in the order they are read in, each once and under its name."""

import zipfile
from io import BytesIO
from pathlib import Path
from time import process_time

import pytest

from tests.ingest.reading import read, refusal

DOCUMENTS = Path(__file__).resolve().parents[3] / "shared" / "data" / "documents"
CONTAINER = (
    '<container xmlns="urn:oasis:names:tc:opendocument:xmlns:container"><rootfiles>'
    '<rootfile full-path="OEBPS/book.opf"/></rootfiles></container>'
)
NCX = (
    '<!DOCTYPE ncx PUBLIC "-//NISO//DTD ncx 2005-1//EN" "http://127.0.0.1:9/ncx.dtd">'
    '<ncx xmlns="http://www.daisy.org/z3986/2005/ncx/"><navMap><navPoint><navLabel><text>The'
    ' beginning</text></navLabel><content src="a%20one.xhtml#x"/></navPoint></navMap></ncx>'
)


def _member(keyword: str) -> str:
    return keyword.replace("__xml", ".xml").replace("__", "/").replace("_", "-")


def epub(spine: str, cover: str = "", method: int = zipfile.ZIP_DEFLATED, **members: str) -> bytes:
    """Make a book of three chapters; `members` are further members, named as `_member` reads it."""
    package = (
        '<package xmlns="http://www.idpf.org/2007/opf" xmlns:dc="http://purl.org/dc/elements/1.1/">'
        "<metadata><dc:title>The Book</dc:title><dc:creator>Ann</dc:creator><dc:creator>Bo"
        "</dc:creator><dc:language>en</dc:language><dc:date>2020-05-01T00:00:00+02:00</dc:date>"
        '</metadata><manifest><item id="t" href="toc.ncx" media-type="application/x-dtbncx+xml"/>'
        + "".join(
            f'<item id="{name[0]}" href="{name}" media-type="application/xhtml+xml"/>'
            for name in ("a%20one.xhtml", "b.xhtml", "c.xhtml")
        )
        + '<item id="i" href="i.png" media-type="image/png"/></manifest><spine>'
        + "".join(f'<itemref idref="{name}"/>' for name in spine)
        + "</spine></package>"
    )
    page = '<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml"><head><title/></head>'
    data = BytesIO()
    with zipfile.ZipFile(data, "w", method) as book:
        book.writestr("META-INF/container.xml", CONTAINER)
        book.writestr("OEBPS/book.opf", package)
        book.writestr("OEBPS/toc.ncx", NCX)
        book.writestr("OEBPS/a one.xhtml", f'{page}<body><p><a id="x"/>It was a day.</p></body>')
        book.writestr("OEBPS/b.xhtml", f"{page}<body><h1>Then</h1><p>It was a night.</p></body>")
        book.writestr("OEBPS/c.xhtml", f'{page}<body><img src="i.png"/>{cover}</body></html>')
        for name, content in members.items():
            book.writestr(_member(name), content)
    return data.getvalue()


def test_chapters_follow_the_spine_and_bear_their_names() -> None:
    """A book would be read in the order of its files, and chapters without a heading be lost."""
    document = read("a.epub", epub("cbaib"))
    assert document.text == "Then\n\nIt was a night.\n\nThe beginning\n\nIt was a day."
    assert [(h.start, h.level, h.title) for h in document.headings] == [
        (0, 1, "Then"),
        (document.text.index("The beginning"), 1, "The beginning"),
    ]
    assert document.title == "The Book"
    assert document.metadata == {
        "author": "Ann, Bo",
        "language": "en",
        "date": "2020-05-01T00:00:00+02:00",
    }


def test_a_chapter_listed_ten_thousand_times_is_read_once() -> None:
    """A book of a kilobyte would grow to gigabytes."""
    start = process_time()
    assert read("a.epub", epub("b" * 10_000)).text == "Then\n\nIt was a night."
    assert process_time() - start < 2


def test_a_book_without_a_spine_or_contents_is_still_read() -> None:
    """Old books, whose packages are not as they should be, would be lost."""
    document = read("a.epub", epub("", OEBPS__toc="x"))
    assert "It was a day." in document.text
    assert "It was a night." in document.text


def test_a_protected_book_and_a_book_of_pictures_say_so() -> None:
    """A person would take a locked book for an empty one."""
    locked = '<e><CipherReference URI="OEBPS/a%20one.xhtml"/><CipherReference URI="OEBPS/b.xhtml"/>'
    locked += '<CipherReference URI="OEBPS/c.xhtml"/></e>'
    data = epub("abc", META_INF__encryption__xml=locked)
    assert refusal("a.epub", data) == "protected against copying: its chapters are encrypted"
    fonts = '<e><CipherReference URI="OEBPS/font.otf"/></e>'
    assert read("a.epub", epub("b", META_INF__encryption__xml=fonts)).text
    assert refusal("a.epub", epub("c")) == "no text in it"


def test_a_giant_chapter_is_refused_before_it_is_parsed() -> None:
    """The tree of a chapter of empty elements would fill the memory."""
    start = process_time()
    data = epub("c", cover="<p><b></b><i></i></p>" * 2_000_000, method=zipfile.ZIP_STORED)
    assert refusal("a.epub", data).startswith("needs too much memory")
    assert process_time() - start < 10


def test_a_book_whose_chapters_are_missing_says_so() -> None:
    """A person would take a broken book for an empty one."""
    data = epub("a").replace(b"OEBPS/a one.xhtml", b"OEBPS/a two.xhtml")
    assert refusal("a.epub", data) == "broken file: it has no OEBPS/a one.xhtml"


@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_real_books_are_read_with_their_titles() -> None:
    """Books that programs really write would be lost."""
    books = sorted(DOCUMENTS.rglob("*.epub"))
    titles = [read(path.name, path.read_bytes()).title for path in books]
    assert titles == ["An ePub for Tika", "1984"]
