"""Org (.org, https://orgmode.org/org.html): the file's own text, with its headlines, without their
keywords of tasks and their tags, its blocks of code, and its title, author and date.
"""

import re

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup.outlined_text import TextOutline, document_of, lines_of
from rag_assistant.values.documents import Document

_HEADLINE = re.compile(
    r"(?P<stars>\*+)[ \t]+(?:(?:TODO|DONE|NEXT|WAITING|CANCELL?ED|STARTED|HOLD)[ \t]+)?"
    r"(?:\[#\w\][ \t]*)?(?P<title>\S.*)"
)
_TAGS = re.compile(r"[ \t]+:[\w@#%:]+:[ \t]*$")
_LINK = re.compile(r"\[\[[^\[\]]++\](?:\[([^\[\]]++)\])?\]")
_KEYWORD = re.compile(r"#\+(title|author|date|language|keywords):[ \t]*(\S.*)", re.IGNORECASE)
_BLOCK = re.compile(r"[ \t]*#\+(begin|end)_(src|example)\b", re.IGNORECASE)
_DEEPEST = 20


def load(source: LoadInput) -> list[Document]:
    """Read a file, whose text stays as it is."""
    return [document_of(source.data, source.most, "text/org", outline_of)]


def outline_of(text: str) -> TextOutline:
    """Find headlines, code and keywords. A headline ends any block, as it does for Org."""
    outline = TextOutline()
    code = -1
    for start, line in lines_of(text):
        if found := _HEADLINE.match(line):
            code = -1
            title = _LINK.sub(lambda link: link[1] or "", _TAGS.sub("", found["title"][:1000]))
            outline.heading(start, min(len(found["stars"]), _DEEPEST), title)
        elif found := _KEYWORD.match(line):
            outline.fact(found[1], found[2])
        elif found := _BLOCK.match(line):
            if found[1].lower() == "begin":
                code = start if code < 0 else code
            elif code >= 0:
                outline.code.append((code, start + len(line)))
                code = -1
    return outline


LOADER = Loader("org", 1, frozenset({".org"}), "text/org", load, plain=True)
