"""The sources of an answer, by their numbers: what each is, where it is, and its words."""

import re
from collections.abc import Iterable

from rag_assistant.cli.drawn import GOOD, QUIET, WARN, DrawnWords, FileOf, bold, draw, quiet
from rag_assistant.cli.places import describe
from rag_assistant.values.evidence import Citation, QuoteState

_MARKER = re.compile(r"\[\d+\]")


def print_sources(
    sources: Iterable[tuple[Citation, str]], said: str = "", file_of: FileOf = lambda *_: None
) -> None:
    """Print citations by their numbers: a remark on each, and its words, once.

    Words that are in what was `said`, or in a quote above, are not repeated.
    """
    known = _letters(said)
    for number, (citation, remark) in enumerate(sources):
        if number == 0:
            draw()
            draw(bold("Sources"))
        _print_source(citation, remark, file_of)
        words = _letters(citation.quote)
        if words not in known:
            draw("“", citation.quote, "”", indent=4)
            known = f"{known}\n{words}"
        if citation.item.written:
            draw("quoted nearly as “", citation.item.written, "”", indent=4)


def _print_source(citation: Citation, remark: str, file_of: FileOf) -> None:
    item = citation.item
    place = describe(item.location) if item.verified else "NOT FOUND in the source"
    behind = "".join(f" · {part}" for part in (place, remark) if part)
    draw(
        DrawnWords(f"[{citation.marker}]", state_style(item.state)),
        " ",
        bold(item.title),
        quiet(f" ({item.database} {item.entry_id}: "),
        quiet(item.path, file_of(item.database, item.path)),
        DrawnWords(behind, QUIET if item.verified else "red"),
        quiet(")"),
        hang=4,
    )


def state_style(state: QuoteState) -> str:
    """Give how a citation's number is drawn, by how its quote stands to its source."""
    return "bold " + {QuoteState.FOUND: GOOD, QuoteState.CLOSE: WARN}.get(state, "red")


def _letters(text: str) -> str:
    """Give the letters and digits of a text: layout and markers make no other words of it."""
    return "".join(filter(str.isalnum, _MARKER.sub("", text)))
