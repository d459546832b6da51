"""Which of a Markdown text is prose, told while the text streams: not code, not a quoted line.

In doubt it is not: an unclosed code span takes in what follows in its paragraph. Whatever the
pieces the text comes in, the outcome is the same, for a token is read only when its end is certain.
"""

import re

from rag_assistant.text.open_blocks import Leaf, OpenBlocks

# All that a line may begin with and that says what it is, up to the signs of a fence.
_HEAD = re.compile(r"[ \t>*+\-=_0-9.)#]*(?:`+|~+)?")
_RUN = re.compile(r"`+")
_SPECIAL = re.compile(r"[`\\\[\n|]")


class Prose:
    """Reads a text token by token. `before` is the last character read.

    `line_is_bare` says that the line has held nothing but white space so far.
    """

    def __init__(self) -> None:
        self.before = ""
        self.line_is_bare = True
        self._blocks = OpenBlocks()
        self._at_line_start = True
        self._line: list[str] = []
        self._code = ""

    def is_prose(self) -> bool:
        """Whether the next character stands in prose; at a line's start that is not known yet."""
        blocks = self._blocks
        return not (
            self._at_line_start or blocks.is_code or blocks.is_quoted or blocks.run or self._code
        )

    def read(self, text: str, at: int, *, final: bool) -> int | None:
        """Read a token from `at` on; give its end, which may be `at` itself.

        None when more text is needed to tell, never so when `final`.
        """
        if self._at_line_start:
            end = self._begin_line(text, at, final)
        elif text[at] == "\n":
            self._end_line()
            end = at + 1
        elif self._blocks.is_code:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        else:
            end = self._read_words(text, at, final)
        if end is not None and end > at:
            self.before = text[end - 1]
            if self.before != "\n":
                self._line.append(text[at:end])
                self.line_is_bare = self.line_is_bare and text[at:end].isspace()
        return end

    def skip(self, *, bare: bool) -> None:
        """Take note that a command was taken out; `bare` when nothing stands in its place."""
        self.before = "]"
        self.line_is_bare = self.line_is_bare and bare

    def _begin_line(self, text: str, at: int, final: bool) -> int | None:
        head = _HEAD.match(text, at)
        assert head  # it matches the empty text, too
        if head.end() == len(text) and not final:
            return None
        signs = self._blocks.begin(head[0], text[head.end() : head.end() + 1] in ("\n", "\r", ""))
        self._at_line_start = False
        if self._blocks.is_new or self._blocks.leaf is Leaf.TABLE:
            self._code = ""  # a code span ends with its paragraph, or its cell, at the latest
        return at + signs + len(self._blocks.run)

    def _end_line(self) -> None:
        self._blocks.end("".join(self._line))
        if self._blocks.is_new and self._blocks.leaf is Leaf.FENCE:
            self._code = ""
        self._line.clear()
        self._at_line_start = self.line_is_bare = True

    def _read_words(self, text: str, at: int, final: bool) -> int | None:
        if text[at] == "`":
            run = _RUN.match(text, at)
            assert run  # it begins with one
            if run.end() == len(text) and not final:
                return None
            self._take_run(run[0])
            return run.end()
        in_row = self._blocks.leaf is Leaf.TABLE
        if text[at] == "\\" and (in_row or not (self._code or self._blocks.run)):
            if at + 1 == len(text):
                return at + 1 if final else None
            keeps = text[at + 1] == "\n" or (self._code and text[at + 1] != "|")
            return at + 1 if keeps else at + 2
        if text[at] == "|" and in_row:
            self._code = ""
        special = _SPECIAL.search(text, at + 1)
        return special.start() if special else len(text)

    def _take_run(self, run: str) -> None:
        """Take back quotes: a run opens a code span, and a run of the same length closes it.

        With others behind them in their line, those at its beginning open no fence.
        """
        runs = [self._blocks.run, run] if self._blocks.run else [run]
        self._blocks.take_as_words()
        for one in runs:
            if not self._code:
                self._code = one
            elif self._code == one:
                self._code = ""
