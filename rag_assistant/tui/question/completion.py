"""What the box offers while a word is typed: commands after `/`, databases and places after `@`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from textual.reactive import reactive

from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.question.choices import Completion
from rag_assistant.tui.question.scope_names import ScopeNames, quoted_name

MOST_SHOWN = 6
"""Lines of the list; typing on makes it shorter."""

_SLASH = re.compile(r"/[\w-]*")
_AT = re.compile(r'(?:^|(?<=\s))@(?:"[^"]*|[^\s"]*)$')


@dataclass(frozen=True, slots=True)
class CompletionOffer:
    """What a word that ends at the cursor may become. `start` is its first column."""

    typed: str = ""
    start: int = 0
    choices: tuple[Completion, ...] = ()


def offer(
    line: str, row: int, commands: Sequence[Completion], names: ScopeNames
) -> CompletionOffer:
    """Find what may be meant at the end of `line`, which is the text's `row` up to the cursor."""
    if row == 0 and _SLASH.fullmatch(line):
        return CompletionOffer(line, 0, _beginning_with(line, commands))
    if found := _AT.search(line):
        return CompletionOffer(found[0], found.start(), _named(found[0][1:].lstrip('"'), names))
    return CompletionOffer()


def _named(typed: str, names: ScopeNames) -> tuple[Completion, ...]:
    """Give the databases that may be meant, then the places, which are far more."""
    asked = [Completion(f"@{name}", f"ask only {name}") for name in names.databases]
    found = list(_beginning_with(f"@{typed}", asked))
    for place in names.offered(typed):
        count = names.places[place]
        help = f"{count} file{'' if count == 1 else 's'}" if place.endswith("/") else ""
        found.append(Completion(quoted_name(place), help))
    return tuple(found)


def _beginning_with(typed: str, choices: Sequence[Completion]) -> tuple[Completion, ...]:
    wanted = typed.lower()
    return tuple(choice for choice in choices if choice.word.lower().startswith(wanted))


class CompletionList(LaidText):
    """Shows `choices` with the one at `cursor` marked; nothing when there are none."""

    choices: reactive[tuple[Completion, ...]] = reactive(())
    cursor: reactive[int] = reactive(0)

    def on_mount(self) -> None:
        """Begin hidden."""
        self._draw()

    def watch_choices(self) -> None:
        """Offer something else."""
        self._draw()

    def watch_cursor(self) -> None:
        """Mark another one."""
        self._draw()

    def _draw(self) -> None:
        self.display = bool(self.choices)
        first = max(0, min(self.cursor - MOST_SHOWN + 1, len(self.choices) - MOST_SHOWN))
        shown = self.choices[first : first + MOST_SHOWN]
        widest = max((len(choice.word) for choice in shown), default=0)
        self.blocks = tuple(
            self._row(choice, widest, chosen=first + place == self.cursor)
            for place, choice in enumerate(shown)
        )

    def _row(self, choice: Completion, widest: int, *, chosen: bool) -> Row:
        mark = plain("▌ " if chosen else "  ", "$text-accent")
        word = one_line(choice.word.ljust(widest), "bold" if chosen else "")
        pad = plain(" " * (widest - word.cell_length + 2))
        return Row(joined([mark, word, pad, one_line(choice.help, QUIET)]))
