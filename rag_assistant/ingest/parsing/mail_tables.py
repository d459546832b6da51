"""Which form of a mail is read that was sent both as plain text and as a page: the text, but where
the page has a table of values, whose columns plain text does not keep. What it quotes of other
mails is told by marks that only the text has, so a text with quotes stays.
"""

import re
from collections.abc import Sequence

from rag_assistant.ingest.parsing.tables.cell_values import is_value
from rag_assistant.text.quoting import quotes_in
from rag_assistant.values.tables import DocumentTable

_CELL = re.compile(rb"<t[dh]\b", re.IGNORECASE)
_WORD = re.compile(r"[^\W\d_]{3,}")
_LEAST_SHARED = 0.8
"""Of the words of the text that the page must have: else it is not the same message."""


def may_show_more(markup: bytes, plain: str) -> bool:
    """Say whether it is worth while to read the page of a mail that has a plain text, too."""
    return _CELL.search(markup) is not None and next(iter(quotes_in(plain)), None) is None


def shows_more(page: str, tables: Sequence[DocumentTable], plain: str) -> bool:
    """Say whether the page of a mail says what its plain text does, and has a table of values."""
    if not any(map(_has_values, tables)):
        return False
    told = set(_WORD.findall(plain.casefold()))
    shared = told.intersection(_WORD.findall(page.casefold()))
    return len(shared) >= _LEAST_SHARED * len(told)


def _has_values(table: DocumentTable) -> bool:
    """Say whether a column under a head, of at least two cells, is mostly of values."""
    values: dict[int, list[bool]] = {}
    for cell in table.cells:
        if cell.row >= table.heads and cell.column >= table.labels:
            values.setdefault(cell.column, []).append(is_value(cell.text))
    return bool(table.heads) and any(
        len(found) > 1 and 2 * sum(found) > len(found) for found in values.values()
    )
