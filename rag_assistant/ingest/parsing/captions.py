"""Captions in a stream of blocks: which table or picture each belongs to, what is right before it
or right after it.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from rag_assistant.ingest.parsing.text_builder import TextBlock


def with_captions(blocks: Iterable[TextBlock]) -> Iterator[TextBlock]:
    """Join captions to what is said of their pictures, and say which rows those of tables name.

    A caption belongs to what is right before it, unless that has one or the caption is of level 1,
    which says that it stays with what comes next; else to what is right after it.
    """
    stream = _Captions()
    for block in blocks:
        yield from stream.take(block)
    yield from stream.flush()


class _Captions:
    """Holds back a picture or caption, with what is empty after it, until the next words."""

    def __init__(self) -> None:
        self._waiting: list[TextBlock] = []
        self._in_rows = False
        self._unnamed = False  # the rows right before have no caption

    def take(self, block: TextBlock) -> Iterator[TextBlock]:
        empty = not block.text.strip()
        if block.kind == "picture":
            yield from self._joined(block) if self._waits("caption") else self._hold(block)
        elif empty:
            self._in_rows = False
            yield from () if self._waiting else (block,)
            self._waiting += [block] if self._waiting else []
        elif block.kind == "caption":
            yield from self._caption(block)
        else:
            if block.kind != "row":
                self._unnamed = False
            elif not self._in_rows:
                self._unnamed = not self._waits("caption")
            self._in_rows = block.kind == "row"
            yield from self.flush()
            yield block

    def flush(self) -> Iterator[TextBlock]:
        """Give what is held back."""
        yield from self._waiting
        self._waiting = []

    def _caption(self, block: TextBlock) -> Iterator[TextBlock]:
        if self._waits("picture") and not block.level:
            yield from self._joined(block)
        elif self._unnamed and not block.level:
            self._unnamed = False
            yield replace(block, kind="caption below")
        else:
            yield from self._hold(block)

    def _waits(self, kind: str) -> bool:
        return bool(self._waiting) and self._waiting[0].kind == kind

    def _hold(self, block: TextBlock) -> Iterator[TextBlock]:
        yield from self.flush()
        self._waiting = [block]
        self._unnamed = self._in_rows = False

    def _joined(self, block: TextBlock) -> Iterator[TextBlock]:
        """Give a picture and its caption as one paragraph."""
        first, *rest = self._waiting
        self._waiting = []
        yield TextBlock("\n".join(one.text for one in (first, block) if one.text.strip()))
        yield from rest
