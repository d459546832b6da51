"""A comparison of two runs as plain text for a terminal of any width."""

from collections.abc import Iterator, Sequence

from rich.cells import cell_len, chop_cells

from rag_assistant.evaluation.measuring.comparing import Comparison, MetricChange, Moved, signed
from rag_assistant.evaluation.reports.comparison import (
    NOT_TESTED,
    brief,
    interval_of,
    moved_lists,
    other_metrics,
    outcome,
    p_of,
    remarks,
    settings_of,
    tally,
    title,
    traffic_title,
    untested_words,
)
from rag_assistant.text.safe_text import clean_line

GAP = "  "
LEAST_ROOM = 20
"""Columns that a text has, however narrow the terminal."""

MOST_LINES = 2
"""Lines of a question's own words."""

LONGEST = 2_000
"""Characters of a question that are looked at, to fill those lines."""

MORE = " …"
"""Ends words that are cut."""

_COLUMNS = ("before", "now", "change", "95 % interval", "p", "+/−", "")
_GIVEN_UP = ("95 % interval", "+/−", "before", "now", "p")
"""The columns that a narrow terminal does without, the first first."""


def comparison_table(comparison: Comparison, width: int = 100, rows: int = 10) -> str:
    """Give a comparison as aligned text, with the first `rows` questions worse and better.

    `width` is in columns; a narrow terminal leaves out columns of figures, and cuts nothing else.
    """
    lines = [*_wrapped(title(comparison), width), *_wrapped(outcome(comparison), width)]
    if comparison.unlike:
        lines += ["", "Not made alike"]
        told = [settings_of(one) for one in comparison.unlike]
        names = min(max(cell_len(what) for what, *_ in told), width // 3)
        for what, before, now in told:
            lines += _labelled(what, f"{before} → {now}", names, width)
    if comparison.changes:
        lines += ["", *_metrics(comparison.changes, width)]
    quality, traffic = other_metrics(comparison)
    for head, some in ((NOT_TESTED, quality), (traffic_title(comparison), traffic)):
        if some:
            lines += ["", *_wrapped(head, width)]
            names = max(len(one.metric) for one in some)
            for one in some:
                lines += _labelled(one.metric, untested_words(one), names, width)
    for head, questions in moved_lists(comparison, rows):
        lines += ["", *_wrapped(head, width)]
        for question in questions:
            lines += _question(question, width)
    below = [line for remark in remarks(comparison) for line in _wrapped(remark, width)]
    return "\n".join([*lines, "", *below] if below else lines)


def _metrics(changes: Sequence[MetricChange], width: int) -> Iterator[str]:
    """Give the table of metrics with as many of its columns as there is room for."""
    names = [clean_line(change.metric) for change in changes]
    columns = {head: [head, *(_cell(change, head) for change in changes)] for head in _COLUMNS}
    widths = {head: max(map(cell_len, cells)) for head, cells in columns.items()}
    first = max(map(cell_len, (*names, "metric")))
    for given_up in _GIVEN_UP:
        if first + sum(len(GAP) + widths[head] for head in widths) <= width:
            break
        del widths[given_up]
    for place, name in enumerate(("metric", *names)):
        cells = [_right(columns[head][place], widths[head]) for head in widths if head]
        yield GAP.join((_left(name, first), *cells, columns[""][place])).rstrip()


def _cell(change: MetricChange, head: str) -> str:
    return {
        "before": f"{change.before:.3f}",
        "now": f"{change.now:.3f}",
        "change": signed(change.paired.difference),
        "95 % interval": interval_of(change),
        "p": p_of(change),
        "+/−": tally(change),
        "": change.word,
    }[head]


def _question(moved: Moved, width: int) -> Iterator[str]:
    changes = " · ".join(moved.changes)
    yield from _wrapped(f"{brief(moved.id)}: {changes}", width, GAP)
    words = _wrapped(moved.question[:LONGEST], width - cell_len(MORE), GAP * 2)
    cut = MORE if len(words) > MOST_LINES else ""
    yield from words[: MOST_LINES - 1]
    yield from (f"{line}{cut}" for line in words[MOST_LINES - 1 : MOST_LINES])


def _labelled(label: str, text: str, widest: int, width: int) -> list[str]:
    """Give a label and a text beside it, in lines under one another."""
    name = clean_line(label)
    indent = " " * (len(GAP) + widest + len(GAP))
    if cell_len(name) > widest:
        return [*_wrapped(name, width, GAP), *_wrapped(text, width, indent)]
    first, *rest = _wrapped(text, width, indent) or [indent]
    return [f"{GAP}{_left(name, widest)}{GAP}{first[len(indent) :]}", *rest]


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Break untrusted text into lines of `width` columns: at spaces, or where a word has no room.

    Characters of East Asian scripts take two columns, which `textwrap` does not know.
    """
    room = max(LEAST_ROOM, width - len(indent))
    lines = [""]
    for word in clean_line(text).split(" "):
        pieces = chop_cells(word, room) if cell_len(word) > room else [word]
        for piece in pieces:
            if lines[-1] and cell_len(lines[-1]) + 1 + cell_len(piece) <= room:
                lines[-1] += f" {piece}"
            elif lines[-1]:
                lines.append(piece)
            else:
                lines[-1] = piece
    return [f"{indent}{line}" for line in lines if line]


def _left(text: str, width: int) -> str:
    return text + " " * (width - cell_len(text))


def _right(text: str, width: int) -> str:
    return " " * (width - cell_len(text)) + text
