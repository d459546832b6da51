"""The words a citation rests on, read from its database with the text around them.

What was cited is compared with what the database holds now, so that nothing is highlighted that
was not quoted.
"""

from dataclasses import dataclass

from rag_assistant.documents import Location
from rag_assistant.errors import RagError
from rag_assistant.evidence import Citation
from rag_assistant.library.library import Library

CONTEXT = 6_000
"""Characters shown before and after the quote."""


@dataclass(frozen=True, slots=True)
class SourcePassage:
    """A citation with its surroundings; `problem` says why `quote` is not shown in them."""

    citation: Citation
    before: str = ""
    quote: str = ""
    after: str = ""
    problem: str = ""
    cut_before: bool = False
    cut_after: bool = False


def read_passage(library: Library, citation: Citation) -> SourcePassage:
    """Read the passage of a citation. It blocks: call it in a thread."""
    item = citation.item
    try:
        database = library.database(item.database)
        length = database.entry(item.entry_id).length
        if not item.verified:
            text = database.text(item.entry_id, 0, 2 * CONTEXT)
            problem = "These words were not found in the source."
            return SourcePassage(
                citation, after=text, problem=problem, cut_after=length > len(text)
            )
        start, end = item.location.start, item.location.end
        first, last = max(0, start - CONTEXT), min(length, end + CONTEXT)
        text = database.text(item.entry_id, first, last)
    except RagError as error:
        return SourcePassage(citation, problem=str(error))
    quote = text[start - first : end - first]
    if quote != item.quote:
        problem = "The source has changed since it was cited."
        return SourcePassage(citation, after=text, problem=problem)
    before, after = text[: start - first], text[end - first :]
    return SourcePassage(citation, before, quote, after, "", first > 0, last < length)


def place_of(location: Location) -> list[str]:
    """Give where something is, in the words of the document: page, heading, line."""
    parts = []
    if location.page is not None:
        parts.append(f"page {location.page}")
    if location.heading:
        parts.append(location.heading)
    if location.line is not None:
        parts.append(f"line {location.line}")
    return parts
