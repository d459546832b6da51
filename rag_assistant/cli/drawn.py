"""Words on a terminal: wrapped at its width, styled, files as links. The same words stay plain in a
pipe, on a terminal that draws nothing, and with --plain, where a screen reader reads line by line.

What is shown is untrusted: words are cleaned here, and an address is made of a path alone.
"""

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TextIO

from rag_assistant.text.safe_text import clean_line

if TYPE_CHECKING:
    from rich.console import Console
    from rich.text import Text

WIDEST = 100
"""Columns beyond which lines of prose are hard to follow, however wide the terminal is."""

GOOD, WARN, BAD, QUIET, MARK = "green", "yellow", "bold red", "dim", "cyan"
"""Colours by state; what they say stands in the words as well."""

_LINKING = {"iTerm.app", "WezTerm", "vscode", "ghostty", "Hyper", "rio", "Tabby"}
"""Programs, by TERM_PROGRAM, that open what OSC 8 names."""

FileOf = Callable[[str, str], Path | None]
"""Gives the file of an entry, by its database and path, where it can be led to."""

_chosen = {"plain": False}


def be_plain(*, chosen: bool) -> None:
    """Draw nothing from now on, whatever the terminal can, where `--plain` was chosen."""
    _chosen["plain"] = chosen


def is_plain() -> bool:
    """Whether `--plain` was given."""
    return _chosen["plain"]


def is_drawn(stream: TextIO | None = None) -> bool:
    """Whether what goes to a stream (standard output, when none is given) is drawn."""
    stream = stream or sys.stdout
    return not is_plain() and stream.isatty() and os.environ.get("TERM") != "dumb"


class DrawnWords(NamedTuple):
    """Words of a line with a style, and maybe the file that they lead to."""

    text: str
    style: str = ""
    file: Path | None = None


def bold(text: str) -> DrawnWords:
    """Give words as a title."""
    return DrawnWords(text, "bold")


def quiet(text: str, file: Path | None = None) -> DrawnWords:
    """Give words as a remark, such as a path."""
    return DrawnWords(text, QUIET, file)


Part = str | DrawnWords


def draw(*parts: Part, indent: int = 0, hang: int | None = None, to: TextIO | None = None) -> None:
    """Print parts as one line, made safe; on a terminal as many as they need.

    The first is indented by `indent` columns, the others by `hang` (as many, when not given). A
    word that is longer than a line stays whole, so that paths and commands can be copied.
    """
    stream = to or sys.stdout
    if not is_drawn(stream):
        print(" " * indent + "".join(map(_plain, parts)), file=stream)
        return
    hang = indent if hang is None else hang
    draw_text(rich_line(parts), indent=indent, hang=hang, to=stream)


def draw_text(
    text: "Text", *, indent: int = 0, hang: int | None = None, to: TextIO | None = None
) -> None:
    """Draw a text of rich that was made safe; the lines after its first are moved in, by two where
    `hang` does not say."""
    console = console_of(to or sys.stdout)
    hang = indent + 2 if hang is None else hang
    width = width_of(console)
    for number, line in enumerate(wrapped(text, width - hang, first=width - indent)):
        put(console, (" " * (hang if number else indent), line))


def wrapped(text: "Text", width: int, *, first: int | None = None) -> "list[Text]":
    """Break a text into lines of so many columns, the first one of `first`, between its words.

    A longer word stays whole, but for writing without blanks (CJK), which breaks anywhere.
    """
    from rich.cells import cell_len

    lines: list[Text] = []
    for paragraph in text.split("\n", allow_blank=True):
        room, column, breaks = (width if lines or first is None else first), 0, []
        for start, word in _unbroken(paragraph.plain, width):
            if column and column + cell_len(word.rstrip()) > room:
                breaks.append(start)
                room, column = width, 0
            column += cell_len(word)
        lines += paragraph.divide(breaks)
    for line in lines:
        line.rstrip()
    return lines


def _unbroken(text: str, width: int) -> Iterator[tuple[int, str]]:
    """Give what may stand in no two lines, with the blanks behind it and its place."""
    from rich.cells import cell_len

    for found in re.finditer(r"\s*\S+\s*", text):
        word = found[0]
        if len(word) < cell_len(word) > width:
            yield from enumerate(word, found.start())
        else:
            yield found.start(), word


def rich_line(parts: Iterable[Part]) -> "Text":
    """Give parts as a text of rich."""
    from rich.style import Style
    from rich.text import Text

    line = Text()
    for part in parts:
        words = part if isinstance(part, DrawnWords) else DrawnWords(part)
        link = words.file.as_uri() if words.file and has_links(os.environ) else None
        line.append(_cleaned(words.text), Style.parse(words.style) + Style(link=link))
    return line


def put(console: "Console", parts: Sequence["str | Text"]) -> None:
    """Print what was laid out as one line."""
    from rich.text import Text

    console.print(Text.assemble(*parts), overflow="ignore", no_wrap=True, crop=False)


@cache
def console_of(stream: TextIO) -> "Console":
    """Give what draws on a stream. NO_COLOR leaves bold and dim words, and no colours."""
    from rich.console import Console

    return Console(file=stream, highlight=False, markup=False, emoji=False)


def width_of(console: "Console") -> int:
    """Give how many columns a line of prose may have."""
    return max(20, min(console.width, WIDEST))


def has_links(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to make a link of what OSC 8 names; others may print it.

    FORCE_HYPERLINK says it of one that is not known (0: that it does not), as for other programs.
    """
    if forced := environ.get("FORCE_HYPERLINK", ""):
        return forced != "0"
    if "SSH_CONNECTION" in environ or "TMUX" in environ or "STY" in environ:
        return False  # the file is on another machine; or what is in between may not pass it on
    terminal = environ.get("TERM", "")
    vte = environ.get("VTE_VERSION", "")
    return (
        environ.get("TERM_PROGRAM") in _LINKING
        or any(name in environ for name in ("WT_SESSION", "KITTY_WINDOW_ID", "KONSOLE_VERSION"))
        or terminal in ("xterm-kitty", "xterm-ghostty", "alacritty", "foot", "contour")
        or (vte.isdecimal() and int(vte) >= 5000)
    )


def file_in(folder: str, path: str) -> Path | None:
    """Give the file of an entry to lead to; None where nothing is to be linked, or it is gone."""
    if not (folder and is_drawn() and has_links(os.environ)):
        return None
    found = Path(folder) / path
    try:
        inside = found.resolve().is_relative_to(Path(folder).resolve())
        return found.absolute() if inside and found.is_file() else None
    except (OSError, ValueError):
        return None


def in_short(path: Path) -> str:
    """Give a path with the person's own folder as ~."""
    home = Path.home()
    return str(Path("~") / path.relative_to(home)) if path.is_relative_to(home) else str(path)


def draw_table(heads: Sequence[str], rows: Iterable[Sequence[Part]], right: Sequence[int]) -> None:
    """Draw rows below their heads within the terminal's width; columns in `right` hold numbers.

    Only for what is drawn: what a pipe is given is a matter of each command.
    """
    from rich.table import Table

    console = console_of(sys.stdout)
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0), header_style=QUIET)
    for number, head in enumerate(heads):
        table.add_column(
            rich_line([head]), justify="right" if number in right else "left", overflow="fold"
        )
    for row in rows:
        table.add_row(*(rich_line([cell]) for cell in row))
    console.print(table, width=min(console.width, WIDEST))


def _plain(part: Part) -> str:
    return _cleaned(part.text if isinstance(part, DrawnWords) else part)


def _cleaned(text: str) -> str:
    """Give words on one line, with the blanks at their ends, which part them from their
    neighbours."""
    before = " " * (len(text) - len(text.lstrip(" ")))
    after = " " * (len(text) - len(text.rstrip(" "))) if text.strip(" ") else ""
    return f"{before}{clean_line(text)}{after}"
