"""XML (.xml, .rss, .kml): feeds by their items, Word's XML of 2003 as a document, web pages and
e-books by their own readers, and any other by its words. What no parser takes is plain text.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.markup import xml_text
from rag_assistant.ingest.parsing.markup.xml_tree import all_text, child, local, parse
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.mime import sent_at
from rag_assistant.ingest.parsing.office import word_2003
from rag_assistant.ingest.parsing.records import feed_items
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_OF_OTHER_READERS = {"FictionBook": ".fb2", "html": ".html"}


def load(source: LoadInput) -> list[Document]:
    """Read XML by the name of its root. What is broken, or declares entities, is read as text."""
    try:
        root = parse(source.data, source.path)
    except LoadError:
        raise ReadAs(".txt") from None
    if other := _OF_OTHER_READERS.get(local(root)):
        raise ReadAs(other)
    builder = TextBuilder(source.most)
    read: Callable[[Element, TextBuilder], Document] = _data
    if local(root) == word_2003.ROOT:
        read = _word
    elif feed_items.is_feed(root):
        read = _feed
    document = read(root, builder)
    if not document.text.strip():  # its words are all in attributes, as those of settings are
        raise ReadAs(".txt")
    return [document]


def _word(root: "Element", builder: TextBuilder) -> Document:
    builder.write(word_2003.blocks_of(root))
    return builder.document("application/msword+xml", word_2003.properties(root))


def _feed(root: "Element", builder: TextBuilder) -> Document:
    """Write a feed as a document of its items, each a section under its title."""
    about = feed_items.item_of(feed_items.channel_of(root))
    _write_content(about, builder)
    for item in feed_items.items_of(root):
        if builder.full:
            builder.left_out = builder.left_out or ["items at its end"]
            break
        builder.write([TextBlock(item.title or item.date or item.link or "Untitled", "heading", 1)])
        told = (_date(item.date), item.author, item.link)
        builder.write([TextBlock(" | ".join(filter(None, told)))])
        _write_content(item, builder)
    metadata = {
        "title": about.title,
        "author": about.author,
        "date": _date(about.date),
        "url": about.link,
    }
    kind = "atom" if local(root) == "feed" else "rss"
    return builder.document(f"application/{kind}+xml", tidy(metadata))


def _write_content(item: feed_items.FeedItem, builder: TextBuilder) -> None:
    if not item.is_html:
        builder.write([TextBlock(item.content)])
        return
    try:
        page = html.read(item.content.encode(), "utf-8")
    except LoadError:  # a picture, without words
        return
    builder.append(page.text)


def _date(written: str) -> str:
    """Give the date of RFC 822, which RSS has, or of RFC 3339, in ISO 8601."""
    return written if written[:4].isdecimal() else sent_at(written)


def _data(root: "Element", builder: TextBuilder) -> Document:
    """Write XML of no known kind: it is data, whose title is what it calls itself."""
    builder.write(xml_text.blocks_of(root))
    title = child(root, "title")
    metadata = {"title": all_text(title)} if title is not None else {}
    return builder.document("application/xml", tidy(metadata), titled_by_heading=False)


SUFFIXES = frozenset(
    """
    .xml .rss .atom .opml .kml .gml .gpx .tcx .xlf .xliff .tmx .tbx .dita .docbook .dbk .tei .rdf
    .owl .musicxml .resx
    """.split()
)
LOADER = Loader("xml", 1, SUFFIXES, "application/xml", load)
