"""The items of RSS (0.9 to 2.0) and Atom (RFC 4287) feeds: title, date, author, link, and the words
of their content, which is mostly HTML within XML.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, child, local

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_TAG = re.compile(r"</?[A-Za-z][^<>]*+>")
_ITEMS = frozenset({"item", "entry"})
_DATES = ("published", "pubDate", "date", "issued", "updated", "modified", "lastBuildDate")
_AUTHORS = ("creator", "author", "managingEditor")
_CONTENTS = ("encoded", "content", "description", "summary", "subtitle", "tagline")


@dataclass(frozen=True, slots=True)
class FeedItem:
    """An item, or the feed itself: `content` is HTML if `is_html`, "" where it has none."""

    title: str
    date: str
    author: str
    link: str
    content: str
    is_html: bool


def is_feed(root: "Element") -> bool:
    """Say whether a document is a feed, by its root and what stands in it."""
    name = local(root)
    if name == "RDF":  # RSS 1.0; other RDF is data
        return any(local(element) == "channel" for element in root)
    return name == "rss" or (name == "feed" and child(root, "title") is not None)


def channel_of(root: "Element") -> "Element":
    """Give the element that says what the feed is."""
    found = child(root, "channel")
    return root if found is None else found


def items_of(root: "Element") -> Iterator[FeedItem]:
    """Give the items in the order of the feed."""
    for holder in dict.fromkeys((channel_of(root), root)):
        for element in holder:
            if local(element) in _ITEMS:
                yield item_of(element)


def item_of(element: "Element") -> FeedItem:
    """Read an item or a channel."""
    content = _content(element)
    title = child(element, "title")
    return FeedItem(
        _plain(title) if title is not None else "",
        _first(element, _DATES),
        _author(element),
        _link(element),
        content,
        "<" in content or "&" in content,
    )


def _plain(element: "Element") -> str:
    """Give a title without the markup that some feeds write into it."""
    import html  # noqa: PLC0415  its table of entities is large

    return " ".join(_TAG.sub("", html.unescape(all_text(element))).split())


def _first(element: "Element", names: tuple[str, ...]) -> str:
    found = {local(inner): inner for inner in reversed(element)}
    said = (all_text(found[name]) for name in names if name in found)
    return next(filter(None, said), "")


def _author(element: "Element") -> str:
    found: list[str] = []
    for inner in element:
        if local(inner) in _AUTHORS:
            name = child(inner, "name")
            found.append(all_text(inner if name is None else name))
    return ", ".join(dict.fromkeys(filter(None, found)))


def _link(element: "Element") -> str:
    for inner in element:
        if local(inner) == "link" and attribute(inner, "rel") in ("", "alternate"):
            return attribute(inner, "href") or all_text(inner)
    return ""


def _content(element: "Element") -> str:
    """Give the longest form of the words; XHTML within is written out as markup."""
    from lxml import etree  # noqa: PLC0415

    found: list[str] = []
    for inner in element:
        if local(inner) in _CONTENTS:
            markup = len(inner) > 0
            text = etree.tostring(inner, encoding="unicode", with_tail=False) if markup else ""
            found.append(text or inner.text or "")
    return max(found, key=len, default="").strip()
