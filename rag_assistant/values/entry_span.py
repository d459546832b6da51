"""A part of an entry's text, with the entry that it is of."""

from dataclasses import dataclass

from rag_assistant.values.documents import Entry


@dataclass(frozen=True, slots=True)
class EntrySpan:
    """Characters of an entry's `text`, from `start` on, with what is known of the entry."""

    database: str
    entry: Entry
    text: str
    start: int = 0

    @property
    def end(self) -> int:
        """Where the text ends, in characters of the entry's."""
        return self.start + len(self.text)
