"""What a parser of source code gives: functions and classes as headings, or why there are none."""

from dataclasses import dataclass, replace

from rag_assistant.values.documents import Document, Heading

NOT_PARSED = "not_parsed"
"""The name under which an entry's metadata tells why its source is read as plain text."""


@dataclass(frozen=True, slots=True)
class Definitions:
    """The headings of a source text, in order; `fault` says why there are none, "" if it was read.

    A heading begins at the comment above a definition or its first decorator, and ends with the
    blank lines behind it.
    """

    headings: tuple[Heading, ...] = ()
    fault: str = ""


def with_definitions(document: Document, found: Definitions) -> Document:
    """Give a document of source the headings that were found in it, or the reason why not."""
    fault = {NOT_PARSED: found.fault} if found.fault else {}
    return replace(document, headings=found.headings, metadata={**document.metadata, **fault})
