"""Lines typed at a terminal, with those typed before; or read from a pipe, one after the other."""

import sys
from collections.abc import Iterable
from contextlib import suppress
from types import ModuleType

SIGN = "> "
"""What stands before what is typed."""


class LineReader:
    """Reads what a person types. `words` are what Tab completes; `earlier` what ↑ brings back."""

    def __init__(self, words: Iterable[str], earlier: Iterable[str]) -> None:
        self.asks = sys.stdin.isatty() and sys.stdout.isatty()
        self._words = tuple(words)
        self._editor = _line_editor() if self.asks else None
        if self._editor:
            self._editor.set_completer_delims(" ")
            self._editor.set_completer(self._complete)
            self._editor.parse_and_bind("tab: complete")
            self._editor.set_auto_history(False)
            for line in earlier:
                self._editor.add_history(line)

    def read(self, draft: str = "") -> str:
        """Give what was typed, which a backslash at a line's end lets go on in the next one.

        `draft` stands there to be edited, on a terminal that can. Raises EOFError at the end of
        the input, KeyboardInterrupt on Ctrl-C.
        """
        if self._editor:
            insert = self._editor.insert_text
            self._editor.set_startup_hook((lambda: insert(draft)) if draft else None)
        text = self._line()
        while text.endswith("\\"):
            text = f"{text[:-1]}\n{self._line()}"
        if self._editor and text.strip():
            self._editor.add_history(text.replace("\n", " "))
        return text

    def _line(self) -> str:
        if self.asks:
            return input(SIGN)
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        return line.rstrip("\n")

    def _complete(self, begun: str, number: int) -> str | None:
        found = [word for word in self._words if begun and word.startswith(begun)]
        return found[number] if number < len(found) else None


def _line_editor() -> ModuleType | None:
    """Give what edits the line; None where there is none, as on Windows."""
    with suppress(ImportError):
        import readline

        return readline
    return None
