"""Which of a Markdown text is prose, told while the text streams: not code, not a quoted line.

In doubt it is not: an unclosed fence or code span takes in what follows. Whatever the pieces the
text comes in, the outcome is the same, because a token is read only when its end is certain.
"""

import re

_HEAD = re.compile(r"(?P<indent>[ \t]*)(?P<mark>`+|~+|>|[-*+]|\d{1,9}[.)]?)?")
_BLANKS = re.compile(r"[ \t]*")
_RUN = re.compile(r"`+")
_SPECIAL = re.compile(r"[`\\\[\n]")
_ITEM = re.compile(r"[-*+]|\d{1,9}[.)]")
_FENCE_LEAST = 3
_CODE_INDENT = 4
"""Columns of indentation that make code of a line after a blank one."""


class Prose:
    """Reads a text token by token. `before` is the last character read.

    `line_is_bare` says that the line has held nothing but white space so far.
    """

    def __init__(self) -> None:
        self.before = ""
        self.line_is_bare = True
        self._at_line_start = True
        self._verbatim = False
        self._fence = ""
        self._code = ""
        self._may_open_fence = False
        self._after_blank = True
        self._indented = False
        self._in_list = False

    def is_prose(self) -> bool:
        """Whether the next character stands in prose; at a line's start that is not known yet."""
        return not (self._at_line_start or self._verbatim or self._code)

    def read(self, text: str, at: int, *, final: bool) -> int | None:
        """Read a token from `at` on; give its end, which may be `at` itself.

        None when more text is needed to tell, never so when `final`.
        """
        if self._at_line_start:
            end = self._begin_line(text, at, final)
        elif text[at] == "\n":
            self._end_line()
            end = at + 1
        elif self._verbatim:
            end = text.find("\n", at)
            end = len(text) if end < 0 else end
        else:
            end = self._read_prose(text, at, final)
        if end is not None and end > at:
            self.before = text[end - 1]
            if self.before != "\n":
                self.line_is_bare = self.line_is_bare and text[at:end].isspace()
        return end

    def skip(self, *, bare: bool) -> None:
        """Take note that a command was taken out; `bare` when nothing stands in its place."""
        self.before = "]"
        self.line_is_bare = self.line_is_bare and bare

    def _end_line(self) -> None:
        if self._code and self._may_open_fence:
            self._fence, self._code = self._code, ""
        self._at_line_start = self.line_is_bare = True
        self._verbatim = self._may_open_fence = False

    def _begin_line(self, text: str, at: int, final: bool) -> int | None:
        """Read a line's indentation and, if it has one, the mark that says what it is."""
        head = _HEAD.match(text, at)
        assert head  # it matches the empty text, too
        end = head.end()
        if end == len(text) and not final:
            return None
        mark = head["mark"] or ""
        if self._fence:
            return self._begin_fenced_line(text, head, final)
        following = text[end : end + 1]
        if _ITEM.fullmatch(mark) and (following.isspace() or not following):
            # What stands behind the mark of a list is looked at as a line of its own.
            self._in_list, self.line_is_bare = True, False
            return end
        self._at_line_start = False
        if mark[:1] in ("`", "~") and len(mark) >= _FENCE_LEAST:
            self._open_fence(mark)
            return end
        self._verbatim = mark == ">" or self._is_indented_code(
            head["indent"], blank=not mark and following in ("\n", "")
        )
        return head.end("indent")

    def _begin_fenced_line(self, text: str, head: re.Match[str], final: bool) -> int | None:
        blanks = _BLANKS.match(text, head.end())
        assert blanks  # it matches the empty text, too
        if blanks.end() == len(text) and not final:
            return None
        mark = head["mark"] or ""
        closes = mark[:1] == self._fence[0] and len(mark) >= len(self._fence)
        if closes and text[blanks.end() : blanks.end() + 1] in ("\n", ""):
            self._fence = ""
        self._at_line_start, self._verbatim = False, True
        return head.end()

    def _open_fence(self, mark: str) -> None:
        if mark[0] == "~":
            self._fence, self._verbatim = mark, True
        else:
            # On this line the same run would close it: then it is code within the line.
            self._code, self._may_open_fence = mark, True

    def _is_indented_code(self, indent: str, *, blank: bool) -> bool:
        after_blank, self._after_blank = self._after_blank, blank
        if blank:
            self._code = ""  # a code span ends with its paragraph at the latest
            return False
        width = len(indent.expandtabs(_CODE_INDENT))
        self._in_list = self._in_list and (width > 0 or not self.line_is_bare)
        may_begin = self._indented or after_blank
        self._indented = width >= _CODE_INDENT and may_begin and not self._in_list
        return self._indented

    def _read_prose(self, text: str, at: int, final: bool) -> int | None:
        if text[at] == "`":
            run = _RUN.match(text, at)
            assert run  # it begins with one
            if run.end() == len(text) and not final:
                return None
            self._take_run(run[0])
            return run.end()
        if text[at] == "\\" and not self._code:
            if at + 1 == len(text):
                return at + 1 if final else None
            return at + 1 if text[at + 1] == "\n" else at + 2
        special = _SPECIAL.search(text, at + 1)
        return special.start() if special else len(text)

    def _take_run(self, run: str) -> None:
        """Take back quotes: a run opens a code span, and a run of the same length closes it."""
        if not self._code:
            self._code = run
        elif self._code == run:
            self._code, self._may_open_fence = "", False
