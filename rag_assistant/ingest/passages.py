"""Cut a document into passages that lose nothing: joined, they are its text, to the character.

Cuts fall where a reader would make them: at pages and headings, then between paragraphs, lines,
sentences and words, whichever comes first that keeps a passage near its target. The time is linear
in the length of the text. Long tables are cut between rows; a passage that begins within one has
its heads in its path.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag_assistant.ingest.cuts import LEVELS, breaks, cut_line
from rag_assistant.ingest.row_groups import first_row, row_groups, table_span
from rag_assistant.ingest.table_heads import with_tables
from rag_assistant.values.documents import Document, Heading, Location, Passage
from rag_assistant.values.heading_paths import PATH_SEPARATOR
from rag_assistant.values.tables import DocumentTable

_TINY = 200


@dataclass(frozen=True, slots=True)
class _Sizes:
    """In characters: what a passage should have, may have, and is too small with less than."""

    target: int
    longest: int
    tiny: int


@dataclass(frozen=True, slots=True)
class _Section:
    """A span from the start of a heading or page to the next.

    `level` is 0 where it does not begin with a heading. `bare`: nothing but its heading's own line.
    `blank`: white space. `closes`: no more than bare headings from here to the end of the page.
    `first`: of its page.
    """

    start: int
    end: int
    level: int
    bare: bool
    blank: bool
    closes: bool
    first: bool

    def leads(self, tiny: int) -> bool:
        """Say whether it is only the way to the section after it: the group is about that one."""
        short = not self.level and self.end - self.start < tiny
        return self.blank or self.bare or short


@dataclass(frozen=True, slots=True)
class _Group:
    """Sections that stay together; `subject` is where the one that it is about starts."""

    start: int
    end: int
    subject: int


def split(document: Document, *, target: int = 700, longest: int = 1050) -> list[Passage]:
    """Cut a document into contiguous passages of about `target` and at most `longest` characters.

    A passage never goes on to another page (white space aside). A section of less than a fifth
    of the target, at most 200 characters, goes with what follows under a heading that it has with
    it; without one it stays alone, or another's heading would name its words.
    Raises ValueError unless 0 < target <= longest.
    """
    if not 0 < target <= longest:
        raise ValueError(f"target {target} must be positive and at most longest {longest}")
    sizes = _Sizes(target, longest, min(_TINY, target // 5))
    spans: list[_Group] = []
    paths = list(_paths(document))
    tables = [one for one in document.tables if one.end - one.start > longest]
    for group in _groups(_sections(document, paths), sizes):
        for start, end in _pieces(document, group, tables, sizes):
            subject = max(start, group.subject) if group.subject < end else start
            spans.append(_Group(start, end, subject))
    return list(_located(document, paths, spans))


def _sections(document: Document, paths: Iterable[tuple[int, str | None]]) -> list[_Section]:
    text = document.text
    levels = {heading.start: heading.level for heading in document.headings}
    lines = {heading.start for heading in document.headings if heading.end is None}
    pages = {page.start for page in document.pages}
    cuts = {0, *(start for start, _ in paths), *pages, *document.section_ends}
    starts = sorted(cut for cut in cuts if 0 <= cut < len(text))
    sections: list[_Section] = []
    end, closes = len(text), True
    for start in reversed(starts):
        line_end = text.find("\n", start, end)
        blank = text[start:end].isspace()
        bare = start in lines and (line_end < 0 or text[line_end:end].isspace())
        closes = closes and (bare or blank)
        level = levels.get(start, 0)
        sections.append(_Section(start, end, level, bare, blank, closes, start in pages))
        end, closes = start, closes or start in pages
    return sections[::-1]


def _groups(sections: Iterable[_Section], sizes: _Sizes) -> Iterator[_Group]:
    """Join sections that cannot stand alone with their neighbours."""
    members: list[_Section] = []
    blank, level = True, 0  # whether the group so far is, and the level it begins with
    page_over = False  # white space of a later page has joined it
    for section in sections:
        joins = not page_over and _belongs(section, members, level, sizes)
        if not (blank or section.blank or joins):
            yield _group(members, sizes)
            members, blank, page_over = [], True, False
        if blank:
            level = section.level
        page_over = not blank and (page_over or section.first)
        members.append(section)
        blank = blank and section.blank
    if members:
        yield _group(members, sizes)


def _group(members: list[_Section], sizes: _Sizes) -> _Group:
    told = [section.start for section in members if not section.leads(sizes.tiny)]
    subject = told[0] if told else members[-1].start
    if len(told) > 1:  # it is about what they are all under
        subject = next((section.start for section in members if section.level), told[0])
    return _Group(members[0].start, members[-1].end, subject)


def _belongs(section: _Section, members: list[_Section], level: int, sizes: _Sizes) -> bool:
    """Say whether a section goes with those before it, which begin at `level`."""
    if section.first or not members:
        return False
    before = members[-1]
    if before.bare or section.closes:
        return True  # a heading is never a passage of its own
    if before.end - members[0].start >= sizes.tiny or section.level < level:
        return False
    # Two sections with words of their own: only under a heading that names both.
    alone = all(member.leads(sizes.tiny) for member in members)
    above = next((member.level for member in members if member.level), 0)
    return alone or 0 < above < section.level


def _pieces(
    document: Document, group: _Group, tables: Sequence[DocumentTable], sizes: _Sizes
) -> list[tuple[int, int]]:
    """Cut a group into spans: the long tables in it between their rows, the rest as prose."""
    text, position = document.text, group.start
    spans: list[tuple[int, int]] = []
    at = bisect_left(tables, group.start, key=_table_start)
    for table in tables[at:]:
        if table.end > group.end:
            break
        if table.start < position:  # within another one
            continue
        start, end = table_span(table, text)
        start, end = max(start, position), min(end, group.end)
        if start - position >= sizes.tiny:
            spans += _cut(text, (position, start), sizes, document.code)
        else:
            start = position
        rows = row_groups(text, (start, end), first_row(table, text), (sizes.target, sizes.longest))
        for span in rows:
            spans += _cut(text, span, replace(sizes, target=sizes.longest), document.code)
        position = end
    if position < group.end or not spans:
        spans += _cut(text, (position, group.end), sizes, document.code)
    return _with_its_tail(spans, sizes)


def _table_start(table: DocumentTable) -> int:
    return table.start


def _cut(
    text: str, span: tuple[int, int], sizes: _Sizes, code: Sequence[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Cut a span of the text into spans of at most `longest`, near `target`."""
    spans: list[tuple[int, int]] = []
    current, last = span
    # What is still to be taken, next on top; a unit is broken up only where it does not fit.
    units = [(current, last, 0)]
    while units:
        start, end, level = units.pop()
        size = end - current
        small = start == current or start - current < sizes.tiny
        if size <= sizes.target or (small and size <= sizes.longest):
            continue
        if not small:
            spans.append((current, start))
            current = start
            units.append((start, end, level))
        elif level < LEVELS:
            cuts = [start, *breaks(text, (start, end), level, code), end]
            units.extend((cuts[at], cuts[at + 1], level + 1) for at in range(len(cuts) - 2, -1, -1))
        else:
            cut = cut_line(text, (start, current + sizes.longest), current + sizes.target)
            spans.append((current, cut))
            current = cut
            units.append((cut, end, level))
    return _with_its_tail([*spans, (current, last)], sizes)


def _with_its_tail(spans: list[tuple[int, int]], sizes: _Sizes) -> list[tuple[int, int]]:
    """Join a last span that is too small with the one before it, if they fit."""
    if len(spans) < 2 or spans[-1][1] - spans[-1][0] >= sizes.tiny:
        return spans
    start, end = spans[-2][0], spans[-1][1]
    return [*spans[:-2], (start, end)] if end - start <= sizes.longest else spans


def _located(
    document: Document, paths: Iterable[tuple[int, str | None]], spans: Iterable[_Group]
) -> Iterator[Passage]:
    text, pages = document.text, document.pages
    sections = with_tables([(-1, None), *paths], document)
    starts = [start for start, _ in sections]
    line, counted = 1, 0
    next_page = 0
    for span in spans:
        piece = text[span.start : span.end]
        # Blank lines before a heading or page are not yet under it, but what is read here is.
        printed = piece.lstrip()
        first = span.end - len(printed) if printed else span.start
        at_first = bisect_right(starts, first) - 1
        subject = sections[bisect_right(starts, max(first, span.subject)) - 1][1]
        within = sections[at_first + 1 : bisect_left(starts, span.end)]
        while next_page < len(pages) and pages[next_page].start <= first:
            next_page += 1
        line += text.count("\n", counted, span.start)
        counted = span.start
        location = Location(
            span.start,
            span.end,
            page=pages[next_page - 1].number if next_page else None,
            heading=subject,
            line=line if document.lines_match_file else None,
        )
        held = ((span.start, sections[at_first][1]), *within)
        telling = any(path != subject for _, path in held)
        yield Passage(piece, location, held if telling else ())


def _paths(document: Document) -> Iterator[tuple[int, str | None]]:
    """Give the heading path of each section, with where it begins."""
    path: list[Heading] = []
    for heading in _with_ends(document):
        yield from _ended(path, heading.start)
        path = [one for one in path if one.end is None or one.end > heading.start]
        while path and path[-1].level >= heading.level:
            path.pop()
        path.append(heading)
        yield heading.start, _joined(path)
    yield from _ended(path, None)


def _with_ends(document: Document) -> Iterator[Heading]:
    """Give the headings; none goes on where the document says that sections end."""
    ends = document.section_ends
    for heading in document.headings:
        after = bisect_right(ends, heading.start)
        known = [end for end in (heading.end, *ends[after : after + 1]) if end is not None]
        yield replace(heading, end=min(known)) if known else heading


def _ended(path: list[Heading], before: int | None) -> Iterator[tuple[int, str | None]]:
    """Take from a path the headings that end `before` a place, and give what goes on there."""
    while True:
        ends = [one.end for one in path if one.end is not None]
        end = min(ends, default=None)
        if end is None or (before is not None and end >= before):
            return
        # What is under a heading ends with it.
        del path[next(at for at, one in enumerate(path) if one.end == end) :]
        yield end, _joined(path)


def _joined(path: Iterable[Heading]) -> str | None:
    return PATH_SEPARATOR.join(one.title for one in path) or None
