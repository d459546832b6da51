"""Markdown: the document is the file's own text, with its headings and its front matter.

A scanner of lines, not a parser: it reads headings as CommonMark does at the top level of a text
(https://spec.commonmark.org/0.31.2/#atx-headings, #setext-headings) and leaves all else alone.
"""

import re
from collections.abc import Iterator

from rag_assistant.documents import Document, Heading
from rag_assistant.ingest.code_blocks import code_blocks
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput

_MARK = re.compile(
    r"\n {0,3}(?:(?P<hashes>#{1,6})(?:[ \t]++(?P<title>[^\n]*+))?(?=\n|\Z)"
    r"|(?P<underline>=++|-++)[ \t]*+(?=\n|\Z))"
)
_CLOSING_HASHES = re.compile(r"(?:^|[ \t])#+[ \t]*$")
_LINK = re.compile(r"!?\[([^\[\]]*)\](?:\([^()]*\)|\[[^\[\]]*\])")
_ATTRIBUTES = re.compile(r"[ \t]*\{[#.:][^{}]*\}$")
# What a paragraph begins after: a blank line, a rule, a heading, the end of a code block.
_BEFORE = re.compile(r"[ \t]*(?:(?:[-=*_][ \t]*)*$|#{1,6}(?:[ \t]|$)|```|~~~)")
_NO_PARAGRAPH = re.compile(r" {0,3}(?:[>|<]|(?:[-+*]|\d{1,9}[.)])(?:[ \t]|$))|\t| {4}")
_SCALAR = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*:[ \t]+(\S.*)")
_LONGEST_TITLE = 200
_LONGEST_FRONT_MATTER = 20_000
_SETEXT_LINES = 3  # CommonMark knows no limit, but nobody's heading is longer


def load(source: LoadInput) -> list[Document]:
    """Read Markdown; the title is the front matter's, or else the first heading of level 1."""
    decoded = decode(source.data)
    text = decoded.text
    metadata, body = _front_matter(text)
    headings = tuple(_headings(text, body))
    title = metadata.get("title") or next((h.title for h in headings if h.level == 1), "")
    if decoded.encoding != "utf-8":
        metadata["encoding"] = decoded.encoding
    return [
        Document(
            text,
            "text/markdown",
            title=title,
            headings=headings,
            metadata=metadata,
            lines_match_file=True,
        )
    ]


def _front_matter(text: str) -> tuple[dict[str, str], int]:
    """Read `key: value` lines between `---` lines at the top; give them and where the body starts.

    Only simple values count: lists, maps and blocks of YAML are left out, as are nested lines.
    """
    if not text.startswith("---\n"):
        return {}, 0
    top = text[:_LONGEST_FRONT_MATTER]
    end = re.search(r"\n(?:---|\.\.\.)[ \t]*(?:\n|\Z)", top[3:])
    if end is None:
        return {}, 0
    values: dict[str, str] = {}
    for line in top[4 : 3 + end.start()].split("\n"):
        pair = _SCALAR.fullmatch(line.rstrip())
        if pair and pair[2][0] not in "[{|>&*!%@`#":
            values.setdefault(pair[1].lower(), _scalar(pair[2]))
    return {key: value for key, value in values.items() if value}, 3 + end.end()


def _scalar(value: str) -> str:
    quote = value[0]
    if quote in "\"'" and (end := value.find(quote, 1)) > 0:
        return value[1:end].strip()
    return re.split(r"[ \t]#", value, maxsplit=1)[0].strip()[:1000]


def _headings(text: str, body: int) -> Iterator[Heading]:
    blocks = iter(code_blocks(text))
    block = next(blocks, None)
    # With a line end before it, a mark found at n is on the line that starts at n.
    for found in _MARK.finditer("\n" + text, body):
        start = found.start()
        while block is not None and block[1] <= start:
            block = next(blocks, None)
        if block is not None and block[0] <= start:
            continue
        if found["hashes"]:
            words = _CLOSING_HASHES.sub("", found["title"] or "")
            level = len(found["hashes"])
        else:
            paragraph = _paragraph_before(text, start, body)
            if paragraph is None:
                continue
            start, words = paragraph
            level = 1 if found["underline"][0] == "=" else 2
        if title := _plain(words):
            yield Heading(start, level, title)


def _paragraph_before(text: str, end: int, body: int) -> tuple[int, str] | None:
    """Find the short paragraph whose last line ends before `end`: its start and its words."""
    start = end
    for _ in range(_SETEXT_LINES + 1):
        if start <= body:
            break
        line_start = max(text.rfind("\n", body, start - 1) + 1, body)
        line = text[line_start : start - 1]
        if _BEFORE.match(line):
            break
        if len(line) > _LONGEST_TITLE or _NO_PARAGRAPH.match(line):
            return None
        start = line_start
    else:
        return None
    return (start, text[start:end]) if start < end else None


def _plain(words: str) -> str:
    """Take the marks of links and emphasis off a heading's words."""
    words = _ATTRIBUTES.sub("", " ".join(words[: 2 * _LONGEST_TITLE].split()))
    words = _LINK.sub(r"\1", words).replace("`", "").replace("**", "")
    return words.strip("* ")[:_LONGEST_TITLE]


SUFFIXES = frozenset({".md", ".markdown", ".mdown", ".mkd", ".mdx"})
LOADER = Loader("markdown", 1, SUFFIXES, "text/markdown", load, plain=True)
