"""The text of old word processors on its way to blocks: words gather in a flow, and the marks that
end paragraphs, cells and rows make blocks of them. What nobody sees is dropped.
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder, row_block
from rag_assistant.ingest.room import MOST_CHARACTERS
from rag_assistant.values.documents import Document

_UNSEEN: dict[int, str | None] = {
    **{code: None for code in [*range(32), 127, 0xAD, 0x200B, 0xFEFF, 0xFFFE, 0xFFFF]},
    **{9: "\t", 10: "\n", 11: "\n", 13: "\n", 0xA0: " "},
}
_WORD = re.compile(r"\w")


class ListPlace(NamedTuple):
    """Where an item of a list stands: its depth, from 0, and the number that it shows."""

    depth: int
    mark: str


class Flow:
    """One stream of text; its bytes may be in many encodings, and a character come in pieces."""

    def __init__(self) -> None:
        self.blocks: list[TextBlock] = []
        self.cells: list[str] = []
        self.parts: list[str] = []
        self.item = False  # of a list; its number or bullet stands before a tab
        self._opened = 0  # the first part of the paragraph that is open
        self._bytes = bytearray()
        self._encoding = ""

    def add(self, text: str) -> None:
        """Add to the paragraph that is open."""
        self._decode()
        self.parts.append(text)

    def add_bytes(self, data: bytes, encoding: str) -> None:
        """Add bytes to the paragraph that is open."""
        if encoding != self._encoding:
            self._decode()
            self._encoding = encoding
        self._bytes += data

    def end_paragraph(
        self, level: int = 0, *, in_cell: bool = False, listed: ListPlace | None = None
    ) -> None:
        """Close the paragraph, a heading if it has a level; within a cell it is but a space.

        `listed` is for formats whose numbers do not stand in the text.
        """
        if in_cell:
            self._number(listed)
            self.add("\n")
            self._opened = len(self.parts)
            return
        if self.cells:
            self.end_row()
        text = self._taken()
        mark, tab, rest = text.partition("\t")
        if level:
            shown = listed.mark if listed else ""
            self.blocks.append(TextBlock(" ".join(text.split()), "heading", level, shown))
        elif listed:
            self.blocks.append(TextBlock(text, "item", listed.depth, listed.mark))
        elif not self.item:
            self.blocks.append(TextBlock(text))
        elif tab and _WORD.search(mark):
            self.blocks.append(TextBlock(f"{mark.strip()} {rest}", "row"))
        else:
            self.blocks.append(TextBlock(rest if tab else text, "item"))
        self.item = False

    def end_cell(self, listed: ListPlace | None = None) -> None:
        """Close a cell of a row."""
        self._number(listed)
        self.cells.append(" ".join(self._taken().split()))
        self.item = False

    def _number(self, listed: ListPlace | None) -> None:
        """Put its number before the paragraph that is open."""
        if listed and listed.mark:
            self.parts.insert(self._opened, f"{listed.mark} ")

    def end_row(self) -> None:
        """Close a row; words after its last cell belong to it."""
        if rest := self._taken().split():
            self.cells.append(" ".join(rest))
        self.blocks.append(row_block(enumerate(self.cells)))
        self.cells.clear()

    def close(self) -> list[TextBlock]:
        """Close what is open, and give all the blocks that have text."""
        if self.cells:
            self.end_row()
        self.end_paragraph()
        return [block for block in self.blocks if block.text.strip()]

    def _taken(self) -> str:
        self._decode()
        text = clean("".join(self.parts))
        self.parts.clear()
        self._opened = 0
        return text

    def _decode(self) -> None:
        if self._bytes:
            self.parts.append(self._bytes.decode(self._encoding, "replace"))
            self._bytes.clear()


def clean(text: str) -> str:
    """Join surrogates to their characters, and drop what nobody sees."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return text.replace("\r\n", "\n").translate(_UNSEEN).strip()


def written(
    blocks: Iterable[TextBlock],
    media_type: str,
    metadata: dict[str, str],
    most: int = MOST_CHARACTERS,
) -> Document:
    """Write blocks as a document; a title without a letter or number is none."""
    builder = TextBuilder(most)
    builder.write(blocks)
    values = tidy({name: clean(value) for name, value in metadata.items()})
    if not _WORD.search(values.get("title", "none")):
        del values["title"]
    return builder.document(media_type, values)
