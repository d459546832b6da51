"""XML must be read as what it is: feeds, books, documents of Word 2003, and any other as its words;
and none may cost more than its size.
"""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.walk import FoundFile, walk
from tests.ingest.office_writer import zipped
from tests.ingest.reading import outline, read, refusal

RSS = """<?xml version="1.0" encoding="utf-8"?>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/"
  xmlns:dc="http://purl.org/dc/elements/1.1/"><channel><title>Harbour news</title>
<link>https://example.org/</link><description>From the port &amp;amp; the town</description>
<item><title>Crane &amp;amp; quay</title><link>https://example.org/1</link>
<pubDate>Mon, 05 Jan 2026 10:00:00 +0100</pubDate><dc:creator>Ann Berg</dc:creator>
<description>Short.</description>
<content:encoded><![CDATA[<p>The <b>crane</b> was moved.</p>
<p>It weighs 90 tonnes.</p>]]></content:encoded>
</item><item><guid>2</guid><description>No title, plain words.</description></item>
</channel></rss>"""

ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Log</title>
<author><name>Bo Lind</name></author><updated>2026-01-06T00:00:00Z</updated>
<entry><title type="html">First &lt;i&gt;day&lt;/i&gt;</title><link rel="self" href="s"/>
<link href="https://e.org/a"/><updated>2026-01-05T10:00:00Z</updated>
<content type="xhtml">
<div xmlns="http://www.w3.org/1999/xhtml"><p>Rain &amp; wind.</p></div></content>
</entry></feed>"""

BOOK = """<?xml version="1.0" encoding="windows-1251"?>
<FictionBook xmlns="http://www.gribuser.ru/xml/fictionbook/2.0"><description><title-info>
<author><first-name>Анна</first-name><last-name>Берг</last-name></author>
<book-title>Море</book-title><lang>ru</lang><date value="1901-05-01">1901</date></title-info>
</description><body><title><p>Море</p></title><section><title><p>Глава</p><p>первая</p></title>
<p>Было <emphasis>тихо</emphasis>.</p><poem><stanza><v>Волна,</v><v>ещё волна</v></stanza></poem>
<section><title><p>Порт</p></title><p>Корабль ушёл.</p></section></section></body>
<body name="notes"><section id="n1"><p>Примечание.</p></section></body>
<binary id="c">AAAAAAAA</binary></FictionBook>"""

WORD = """<?xml version="1.0"?><?mso-application progid="Word.Document"?>
<w:wordDocument xmlns:w="http://schemas.microsoft.com/office/word/2003/wordml" xmlns:wx="wx"
 xmlns:aml="http://schemas.microsoft.com/aml/2001/core"
 xmlns:o="urn:schemas-microsoft-com:office:office">
<o:DocumentProperties><o:Title>Lease</o:Title><o:Author>Ann</o:Author>
<o:Created>2004-02-01T10:00:00Z</o:Created></o:DocumentProperties>
<w:styles><w:style w:type="paragraph" w:styleId="berschrift1"><w:name w:val="heading 1"/></w:style>
</w:styles><w:body><wx:sect><wx:sub-section>
<w:p><w:pPr><w:pStyle w:val="berschrift1"/></w:pPr><w:r><w:t>Rent</w:t></w:r></w:p>
<w:p><w:r><w:t>The rent is </w:t></w:r><aml:annotation w:type="Word.Deletion"><aml:content><w:r>
<w:delText>900</w:delText></w:r></aml:content></aml:annotation>
<aml:annotation w:type="Word.Insertion"><aml:content><w:r><w:t>950</w:t></w:r></aml:content>
</aml:annotation><w:r><w:t> euros.</w:t></w:r></w:p>
<w:p><w:r><w:pict><w:txbxContent><w:p><w:r><w:t>In a box.</w:t></w:r></w:p></w:txbxContent>
</w:pict></w:r></w:p>
<w:p><w:pPr><w:listPr><w:ilvl w:val="0"/></w:listPr></w:pPr><w:r><w:t>heating</w:t></w:r></w:p>
<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Month</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>Paid</w:t>
</w:r></w:p></w:tc></w:tr><w:tr><w:tc><w:p><w:r><w:t>May</w:t></w:r></w:p></w:tc><w:tc><w:p/></w:tc>
</w:tr></w:tbl></wx:sub-section></wx:sect></w:body></w:wordDocument>"""


def test_a_feed_is_its_items() -> None:
    """What was posted when could not be found, or was found as escaped markup."""
    document = read("a.rss", RSS.encode())
    assert document.text == (
        "From the port & the town\n\nCrane & quay\n\n"
        "2026-01-05T10:00:00+01:00 | Ann Berg | https://example.org/1\n\n"
        "The crane was moved.\n\nIt weighs 90 tonnes.\n\nUntitled\n\nNo title, plain words."
    )
    assert outline(document) == [(1, "Crane & quay"), (1, "Untitled")]
    assert document.title == "Harbour news"
    assert document.metadata == {"url": "https://example.org/"}
    assert document.media_type == "application/rss+xml"
    assert read("feed.xml", RSS.encode()) == document


def test_an_atom_feed_is_its_entries() -> None:
    """Half of the feeds would be read as data."""
    document = read("a.atom", ATOM.encode())
    assert document.text == ("First day\n\n2026-01-05T10:00:00Z | https://e.org/a\n\nRain & wind.")
    assert document.metadata == {"author": "Bo Lind", "date": "2026-01-06T00:00:00Z"}
    assert document.media_type == "application/atom+xml"


@pytest.mark.parametrize("path", ["a.fb2", "a.xml", "a.fb2.zip", "a.fbz"])
def test_a_book_is_its_chapters(path: str) -> None:
    """A book would be found as markup, or, zipped, not at all."""
    data = BOOK.encode("cp1251")
    whole = zipped({"море.fb2": data}) if path.endswith(("zip", "fbz")) else data
    document = read(path, whole)
    assert document.text == (
        "Море\n\nГлава первая\n\nБыло тихо.\n\nВолна,\nещё волна\n\nПорт\n\nКорабль ушёл.\n\n"
        "Примечание."
    )
    assert outline(document) == [(1, "Море"), (1, "Глава первая"), (2, "Порт")]
    assert document.title == "Море"
    assert document.metadata == {"author": "Анна Берг", "language": "ru", "date": "1901-05-01"}


def test_a_folder_with_zipped_books_gives_them(tmp_path: Path) -> None:
    """A library of e-books would be skipped as archives."""
    (tmp_path / "a.fb2.zip").write_bytes(b"x")
    (tmp_path / "b.zip").write_bytes(b"x")
    assert [item.path for item in walk(tmp_path) if isinstance(item, FoundFile)] == ["a.fb2.zip"]


@pytest.mark.parametrize("path", ["lease.xml", "lease.doc"])
def test_xml_of_word_2003_is_a_document(path: str) -> None:
    """Contracts of those years would be found as markup, with what was deleted from them."""
    document = read(path, WORD.encode())
    assert document.text == (
        "Rent\n\nThe rent is 950 euros.\n\nIn a box.\n\n- heating\n\nMonth | Paid\nMay"
    )
    assert outline(document) == [(1, "Rent")]
    assert document.title == "Lease"
    assert document.metadata == {"author": "Ann", "created": "2004-02-01T10:00:00Z"}


def test_unknown_xml_is_its_words() -> None:
    """A search for a word of a tag would find every record of a file of data."""
    data = """<catalogue xmlns="urn:x"><title>Tools</title><chapter><title>Saws</title>
    <para>A <em>saw</em> cuts wood.</para></chapter><items>
    <item sku="a1"><name>Fret saw</name><price>12.50</price><note/></item>
    <item><name>Hacksaw</name><price>9</price></item></items>
    <image label="A saw on a bench" href="x.png"/></catalogue>"""
    document = read("a.xml", data.encode())
    assert document.text == (
        "Tools\n\nSaws\n\nA saw cuts wood.\n\nFret saw | 12.50\nHacksaw | 9\n\nA saw on a bench"
    )
    assert outline(document) == [(1, "Tools"), (2, "Saws")]
    assert document.title == "Tools"
    assert document.media_type == "application/xml"


def test_a_workbook_of_2003_is_its_rows() -> None:
    """Tables of those years would be tags, or be refused."""
    sheet = (
        '<?xml version="1.0"?><Workbook xmlns="urn:schemas-microsoft-com:office:spreadsheet"'
        ' xmlns:ss="urn:schemas-microsoft-com:office:spreadsheet"><Worksheet ss:Name="Costs">'
        "<Table><Row><Cell><Data>Month</Data></Cell><Cell><Data>Paid</Data></Cell></Row>"
        "<Row><Cell><Data>May</Data></Cell><Cell><Data>9</Data></Cell></Row>"
        "</Table></Worksheet></Workbook>"
    )
    for path in ("a.xml", "a.xls"):
        assert read(path, sheet.encode()).text == "Costs\n\nMonth | Paid\nMay | 9"


def test_xml_that_no_parser_takes_stays_text() -> None:
    """A file that was indexed before would vanish for a tag that is not closed."""
    bomb = '<!DOCTYPE a [<!ENTITY b "lol"><!ENTITY c "&b;&b;">]><a>&c;</a>'
    for data in ("<a>open <b>tags", bomb, "just words", "<a x='1' y='2'/>"):
        document = read("a.xml", data.encode())
        assert document.text == data
        assert document.media_type == "text/plain"
    assert read("page.xml", b"<html><body><p>A page.</p></body></html>").text == "A page."


@given(st.text(max_size=200), st.integers(0, 700), st.sampled_from([RSS, ATOM, WORD, BOOK]))
def test_any_damage_ends_as_text_or_as_a_reason(noise: str, at: int, whole: str) -> None:
    """A damaged file would end the run."""
    for path in ("a.xml", "a.fb2", "a.fb2.zip"):
        for text in (noise, whole[:at] + noise + whole[at:], f"<a><b>{noise}</b>{noise}</a>"):
            data = text.encode("utf-8", "replace")
            loader = loader_for(path, data)
            assert loader is not None
            try:
                load(loader, LoadInput(path, data))
            except LoadError as error:
                assert "loader failed" not in error.message, error.message


def _nested(opening: bytes, closing: bytes, inner: bytes) -> bytes:
    body = opening * 70 + inner + closing * 70
    return b"<wordDocument><body>" + body + b"</body></wordDocument>"


@pytest.mark.soak
def test_hostile_xml_costs_no_time() -> None:
    """Depth, attributes by the million or a text without end would hold up the run."""
    start = process_time()
    for data in (
        b"<a>" * 100_000,
        b"<a>" * 200 + b"x" + b"</a>" * 200,
        b"<r>" + b"<a><b>x</b></a>" * 100_000 + b"</r>",
        b"<r><t>" + b"x" * 11_000_000 + b"</t></r>",
        b"<rss><channel>"
        + b"<item><description>&lt;p&gt;x</description></item>" * 5_000
        + b"</channel></rss>",
        b"<FictionBook><body>"
        + b"<section><title>x</title>" * 240
        + b"</section>" * 240
        + b"</body></FictionBook>",
        _nested(b"<p><r><txbxContent>", b"</txbxContent></r></p>", b"<p><r><t>x</t></r></p>"),
        _nested(b"<tbl><tr><tc>", b"</tc></tr></tbl>", b"<p><r><t>x</t></r></p>" * 10_000),
    ):
        assert read("a.xml", data).text
    assert refusal("a.fb2.zip", zipped({"a.fb2": b"<a>" + b" " * 30_000_000 + b"</a>"})).startswith(
        "refused"
    )
    assert process_time() - start < 20
