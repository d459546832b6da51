"""What is written of passages and entries for ranking, the same in whichever engine."""

from collections.abc import Sequence

from rag_assistant.store.record_format import (
    ENTRY_FIELDS,
    MOST_OF_A_FIELD,
    MOST_WORDS,
    entry_blob,
    passage_blob,
)
from rag_assistant.text.quoting import quotes_a_mail
from rag_assistant.text.term_counts import TermCounter, counted, in_order, words_counted

LEAD_WORDS = 50
"""First words of an entry of several passages."""

PassageText = tuple[int, int, str, str, str, str]
"""Id, entry, title, heading path, text and variants of a passage."""

EntryText = tuple[int, str, str, str, str]
"""Id, title, path, authors and first words of an entry."""


def lead_of(texts: Sequence[str]) -> str:
    """Give what an entry begins with, of the texts of its passages; nothing of a single one."""
    return " ".join(texts[0].split(None, LEAD_WORDS)[:LEAD_WORDS]) if len(texts) > 1 else ""


def name_of(path: str) -> str:
    """Give the title of a file that names none: its name without the suffix."""
    name = path.rsplit("/", 1)[-1]
    stem = name.rsplit(".", 1)[0]
    return stem or name


class RecordMaker:
    """Makes the records of texts; it remembers what their words stand for."""

    def __init__(self) -> None:
        self._counter = TermCounter()

    def of_passages(self, passages: Sequence[PassageText]) -> list[tuple[bytes, int, int]]:
        """Give the record of each passage, with the words of its text and heading as counted."""
        bodies = self._counter.numbered([words_counted(row[4], row[5]) for row in passages])
        headings = self._counter.numbered([words_counted(row[3]) for row in passages])
        made: list[tuple[bytes, int, int]] = []
        for row, body, heading in zip(passages, bodies, headings, strict=True):
            quotes = quotes_a_mail(row[4], row[3])
            blob = passage_blob(counted(body), in_order(heading), len(heading), quotes=quotes)
            made.append((blob, min(MOST_WORDS, len(body)), min(MOST_OF_A_FIELD, len(heading))))
        return made

    def of_entries(self, entries: Sequence[EntryText]) -> list[bytes]:
        """Give the record of each entry."""
        fields = [words_counted(field) for _, *given in entries for field in given]
        ids = map(in_order, self._counter.numbered(fields))
        return [entry_blob(*given) for given in zip(*([ids] * ENTRY_FIELDS), strict=True)]
