"""Text in a light markup, which stays as it is written: what is found in it is where its headings
and its code are, and what it says of itself.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.values.documents import Document, Heading

LONGEST_TITLE = 200
"""Characters; a longer line is nobody's heading."""


@dataclass(slots=True)
class TextOutline:
    """What is found in a text: headings and code in their order, and facts such as the author."""

    headings: list[Heading] = field(default_factory=list)
    code: list[tuple[int, int]] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    def heading(self, start: int, level: int, title: str) -> None:
        """Take a heading whose line begins at `start`, unless it has no words."""
        if title := " ".join(title[: 2 * LONGEST_TITLE].split())[:LONGEST_TITLE]:
            self.headings.append(Heading(start, level, title))

    def fact(self, name: str, value: str) -> None:
        """Take a fact; the first of a name counts."""
        if value := " ".join(value[:1000].split()):
            self.facts.setdefault(name.lower(), value)


def lines_of(text: str) -> Iterator[tuple[int, str]]:
    """Give the lines of a text with where they begin, without a list of them all."""
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, text[start:end]
        start = end + 1


def document_of(
    data: bytes, most: int, media_type: str, outline_of: Callable[[str], TextOutline]
) -> Document:
    """Decode a file and find its outline. Its title is what it calls itself, or its first heading
    if none stands above that one. Raises LoadError as `decode` does.
    """
    start = decode_start(data, most)
    text = start.decoded.text
    outline = outline_of(text)
    facts = outline.facts
    title = facts.pop("title", "")
    if not title and outline.headings:
        first = outline.headings[0]
        alone = all(other.level > first.level for other in outline.headings[1:])
        title = first.title if alone else ""
    if start.decoded.encoding != "utf-8":
        facts["encoding"] = start.decoded.encoding
    return Document(
        text,
        media_type,
        title=title,
        headings=tuple(outline.headings),
        code=tuple(outline.code),
        metadata=facts,
        lines_match_file=True,
        left_out=start.left_out(),
    )
