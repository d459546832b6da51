"""The rows of tables as sections of their own: a passage that begins among them has the caption,
the units and the heads of their columns in its heading path, since an earlier passage has these.
"""

from bisect import bisect_right
from collections.abc import Sequence

from rag_assistant.ingest.row_groups import first_row
from rag_assistant.values.documents import Document
from rag_assistant.values.heading_paths import PATH_SEPARATOR, table_part
from rag_assistant.values.tables import DocumentTable

_MOST_COLUMNS = 60

Section = tuple[int, str | None]
"""Where a section begins, and its heading path."""


def with_tables(sections: Sequence[Section], document: Document) -> list[Section]:
    """Put the rows of a document's tables among its sections, which are in order of their places.

    After a table goes on what it stands in. Headings within a table stay as they are.
    """
    if not document.tables:
        return list(sections)
    starts = [start for start, _ in sections]
    ends: list[Section] = []
    begins: list[Section] = []
    for table in document.tables:
        first = first_row(table, document.text)
        at = bisect_right(starts, first) - 1
        if first < table.end and bisect_right(starts, table.end - 1) - 1 == at:
            path = sections[at][1]
            rows = PATH_SEPARATOR.join(filter(None, (path, _said(table, document.text))))
            if rows and rows != path:
                begins.append((first, rows))
                ends.append((table.end, path))
    # Of those that begin at one place the last counts: what begins, not what is over.
    return list(dict(sorted([*ends, *sections, *begins], key=_start)).items())


def _start(section: Section) -> int:
    return section[0]


def _said(table: DocumentTable, text: str) -> str:
    columns = range(0 if table.named_rows else min(table.columns, _MOST_COLUMNS))
    heads = [" ".join(table.heads_of(column)) for column in columns]
    units = "" if table.units in " ".join((table.caption, *heads)) else table.units
    caption = ", ".join(filter(None, (table.caption, units)))
    return table_part(caption, heads, in_columns=_in_columns(table, text))


def _in_columns(table: DocumentTable, text: str) -> bool:
    """Say whether every cell has as many strokes before it, in its line, as columns."""
    for cell in table.cells:
        if cell.row >= table.heads and cell.start < cell.end:
            first = text.rfind("\n", 0, cell.start) + 1
            line = text[first : cell.start].replace("\\|", "")
            if line.count("|") - line.startswith("|") != cell.column:
                return False
    return True
