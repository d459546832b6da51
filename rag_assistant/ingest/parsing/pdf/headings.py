"""The headings of a PDF: those of its outline, found again in the text, or lines in larger type."""

import re
from collections import Counter
from collections.abc import Iterable
from itertools import accumulate, groupby, islice, pairwise
from typing import TYPE_CHECKING, NamedTuple

from rag_assistant.ingest.parsing.pdf.page import PageLines
from rag_assistant.ingest.parsing.pdf.words import mended
from rag_assistant.values.documents import Heading

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MOST_ENTRIES = 5_000
_DEEPEST = 6
_LONGEST_TITLE = 200
_LONGEST_LINE = 150
_MOST_LINES = 3  # of a heading
_NUMBER = re.compile(r"\d+")
_LARGER = 1.15  # times the size of the body
_MOST_PAGES = 0.2  # a line on more of them is a running head
_MOST_LEVELS = 4


class OutlineEntry(NamedTuple):
    """An entry of an outline: its title, how deep it is, from 0, and the index of its page."""

    title: str
    depth: int
    page: int


def outline_of(pdf: "PdfDocument") -> tuple[OutlineEntry, ...]:
    """Read the outline of a document; none of one that is damaged."""
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    entries: list[OutlineEntry] = []
    try:
        for entry in islice(pdf.get_toc(max_depth=_DEEPEST), _MOST_ENTRIES):
            title = " ".join(mended(entry.get_title(), frozenset()).split())[:_LONGEST_TITLE]
            target = entry.get_dest()
            page = target.get_index() if target else None
            if title and page is not None:
                entries.append(OutlineEntry(title, entry.level, page))
    except PdfiumError:
        return ()
    return tuple(entries)


def from_outline(
    outline: Iterable[OutlineEntry], text: str, starts: list[int]
) -> tuple[Heading, ...]:
    """Give the outline's entries at their lines; where the line is not found, at their page."""
    headings: dict[int, Heading] = {}
    for title, depth, page in outline:
        if 0 <= page < len(starts):
            end = starts[page + 1] if page + 1 < len(starts) else len(text)
            start = _line_of(title, text, starts[page], end)
            # Of those that are not found, the first stands for its page.
            headings.setdefault(start, Heading(start, depth + 1, title))
    return tuple(sorted(headings.values(), key=lambda heading: heading.start))


def _line_of(title: str, text: str, start: int, end: int) -> int:
    """Find the start of the line of a page that begins with `title`, or else has it within."""
    words = r"\s+".join(re.escape(word) for word in title.split())
    found = re.compile(rf"^[\d.\s]*{words}", re.IGNORECASE | re.MULTILINE).search(text, start, end)
    found = found or re.compile(words, re.IGNORECASE).search(text, start, end)
    if found is None:
        return start
    printed = found.end() - len(found[0].lstrip())
    return max(text.rfind("\n", start, printed) + 1, start)


def from_sizes(pages: list[PageLines], text: str, starts: list[int]) -> tuple[Heading, ...]:
    """Give the short lines in type larger than the body's, larger type above smaller.

    `starts` are the pages' offsets in `text`, which has a line for each line of the pages.
    """
    body = _body_size(pages)
    if not body:
        return ()
    texts = [text[start:end].split("\n") for start, end in pairwise([*starts, len(text)])]
    running = _running_heads(texts)
    found: list[tuple[int, float, str]] = []
    for page, lines, start in zip(pages, texts, starts, strict=True):
        ends = accumulate((len(line) + 1 for line in lines), initial=start)
        # The text has one more line, which is empty.
        measured = zip(ends, page.sizes, lines, strict=False)
        for size, run in groupby(measured, key=lambda line: line[1]):
            if size >= _LARGER * body:
                found.extend(_heading_lines(list(run), running))
    levels = _levels([size for _, size, _ in found])
    return tuple(Heading(start, levels[size], title) for start, size, title in found)


def _heading_lines(
    run: list[tuple[int, float, str]], running: set[str]
) -> list[tuple[int, float, str]]:
    """Make one heading of neighbouring lines of one size, or none if they are a paragraph."""
    lines = [line for line in run if _shape(line[2]) not in running]
    title = " ".join(" ".join(words for _, _, words in lines).split())
    if len(lines) > _MOST_LINES or len(title) >= _LONGEST_LINE:
        return []
    return [(*lines[0][:2], title)] if any(map(str.isalpha, title)) else []


def _body_size(pages: list[PageLines]) -> float:
    sizes = Counter[float]()
    for page in pages:
        for line, size in zip(page.lines, page.sizes, strict=True):
            sizes[size] += len(line)
    del sizes[0.0]
    return sizes.most_common(1)[0][0] if sizes else 0.0


def _running_heads(pages: list[list[str]]) -> set[str]:
    counts = Counter(shape for lines in pages for shape in set(map(_shape, lines)))
    limit = max(_MOST_PAGES * len(pages), 1)
    return {shape for shape, count in counts.items() if count > limit}


def _shape(line: str) -> str:
    """Give what stays the same in a line that is printed on every page: not its numbers."""
    return _NUMBER.sub("#", " ".join(line.split()))


def _levels(sizes: list[float]) -> dict[float, int]:
    """Number the sizes from the largest; past the fourth they share one level."""
    distinct = sorted(set(sizes), reverse=True)
    return {size: min(level, _MOST_LEVELS) for level, size in enumerate(distinct, 1)}
