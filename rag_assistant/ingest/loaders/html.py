"""HTML: the main text of a page as lines and paragraphs, with its headings and what it says of
itself. Scripts, navigation and hidden parts are left out; words that are there and that no reader
sees are marked. A page that no tree can be made of still gives its text.
"""

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.hidden_marks import COMMENT, LEFT_OUT, hide
from rag_assistant.ingest.parsing.markup.html_hidden import mark_hidden
from rag_assistant.ingest.parsing.markup.html_walker import HtmlText, text_of
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_CHARSET = re.compile(
    rb"<(?:meta\b[^<>]{0,300}?\bcharset|\?xml[^<>]{0,100}?\bencoding)"
    rb"\s*=\s*[\"']?\s*([\w:.-]{1,40})",
    re.IGNORECASE,
)
_CHARSET_WITHIN = 4096
# A whole tag: possessive, so that a quote that is never closed costs no more than one pass.
_TAG = re.compile(r"<[a-zA-Z/!?](?:[^\"'>]++|\"[^\"]*+\"|'[^']*+')*+>?")
_MOST_OF_A_TAG = 20_000
_MOST_ATTRIBUTES = 2_000
_STYLED = re.compile(r"style|<font|bgcolor", re.IGNORECASE)
_COMMENT = re.compile(r"<!--(?!\[if)(.{12,2000}?)-->", re.DOTALL)
_MOST_HIDDEN, _MOST_LEFT_OUT = 500, 20_000  # elements and characters that are looked at
_TEXTLESS = "script style template noscript svg iframe object canvas audio video select datalist"
_NAVIGATION = "nav aside footer"
_HIDDEN = (
    "//*[@hidden and not(@hidden='until-found')][not(self::html or self::body)]"
    "|//*[contains(translate(@style,' ',''),'display:none')][not(self::html or self::body)]"
)
_NAVIGATION_ROLES = "//*[@role='navigation' or @role='search']"
_MAIN_SHARE = 0.3
_META = {
    "author": "author",
    "article:author": "author",
    "dc.creator": "author",
    "article:published_time": "date",
    "date": "date",
    "dc.date": "date",
    "dcterms.date": "date",
    "og:title": "og:title",
}


def load(source: LoadInput) -> list[Document]:
    """Read a page; the title is its own, else that for sharing, else its first heading."""
    page = read(source.data)
    metadata = dict(page.metadata)
    shared = metadata.pop("og:title", "")
    first = page.headings[0].title if page.headings else ""
    title = metadata.pop("title", "") or shared or first
    return [
        Document(
            page.text,
            "text/html",
            title=title,
            headings=page.headings,
            metadata=metadata,
            tables=page.tables,
        )
    ]


def read(data: bytes, charset: str = "") -> HtmlText:
    """Read the bytes of a page; `charset` is what its envelope said of them, if there was one.

    Raises LoadError when it is not text or holds none.
    """
    found = _CHARSET.search(data, 0, _CHARSET_WITHIN)
    declared = charset or (found[1].decode("ascii") if found else "")
    markup = decode(data, declared).text
    page = _through_a_tree(markup)
    if page is None or not page.text.strip():
        metadata = page.metadata if page else {}
        page = HtmlText(_without_tags(markup), (), metadata)
    if not page.text:
        raise LoadError("no text in it", hint="The page may be made by scripts: save it as PDF.")
    said = _COMMENT.findall(markup)
    if said and why_suspicious(words := " ".join(said)[:_MOST_LEFT_OUT]):
        return replace(page, text=page.text + hide(words, COMMENT))
    return page


def _through_a_tree(markup: str) -> HtmlText | None:
    """Read the page's tree; None when the parser cannot make the whole of it."""
    from lxml import etree, html  # noqa: PLC0415  slow to import, and most folders hold no pages

    if _floods(markup):
        return None
    parser = html.HTMLParser(encoding="utf-8", huge_tree=True, remove_comments=True)
    try:
        root = html.document_fromstring(markup.encode(), parser=parser)
    except (etree.LxmlError, ValueError):
        return None
    # Past its limits the parser stops without an error, and the rest of the page is missing.
    if any(entry.type_name == "ERR_RESOURCE_LIMIT" for entry in parser.error_log):
        return None
    metadata = _metadata(root)
    if _STYLED.search(markup):
        mark_hidden(root)
    hidden = _matches(root, _HIDDEN)
    words = " ".join(element.text_content() for element in hidden[:_MOST_HIDDEN])
    words = " ".join(words[:_MOST_LEFT_OUT].split())
    _empty(root, [*root.iter("head", *_TEXTLESS.split()), *hidden])
    _empty(root, [*root.iter(*_NAVIGATION.split()), *_matches(root, _NAVIGATION_ROLES)])
    page = text_of(_main(root), metadata)
    if page.text and why_suspicious(words):
        return replace(page, text=page.text + hide(words, LEFT_OUT))
    return page


def _floods(markup: str) -> bool:
    """Say whether a tag has attributes by the thousand: the parser's time is their square."""
    if len(markup) < _MOST_OF_A_TAG:
        return False
    return any(
        found.end() - found.start() > _MOST_OF_A_TAG and len(found[0].split()) > _MOST_ATTRIBUTES
        for found in _TAG.finditer(markup)
    )


def _empty(root: "HtmlElement", elements: "list[HtmlElement]") -> None:
    # Emptied, not removed: removal joins the texts around it, in quadratic time for thousands.
    for element in elements:
        if element is not root:
            element.clear(keep_tail=True)


def _matches(root: "HtmlElement", path: str) -> "list[HtmlElement]":
    found = root.xpath(path)
    return [element for element in found if hasattr(element, "tag")]


def _main(root: "HtmlElement") -> "HtmlElement":
    """Find the part that is the page's subject: main or article, if it holds much of the text."""
    candidates = [*root.iter("main", "article"), *_matches(root, "//*[@role='main']")]
    if not candidates:
        return root
    # Only the first of nested ones: measuring each would cost the square of their depth.
    largest = max(candidates[:100], key=lambda element: len(element.text_content()))
    share = len(largest.text_content()) / max(len(root.text_content()), 1)
    return largest if share > _MAIN_SHARE else root


def _metadata(root: "HtmlElement") -> dict[str, str]:
    values = {"title": root.findtext(".//head/title") or root.findtext(".//title") or ""}
    values["lang"] = root.get("lang") or ""
    for meta in root.iter("meta"):
        name = _META.get((meta.get("name") or meta.get("property") or "").lower())
        if name and not values.get(name):
            values[name] = meta.get("content") or ""
    folded = {name: " ".join(value.split())[:1000] for name, value in values.items()}
    return {name: value for name, value in folded.items() if value}


def _without_tags(markup: str) -> str:
    """Give what stands between the tags: for pages nested deeper than any tree."""
    import html  # noqa: PLC0415  the standard library's, for entities

    for name in ("script", "style"):
        markup = _without_element(markup, name)
    lines = html.unescape(_TAG.sub("\n", markup)).split("\n")
    return "\n".join(folded for line in lines if (folded := " ".join(line.split())))


def _without_element(markup: str, name: str) -> str:
    # By find, not by one expression: an element that is never closed must not be sought anew.
    lowered = markup.lower()
    if len(lowered) != len(markup):  # a few letters grow in lower case, and offsets would differ
        return markup
    kept, position = [], 0
    while (start := lowered.find(f"<{name}", position)) >= 0:
        kept.append(markup[position:start])
        end = lowered.find(f"</{name}", start)
        position = end if end >= 0 else len(markup)
    return "".join([*kept, markup[position:]])


LOADER = Loader("html", 5, frozenset({".html", ".htm", ".xhtml"}), "text/html", load)
