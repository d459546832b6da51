"""What was asked before, what is being written, and what might be asked next, in one row."""


class EarlierPrompts:
    """Walks from the first question over the draft to the `suggestions`; none of it gets lost."""

    def __init__(self) -> None:
        self.suggestions: tuple[str, ...] = ()
        self._asked: list[str] = []
        self._place = 0
        self._draft = ""

    def add(self, text: str) -> None:
        """Remember a question, and go back to an empty draft."""
        if self._asked[-1:] != [text]:
            self._asked.append(text)
        self._place, self._draft = len(self._asked), ""

    def before(self, current: str) -> str | None:
        """Give what stands before; None at the first one. `current` is kept if the draft."""
        return self._go(current, self._place - 1)

    def after(self, current: str) -> str | None:
        """Give what stands after; None at the last one. Suggestions follow an empty draft only."""
        return self._go(current, self._place + 1)

    def _go(self, current: str, place: int) -> str | None:
        if self._place == len(self._asked):
            self._draft = current
        row = [*self._asked, self._draft, *(() if self._draft else self.suggestions)]
        if not 0 <= place < len(row):
            return None
        self._place = place
        return row[place]
