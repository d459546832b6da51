"""A snippet of a search as it is drawn: in one line, without the signs of Markdown, the words that
were looked for marked. In a pipe it stays as the document has it.
"""

import re
from collections.abc import Iterator

from rag_assistant.cli.drawn import MARK, DrawnWords, Part
from rag_assistant.search.matching_words import matching_words
from rag_assistant.text.inline_marks import without_marks
from rag_assistant.text.markdown import is_markdown
from rag_assistant.text.safe_text import clean_line
from rag_assistant.text.table_rows import cells_of, is_row, is_rule

_SIGNS = re.compile(r"\s{0,3}(?:#{1,6}(?:\s+|\Z)|>\s?)+")
"""What begins a heading, or a line of a quote."""


def drawn_snippet(snippet: str, path: str, query: str) -> Iterator[Part]:
    """Give the parts of a snippet from the document at `path`."""
    if is_markdown(path):
        snippet = " ".join(filter(None, map(_words, snippet.splitlines())))
    shown = clean_line(snippet)
    end = 0
    for start, stop in matching_words(shown, query):
        yield shown[end:start]
        yield DrawnWords(shown[start:stop], f"bold {MARK}")
        end = stop
    yield shown[end:]


def _words(line: str) -> str:
    """Give the words of a line: the cells of a row apart, nothing of a line that rules."""
    if is_rule(line):
        return ""
    if is_row(line):
        line = " · ".join(cell for cell in map(str.strip, cells_of(line)) if cell)
    return without_marks(_SIGNS.sub("", line, count=1)).strip()
