"""E-books (.epub, https://www.w3.org/TR/epub-33/): the chapters in reading order, each through the
reader of web pages, under the name that the table of contents gives them. A chapter that is listed
twice is read once.
"""

import posixpath
import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.html_walker import HtmlText
from rag_assistant.ingest.parsing.markup.xml_tree import (
    all_text,
    attribute,
    child,
    local,
    parse,
    refuse_size,
)
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder
from rag_assistant.ingest.parsing.zip_container import ZipContainer, resolve
from rag_assistant.values.documents import Document, Heading

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
from rag_assistant.ingest.room import span

_MEDIA_TYPE = "application/epub+zip"
_CONTAINER, _ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
_CHAPTERS = frozenset({"application/xhtml+xml", "text/html", "text/x-oeb1-document"})
_CHAPTER_SUFFIXES = (".xhtml", ".html", ".htm", ".xml")
_NCX = "application/x-dtbncx+xml"
_LONGEST_LABEL = 200
_MOST_NAMED = 20
_METADATA = {
    "title": "title",
    "creator": "author",
    "language": "language",
    "date": "date",
    "publisher": "publisher",
    "subject": "keywords",
    "description": "description",
    "identifier": "identifier",
}
# In XML any element may be closed within its tag; to a reader of HTML it would stay open.
_SELF_CLOSED = re.compile(rb"<(title|script|style|iframe|textarea|noscript|[abipsu]|em|div|span)"
                          rb"(\s[^<>]*)?/>", re.IGNORECASE)  # fmt: skip


def load(source: LoadInput) -> list[Document]:
    """Read an e-book. Chapters that cannot be read are named in the metadata."""
    book = _Book(ZipContainer(source.data))
    builder = TextBuilder(source.most)
    unreadable: list[str] = []
    reason = ""
    for number, name in enumerate(book.chapters, 1):
        if builder.full:
            builder.left_out.append(span("chapter", number, len(book.chapters)))
            break
        try:
            page = book.chapter(name)
        except LoadError as error:
            if not error.message.startswith("no text"):  # a cover, which is an image
                unreadable.append(name)
                reason = reason or error.message
            continue
        label = book.labels.get(name, "")
        starts_with_heading = bool(page.headings) and page.headings[0].start == 0
        builder.end_section()
        if label and not starts_with_heading:
            builder.write([TextBlock(label, "heading", 1)])
            page = _without_first_line(page, label)
        if page.text:
            builder.append(page.text, page.headings, page.tables)
    if builder.empty:
        raise LoadError(reason or "no text in it")
    metadata = book.metadata()
    if unreadable:
        metadata["unreadable"] = ", ".join(unreadable[:_MOST_NAMED])
    return [builder.document(_MEDIA_TYPE, metadata)]


def _without_first_line(page: HtmlText, label: str) -> HtmlText:
    """Leave out the line that repeats a chapter's name: it has been written as the heading."""
    line, _, rest = page.text.partition("\n")
    if line.casefold() != label.casefold():
        return page
    kept = rest.lstrip("\n")
    cut = len(page.text) - len(kept)
    headings = tuple(
        Heading(heading.start - cut, heading.level, heading.title)
        for heading in page.headings
        if heading.start >= cut
    )
    tables = tuple(table.moved(-cut) for table in page.tables if table.start >= cut)
    return HtmlText(kept, headings, page.metadata, tables)


class _Book:
    """An e-book's chapters in reading order, with their names, and what the book says of itself."""

    def __init__(self, container: ZipContainer) -> None:
        self._container = container
        package = _package(container)
        self._root = parse(container.read(package), package)
        self._folder = posixpath.dirname(package)
        self._files: dict[str, tuple[str, str, str]] = {}  # id: name, media type, properties
        manifest = child(self._root, "manifest")
        for item in manifest if manifest is not None else ():
            name = resolve(self._folder, attribute(item, "href"))
            kinds = attribute(item, "media-type").lower(), attribute(item, "properties")
            self._files[attribute(item, "id")] = (name, *kinds)
        self.chapters = self._spine()
        self.labels = self._labels()

    def chapter(self, name: str) -> HtmlText:
        """Read a chapter. Raises LoadError when it cannot be read or has no text."""
        data = self._container.read(name)
        refuse_size(data, name)
        return html.read(_SELF_CLOSED.sub(rb"<\1\2></\1>", data))

    def metadata(self) -> dict[str, str]:
        """Give what the package says of the book; several authors are joined."""
        values: dict[str, str] = {}
        holder = child(self._root, "metadata")
        # Old packages have one more element around those of the Dublin Core.
        for element in holder.iter() if holder is not None else ():
            key = _METADATA.get(local(element))
            text = all_text(element) if key else ""
            if not key or not text:
                continue
            if key in ("author", "keywords") and key in values:
                values[key] += f", {text}"
            else:
                values.setdefault(key, text)
        return tidy(values)

    def _spine(self) -> list[str]:
        """Give the names of the chapters in reading order, each once."""
        spine = child(self._root, "spine")
        ids = [attribute(item, "idref") for item in (spine if spine is not None else ())]
        files = [self._files[found] for found in dict.fromkeys(ids) if found in self._files]
        names = [
            name
            for name, kind, _ in files or self._files.values()
            if kind in _CHAPTERS or (not kind and name.lower().endswith(_CHAPTER_SUFFIXES))
        ]
        locked = _encrypted(self._container)
        readable = [name for name in dict.fromkeys(names) if name.lower() not in locked]
        if names and not readable:
            raise LoadError("protected against copying: its chapters are encrypted")
        return readable

    def _labels(self) -> dict[str, str]:
        """Give the names of chapters in the table of contents, by the chapters' files."""
        labels: dict[str, str] = {}
        for name, kind, properties in self._files.values():
            if kind != _NCX and "nav" not in properties.split():
                continue
            try:
                root = parse(self._container.read(name), name)
            except LoadError:  # a book without its table of contents is still a book
                continue
            for target, label in _entries(root):
                file = resolve(posixpath.dirname(name), target)
                if label:
                    labels.setdefault(file, label[:_LONGEST_LABEL])
        return labels


def _entries(root: "Element") -> Iterator[tuple[str, str]]:
    """Give the targets and names of a table of contents, of EPUB 2 (NCX) or 3 (nav)."""
    for point in root.iter("{*}navPoint"):
        label, content = child(point, "navLabel"), child(point, "content")
        if label is not None and content is not None:
            yield attribute(content, "src"), all_text(label)
    for nav in root.iter("{*}nav"):
        if attribute(nav, "type") in ("toc", ""):
            for link in nav.iter("{*}a"):
                yield attribute(link, "href"), all_text(link)


def _package(container: ZipContainer) -> str:
    """Find the package document: by the container's own word, else by its suffix."""
    if _CONTAINER in container:
        for element in parse(container.read(_CONTAINER), _CONTAINER).iter("{*}rootfile"):
            name = resolve("", attribute(element, "full-path"))
            if name in container:
                return name
    for name in container.names():
        if name.lower().endswith(".opf"):
            return name
    raise LoadError("not an e-book: it has no package document")


def _encrypted(container: ZipContainer) -> frozenset[str]:
    """Give the names, in lower case, of members that are encrypted; fonts often are."""
    if _ENCRYPTION not in container:
        return frozenset()
    root = parse(container.read(_ENCRYPTION), _ENCRYPTION)
    uris = (attribute(element, "URI") for element in root.iter("{*}CipherReference"))
    return frozenset(resolve("", uri).lower() for uri in uris)


LOADER = Loader("epub", 4, frozenset({".epub"}), _MEDIA_TYPE, load)
