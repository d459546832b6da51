"""Where markdown-it-py's rules for blocks are in a text, and what they found in it.

One value is kept for each block that is wanted, with its places, instead of several tokens.
"""

import re
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, Literal

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock

from rag_assistant.text.blocks import CODE_INDENT, TAB, BlockKind, Span, cells

_KINDS: Mapping[str, BlockKind] = {
    "blockquote_open": BlockKind.QUOTE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "list_item_open": BlockKind.ITEM,
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "fence": BlockKind.FENCE,
    "code_block": BlockKind.INDENTED_CODE,
    "html_block": BlockKind.HTML,
    "hr": BlockKind.RULE,
    "definition": BlockKind.DEFINITION,
    "table_open": BlockKind.TABLE,
    "tr_open": BlockKind.ROW,
}
_STEPS: Mapping[str, int] = {
    **dict.fromkeys(("blockquote_open", "bullet_list_open", "ordered_list_open"), 1),
    **dict.fromkeys(("blockquote_close", "bullet_list_close", "ordered_list_close"), -1),
    "list_item_open": 1,
    "list_item_close": -1,
}
_UNDERLINE = re.compile(r"^[ \t>]*+(?:=++|-++)[ \t]*$", re.MULTILINE)
_FAR = 5_000
"""Characters that are searched for a blank line, so that no text is searched again and again."""


class DraftToken:
    """Stands for a token while the rules write to it; most of what they write is not read."""

    __slots__ = (
        "attrs", "children", "content", "depth", "end", "hidden", "info", "kind", "level", "map",
        "markup", "meta", "words",
    )  # fmt: skip

    def __init__(self, kind: BlockKind, depth: int) -> None:
        self.kind = kind
        self.depth = depth
        self.map: list[int] = [0, 0]
        self.end = self.level = 0
        self.words: tuple[Span, ...] = ()
        self.content = self.info = self.markup = ""


class BlockState(StateBlock):
    """Where the rules are in a text, and what they found so far."""

    def __init__(
        self, text: str, parser: MarkdownIt, kinds: frozenset[BlockKind], *, answer: bool
    ) -> None:
        super().__init__(text, parser, {}, [])
        self.answer = answer
        # The rules move `bMarks` behind the signs of containers. A blank end is no line.
        self.starts = [*self.bMarks[:-1], min(len(text), max((0, *self.eMarks[-2:-1])) + 1)]
        self.quotes = 0
        self.found: list[DraftToken] = []
        # All containers or none, for one ends where those in it do.
        self._keeps_containers = not kinds.isdisjoint(
            (BlockKind.QUOTE, BlockKind.LIST, BlockKind.ITEM)
        )
        self._kinds = {
            name: kind
            for name, kind in _KINDS.items()
            if kind in kinds or (self._keeps_containers and name in _STEPS)
        }
        self._depth = self._settled = 0
        self._open: list[DraftToken] = []
        self._leaf = self._unread = DraftToken(BlockKind.RULE, 0)
        self._underlines = [found.start() for found in _UNDERLINE.finditer(text)]

    def push(self, ttype: str, tag: str, nesting: Literal[-1, 0, 1]) -> Any:
        """Take what a rule found; give it what it writes the particulars to."""
        self.level += nesting
        draft = self._unread
        step = _STEPS.get(ttype, 0)
        if kind := self._kinds.get(ttype):
            draft = DraftToken(kind, self._depth + (kind is BlockKind.ROW))
            self.found.append(draft)
            if step:
                self._open.append(draft)
            else:
                self._leaf = draft
                draft.level = int(tag[1]) if kind is BlockKind.HEADING else 0
        elif step < 0 and self._keeps_containers:
            self._close(self._open.pop())
        elif ttype == "inline" and self._leaf.kind is BlockKind.HEADING:
            draft = self._leaf
        self._depth += step
        return draft

    def _close(self, container: DraftToken) -> None:
        """Let a container end with the last block in it.

        The parser counts the blank lines behind it as its own. Those of a quote bear its sign.
        """
        if container.kind is BlockKind.QUOTE:
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
        return end - start > _FAR or self.src.find("\n\n", start, end) < 0

    def settle(self, first: int) -> None:
        """Find the words of what was found from place `first` on, while the lines are those of the
        container around it."""
        self._settled = self.line
        self._leaf = self._unread
        for draft in self.found[first:] if len(self.found) > first else ():
            draft.end = self.line if draft.kind is not BlockKind.ROW else draft.map[1]
            draft.words = self._words(draft)

    def _words(self, draft: DraftToken) -> tuple[Span, ...]:
        kind, start = draft.kind, draft.map[0]
        if kind is BlockKind.HEADING and draft.end == start + 1:
            at = self.bMarks[start] + self.tShift[start] + draft.level
            at = self.skipSpaces(at) if draft.content else at
            return ((at, at + len(draft.content)),)
        if kind in (BlockKind.HEADING, BlockKind.PARAGRAPH, BlockKind.DEFINITION):
            last = (draft.map[1] if kind is BlockKind.HEADING else draft.end) - 1
            lines = [
                (self.bMarks[n] + self.tShift[n], self.eMarks[n]) for n in range(start, last + 1)
            ]
            begin, end = lines[-1]
            lines[-1] = begin, begin + len(self.src[begin:end].rstrip())
            return tuple(lines)
        if kind is BlockKind.ROW:
            begin, end = self.bMarks[start] + self.tShift[start], self.eMarks[start]
            return tuple(cells(self.src, begin, end))
        if kind is BlockKind.FENCE:
            inside = draft.content.count("\n") + (draft.content[-1:] not in ("", "\n"))
            return self._code(range(start + 1, start + 1 + inside), self.sCount[start])
        if kind is BlockKind.INDENTED_CODE:
            return self._code(range(start, draft.end), self.blkIndent + CODE_INDENT)
        return self._code(range(start, draft.end), self.blkIndent) if kind is BlockKind.HTML else ()

    def _code(self, lines: range, indent: int) -> tuple[Span, ...]:
        """Give lines without the indentation that is not the code's own, in columns."""
        spans = []
        for line in lines:
            at, column = self.bMarks[line], 0
            stop = min(at + self.tShift[line], self.eMarks[line])
            while at < stop and column < indent:
                tab = self.src[at] == "\t"
                column += TAB - (column + self.bsCount[line]) % TAB if tab else 1
                at += 1
            spans.append((at, self.eMarks[line]))
        return tuple(spans)
