"""The facts of an entry and its outline, from what its loader gave of any format.

Nothing is read here: kind, authors and dates are told by the metadata, pages and parts by where
they begin, words and language by the text.
"""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from rag_assistant.text.languages import language_code, language_of
from rag_assistant.values.documents import Document
from rag_assistant.values.outline import PAGE_UNITS, EntryFacts, Outline, OutlineItem, PartKind

MOST_ITEMS = 1_000
"""Parts that an outline names; of a document of more, the deepest are left out first."""

_LONGEST_LABEL, _LONGEST_AUTHOR, _MOST_AUTHORS = 200, 200, 50
_AUTHOR_KEYS = ("author", "authors", "creator", "from", "last_modified_by")
_CREATED_KEYS, _MODIFIED_KEYS = ("created", "date", "published"), ("modified", "updated")
_ISO_DATE = re.compile(r"[12]\d{3}(?:-\d\d|\Z)")

_KINDS = {
    "application/pdf": "PDF",
    "application/msword": "document",
    "application/rtf": "document",
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document": "document",
    "application/vnd.apple.pages": "document",
    "application/vnd.oasis.opendocument": "document",
    "application/vnd.ms-powerpoint": "presentation",
    "application/vnd.openxmlformats-officedocument.presentationml.presentation": "presentation",
    "application/vnd.apple.keynote": "presentation",
    "application/vnd.ms-excel": "workbook",
    "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet": "workbook",
    "application/vnd.apple.numbers": "workbook",
    "application/epub+zip": "e-book",
    "application/x-fictionbook+xml": "e-book",
    "application/x-ipynb+json": "notebook",
    "application/json": "data",
    "application/x-ndjson": "data",
    "application/xml": "data",
    "application/x-bibtex": "reference",
    "application/x-research-info-systems": "reference",
    "application/vnd.ms-outlook": "e-mail",
    "message/rfc822": "e-mail",
    "multipart/related": "web page",
    "text/html": "web page",
    "text/markdown": "text",
    "text/csv": "table",
    "text/calendar": "event",
    "text/vcard": "contact",
}
_KINDS_OF_SUFFIXES = {
    **dict.fromkeys(".odp .fodp .otp".split(), "presentation"),
    **dict.fromkeys(".ods .fods .ots".split(), "workbook"),
    **dict.fromkeys(
        ".asm .bash .bat .c .cc .cjs .clj .cmake .cmd .cpp .cs .css .cxx .el .erl .ex .exs .f90"
        " .fish .go .gradle .graphql .groovy .h .hpp .hs .java .jl .js .jsx .kt .less .lisp .lua"
        " .m .mjs .ml .pas .php .pl .pm .proto .ps1 .py .pyi .r .rb .rs .scala .scss .sh .sql"
        " .svelte .swift .tf .ts .tsx .vb .vue .zsh".split(),
        "source code",
    ),
    **dict.fromkeys(".cfg .conf .ini .properties .toml .yaml .yml".split(), "settings"),
}
_IDEOGRAPH = re.compile("[\u3041-\u30ff\u3400-\u4dbf\u4e00-\u9fff]")
_OF_NO_LANGUAGE = frozenset({"source code", "settings", "data"})


def facts_of_document(document: Document, path: str) -> EntryFacts:
    """Derive the facts and the outline of a document that was read from the file at `path`."""
    metadata, kind = document.metadata, _kind(document, path)
    told = "" if kind in _OF_NO_LANGUAGE else language_of(document.text)
    declared = metadata.get("language") or metadata.get("lang") or ""
    counted = metadata.get("pages", "")
    return EntryFacts(
        kind=kind,
        pages=max((page.number for page in document.pages), default=None)
        or (int(counted[:9]) if counted.isascii() and counted.isdecimal() else 0)
        or None,
        words=_count_words(document.text),
        authors=tuple(_authors(metadata)),
        # What a file says of itself is often its template's language.
        language=told or ("" if kind in _OF_NO_LANGUAGE else language_code(declared)),
        created=_date(metadata, _CREATED_KEYS),
        modified=_date(metadata, _MODIFIED_KEYS),
        outline=_outline(document, kind),
    )


def _kind(document: Document, path: str) -> str:
    """Name what a document is; a record of a file of data is a record."""
    media_type = document.media_type
    known = _KINDS.get(media_type, "")
    if known in ("document", "") or media_type == "text/plain":
        known = _KINDS_OF_SUFFIXES.get(PurePosixPath(path).suffix.lower(), known)
    if document.key and known in ("data", "table"):
        return "record"
    return known or media_type.partition("/")[0]


def _count_words(text: str) -> int:
    """Count what stands between white space; of Chinese and Japanese each letter, as is usual."""
    if text.isascii():
        return len(text.split())
    spaced, letters = _IDEOGRAPH.subn(" ", text)
    return letters + len(spaced.split())


def _authors(metadata: Mapping[str, str]) -> Iterator[str]:
    """Give the authors that a document names first, several by the semicolons between them."""
    named = next((metadata[key] for key in _AUTHOR_KEYS if metadata.get(key)), "")
    for name in named.split(";")[:_MOST_AUTHORS]:
        if kept := " ".join(name.split())[:_LONGEST_AUTHOR]:
            yield kept


def _date(metadata: Mapping[str, str], keys: Iterable[str]) -> str:
    dates = (metadata.get(key, "")[:40] for key in keys)
    return next((date for date in dates if _ISO_DATE.match(date)), "")


@dataclass(frozen=True, slots=True)
class _Part:
    """A part that begins; `end` is set where it is over before the next of its level."""

    kind: PartKind
    label: str
    level: int
    start: int
    end: int | None = None


def _outline(document: Document, kind: str) -> Outline:
    if not (document.headings or document.pages):
        return ()  # as most records
    parts = list(_parts(document, kind))
    if len(parts) > MOST_ITEMS:
        counts = Counter(part.level for part in parts)
        deepest = max(counts)
        while len(parts) > MOST_ITEMS and deepest > min(counts):
            parts = [part for part in parts if part.level < deepest]
            deepest -= 1
        parts = parts[:MOST_ITEMS]
    starts = [page.start for page in document.pages]
    return tuple(
        OutlineItem(
            part.kind, part.label, part.level, part.start, end, _page(document, starts, part.start)
        )
        for part, end in zip(parts, _ends(parts, document), strict=True)
    )


def _parts(document: Document, kind: str) -> Iterator[_Part]:
    """Give the parts that a document names; those of one without names are its pages."""
    named = [part for part in _headings(document, kind) if part.label]
    unit = PAGE_UNITS.get(kind, "page")
    if unit in ("slide", "sheet"):
        yield from _paged(document, unit, named)
    elif named:
        yield from named
    elif len(document.pages) > 1:
        for page in document.pages:
            yield _Part(unit, f"{unit.capitalize()} {page.number}", 1, page.start)


def _headings(document: Document, kind: str) -> Iterator[_Part]:
    for heading in document.headings:
        if heading.start >= len(document.text):
            return
        defines = heading.end is not None and kind in ("source code", "notebook")
        what: PartKind = "definition" if defines else "heading"
        if kind == "e-book" and heading.level == 1:
            what = "chapter"
        label = " ".join(heading.title.split())[:_LONGEST_LABEL]
        yield _Part(what, label, heading.level, heading.start, heading.end)


def _paged(document: Document, unit: PartKind, named: Sequence[_Part]) -> Iterator[_Part]:
    """Give slides or sheets by the headings that they begin with, and the other headings below."""
    at_start = {part.start: part for part in reversed(named)}
    own = {page.start: at_start.get(page.start) for page in document.pages}
    pages = [
        _Part(unit, title.label if title else f"{unit.capitalize()} {page.number}", 1, page.start)
        for page in document.pages
        for title in [own[page.start]]
    ]
    others = [replace(part, level=part.level + 1) for part in named if part not in own.values()]
    yield from sorted([*pages, *others], key=lambda part: part.start)


def _ends(parts: Sequence[_Part], document: Document) -> list[int]:
    """Give where each part ends: with its own end, a section's, or the next of its level."""
    ends = [len(document.text)] * len(parts)
    open_parts: list[int] = []
    for number, part in enumerate(parts):
        while open_parts and parts[open_parts[-1]].level >= part.level:
            ends[open_parts.pop()] = part.start
        open_parts.append(number)
    for number, part in enumerate(parts):
        after = bisect_right(document.section_ends, part.start)
        known = [part.end, *document.section_ends[after : after + 1], ends[number]]
        ends[number] = max(part.start, min(end for end in known if end is not None))
    return ends


def _page(document: Document, starts: Sequence[int], place: int) -> int | None:
    after = bisect_right(starts, place)
    return document.pages[after - 1].number if after else None
