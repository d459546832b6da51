"""Tool calls found in the text that a model streams, wherever the stream was cut into pieces.

Text is given back as soon as it cannot be the beginning of a call, calls when they are complete,
all in the order written; how the text was cut changes nothing. Nothing is lost:

- call syntax in a Markdown code block or in inline code (on one line) is text; but a block that is
  nothing but an object that names a tool that was offered is a call;
- an object that names none of these is text;
- an opening that breaks off before it names a tool or begins an object is text;
- an object that is not JSON, or a tag round something else, is a call with that as its arguments,
  which fail validation, so that the model is told;
- so is a call that never ends, with all that follows: what stands in an open string is not run;
- a whole object that lacks only its closing tag is a call like any other;
- what is quoted, as the one who reads tells, is text.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from rag_assistant.models.call_forms import (
    BARE,
    BARE_BEGUN,
    UNSURE,
    Opening,
    ReadCall,
    closing_at,
    opening_at,
    read_calls,
)
from rag_assistant.values.messages import JsonObject

_MARKS = re.compile(r"\n|`+|~+|[<T{\[]")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|["{}<T]', re.DOTALL)
_LIST_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|["{}\[\]<T]', re.DOTALL)
_BLOCK_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")
_FENCE_LINE = r"(?P<marks>`{3,}|~{3,})[ \t]{0,8}\w{0,20}[ \t]{0,8}"
_FENCED = re.compile(rf"{_FENCE_LINE}\n\s{{0,40}}{BARE}")
_FENCED_BEGUN = re.compile(rf"{_FENCE_LINE}(?:\n\s{{0,40}}{BARE_BEGUN})?")
_LONGEST_FENCE = 256  # characters of the line that opens a block, with the object's first key
Piece = str | ReadCall


@dataclass(slots=True)
class _OpenCall:
    """A call whose end has not come; `scanned` is how far its text was looked through."""

    opening: Opening
    scanned: int
    depth: int = 0

    def end_in(self, text: str, *, final: bool) -> int | None:
        """Give where the call's object, or what stands in its place, ends; None to wait."""
        is_list = self.opening.notation == "objects"
        tokens = _LIST_TOKENS if is_list else _TOKENS
        while token := tokens.search(text, self.scanned):
            mark, at = token[0], token.start()
            if mark == '"' and self.depth:
                break  # a string still open
            if mark in "<T":
                boundary = self._boundary(text, at)
                if boundary == UNSURE and not final:
                    break
                if boundary not in (None, UNSURE):
                    return at
            # Only an object is followed by its braces and strings; anything else ends at a tag.
            if mark in "{[" and (self.depth or not text[self.opening.length : at].strip()):
                self.depth += 1
            elif mark in "}]" and self.depth:
                self.depth -= 1
                if not self.depth:
                    return token.end()
            self.scanned = token.end() if self.depth or len(mark) == 1 else at + 1
        else:
            self.scanned = len(text)
        return len(text) if final else None

    def _boundary(self, text: str, at: int) -> object:
        """Tell whether the call breaks off here: at its closing tag, or where another opens."""
        closing = closing_at(text, at, self.opening.notation)
        return opening_at(text, at, text[at - 1]) if closing is None else closing


@dataclass(slots=True)
class CallReader:
    """Reads one reply; see the module for what counts as a call.

    `tools` are those that were offered, with the schemas of their parameters; `is_quoted` tells of
    a call, as it is written, whether it is only quoted.
    """

    tools: Mapping[str, JsonObject] = field(default_factory=dict)
    is_quoted: Callable[[str], bool] = lambda _: False
    _buffer: str = ""
    _line: str = ""
    """What was read of the line."""
    _span: str = ""
    """The backticks, or tildes, that opened code on this line."""
    _span_leads: bool = False
    """Whether it leads the line, and so opens a block if the line ends."""
    _block: str = ""
    """The marks that opened a code block."""
    _call: _OpenCall | None = None
    _closing: bool = False
    """Whether a closing tag may follow."""

    def feed(self, text: str) -> list[Piece]:
        """Take a piece of the reply; give the texts and calls that are certain now."""
        self._buffer += text
        return self._read(final=False)

    def finish(self) -> list[Piece]:
        """Give what was held back, for nothing follows."""
        return self._read(final=True)

    def _read(self, *, final: bool) -> list[Piece]:
        pieces: list[Piece] = []
        while self._buffer and (read := self._next(final=final)) is not None:
            for piece in read if isinstance(read, tuple) else (read,):
                if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                    pieces[-1] += piece
                elif piece:
                    pieces.append(piece)
        return pieces

    def _next(self, *, final: bool) -> str | tuple[Piece, ...] | None:
        """Give the next text, often empty, or the next calls; None to wait for more."""
        if self._call:
            return self._read_call(self._call, final=final)
        return self._pass_closing(final=final) if self._closing else self._read_text(final=final)

    def _take(self, length: int) -> str:
        text, self._buffer = self._buffer[:length], self._buffer[length:]
        self._line = (self._line + text).rpartition("\n")[2]
        return text

    def _read_call(self, call: _OpenCall, *, final: bool) -> tuple[Piece, ...] | None:
        end = call.end_in(self._buffer, final=final)
        if end is None:
            return None
        written = self._take(end)
        body = written[call.opening.length :]
        if not (body.strip() or self._buffer):
            # Not even a closing tag: empty arguments may be arguments that were cut off.
            body = written
        self._call = None
        return self._judged(call.opening, written, body)

    def _judged(self, opening: Opening, written: str, body: str) -> tuple[Piece, ...]:
        """Give the calls that were written, or the text where there are none, or quoted ones."""
        calls = read_calls(opening, body, self.tools)
        if not calls or self.is_quoted(written):
            return (written,)
        self._closing = opening.notation != "line"
        return calls

    def _pass_closing(self, *, final: bool) -> str | None:
        """Pass over the closing tag of the call before; it may be left out."""
        at = len(self._buffer) - len(self._buffer.lstrip())
        length = closing_at(self._buffer, at)
        if length == UNSURE and not final:
            return None
        self._closing = isinstance(length, int)
        if isinstance(length, int):
            self._take(at + length)
        return ""

    def _read_text(self, *, final: bool) -> str | tuple[Piece, ...] | None:
        """Give text up to the next mark, or the mark itself where it is text; None to wait."""
        mark = _MARKS.search(self._buffer)
        if mark is None or mark.start():
            return self._take(mark.start() if mark else len(self._buffer))
        if mark[0] == "\n":
            self._end_line()
        elif mark[0] in "<T{[":
            return self._take(1) if self._block else self._maybe_open(final=final)
        elif mark.end() == len(self._buffer) and not final:
            return None  # the run may go on
        elif not self._block:
            if self._may_lead(mark[0]):
                fenced = self._fenced(final=final)
                if fenced != ():
                    return fenced
            self._note_code(mark[0])
        return self._take(mark.end())

    def _fenced(self, *, final: bool) -> tuple[Piece, ...] | None:
        """Give the calls that a code block here is made of; none for any other; None to wait."""
        if not self.tools:
            return ()
        head = self._buffer[:_LONGEST_FENCE]
        opened = _FENCED.match(head)
        if opened is None:
            begun = len(head) < _LONGEST_FENCE and _FENCED_BEGUN.fullmatch(head)
            return None if begun and not final else ()
        inside = self._buffer.index("\n") + 1
        closing = re.compile(rf"\n[ \t>]*{opened['marks']}[ \t]*(?=\n|\Z)")
        closed = closing.search(self._buffer, inside - 1)
        if not final and (closed is None or closed.end() == len(self._buffer)):
            return None  # the run may go on
        body = self._buffer[inside : closed.start() if closed else None]
        opening = Opening("objects", 0, is_bare=True)
        written = self._buffer[: closed.end() if closed else None]
        found = self._judged(opening, written, body)
        if isinstance(found[0], str):
            return ()
        self._take(len(written))
        return found

    def _end_line(self) -> None:
        """Note whether a code block ends with this line, or begins after it."""
        if not self._block:
            self._block = self._span if self._span_leads else ""
        else:
            marks = self._line.strip(" \t>")
            if marks.startswith(self._block) and not marks.strip(self._block[0]):
                self._block = ""
        self._span, self._span_leads = "", False

    def _may_lead(self, run: str) -> bool:
        """Whether a run of marks stands where a code block begins."""
        leads = len(run) >= 3 and _BLOCK_PREFIX.fullmatch(self._line) is not None
        return leads and not self._span

    def _note_code(self, run: str) -> None:
        """Note that code opens or closes with this run of backticks, or of tildes."""
        if not self._span:
            leads = self._may_lead(run)
            if leads or run[0] == "`":
                self._span, self._span_leads = run, leads
        elif run == self._span and run[0] == "`":
            self._span, self._span_leads = "", False

    def _maybe_open(self, *, final: bool) -> str | None:
        opening = opening_at(self._buffer, 0, self._line[-1:], bare=bool(self.tools))
        if opening == UNSURE and not final:
            return None
        if not isinstance(opening, Opening) or self._span_leads:
            return self._take(1)
        if self._span:
            # Backticks that do not come in pairs on one line are only backticks.
            end = re.search(rf"\n|(?<!`){self._span}(?!`)", self._buffer)
            at_end = end is None or (end[0] != "\n" and end.end() == len(self._buffer))
            if at_end and not final:
                return None
            if end and end[0] != "\n":
                return self._take(end.start())
            self._span = ""
        self._call = _OpenCall(opening, opening.length)
        return ""
