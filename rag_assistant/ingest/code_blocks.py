"""Where a Markdown text has fenced code: the one rule for reading headings and for cutting.

The rule is CommonMark's (https://spec.commonmark.org/0.31.2/#fenced-code-blocks), but a fence may
be indented by any amount, because fences within lists are.
"""

import re

_FENCE = re.compile(r"\n[ \t]*+(`{3,}+|~{3,}+)([^\n]*+)")


def code_blocks(text: str) -> list[tuple[int, int]]:
    """Find the fenced code blocks: (start, end) spans from the line of one fence past the other's.

    A block that is never closed goes on to the end of the text.
    """
    if "```" not in text and "~~~" not in text:
        return []
    blocks: list[tuple[int, int]] = []
    opened: tuple[int, str] | None = None
    # With a line end before it, offset n of the searched text is where line n + 1 would start.
    for found in _FENCE.finditer("\n" + text):
        fence, rest = found[1], found[2]
        if opened is None:
            if fence[0] == "~" or "`" not in rest:
                opened = found.start(), fence
        elif fence.startswith(opened[1]) and not rest.strip():
            blocks.append((opened[0], min(found.end(), len(text))))
            opened = None
    if opened is not None:
        blocks.append((opened[0], len(text)))
    return blocks
