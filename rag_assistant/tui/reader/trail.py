"""The part of the reader that goes from citation to citation of an answer, in all documents."""

from functools import partial

from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.reader.document import DocumentScreen, read_cited
from rag_assistant.values.evidence import Citation


class TrailScreen(DocumentScreen):
    """A document that leads on to what else the answer cites."""

    def _stops(self) -> tuple[Citation, ...]:
        if self._trail is None:
            return ()
        others = self._trail.others if self._all_shown else ()
        return (*self._trail.cited, *others)

    def action_step(self, step: int) -> None:
        """Open the citation after or before this one."""
        stops = self._stops()
        here = self._source.citation if self._source else None
        if not stops:
            self.remark(one_line("no answer leads to other places from here"))
            return
        start = -1 if step > 0 else 0
        at = stops.index(here) if here in stops else start
        self._go_to(stops, (at + step) % len(stops))

    def action_cite(self, marker: int) -> None:
        """Open a citation by its number."""
        stops = self._stops()
        found = [n for n, stop in enumerate(stops) if stop.marker == marker]
        if found:
            self._go_to(stops, found[0])
        else:
            self.remark(one_line(f"the answer has no citation {marker}"))

    def _go_to(self, stops: tuple[Citation, ...], number: int) -> None:
        if self._trail:
            what = "retrieved" if self._all_shown else "cited"
            said = f"{number + 1} of {len(stops)} {what}"
            self.remark(joined([plain(said), plain("  → next, ← before", QUIET)]))
            self.read(partial(read_cited, self._trail.library, stops[number]))

    def action_all(self) -> None:
        """Go through all that was retrieved, or through what is cited alone."""
        if self._trail is None or not self._trail.others:
            self.remark(one_line("nothing else was retrieved"))
            return
        self._all_shown = not self._all_shown
        count = len(self._stops())
        what = "all that was retrieved" if self._all_shown else "what is cited"
        self.remark(one_line(f"→ and ← go through {what}: {count}"))

    def action_mark_wrong(self) -> None:
        """Mark the citation that is open as wrong, or take that back."""
        trail, cited = self._trail, self._source.citation if self._source else None
        if trail and trail.mark_wrong and cited in trail.cited and cited:
            trail.mark_wrong(cited, self._marked)
        else:
            self.remark(one_line("only what an answer cites can be marked wrong"))

    def _marked(self, said: str) -> None:
        if self.is_attached:  # and not left meanwhile
            self.remark(one_line(said))
