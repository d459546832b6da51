"""reStructuredText (.rst, https://docutils.sourceforge.io/docs/ref/rst/restructuredtext.html): the
file's own text with its section titles, whose levels are told by the order in which their lines of
signs are first used, its blocks of code, and the fields below its title.
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

_LINE_OF_SIGNS = re.compile(r"([!-/:-@\[-`{-~])\1*[ \t]*")
_FIELD = re.compile(r":(author|authors|date|version|language):[ \t]+(\S.*)", re.IGNORECASE)
_DIRECTIVE = re.compile(r"(?P<indent>[ \t]*)\.\. (?:code|code-block|sourcecode|literalinclude)::")
_ROLE = re.compile(r":[\w:.+-]{1,60}:(?=`)")
_MARKS = re.compile(r"``?|(?<!\w)\*{1,2}(?=\S)|(?<=\S)\*{1,2}(?!\w)|`__?|(?<=\w)_(?!\w)")
_TARGET = re.compile(r"[ \t]*<[^<>]*>(?=`)")


def load(source: LoadInput) -> list[Document]:
    """Read a file, whose text stays as it is."""
    return [document_of(source.data, source.most, "text/x-rst", outline_of)]


def outline_of(text: str) -> TextOutline:
    """Find titles and code."""
    outline = TextOutline()
    styles: dict[tuple[str, bool], int] = {}
    # The two lines before, each with where it begins.
    above, before = (0, ""), (0, "")
    code: tuple[int, int, int] | None = None  # from, indent, end so far
    for start, line in lines_of(text):
        if code is not None:
            if not line.strip() or _indent(line) > code[1]:
                code = (code[0], code[1], start + len(line) if line.strip() else code[2])
                above, before = before, (start, line)
                continue
            outline.code.append((code[0], code[2]))
            code = None
        if found := _DIRECTIVE.match(line):
            code = (start, len(found["indent"]), start + len(line))
        elif found := _FIELD.match(line):
            outline.fact(found[1].rstrip("sS"), found[2])
        elif style := _style(above[1], before[1], line):
            level = styles.setdefault(style, len(styles) + 1)
            outline.heading(above[0] if style[1] else before[0], level, _words(before[1]))
            above, before = (0, ""), (0, "")
            continue
        above, before = before, (start, line)
    if code is not None:
        outline.code.append((code[0], code[2]))
    return outline


def _style(above: str, title: str, line: str) -> tuple[str, bool] | None:
    """Give the sign under a title, and whether the same stands above it; None for no title."""
    if len(line) > LONGEST_TITLE or not (signs := _LINE_OF_SIGNS.fullmatch(line)):
        return None
    words = title.strip()
    if not words or _LINE_OF_SIGNS.fullmatch(title[:LONGEST_TITLE]):
        return None
    width = len(line.rstrip())
    if above.rstrip() == line.rstrip() and width >= len(words):
        return signs[1], True
    # One that is too short is a title nonetheless, to docutils as well, if it is no accident.
    fits = width >= len(words) or width >= 4
    return (signs[1], False) if fits and not above.strip() and title[0] not in " \t" else None


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _words(title: str) -> str:
    return _MARKS.sub("", _TARGET.sub("", _ROLE.sub("", title[:1000])))


LOADER = Loader("restructuredtext", 1, frozenset({".rst"}), "text/x-rst", load, plain=True)
