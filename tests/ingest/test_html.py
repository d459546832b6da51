"""Of a page, the text a reader sees must be kept, in the shape of lines and paragraphs."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from tests.ingest.reading import read, refusal

PAGE = """<html lang="en"><head><title>The  title</title><meta name="author" content="A. Writer">
<meta property="article:published_time" content="2026-01-05"><style>p {}</style></head><body>
<h1>Head <a class="headerlink" href="#x">¶</a></h1><p>One <b>bo</b>ld<br>line.</p>
<script>var secret</script><div hidden>secret</div><div style="display : none">secret</div>
<ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul>
<table><caption>Prices</caption><tr><th>What<th>Price</tr><tr><td><p>Tea</p><td>2 €</table>
<pre>
def f():
    return 1
</pre>after<!-- comment --> all<h2>Next</h2></body></html>"""


def test_a_page_becomes_paragraphs_items_rows_and_code() -> None:
    """Words of neighbouring blocks would be glued, rows torn apart, or scripts indexed."""
    document = read("a.html", PAGE.encode())
    assert document.text == (
        "Head\n\nOne bold\nline.\n\n- a\n  - b\n- c\n\nPrices\nWhat | Price\nTea | 2 €\n\n"
        "def f():\n    return 1\n\nafter all\n\nNext"
    )
    assert document.title == "The title"
    assert document.metadata == {"lang": "en", "author": "A. Writer", "date": "2026-01-05"}
    assert [(h.start, h.level, h.title) for h in document.headings] == [
        (0, 1, "Head"),
        (document.text.index("Next"), 2, "Next"),
    ]


def test_navigation_is_left_out_and_the_main_part_taken() -> None:
    """Menus would match every query, on every page of a site."""
    body = "<nav>Menu</nav><div role='search'>Find</div>{}<footer>Imprint</footer>"
    main = body.format("<p>Banner</p><main><p>What the page is about, at length.</p></main>")
    assert read("a.html", main.encode()).text == "What the page is about, at length."
    teaser = body.format("<p>What the page is about, at length.</p><article>Ad</article>")
    assert read("a.html", teaser.encode()).text == "What the page is about, at length.\n\nAd"
    assert read("a.html", b"<nav>Nothing but a menu</nav>").text == "Nothing but a menu"


def test_a_table_of_layout_is_read_as_blocks() -> None:
    """Old pages, laid out by tables, would become one endless line."""
    page = "<table><tr><td><h1>Head</h1><p>One.</p><p>Two.</p></td><td>Side</td></tr></table>"
    document = read("a.html", page.encode())
    assert document.text == "Head\n\nOne.\n\nTwo.\n\nSide"
    assert len(document.headings) == 1


@pytest.mark.parametrize(
    ("encoding", "head"),
    [
        ("utf-8", ""),
        ("utf-16", ""),
        ("cp1252", '<meta charset="iso-8859-1">'),
        ("cp1252", '<meta http-equiv="Content-Type" content="text/html; charset=windows-1252">'),
        ("utf-8", '<meta charset="iso-8859-1">'),
        ("iso8859_15", '<?xml version="1.0" encoding="ISO-8859-15"?>'),
    ],
)
def test_the_encoding_is_that_of_the_mark_the_head_or_the_bytes(encoding: str, head: str) -> None:
    """Umlauts would be garbled, so words with them would not be found."""
    page = f"{head}<p>Größe und Straße, schöne Grüße für 5 €"
    if "8859-1" in head and encoding == "cp1252":
        page = page.replace("€", "EUR")
    assert read("a.html", page.encode(encoding)).text == page.removeprefix(head + "<p>")


@pytest.mark.parametrize("depth", [300, 1_500, 100_000])
def test_text_at_any_depth_is_kept(depth: int) -> None:
    """The parser stops at a depth without a word, and the rest of the page would be missing."""
    page = "<p>start" + "<div>" * depth + "deep" + "</div>" * depth + "<p>after &amp; all"
    assert read("a.html", page.encode()).text.split() == ["start", "deep", "after", "&", "all"]


@pytest.mark.parametrize(
    "page",
    [
        "<p " + " ".join(f"a{n}=1" for n in range(100_000)) + ">words</p>",
        "<p " + " ".join(f'a{n}=">"' for n in range(100_000)) + ">words</p>",
        "words" + "<script>" * 100_000,
        "<script></script>words" * 30_000,
        "words" + "<" * 1_000_000,
        "words" + "<a '" * 200_000,
        "<table><tr><td>" * 1_000 + "words",
        "<article>words" * 1_500,
    ],
    ids=range(8),
)
def test_hostile_pages_cost_seconds_not_minutes(page: str) -> None:
    """One saved page would hold up a run for ever."""
    start = process_time()
    assert "words" in read("a.html", page.encode()).text
    assert process_time() - start < 10


def test_a_page_without_text_is_refused_with_a_reason() -> None:
    """An entry would be empty without a word."""
    assert refusal("a.html", b"<html><script>render()</script></html>") == "no text in it"
    assert refusal("a.html", b"<p>a\0b") == "not text: looks like a binary file"


_MARKUP = st.lists(
    st.sampled_from(
        "<p> </p> <b> <ul> <li> </ul> <table> <tr> <td> </table> <pre> </pre> <h1> </h1> <br> "
        "<script> </script> <nav> <main> </main> <!-- --> &amp; &#0; ¶ <a> word".split(" ")
    )
    | st.text(max_size=5)
).map("".join)


@given(_MARKUP)
def test_any_markup_gives_storable_text_and_true_headings(markup: str) -> None:
    """Some broken page would end a run, or a heading's offset point elsewhere."""
    try:
        document = read("a.html", markup.encode("utf-8", "replace"))
    except LoadError:
        return
    document.text.encode("utf-8")
    for heading in document.headings:
        assert document.text.startswith(heading.title, heading.start)
