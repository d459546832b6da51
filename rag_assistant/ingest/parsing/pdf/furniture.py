"""Page furniture: the running heads, feet and page numbers of a PDF, which would stand between the
words of sentences that go on over a page, and count as often as there are pages.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

from rag_assistant.ingest.parsing.pdf.page import PageLines
from rag_assistant.ingest.parsing.roman_numbers import roman_value

_EDGE = 3  # lines at the top and at the bottom of a page that may be furniture
_LEAST_PAGES = 3  # on which a line stands
_NEAR = 2  # pages from one to the next: left and right pages may have heads of their own
_LONGEST = 150  # characters
_LARGER = 1.15  # times the usual size of type, from which a line is a heading
_NUMBER = re.compile(r"\d{1,6}")
_MOST_NUMBERS = 4

_Place = tuple[int, int]


def without_furniture(pages: Sequence[PageLines]) -> list[PageLines]:
    """Give the pages without the lines that repeat at their edges.

    Such a line is the same on at least three pages that are no more than two apart, but for a
    number that grows with the pages. It is taken out only where all between it and the page's edge
    is taken out as well; its first is kept, unless it is a page number alone.
    """
    places: dict[str, list[_Place]] = defaultdict(list)
    for number, page in enumerate(pages):
        for line in _edges(page):
            for key in _keys(page.lines[line], number):
                places[key].append((number, line))
    repeated: set[_Place] = set()
    kept: dict[int, set[int]] = defaultdict(set)  # by page: the first of each
    for key, met in places.items():
        for run in _runs(met):
            repeated.update(run)
            if any(letter.isalpha() for letter in key.replace("<#", "")):
                kept[run[0][0]].add(run[0][1])
    return [
        page.without(_from_the_edges(number, page, repeated) - kept[number])
        for number, page in enumerate(pages)
    ]


def _edges(page: PageLines) -> Iterator[int]:
    """Give the numbers of the lines at the edges of a page that may be furniture, each once.

    Titles of slides repeat as well, in type larger than the rest; what nobody sees is told of.
    """
    count, unseen = len(page.lines), {one.line for one in page.hidden}
    largest = _LARGER * sorted(page.sizes)[count // 2] if count else 0.0
    for line in {*range(min(_EDGE, count)), *range(max(0, count - _EDGE), count)}:
        if line not in unseen and page.sizes[line] <= largest:
            yield line


def _keys(line: str, page: int) -> Iterator[str]:
    """Give what a line has in common with those of other pages: itself, and itself with one of its
    numbers told by how far it is from the page's.
    """
    folded = " ".join(line.split()).casefold()
    if not folded or len(folded) > _LONGEST:
        return
    number = roman_value(folded)
    if number is None and any(letter.isalpha() for letter in folded):
        yield folded
    for found in list(_NUMBER.finditer(folded))[:_MOST_NUMBERS]:
        yield f"{folded[: found.start()]}<#{int(found[0]) - page}>{folded[found.end() :]}"
    if number is not None:
        yield f"<#{number - page} roman>"


def _runs(met: list[_Place]) -> Iterator[list[_Place]]:
    """Give the runs of places that are near enough to one another, on enough pages."""
    run: list[_Place] = []
    for place in [*met, (-1, -1)]:
        if run and not 0 <= place[0] - run[-1][0] <= _NEAR:
            if len({page for page, _ in run}) >= _LEAST_PAGES:
                yield run
            run = []
        run.append(place)


def _from_the_edges(number: int, page: PageLines, repeated: set[_Place]) -> set[int]:
    """Give the lines of a page that repeat, from its edges up to the first that differs."""
    unseen = {one.line for one in page.hidden}
    found: set[int] = set()
    for lines in (range(len(page.lines)), range(len(page.lines) - 1, -1, -1)):
        for line in lines:
            if (number, line) in repeated:
                found.add(line)
            elif line not in unseen:
                break
    return found
