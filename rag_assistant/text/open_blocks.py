"""The blocks that are open in a Markdown text so far, told line by line while it streams.

It is read as answers are shown (`markdown.blocks` with `answer`), by the method of the
specification (https://spec.commonmark.org/0.31.2/#phase-1-block-structure): a line goes on in the
containers whose signs it has, and what stands behind those begins others.
"""

import re
from enum import Enum

from rag_assistant.text.blocks import CODE_INDENT, DEEPEST, MOST_QUOTES, TAB, cells

FENCE = re.compile(r"`{3,}|~{3,}")
_HEADING = re.compile(r"#{1,6}(?:[ \t]|\Z)")
_UNDERLINE = re.compile(r"(?:=+|-+)[ \t]*\Z")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_ITEM = re.compile(r"(?:[-+*]|(\d{1,9})[.)])(?=[ \t]|\Z)")
_DELIMITER = re.compile(r"(?=[|:-][-|: \t])\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*")
_QUOTE = 0
"""Stands for a quote where an item has the columns that its lines are indented by."""


class Leaf(Enum):
    """What the last line was, if the next may go on in it."""

    NONE = "none"
    PARAGRAPH = "paragraph"
    INDENTED = "indented code"
    FENCE = "fenced code"
    TABLE = "table"


class _Cursor:
    """A place in the head of a line. A tab may be used up in part: then `column` stands within."""

    def __init__(self, head: str, ends: bool) -> None:
        self.head = head
        self.ends = ends
        self.at = self.column = 0

    def indent(self) -> tuple[int, int]:
        """Give where the next sign stands, and how many columns there are to it."""
        place, column = self.at, self.column
        while place < len(self.head) and self.head[place] in " \t":
            column += TAB - column % TAB if self.head[place] == "\t" else 1
            place += 1
        return place, column - self.column

    def is_blank(self) -> bool:
        """Whether nothing more stands in the line."""
        return self.ends and self.indent()[0] == len(self.head)

    def item(self) -> re.Match[str] | None:
        """Give the sign of an item, if one is next."""
        sign = _ITEM.match(self.head, self.indent()[0])
        return sign if sign and (self.ends or sign.end() < len(self.head)) else None

    def advance(self, columns: int) -> None:
        """Go on by so many columns."""
        goal = self.column + columns
        while self.column < goal and self.at < len(self.head):
            wide = TAB - self.column % TAB if self.head[self.at] == "\t" else 1
            if self.column + wide > goal:
                self.column = goal
                return
            self.column += wide
            self.at += 1

    def skip_blank(self) -> None:
        """Go on by the one blank that belongs to the sign of a quote."""
        if self.head[self.at : self.at + 1] in (" ", "\t"):
            self.advance(1)


class OpenBlocks:
    """Reads lines, each by its head, which tells what it is, and again when it has ended.

    `is_code` and `is_quoted` tell of the line that has begun; `is_new` that it does not go on in
    the paragraph before it. `run` are back quotes at its beginning that open a fence unless more
    of them follow in the line.
    """

    def __init__(self) -> None:
        self.leaf = Leaf.NONE
        self.is_code = self.is_quoted = self.is_new = False
        self.run = ""
        self._containers: list[int] = []
        self._if_fence: list[int] = []
        self._fence = ""
        self._is_empty_item = False
        self._above = ""  # a line that may be the head of a table
        self._may_head = self._may_delimit = False
        self._words_at = 0
        self._closed_at = -1

    def begin(self, head: str, ends: bool) -> int:
        """Take the head of a line: all up to a sign that begins nothing. `ends`: there is no more.

        Gives how many characters of it are signs of containers and indentation.
        """
        cursor = _Cursor(head, ends)
        matched = self._matched(cursor)
        self._is_empty_item = False
        self.run, self._closed_at = "", -1
        self._may_head = self._may_delimit = False
        self.is_quoted = _QUOTE in self._containers[:matched]
        if self.leaf is Leaf.FENCE and matched == len(self._containers):
            self.is_code, self.is_new = True, False
            place, indent = cursor.indent()
            run = FENCE.match(head, place)
            if run and indent < CODE_INDENT and run[0].startswith(self._fence):
                self._closed_at = run.end()
            return cursor.at
        self._begin_blocks(cursor, matched)
        self._words_at = cursor.indent()[0]
        return self._words_at

    def take_as_words(self) -> None:
        """Take note that the back quotes at the beginning of the line are none of a fence."""
        self.run = ""

    def end(self, line: str) -> None:
        """Take the whole line, without its end."""
        if self.run:
            self._open_fence(self.run, self._if_fence)
        elif self.leaf is Leaf.FENCE:
            if self._closed_at >= 0 and not line[self._closed_at :].strip():
                self.leaf = Leaf.NONE
        elif self._may_delimit and _delimits(self._above, line[self._words_at :]):
            self.leaf = Leaf.TABLE
        self._above = line[self._words_at :] if self._may_head else ""

    def _matched(self, cursor: _Cursor) -> int:
        """Count the containers that the line goes on in, and go behind their signs."""
        for number, width in enumerate(self._containers):
            place, indent = cursor.indent()
            if width == _QUOTE:
                if indent >= CODE_INDENT or not cursor.head.startswith(">", place):
                    return number
                cursor.advance(indent + 1)
                cursor.skip_blank()
            elif cursor.is_blank():
                if self._is_empty_item and number == len(self._containers) - 1:
                    return number
            elif indent < width:
                return number
            else:
                cursor.advance(width)
        return len(self._containers)

    def _begin_blocks(self, cursor: _Cursor, matched: int) -> None:
        """Find what begins behind the signs of the containers that the line goes on in."""
        containers = self._containers[:matched]
        is_inside = matched == len(self._containers)
        goes_on = self.leaf is Leaf.PARAGRAPH
        while not cursor.is_blank():
            place, indent = cursor.indent()
            rest = cursor.head[place:]
            if indent >= CODE_INDENT:
                break
            if rest.startswith(">") and self._is_open_to(containers, _QUOTE):
                containers.append(_QUOTE)
                self.is_quoted = True
                cursor.advance(indent + 1)
                cursor.skip_blank()
            elif self._ends_with_line(rest, cursor, goes_on and is_inside):
                self._leave(containers, Leaf.NONE)
                return
            elif width := self._item(cursor, containers, goes_on and is_inside):
                containers.append(width)
            else:
                break
            goes_on = is_inside = False
        else:
            is_item = len(containers) > matched and containers[-1] != _QUOTE
            stays = is_inside and self.leaf is Leaf.INDENTED
            self._leave(containers, Leaf.INDENTED if stays else Leaf.NONE)
            self._is_empty_item = is_item
            return
        self._begin_leaf(cursor, containers, is_inside, goes_on)

    def _ends_with_line(self, rest: str, cursor: _Cursor, goes_on: bool) -> bool:
        """Whether it is a rule, or a heading's underline; what delimits a table may look so."""
        if not cursor.ends:
            return False
        if goes_on and _UNDERLINE.match(rest):
            return not _delimits(self._above, rest)
        return _RULE.match(rest) is not None

    def _item(self, cursor: _Cursor, containers: list[int], goes_on: bool) -> int:
        """Go behind the sign of an item, if there is one; give the columns of its indentation."""
        indent, sign = cursor.indent()[1], cursor.item()
        if not sign or not self._is_open_to(containers, 1):
            return 0
        behind = _Cursor(cursor.head, cursor.ends)
        behind.at, behind.column = cursor.at, cursor.column
        behind.advance(indent + len(sign[0]))
        blank, blanks = behind.is_blank(), behind.indent()[1]
        if goes_on and (blank or (sign[1] and int(sign[1]) != 1)):
            return 0
        blanks = 1 if blank or blanks > CODE_INDENT else blanks
        cursor.advance(indent + len(sign[0]) + blanks)
        return indent + len(sign[0]) + blanks

    def _is_open_to(self, containers: list[int], width: int) -> bool:
        quotes = containers.count(_QUOTE)
        level = 2 * len(containers) - quotes
        return level < DEEPEST and (width != _QUOTE or quotes < MOST_QUOTES)

    def _begin_leaf(
        self, cursor: _Cursor, containers: list[int], is_inside: bool, goes_on: bool
    ) -> None:
        place, indent = cursor.indent()
        rest = cursor.head[place:]
        if indent >= CODE_INDENT and not goes_on:
            self._leave(containers, Leaf.INDENTED)
            # Models indent the items of inner lists too far: those are not meant as code.
            in_item = containers[-1:] not in ([], [_QUOTE])
            self.is_code = not (in_item and cursor.item())
            return
        fence = FENCE.match(rest) if indent < CODE_INDENT else None
        if fence and fence[0][0] == "~":
            self._open_fence(fence[0], containers)
            self.is_code = True
            return
        heading = _HEADING.match(rest) if indent < CODE_INDENT else None
        if heading and (heading.end() < len(rest) or rest[-1] in " \t" or cursor.ends):
            self._leave(containers, Leaf.NONE)
            return
        self.run, self._if_fence = (fence[0], containers) if fence else ("", [])
        self._may_head = indent < CODE_INDENT and (is_inside or not goes_on)
        if goes_on:
            self._may_delimit = is_inside and indent < CODE_INDENT
            self.is_code = self.is_new = False
        elif self.leaf is Leaf.TABLE and is_inside:
            self._may_head = False
            self._leave(containers, Leaf.TABLE)
        else:
            self._leave(containers, Leaf.PARAGRAPH)

    def _leave(self, containers: list[int], leaf: Leaf) -> None:
        """Leave the containers that are not these, and the paragraph in them."""
        self._containers, self.leaf = containers, leaf
        self.is_code, self.is_new = False, True

    def _open_fence(self, run: str, containers: list[int]) -> None:
        self._leave(containers, Leaf.FENCE)
        self._fence = run


def _delimits(head: str, line: str) -> bool:
    """Whether a line makes the one above it the head of a table."""
    line = line.strip(" \t\r")
    if "|" not in head or not _DELIMITER.fullmatch(line):
        return False
    return len(list(cells(head, 0, len(head)))) == len(list(cells(line, 0, len(line))))
