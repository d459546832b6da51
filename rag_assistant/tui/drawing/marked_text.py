"""Text with some of its words marked, by places that count characters of the text as it is kept."""

from collections.abc import Iterable

from textual.content import Content
from textual.style import Style

from rag_assistant.tui.drawing.safe_widgets import joined, plain

HIT = "bold underline $text-accent"
"""A word that was looked for; underlined, so that it is seen where colours are off."""

STRESSED = "bold reverse $text-accent"
"""The one of these words that the person is at."""


def marked_text(
    text: str,
    spans: Iterable[tuple[int, int]],
    style: str = "",
    mark: str | Style = HIT,
) -> Content:
    """Give `text` in `style`, with the parts at `spans`, in order, styled by `mark` besides.

    Each piece is made safe by itself: what is replaced in one never moves another.
    """
    parts: list[Content] = []
    end = 0
    for start, stop in spans:
        begin = max(start, end)
        if begin >= stop:
            continue
        parts += [plain(text[end:begin], style), plain(text[begin:stop], style).stylize(mark)]
        end = stop
    return joined([*parts, plain(text[end:], style)])


def folded(text: str, spans: Iterable[tuple[int, int]]) -> tuple[str, list[tuple[int, int]]]:
    """Fold white space to single spaces, for a line; give the places that the spans have then."""
    characters: list[str] = []
    places: list[int] = []
    for character in text:
        places.append(len(characters))
        if not character.isspace():
            characters.append(character)
        elif characters and characters[-1] != " ":
            characters.append(" ")
    places.append(len(characters))
    return "".join(characters), [(places[start], places[end]) for start, end in spans]
