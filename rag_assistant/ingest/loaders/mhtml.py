"""Web pages saved as one file (MHTML, RFC 2557): the page itself through the reader of web pages,
then the frames within it. Images, styles and scripts that were saved with it are passed over.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.markup.html_walker import HtmlText
from rag_assistant.ingest.parsing.mime import (
    begins_with_headers,
    charset_of,
    header,
    parsed,
    sent_at,
)
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content
from rag_assistant.ingest.parsing.text_builder import TextBuilder
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from email.message import Message

_MEDIA_TYPE = "multipart/related"
_PAGES = frozenset({"text/html", "application/xhtml+xml"})
_MOST_FRAMES = 100


def load(source: LoadInput) -> list[Document]:
    """Read a saved page; the title is its own, else what the browser wrote as the subject."""
    data = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not begins_with_headers(data):
        raise ReadAs(suffix_by_content(data, ".mhtml"))
    try:
        message = parsed(data)
        pages, reason = _pages(message)
    except RecursionError:
        raise LoadError("nested too deep: parts within parts") from None
    if not pages:
        raise LoadError(reason or "no page in it", hint="Save the page again, or as PDF.")
    builder = TextBuilder(source.most)
    for page in pages:
        builder.append(page.text, page.headings, page.tables)
    own = dict(pages[0].metadata)
    shared = own.pop("og:title", "")
    metadata = {
        "title": own.pop("title", "") or header(message, "Subject") or shared,
        "url": header(message, "Snapshot-Content-Location") or header(message, "Content-Location"),
        "saved": sent_at(header(message, "Date")),
        **own,
    }
    return [builder.document(_MEDIA_TYPE, {name: said for name, said in metadata.items() if said})]


def _pages(message: "Message") -> tuple[list[HtmlText], str]:
    """Read the page and its frames, in the file's order, and say why the first was not read."""
    pages: list[HtmlText] = []
    reason = ""
    for part in _ordered(message):
        data = part.get_payload(decode=True)
        if not isinstance(data, bytes) or not data.strip():
            continue
        try:
            pages.append(html.read(data, charset_of(part)))
        except LoadError as error:  # most frames hold an advertisement, which has no words
            reason = reason or error.message
        if len(pages) >= _MOST_FRAMES:
            break
    return pages, reason


def _ordered(message: "Message") -> Iterator["Message"]:
    """Give the parts that are pages, the one that the message names as its start before others."""
    parts = [part for part in message.walk() if part.get_content_type() in _PAGES]
    try:
        start = str(message.get_param("start") or "").strip("<> ")
    except (LookupError, ValueError, TypeError):  # RFC 2231 parameters gone wrong
        start = ""
    first = [p for p in parts if start and header(p, "Content-ID").strip("<> ") == start][:1]
    yield from first
    yield from (part for part in parts if part not in first)


LOADER = Loader("mhtml", 3, frozenset({".mht", ".mhtml"}), _MEDIA_TYPE, load)
