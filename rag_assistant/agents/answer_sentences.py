"""The sentences of an answer's Markdown, with their places in it and the citations they bear.

A citation behind the full stop belongs to the sentence before it. A row of a table and a block of
code are a sentence each; headings and rules are none.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from rag_assistant.terms import sentences_of

DASHES = "—–-"
"""One of these stands between a citation and the name of its source."""

MARKER = re.compile(r"(?<!\w)\[(\d{1,4})(\??)\](?!\()")
_FENCE = re.compile(r"[ \t>]*(`{3,}|~{3,})")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}(?:\s|$)")
_UNDERLINE = re.compile(r"[ \t]{0,3}(?:=+|-+)[ \t]*$")
_RULE = re.compile(r"[ \t]*([-*_])(?:[ \t]*\1){2,}[ \t]*$")
_DELIMITER = re.compile(r"[ \t|:-]*-[ \t|:-]*$")
_ITEM = re.compile(r"[ \t>]*(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+|$)(?:\[[ xX]\][ \t]+)?")
_QUOTED = re.compile(r"[ \t]*(?:>[ \t]?)+")
_AFTER_STOP = re.compile(
    r"(?<=[.!?…。！？])(?:[*_`\"'”’»)\]]|[ \t]*(?<!\w)\[\d{1,4}\??\](?!\())+(?=\s|$)"
)


class Kind(Enum):
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
    made up. `words` is the text without markers and Markdown's signs, character for character.
    """

    start: int
    end: int
    kind: Kind
    words: str
    markers: tuple[int, ...] = ()
    unknown: tuple[int, ...] = ()
    beside: tuple[int, ...] = ()


@dataclass(slots=True)
class _Block:
    """Lines that belong together; `group` is the same for the items of a list."""

    kind: Kind
    group: int
    spans: list[tuple[int, int]] = field(default_factory=list)


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
    reader = _Blocks()
    start = 0
    lines = text.split("\n")
    for number, line in enumerate(lines):
        following = lines[number + 1] if number + 1 < len(lines) else ""
        yield from reader.line(line, start, following)
        start += len(line) + 1
    yield from reader.close()


class _Blocks:
    """Gathers lines into blocks, one line after the other."""

    def __init__(self) -> None:
        self._block: _Block | None = None
        self._group = 0
        self._fence = ""
        self._in_list = self._in_table = False

    def close(self) -> Iterator[_Block]:
        """Give what is open."""
        block, self._block = self._block, None
        if block and block.spans:
            yield block

    def line(self, line: str, start: int, following: str) -> Iterator[_Block]:
        """Take a line that begins at `start`; give the blocks that ended before it."""
        end = start + len(line)
        fence = _FENCE.match(line)
        if self._fence:
            if fence and fence[1].startswith(self._fence):
                self._fence = ""
                yield from self.close()
            elif self._block:
                self._block.spans.append((start, end))
        elif fence:
            yield from self.close()
            self._fence = fence[1]
            self._open(Kind.CODE, within=False)
        elif not line.strip() or (_RULE.match(line) and not self._is_title(line)):
            yield from self.close()
            self._in_table = False
        elif self._block and self._block.kind is Kind.PROSE and self._is_title(line):
            self._block.kind = Kind.HEADING
            yield from self.close()
        else:
            yield from self._words(line, start, following)

    def _is_title(self, line: str) -> bool:
        return (
            bool(_UNDERLINE.match(line))
            and self._block is not None
            and self._block.kind is Kind.PROSE
            and not self._in_list
        )

    def _words(self, line: str, start: int, following: str) -> Iterator[_Block]:
        end = start + len(line)
        item, quoted = _ITEM.match(line), _QUOTED.match(line)
        row = line.lstrip().startswith("|") or self._in_table
        head = "|" in line and "|" in following and bool(_DELIMITER.match(following))
        if _HEADING.match(line) or head or row:
            yield from self.close()
            is_rule = self._in_table and bool(_DELIMITER.match(line))
            is_row = row and not head and not is_rule
            within = row and self._in_table
            self._in_list, self._in_table = False, head or row
            self._open(Kind.ROW if is_row else Kind.HEADING, within=within)
            self._add(start, end)
            yield from self.close()
        elif item:
            yield from self.close()
            self._open(Kind.PROSE, within=self._in_list)
            self._in_list = True
            self._add(start + item.end(), end)
        elif self._block:
            self._add(start + (quoted.end() if quoted else 0), end)
        else:
            within = self._in_list and line[:1] in " \t"
            self._in_list = within
            self._open(Kind.PROSE, within=within)
            self._add(start + (quoted.end() if quoted else 0), end)

    def _open(self, kind: Kind, *, within: bool) -> None:
        self._group += not within
        self._block = _Block(kind, self._group)

    def _add(self, start: int, end: int) -> None:
        if self._block and start < end:
            self._block.spans.append((start, end))


def _pieces(text: str, block: _Block) -> Iterator[Piece]:
    """Cut a block into sentences; what belongs to the layout between its lines is left blank."""
    first, last = block.spans[0][0], block.spans[-1][1]
    letters = [" "] * (last - first)
    for start, end in block.spans:
        letters[start - first : end - first] = text[start:end]
    flat = "".join(letters)
    if block.kind is not Kind.PROSE:
        spans = [(0, len(flat))] if flat.strip() else []
    else:
        spans = _sentences(flat)
    for start, end in spans:
        yield _piece(flat[start:end], first + start, block.kind)


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


def _piece(written: str, start: int, kind: Kind) -> Piece:
    stripped = written.rstrip()
    lead = len(stripped) - len(stripped.lstrip())
    begin, written = start + lead, stripped[lead:]
    if kind is Kind.CODE:
        return Piece(begin, begin + len(written), kind, written)
    marks = list(MARKER.finditer(written))
    words = MARKER.sub(lambda found: " " * len(found[0]), written)
    words = re.sub(r"[*_`#|]", " ", words)
    return Piece(
        begin,
        begin + len(written),
        kind,
        words,
        tuple(dict.fromkeys(int(mark[1]) for mark in marks if not mark[2])),
        tuple(dict.fromkeys(int(mark[1]) for mark in marks if mark[2])),
    )
