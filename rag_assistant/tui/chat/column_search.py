"""Searching a column: the words are marked wherever they are, and n and N go from hit to hit.

What is folded is searched too, and unfolded where a hit is in it.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag_assistant.tui.chat.folded_items import FoldedItem
from rag_assistant.tui.chat.folded_scroll import FoldedScroll
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Highlighter

_SIGNS = re.compile(r"[*_`~|#]+")


@dataclass(slots=True)
class _Search:
    """Words that are looked for, and where the person is: the `hit` of those in an item."""

    words: str
    pattern: re.Pattern[str]
    item: FoldedItem | None = None
    hit: int = -1


class ColumnSearch:
    """Searches the items of `column`.

    `say` tells the person what came of it, `reached` takes the item that they came to.
    """

    def __init__(
        self,
        column: FoldedScroll,
        say: Callable[[str], None],
        reached: Callable[[FoldedItem], None],
    ) -> None:
        self._column = column
        self._say = say
        self._reached = reached
        self._search: _Search | None = None

    @property
    def place(self) -> tuple[int, int] | None:
        """The number of the item that the person is at, and of its hit; None without a search."""
        search = self._search
        if search is None or search.item is None:
            return None
        return self._column.items.index(search.item), search.hit

    def begin(self, words: str) -> None:
        """Mark words and go to the first of them, from what is in view on; none ends it."""
        self._search = None
        if wanted := words.split():
            pattern = re.compile(r"\s+".join(map(re.escape, wanted)), re.IGNORECASE)
            self._search = _Search(words.strip(), pattern)
            candidates = self._candidates(self._search)
            here = self._column.place_in_view()
            later = [item for item in candidates if self._column.items.index(item) >= here]
            self._go_to([*later, *candidates], 1)
        self.mark()

    def step(self, step: int) -> None:
        """Go to the next hit, or the one before."""
        search = self._search
        if search is None:
            self._say("there is no search: / starts one")
            return
        if search.item:
            lines = self._lines(search, search.item)
            if 0 <= search.hit + step < len(lines):
                self._arrive(search, search.item, search.hit + step, lines)
                return
        candidates = self._candidates(search)
        if search.item in candidates:
            here = candidates.index(search.item)
            after = candidates[here + 1 :] + candidates[: here + 1]
            before = candidates[here:] + candidates[:here]
            candidates = after if step > 0 else before[::-1]
        self._go_to(candidates, step)

    def _candidates(self, search: _Search) -> list[FoldedItem]:
        """Give the items that have the words, as they are written or without Markdown's signs."""
        find = search.pattern.search
        texts = [(item, item.words()) for item in self._column.items]
        return [item for item, text in texts if find(text) or find(_SIGNS.sub("", text))]

    def _go_to(self, candidates: Sequence[FoldedItem], step: int) -> None:
        """Go to the first hit in these items."""
        search = self._search
        if search is None:
            return
        for item in candidates:
            if lines := self._lines(search, item):
                self._arrive(search, item, 0 if step > 0 else len(lines) - 1, lines)
                return
        self._say(f"“{search.words}” was not found in this conversation")

    def _lines(self, search: _Search, item: FoldedItem) -> list[int]:
        """Give the lines of an item that have hits, whether it is folded or not."""
        widget = item.widget or item.make()
        assert isinstance(widget, LaidText)
        return widget.lines_with(search.pattern, self._column.size.width)

    def _arrive(self, search: _Search, item: FoldedItem, hit: int, lines: Sequence[int]) -> None:
        search.item, search.hit = item, hit
        self._column.show(item, lines[hit] - self._column.size.height // 3)
        self.mark()
        self._reached(item)
        count = len(self._candidates(search))
        found = f"“{search.words}” in {count} question{'' if count == 1 else 's'}"
        self._say(f"{found}: n next, N before")

    def mark(self) -> None:
        """Mark the hits in all that is mounted."""
        for item in self._column.items:
            if isinstance(item.widget, LaidText):
                item.widget.sought = self.sought_in(item)

    def sought_in(self, item: FoldedItem) -> Highlighter | None:
        """Give what is to be marked in an item."""
        search = self._search
        if search is None:
            return None
        return Highlighter(search.pattern, search.hit if item is search.item else -1)
