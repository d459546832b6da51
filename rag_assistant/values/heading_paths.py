"""The heading path of a place: the headings above it, and in a table its caption and heads. Of a
cell it says row and head: a table is written as lines of cells with strokes between them.
"""

import re
from collections.abc import Iterable

PATH_SEPARATOR = " › "
"""Between the headings of a heading path."""

LONGEST = 300
"""Characters of the heads of a table; of heads that are whole sentences, the first are named."""

_SIGNS = str.maketrans({"[": "(", "]": ")", "|": "/", "›": ">", "\n": " "})
_TABLE = re.compile(r"(.*?) ?\[([^\[\]]*\|[^\[\]]*)\]", re.DOTALL)
_STROKE = re.compile(r"(?<!\\)\|")


def table_part(caption: str, heads: Iterable[str], *, in_columns: bool) -> str:
    """Write the caption of a table and the heads of its columns, some of which may be empty.

    `in_columns`: the cells of each row are written in the order of the heads, none left out.
    """
    caption = caption.translate(_SIGNS)
    named = [head.translate(_SIGNS) for head in heads]
    while named and not named[-1]:
        named.pop()
    kept: list[str] = []
    for head in named:
        if sum(map(len, kept)) + 3 * len(kept) + len(head) > LONGEST:
            break
        kept.append(head)
    if not any(kept):
        return caption
    # One head alone has a stroke behind it: it is of the first column.
    written = " | ".join([*kept, ""] if len(kept) == 1 else kept).strip(" ")
    written = written if in_columns else ", ".join(filter(None, kept))
    return f"{caption} [{written}]".strip()


def cell_heading(heading: str | None, text: str, begin: int, end: int) -> str | None:
    """Give the heading path of a span of a text; of cells of a table, with their row and heads.

    It stays as it is where the span begins with its row's label: then all heads are said.
    """
    found = _TABLE.fullmatch(heading) if heading else None
    if found is None:
        return heading
    first = text.rfind("\n", 0, begin) + 1
    last = text.find("\n", begin)
    line = text[first : last if last >= 0 else len(text)]
    strokes = [stroke.start() for stroke in _STROKE.finditer(line)]
    edge = 1 if line.startswith("|") else 0
    column = sum(at < begin - first for at in strokes) - edge
    if column < 1:
        return heading
    after = max(sum(at < end - first for at in strokes) - edge, column)
    heads = [head.strip() for head in found[2].split("|")][column : after + 1]
    label = line[edge : strokes[edge]].strip().replace("\\|", "|")
    said = " — ".join(filter(None, (label, ", ".join(dict.fromkeys(filter(None, heads))))))
    if not said:
        return heading
    joint = " " if found[1].endswith(PATH_SEPARATOR.rstrip()) else ": "
    return joint.join(filter(None, (found[1], said)))


def heads_said(heading: str | None) -> list[str]:
    """Give the heads that a path says of the columns of the rows under it, some of them empty.

    There are none where it is of no rows, or of such as do not stand in the order of the heads.
    """
    found = _TABLE.fullmatch(heading) if heading else None
    return [head.strip() for head in found[2].split("|")] if found else []


def section_of(heading: str | None) -> str | None:
    """Give the headings of a path alone, without the table that a passage begins in."""
    if heading is None or _TABLE.fullmatch(heading) is None:
        return heading
    return heading.rpartition(PATH_SEPARATOR)[0] or None
