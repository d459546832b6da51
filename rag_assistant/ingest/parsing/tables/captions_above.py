"""Captions of tables that stand in the text above them, as where a format has no place for one."""

import re
from collections.abc import Collection
from dataclasses import replace

from rag_assistant.ingest.parsing.tables.cell_values import units_in
from rag_assistant.values.documents import Document
from rag_assistant.values.tables import DocumentTable

NUMBERED = re.compile(
    r"\s*(?:table|exhibit|schedule|tabelle|tableau)\s+[\dA-Z.-]{1,6}\s?[:.–—]", re.IGNORECASE
)
"""How a caption begins: a sentence that mentions a table has no sign behind its number."""

LONGEST_CAPTION = 300

_EMPHASIS = "*_ "  # around a line of Markdown


def with_captions_above(document: Document) -> Document:
    """Give the tables of a document that have none the captions, and units, of the line above."""
    if all(table.caption for table in document.tables):
        return document
    headings = {heading.start for heading in document.headings}
    given = {table.caption for table in document.tables}
    tables = tuple(_named(one, document.text, headings, given) for one in document.tables)
    return replace(document, tables=tables)


def _named(
    table: DocumentTable, text: str, headings: Collection[int], given: Collection[str]
) -> DocumentTable:
    if table.caption or table.continued:
        return table
    last = text.rfind("\n", 0, table.start) + 1
    first = max(last - 2 * LONGEST_CAPTION, 0)
    above = text[first:last].rstrip()
    begins = above.rfind("\n") + 1
    line = above[begins:].strip(_EMPHASIS)
    # A heading is in the path already, and a caption below a table is that one's.
    known = first + begins in headings or line in given
    if known or len(line) > LONGEST_CAPTION or not NUMBERED.match(line):
        return table
    return replace(table, caption=line, units=table.units or units_in(line))
