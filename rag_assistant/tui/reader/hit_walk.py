"""Going from place to place where the words stand that were looked for, as a value."""

from dataclasses import dataclass, replace

from textual.content import Content

from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.sources.reading import MOST_HITS, Hits


@dataclass(frozen=True, slots=True)
class HitWalk:
    """Places of words in a document, and the number of the one that the person is at."""

    hits: Hits = Hits("", ())
    number: int = -1

    @property
    def place(self) -> int | None:
        """The character at which the current hit begins; None where there is none."""
        return self.hits.spans[self.number][0] if self.hits.spans else None

    def from_place(self, top: int) -> "HitWalk":
        """Begin with the first hit at or after a character, else with the first of all."""
        after = (n for n, hit in enumerate(self.hits.spans) if hit[0] >= top)
        return replace(self, number=next(after, 0))

    def step(self, step: int) -> "HitWalk":
        """Go to the next hit, or the one before, round and round."""
        return replace(self, number=(self.number + step) % len(self.hits.spans))

    def told(self) -> Content:
        """Say which hit one is at, or that there is none."""
        words, count = self.hits.words, len(self.hits.spans)
        if not count:
            return one_line(f"“{words}” is not in this document") if words else EMPTY
        of = f"the first {count}" if count == MOST_HITS else str(count)
        place = plain(f"{self.number + 1} of {of}  ")
        return joined([place, one_line(f"“{words}”", "bold"), plain("  n next, N before", QUIET)])
