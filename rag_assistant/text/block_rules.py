"""markdown-it-py's rules for blocks, each tried only where a line begins with its sign.

Its own parser tries every rule on every line and makes several tokens of a block. Here one value is
kept for each block that is wanted, and what stands within the lines is not read at all: Markdown
files are indexed with it.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import pairwise
from typing import Literal, cast

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import (
    StateBlock,
    blockquote,
    code,
    fence,
    heading,
    hr,
    html_block,
    lheading,
    list_block,
    paragraph,
    reference,
    table,
)
from markdown_it.token import Token

from rag_assistant.text.markdown import Block, Kind, Span

DEEPEST = 60
"""Levels of containers around a block; a list and its item are one each, and the parser recurses
for them. What would begin a further one is read as words of a paragraph."""

MOST_QUOTES = 12
"""Quotes around a block: each costs another reading of the lines that lazily go on in it."""

TAB = 4
"""Columns to a tab stop."""

CODE_INDENT = 4
"""Columns of indentation that make code of a line."""

Rule = Callable[[StateBlock, int, int, bool], bool]

_CONTAINERS = frozenset({Kind.QUOTE, Kind.LIST, Kind.ITEM})
_KINDS: Mapping[str, Kind] = {
    "blockquote_open": Kind.QUOTE,
    "bullet_list_open": Kind.LIST,
    "ordered_list_open": Kind.LIST,
    "list_item_open": Kind.ITEM,
    "heading_open": Kind.HEADING,
    "paragraph_open": Kind.PARAGRAPH,
    "fence": Kind.FENCE,
    "code_block": Kind.INDENTED_CODE,
    "html_block": Kind.HTML,
    "hr": Kind.RULE,
    "definition": Kind.DEFINITION,
    "table_open": Kind.TABLE,
    "tr_open": Kind.ROW,
}
_CLOSING = frozenset(
    {"blockquote_close", "bullet_list_close", "ordered_list_close", "list_item_close"}
)
_LINE_END = re.compile(r"\r\n?|\n")
_PAIR = re.compile(r"\r\n")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}")
_UNDERLINE = re.compile(r"^[ \t>]*+(?:=++|-++)[ \t]*$", re.MULTILINE)
_DELIMITER = re.compile(r"[|:][-|: \t]|-[-|:]")
FAR = 5_000
"""Characters that are searched for a blank line, so that no text is searched again and again."""
_STROKE = re.compile(r"(?<!\\)\|")


class _Draft:
    """Stands for a token while the rules write to it; most of what they write is not read."""

    __slots__ = (
        "attrs", "children", "content", "depth", "end", "hidden", "info", "kind", "level", "map",
        "markup", "meta", "words",
    )  # fmt: skip

    def __init__(self, kind: Kind, depth: int) -> None:
        self.kind = kind
        self.depth = depth
        self.map: list[int] = [0, 0]
        self.end = self.level = 0
        self.words: tuple[Span, ...] = ()
        self.content = self.info = self.markup = ""


class _State(StateBlock):
    """Where the rules are in a text, and what they found so far."""

    def __init__(self, text: str, kinds: frozenset[Kind], *, answer: bool) -> None:
        super().__init__(text, _parser(), {}, [])
        # The rules move `bMarks` behind the signs of containers. A blank end is no line.
        self.starts = [*self.bMarks[:-1], min(len(text), max((0, *self.eMarks[-2:-1])) + 1)]
        self.interrupts = _INTERRUPTS if answer else _INTERRUPTS_DOCUMENTS
        self.begins = _INTERRUPTS if answer else _BEGINS_IN_DOCUMENTS
        self.quotes = 0
        self.found: list[_Draft] = []
        self._kinds = kinds
        self._open: list[_Draft] = []
        self._settled = 0
        self._leaf = self._unread = _Draft(Kind.RULE, 0)
        self._underlines = [found.start() for found in _UNDERLINE.finditer(text)]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Token:
        """Take what a rule found; give it what it writes the particulars to."""
        self.level += nesting
        draft = self._unread
        kind = _KINDS.get(ttype)
        if kind:
            draft = _Draft(kind, len(self._open) + (kind is Kind.ROW))
            if kind in self._kinds:
                self.found.append(draft)
            if kind in _CONTAINERS:
                self._open.append(draft)
                self.quotes += kind is Kind.QUOTE
            else:
                self._leaf = draft
                draft.level = int(tag[1]) if kind is Kind.HEADING else 0
        elif ttype in _CLOSING:
            self._close(self._open.pop())
        elif ttype == "inline" and self._leaf.kind is Kind.HEADING:
            draft = self._leaf
        return cast(Token, draft)

    def _close(self, container: _Draft) -> None:
        """Let a container end with the last block in it: the parser counts blank lines as its own.

        The blank lines of a quote bear its sign.
        """
        if container.kind is Kind.QUOTE:
            self.quotes -= 1
            self._settled = self.line
        container.end = self._settled = max(self._settled, container.map[0] + 1)

    def may_be_underlined(self, line: int) -> bool:
        """Whether, before the next blank line, one stands that would make a heading of the rest.

        To see it here is faster than to try the rule on every paragraph.
        """
        start = self.starts[line]
        place = bisect_right(self._underlines, start)
        if place == len(self._underlines):
            return False
        end = self._underlines[place]
        return end - start > FAR or self.src.find("\n\n", start, end) < 0

    def settle(self, first: int) -> None:
        """Find the words of what was found from place `first` on, while the lines are those of the
        container around it."""
        self._settled = self.line
        for draft in self.found[first:]:
            draft.end = self.line if draft.kind is not Kind.ROW else draft.map[1]
            draft.words = tuple(self._words(draft))

    def _words(self, draft: _Draft) -> Iterator[Span]:
        start = draft.map[0]
        if draft.kind is Kind.ROW:
            yield from self._cells(start)
        elif draft.kind is Kind.HEADING and draft.end == start + 1:
            at = self.bMarks[start] + self.tShift[start] + draft.level
            at = self.skipSpaces(at) if draft.content else at
            yield at, at + len(draft.content)
        elif draft.kind is Kind.FENCE:
            inside = draft.content.count("\n") + (draft.content[-1:] not in ("", "\n"))
            yield from self._code(range(start + 1, start + 1 + inside), self.sCount[start])
        elif draft.kind is Kind.INDENTED_CODE:
            yield from self._code(range(start, draft.end), self.blkIndent + CODE_INDENT)
        elif draft.kind is Kind.HTML:
            yield from self._code(range(start, draft.end), self.blkIndent)
        elif draft.kind not in (Kind.TABLE, Kind.RULE):
            last = (draft.map[1] if draft.kind is Kind.HEADING else draft.end) - 1
            for line in range(start, last):
                yield self.bMarks[line] + self.tShift[line], self.eMarks[line]
            begin = self.bMarks[last] + self.tShift[last]
            yield begin, begin + len(self.src[begin : self.eMarks[last]].rstrip())

    def _code(self, lines: range, indent: int) -> Iterator[Span]:
        """Give lines without the indentation that is not the code's own, in columns."""
        for line in lines:
            at, column = self.bMarks[line], 0
            stop = min(at + self.tShift[line], self.eMarks[line])
            while at < stop and column < indent:
                tab = self.src[at] == "\t"
                column += TAB - (column + self.bsCount[line]) % TAB if tab else 1
                at += 1
            yield at, self.eMarks[line]

    def _cells(self, line: int) -> Iterator[Span]:
        """Give the cells of a row, those as well that the head of the table has no column for."""
        start, end = self.bMarks[line] + self.tShift[line], self.eMarks[line]
        end = start + len(self.src[start:end].rstrip())
        strokes = [found.start() for found in _STROKE.finditer(self.src, start, end)]
        edges = [start - 1, *strokes, end]
        cells = [(edge + 1, after) for edge, after in pairwise(edges)]
        if cells and cells[0] == (start, start):
            del cells[0]
        if cells and cells[-1] == (end, end):
            del cells[-1]
        for begin, stop in cells:
            inside = self.src[begin:stop]
            first = begin + len(inside) - len(inside.lstrip())
            yield first, first + len(inside.strip())


def read_blocks(text: str, begin: int, kinds: frozenset[Kind], *, answer: bool) -> Iterator[Block]:
    """Read the blocks of a text from `begin` on, as `markdown.blocks` promises."""
    body = text[begin:]
    state = _State(_LINE_END.sub("\n", body).replace("\0", "\ufffd"), kinds, answer=answer)
    if state.lineMax:
        _parser().block.tokenize(state, 0, state.lineMax)
    # Where the parser's text has one character for a line end, and the file two.
    pairs = [found.start() - n for n, found in enumerate(_PAIR.finditer(body))]

    def place(at: int) -> int:
        return begin + at + bisect_left(pairs, at) if pairs else begin + at

    for draft in state.found:
        yield Block(
            draft.kind,
            place(state.starts[draft.map[0]]),
            place(state.starts[draft.end]),
            draft.depth,
            tuple((place(start), place(end)) for start, end in draft.words),
            draft.level,
            _info(draft),
        )


def _info(draft: _Draft) -> str:
    if draft.kind is Kind.FENCE:
        return draft.info.strip()
    return draft.info + draft.markup if draft.kind in (Kind.LIST, Kind.ITEM) else ""


def _quote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    assert isinstance(state, _State)
    deep = state.quotes >= MOST_QUOTES or state.level >= DEEPEST
    return not deep and blockquote(state, line, end, silent)


def _list(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    return state.level < DEEPEST and list_block(state, line, end, silent)


def _break(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    at = state.bMarks[line] + state.tShift[line]
    return bool(_RULE.match(state.src, at, state.eMarks[line])) and hr(state, line, end, silent)


# What may interrupt a list, and what a paragraph, a quote or a table, by the sign of the line.
_ENDS_LISTS: Mapping[str, tuple[Rule, ...]] = {
    **dict.fromkeys("`~", (fence,)),
    ">": (_quote,),
    **dict.fromkeys("-*_", (_break,)),
}
_INTERRUPTS: Mapping[str, tuple[Rule, ...]] = {
    **_ENDS_LISTS,
    **dict.fromkeys("-*", (_break, _list)),
    **dict.fromkeys("+0123456789", (_list,)),
    "#": (heading,),
}
_INTERRUPTS_DOCUMENTS: Mapping[str, tuple[Rule, ...]] = {**_INTERRUPTS, "<": (html_block,)}
_BEGINS_IN_DOCUMENTS: Mapping[str, tuple[Rule, ...]] = {**_INTERRUPTS_DOCUMENTS, "[": (reference,)}


def _begin(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Read the block that begins with a line."""
    assert isinstance(state, _State)
    first = len(state.found)
    if _has_delimiter(state, line, end) and table(state, line, end, silent):
        state.settle(first)
        return True
    rules = state.begins.get(state.src[state.bMarks[line] + state.tShift[line]], ())
    if rules or state.sCount[line] >= CODE_INDENT:
        for rule in (code, *rules):
            if rule(state, line, end, silent):
                if rule not in (_quote, _list):
                    state.settle(first)
                return True
    if not (state.may_be_underlined(line) and lheading(state, line, end, silent)):
        paragraph(state, line, end, silent)
    state.settle(first)
    return True


def _interrupts(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the quote or the table before it."""
    assert isinstance(state, _State)
    rules = state.interrupts.get(state.src[state.bMarks[line] + state.tShift[line]])
    return rules is not None and any(rule(state, line, end, True) for rule in rules)


def _interrupts_words(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the paragraph, or the definition, before it."""
    return _interrupts(state, line, end, True) or (
        _has_delimiter(state, line, end) and table(state, line, end, True)
    )


def _ends_list(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the list before it."""
    rules = _ENDS_LISTS.get(state.src[state.bMarks[line] + state.tShift[line]])
    return rules is not None and any(rule(state, line, end, True) for rule in rules)


def _has_delimiter(state: StateBlock, line: int, end: int) -> bool:
    """Whether the line after may be the one below the head of a table."""
    if line + 1 >= end:
        return False
    at = state.bMarks[line + 1] + state.tShift[line + 1]
    return _DELIMITER.match(state.src, at) is not None


class _Chains(Ruler[Rule]):
    """Gives for each place in the grammar the one rule that chooses among those of its own."""

    def getRules(self, chainName: str = "") -> list[Rule]:  # noqa: N802, N803 - not our names
        """Give the rule for what may begin anywhere, or what may end the block of that name."""
        return _CHAINS[chainName]

    def get_active_rules(self) -> list[str]:
        """Give the one name that matters: by it a parser knows that indented lines are code."""
        return ["code"]


_CHAINS: Mapping[str, list[Rule]] = {
    "": [_begin],
    "paragraph": [_interrupts_words],
    "reference": [_interrupts_words],
    "blockquote": [_interrupts],
    "list": [_ends_list],
}


@cache
def _parser() -> MarkdownIt:
    options = {"html": True, "inline_definitions": True, "maxNesting": DEEPEST + 5}
    parser = MarkdownIt("commonmark", options)
    parser.block.ruler = _Chains()
    return parser
