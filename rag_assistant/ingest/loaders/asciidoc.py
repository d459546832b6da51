"""AsciiDoc (.adoc, .asciidoc; https://docs.asciidoctor.org/asciidoc/latest/): the file's own
text with its section titles, in one line or underlined, its listings, and its attributes.
"""

import re

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.outlined_text import (
    LONGEST_TITLE,
    TextOutline,
    document_of,
    lines_of,
)
from rag_assistant.values.documents import Document

_TITLE = re.compile(r"(={1,6}|#{1,6})[ \t]+(\S.*)")
_TRAILING = re.compile(r"[ \t]+[=#]+[ \t]*$")
_ATTRIBUTE = re.compile(r":(author|revdate|date|lang|keywords|description):[ \t]+(\S.*)")
_FENCE = re.compile(r"(-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[\w,. -]{0,60}")
_UNDERLINE = re.compile(r"(?:=+|-+|~+|\^+|\++)[ \t]*")
_UNDERLINES = "=-~^+"
_NO_TITLE = ("[", ".", ":", "|", "//", "*", "-", "+", "image:", "include:", " ", "\t")
_MARKS = re.compile(r"(?<!\w)[*_`+#]{1,2}(?=\S)|(?<=\S)[*_`+#]{1,2}(?!\w)")
_FACTS = {"revdate": "date", "lang": "language"}


def load(source: LoadInput) -> list[Document]:
    """Read a file, whose text stays as it is."""
    return [document_of(source.data, source.most, "text/asciidoc", outline_of)]


def outline_of(text: str) -> TextOutline:
    """Find titles and listings; in a listing or comment nothing is a title."""
    outline = TextOutline()
    fence, fenced_from = "", 0
    before_start, before = 0, ""
    for start, line in lines_of(text):
        if fence:
            if line.rstrip() == fence:
                if fence[0] != "/":
                    outline.code.append((fenced_from, start + len(line)))
                fence = ""
            continue
        if level := _underlined(before, line):
            outline.heading(before_start, level, _words(before))
            before = ""
            continue
        if found := _TITLE.fullmatch(line):
            outline.heading(start, len(found[1]), _words(_TRAILING.sub("", found[2][:1000])))
        elif found := _FENCE.fullmatch(line.rstrip()):
            fence, fenced_from = found[1], start
        elif found := _ATTRIBUTE.match(line):
            outline.fact(_FACTS.get(found[1], found[1]), found[2])
        before_start, before = start, line
    return outline


def _underlined(title: str, line: str) -> int:
    """Give the level of a title in two lines, which are of about one length; 0 for no title."""
    if len(line) > LONGEST_TITLE or not _UNDERLINE.fullmatch(line):
        return 0
    if not title.strip() or title.startswith(_NO_TITLE) or not any(map(str.isalnum, title)):
        return 0
    near = abs(len(title.rstrip()) - len(line.rstrip())) <= 2
    return _UNDERLINES.index(line[0]) + 1 if near and len(title.rstrip()) > 2 else 0


def _words(title: str) -> str:
    return _MARKS.sub("", title)


SUFFIXES = frozenset({".adoc", ".asciidoc"})
LOADER = Loader("asciidoc", 1, SUFFIXES, "text/asciidoc", load, plain=True)
