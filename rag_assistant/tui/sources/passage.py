"""The words a citation rests on, read from its database with the text around them.

Nothing is highlighted that is not there: what was cited is compared with what there is now.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from rag_assistant.errors import RagError
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.tui.rendering.excerpts import Excerpt
from rag_assistant.tui.sources.reading import OpenEntry, open_entry
from rag_assistant.values.documents import Entry
from rag_assistant.values.evidence import Citation, QuoteState

NOT_FOUND = "These words were not found in the source."


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A citation with the text round it; `problem` says why there is none, `hint` what to do.

    `start` and `end` are the place of the words, which are in `excerpt`; they are equal where the
    source does not have the words. `stale` says that the file has changed since it was indexed, and
    `changed` that the text is another than the one that was cited.
    """

    citation: Citation
    excerpt: Excerpt = Excerpt(0, "")
    start: int = 0
    end: int = 0
    state: QuoteState = QuoteState.FOUND
    stale: bool = False
    opened: OpenEntry | None = None
    problem: str = ""
    hint: str = ""
    changed: bool = False

    @property
    def entry(self) -> Entry | None:
        """The source; None where it is gone."""
        return self.opened.entry if self.opened else None

    @property
    def database(self) -> Database | None:
        """The database that it is in."""
        return self.opened.database if self.opened else None

    @property
    def quote(self) -> str:
        """The source's own words; none where they are not there."""
        first = self.excerpt.start
        return self.excerpt.text[self.start - first : self.end - first]


def check_citations(library: Library, citations: Iterable[Citation]) -> dict[int, QuoteState]:
    """Say how each citation stands to its source, by marker. It blocks: call it in a thread."""
    from rag_assistant.library.quote_state import standing  # noqa: PLC0415

    return {citation.marker: standing(library, citation.item).state for citation in citations}


def read_passage(library: Library, citation: Citation) -> SourcePassage:
    """Read the passage of a citation. It blocks: call it in a thread."""
    from rag_assistant.library.quote_state import standing  # noqa: PLC0415

    item = citation.item
    found = standing(library, item)
    try:
        database = library.database(item.database)
        opened = open_entry(database, database.entry(item.entry_id))
        # Without the words there is the place where they were, or the beginning.
        place = min(item.location.start, opened.entry.length) if item.verified else 0
        start, end = found.span or (place, place)
        excerpt = opened.window(start, end)
    except RagError as error:
        state = QuoteState.MISSING
        return SourcePassage(citation, state=state, problem=error.message, hint=error.hint)
    problem = NOT_FOUND if found.state is QuoteState.MISSING else ""
    stands = (found.state, found.stale, opened, problem)
    return SourcePassage(citation, excerpt, start, end, *stands, changed=found.changed)
