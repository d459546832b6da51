"""Going through what an answer cites, and what was retrieved besides, in whichever documents it is:
which citation comes next, as values.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace

from textual.content import Content

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.safe_widgets import joined, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.values.evidence import Citation


@dataclass(frozen=True, slots=True)
class Trail:
    """What an answer cites and what was retrieved besides, to go through one after the other.

    `mark_wrong` marks a citation as wrong or takes that back, and tells what came of it.
    """

    library: Library
    cited: tuple[Citation, ...] = ()
    others: tuple[Citation, ...] = ()
    mark_wrong: Callable[[Citation, Callable[[str], None]], None] | None = None


@dataclass(frozen=True, slots=True)
class TrailWalk:
    """What of a trail is gone through: what is cited, or with `all_shown` the others too."""

    trail: Trail
    all_shown: bool = False

    @property
    def stops(self) -> tuple[Citation, ...]:
        """The citations in their order."""
        return (*self.trail.cited, *(self.trail.others if self.all_shown else ()))

    def step(self, here: Citation | None, step: int) -> Citation | None:
        """Give the citation after (1) or before (-1) the one that is open, round and round."""
        stops = self.stops
        if not stops:
            return None
        start = -1 if step > 0 else 0
        at = stops.index(here) if here in stops else start
        return stops[(at + step) % len(stops)]

    def numbered(self, marker: int) -> Citation | None:
        """Give the citation of a number."""
        return next((stop for stop in self.stops if stop.marker == marker), None)

    def switched(self) -> "TrailWalk":
        """Go through all that was retrieved, or through what is cited alone."""
        return replace(self, all_shown=not self.all_shown)

    def told(self, stop: Citation) -> Content:
        """Say which of the stops one is."""
        what = "found" if self.all_shown else "cited"
        said = f"{self.stops.index(stop) + 1} of {len(self.stops)} {what}"
        return joined([plain(said), plain("  → next, ← before", QUIET)])
