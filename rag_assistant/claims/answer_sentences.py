"""The sentences of an answer's Markdown, with their places in it and the citations they bear.

A citation behind the full stop belongs to the sentence before it. A row of a table and a block of
code are a sentence each; headings are none.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from itertools import pairwise

from rag_assistant.text.blocks import CODE, Block, Span
from rag_assistant.text.blocks import BlockKind as Markdown
from rag_assistant.text.inline_marks import blanked
from rag_assistant.text.markdown import blocks
from rag_assistant.text.sentences import sentences_of

DASHES = "—–-"
"""One of these stands between a citation and the name of its source."""

MARKER = re.compile(r"(?<!\w)\[(\d{1,4})(\??)\](?!\()")
_TASK = re.compile(r"\[[ xX]\][ \t]+")
_BULLET = "•"
"""Begins an item in the eyes of people, though not of Markdown."""

_AFTER_STOP = re.compile(
    r"(?<=[.!?…。！？])(?:[*_`\"'”’»)\]]|[ \t]*(?<!\w)\[\d{1,4}\??\](?!\())+(?=\s|$)"
)


class PieceKind(Enum):
    """What a piece of an answer is."""

    PROSE = "prose"
    HEADING = "heading"
    ROW = "row"
    CODE = "code"


@dataclass(frozen=True, slots=True)
class Piece:
    """Characters `start` to `end` of an answer, with the citations in them.

    `beside` are citations that stand where they may be meant for it as well: behind it in the same
    paragraph, list or table, or in the line that leads to it. `unknown` are numbers that the model
    made up. `group` is the same for all of a paragraph, a list or a table. `words` is the text
    without markers and Markdown's signs, character for character.
    """

    start: int
    end: int
    kind: PieceKind
    words: str
    markers: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()
    group: int = 0


@dataclass(frozen=True, slots=True)
class _Block:
    """Characters `start` to `end` that belong together, of which `spans` are words.

    `group` is the same for all in a list, and for the rows of a table.
    """

    kind: PieceKind
    group: int
    start: int
    end: int
    spans: Sequence[Span]


def pieces_of(text: str) -> list[Piece]:
    """Cut an answer into its sentences, in time in proportion to it."""
    found = [(block, piece) for block in _blocks(text) for piece in _pieces(text, block)]
    groups: dict[int, list[Piece]] = {}
    for block, piece in found:
        groups.setdefault(block.group, []).append(piece)
    return _with_citations_beside(list(groups.values()))


def _with_citations_beside(groups: list[list[Piece]]) -> list[Piece]:
    """Let sentences know of citations behind them, and of those of the line that leads to them."""
    done: list[Piece] = []
    for number, group in enumerate(groups):
        after = groups[number + 1] if number + 1 < len(groups) else []
        beside: tuple[int, ...] = ()
        if after and after[0].markers and after[0].words.strip(" ")[:1] in ("", *DASHES):
            beside = after[0].markers
        if number and groups[number - 1][-1].words.rstrip().endswith(":"):
            beside += tuple(marker for piece in groups[number - 1] for marker in piece.markers)
        backwards: list[Piece] = []
        for piece in reversed(group):
            backwards.append(replace(piece, beside=beside))
            beside = tuple(dict.fromkeys((*piece.markers, *beside)))
        done += reversed(backwards)
    return done


def _blocks(text: str) -> Iterator[_Block]:
    """Give what bears words in an answer, in order."""
    group = list_end = 0
    before: Block | None = None
    for block in blocks(text, answer=True):
        group += block.kind is not Markdown.ROW and block.start >= list_end
        if block.kind is Markdown.LIST:
            list_end = max(list_end, block.end)
        above = before.kind if before else None
        before = block
        if block.kind is Markdown.ROW:
            yield from _row(text, block, group, is_head=above is Markdown.TABLE)
        elif block.kind is Markdown.HEADING:
            # No sign of a container is a hash; a heading that is underlined has none before it.
            start = text.find("#", block.start, block.words[0][0])
            start = block.words[0][0] if start < 0 else start
            yield _Block(PieceKind.HEADING, group, start, block.words[-1][1], block.words)
        elif block.kind in CODE and block.words:
            yield _Block(PieceKind.CODE, group, block.words[0][0], block.words[-1][1], block.words)
        elif block.kind is Markdown.PARAGRAPH:
            yield from _prose(text, block, group, begins_item=above is Markdown.ITEM)


def _row(text: str, row: Block, group: int, *, is_head: bool) -> Iterator[_Block]:
    """Give a row with its strokes; below the head of a table stands a line without words."""
    first = row.words[0][0] if row.words else row.start
    stroke = text.rfind("|", row.start, first)
    kind = PieceKind.HEADING if is_head else PieceKind.ROW
    yield _Block(kind, group, first if stroke < 0 else stroke, row.end, row.words)
    if is_head:
        line_end = text.find("\n", row.end)
        yield _Block(kind, group, row.end, len(text) if line_end < 0 else line_end, ())


def _prose(text: str, block: Block, group: int, *, begins_item: bool) -> Iterator[_Block]:
    """Give a paragraph without the box of a task, as several where bullets of no list begin one."""
    spans = list(block.words)
    task = _TASK.match(text, *spans[0]) if begins_item else None
    if task:
        spans[0] = task.end(), spans[0][1]
    starts = [0, *(n for n, (start, _) in enumerate(spans) if n and text[start] == _BULLET)]
    for first, stop in pairwise([*starts, len(spans)]):
        part = spans[first:stop]
        if text[part[0][0] : part[0][1]][:1] == _BULLET:
            part[0] = part[0][0] + 1, part[0][1]
        yield _Block(PieceKind.PROSE, group, part[0][0], part[-1][1], part)


def _pieces(text: str, block: _Block) -> Iterator[Piece]:
    """Cut a block into sentences; what belongs to the layout between its words is left blank."""
    written = text[block.start : block.end]
    letters = [" "] * len(written)
    for start, end in block.spans:
        letters[start - block.start : end - block.start] = text[start:end]
    flat = "".join(letters)
    if block.kind is PieceKind.CODE:
        words, written = flat, flat
    else:
        words = blanked(flat)
    if block.kind is PieceKind.PROSE:
        spans, written = _sentences(flat), flat
    else:
        spans = [(0, len(written))]
    for start, end in spans:
        stripped = written[start:end].rstrip()
        first = start + len(stripped) - len(stripped.lstrip())
        if stripped:
            last = start + len(stripped)
            place = block.start + first, block.start + last
            piece = _piece(flat[first:last], words[first:last], place, block.kind)
            yield replace(piece, group=block.group)


def _sentences(flat: str) -> list[tuple[int, int]]:
    """Cut a paragraph, a citation or closing sign behind a full stop going with its sentence."""
    masked = _AFTER_STOP.sub(lambda found: ")" * len(found[0]), flat)
    spans: list[tuple[int, int]] = []
    for start, end in sentences_of(masked):
        words = MARKER.sub("", flat[start:end]).strip(" \t*_\"'”’)]")
        if spans and (not words or words[0].islower()):
            # An abbreviation ended what went before, or there is nothing but citations.
            spans[-1] = (spans[-1][0], end)
        else:
            spans.append((start, end))
    return spans


def _piece(flat: str, words: str, place: Span, kind: PieceKind) -> Piece:
    if kind is PieceKind.CODE:
        return Piece(*place, kind, words)
    marks = list(MARKER.finditer(flat))
    letters = list(words)
    for mark in marks:
        letters[mark.start() : mark.end()] = " " * len(mark[0])
    return Piece(
        *place,
        kind,
        "".join(letters),
        tuple(dict.fromkeys(int(mark[1]) for mark in marks if not mark[2])),
        tuple(dict.fromkeys(int(mark[1]) for mark in marks if mark[2])),
    )
