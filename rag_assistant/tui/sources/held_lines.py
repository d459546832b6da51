"""The part of a text that is held to be shown, cut into lines for a width: which line a character
is on, which character a cell shows, and what is let go when more comes in.
"""

from bisect import bisect_right

from rag_assistant.tui.drawing.text_lines import Excerpt, TextLine, lay_out


class HeldLines:
    """An excerpt and its lines; it grows at both ends and is let go at either."""

    def __init__(self) -> None:
        self.excerpt = Excerpt(0, "")
        self.width = 0
        self._lines: list[TextLine] = []

    def __len__(self) -> int:
        return len(self._lines)

    def __getitem__(self, number: int) -> TextLine:
        return self._lines[number]

    def hold(self, excerpt: Excerpt) -> None:
        """Hold another part; it has no lines before it is cut."""
        self.excerpt, self._lines = excerpt, []

    def cut(self, width: int) -> None:
        """Cut what is held for a width, in cells."""
        self.width = width
        self._lines = lay_out(self.excerpt.text, self.excerpt.start, width)

    def append(self, more: Excerpt) -> None:
        """Hold the text after it as well, if it goes there."""
        if more.start == self.excerpt.end:
            self.excerpt = Excerpt(self.excerpt.start, self.excerpt.text + more.text)
            self._lines += lay_out(more.text, more.start, self.width)

    def prepend(self, more: Excerpt) -> int:
        """Hold the text before it as well, if it goes there; give how many lines that adds."""
        if more.end != self.excerpt.start:
            return 0
        self.excerpt = Excerpt(more.start, more.text + self.excerpt.text)
        added = lay_out(more.text, more.start, self.width)
        self._lines[:0] = added
        return len(added)

    def drop_first(self, many: int) -> None:
        """Let the first lines go, which are not all."""
        if many > 0:
            at, start = self._lines[many].start, self.excerpt.start
            self.excerpt = Excerpt(at, self.excerpt.text[at - start :])
            del self._lines[:many]

    def keep_first(self, many: int) -> None:
        """Let all but the first lines go."""
        if many < len(self._lines):
            start, end = self.excerpt.start, self._lines[many].start
            self.excerpt = Excerpt(start, self.excerpt.text[: end - start])
            del self._lines[many:]

    def holds(self, at: int) -> bool:
        """Tell whether a character is held."""
        return self.excerpt.start <= at < max(self.excerpt.end, self.excerpt.start + 1)

    def line_of(self, at: int) -> int:
        """Give the number of the line that a character is on, or the first."""
        return max(0, bisect_right(self._lines, at, key=lambda line: line.start) - 1)

    def place(self, number: int, column: int) -> int:
        """Give the character in a column of a line; the last one below all lines."""
        if number >= len(self._lines):
            return self._lines[-1].end
        return self._lines[max(0, number)].place(column)

    def text(self, start: int, end: int) -> str:
        """Give the words between two characters, as far as they are held."""
        first, last = (max(0, at - self.excerpt.start) for at in (start, end))
        return self.excerpt.text[first:last]
