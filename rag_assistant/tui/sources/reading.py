"""What is read of a source in threads: excerpts of its text, and where words stand in it.

An excerpt holds whole blocks of the text, as far as these are not very long, and comes with how it
is rendered. To look for words in a text, it is read part after part.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.library.database import Database
from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.values.documents import Entry, Location

if TYPE_CHECKING:
    from rag_assistant.tui.rendering.forms import Form

AROUND = 8_000
"""Characters read before and after a place."""

MORE = 16_000
"""Characters read with each extension."""

SEARCHED_AT_ONCE = 250_000
LONGEST_WORDS = 200
"""Characters of what is looked for; parts overlap by as much, so that nothing is lost between."""

MOST_HITS = 10_000


@dataclass(frozen=True, slots=True)
class Hits:
    """Where `words` stand in the text."""

    words: str
    spans: tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True, eq=False)
class OpenEntry:
    """An entry whose text is shown, in its form; opened once more, it is another one."""

    database: Database
    entry: Entry
    form: "Form"

    def window(self, start: int, end: int = 0) -> Excerpt:
        """Read the text round the characters `start` to `end`, or round the one at `start`.

        Raises RagError where it cannot be read.
        """
        return self._excerpt(max(0, start - AROUND), max(start, end) + AROUND)

    def more(self, edge: int, side: int) -> Excerpt:
        """Read what comes before (`side` -1) or after (1) the text up to `edge`."""
        if side > 0:
            return self._excerpt(edge, edge + MORE, begins=True)
        return self._excerpt(max(0, edge - MORE), edge, ends=True)

    def _excerpt(
        self, first: int, last: int, *, begins: bool = False, ends: bool = False
    ) -> Excerpt:
        """Read about these characters: whole blocks, or else whole lines, as far as it has any.

        That a block `begins` with the first, or `ends` with the last, is known.
        """
        last = min(last, self.entry.length)
        begins, ends = begins or first == 0, ends or last == self.entry.length
        if not begins and (block := self.form.block(first)):
            begins, first = True, block[0]
        if not ends and first < last and (block := self.form.block(last - 1)):
            ends, last = True, min(block[1], self.entry.length)
        text = self.database.text(self.entry.id, first, last) if first < last else ""
        begin = 0 if begins else text.find("\n", 0, AROUND // 2) + 1
        stop = len(text)
        if not ends:
            stop = text.rfind("\n", stop - AROUND // 2) + 1 or stop
        place, kept = first + begin, text[begin:stop]
        return Excerpt(place, kept, self.form.parts(place, kept))


def open_entry(database: Database, entry: Entry) -> OpenEntry:
    """Open an entry, to read its text as it is rendered. It blocks: call it in a thread.

    Raises RagError where the text cannot be read.
    """
    # It loads all kinds of documents: the first picture has none.
    from rag_assistant.tui.sources.document_forms import form_of  # noqa: PLC0415

    return OpenEntry(database, entry, form_of(database, entry))


def place_at(database: Database, entry_id: int, start: int, end: int) -> Location:
    """Give the page, heading and line of a character."""
    (passage,) = database.passages_at([(entry_id, start)])
    if passage is None:
        return Location(start, end)
    first = passage.location.start
    return passage.place(max(0, start - first), end - first)


def find_all(database: Database, entry_id: int, length: int, words: str) -> Hits:
    """Find words to the letter, whatever their case and the white space between them."""
    wanted = words.split()
    if not wanted or len(words) > LONGEST_WORDS:
        return Hits(words, ())
    pattern = re.compile(r"\s+".join(re.escape(word) for word in wanted), re.IGNORECASE)
    spans: list[tuple[int, int]] = []
    for start, text in _parts(database, entry_id, length):
        for match in pattern.finditer(text):
            span = (start + match.start(), start + match.end())
            if not spans or span[0] >= spans[-1][1]:
                spans.append(span)
            if len(spans) == MOST_HITS:
                return Hits(words, tuple(spans))
    return Hits(words, tuple(spans))


def _parts(database: Database, entry_id: int, length: int) -> Iterator[tuple[int, str]]:
    for start in range(0, length, SEARCHED_AT_ONCE):
        end = start + SEARCHED_AT_ONCE + 2 * LONGEST_WORDS
        yield start, database.text(entry_id, start, end)
