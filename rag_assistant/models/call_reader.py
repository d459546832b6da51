"""Tool calls found in the text that a model streams, wherever the stream was cut into pieces.

Text is given back as soon as it cannot be the beginning of a call, calls when they are complete,
all in the order written; how the text was cut changes nothing. Nothing is lost:

- call syntax in a Markdown code block or in inline code (on one line) is text;
- an opening that breaks off before it names a tool or begins an object is text;
- an object that is not JSON, or a tag round something else, is a call with that as its arguments,
  which fail validation, so that the model is told;
- so is a call that never ends, with all that follows: what stands in an open string is not run;
- a whole object that lacks only its closing tag is a call like any other.
"""

import re
from dataclasses import dataclass

from rag_assistant.models.call_forms import (
    UNSURE,
    Opening,
    ReadCall,
    closing_at,
    opening_at,
    read_call,
)

_MARKS = re.compile(r"\n|`+|~+|[<T]")
_TOKENS = re.compile(r'"(?:[^"\\]|\\.)*+"|["{}<T]', re.DOTALL)
_BLOCK_PREFIX = re.compile(r"[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?")


@dataclass(slots=True)
class _OpenCall:
    """A call whose end has not come; `scanned` is how far its text was looked through."""

    opening: Opening
    scanned: int
    depth: int = 0

    def end_in(self, text: str, *, final: bool) -> int | None:
        """Give where the call's object, or what stands in its place, ends; None to wait."""
        while token := _TOKENS.search(text, self.scanned):
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
            if mark == "{" and (self.depth or not text[self.opening.length : at].strip()):
                self.depth += 1
            elif mark == "}" and self.depth:
                self.depth -= 1
                if not self.depth:
                    return token.end()
            self.scanned = token.end() if self.depth or len(mark) == 1 else at + 1
        else:
            self.scanned = len(text)
        return len(text) if final else None

    def _boundary(self, text: str, at: int) -> object:
        """Tell whether the call breaks off here: at its closing tag, or where another opens."""
        closing = closing_at(text, at) if self.opening.form == "tag" else None
        return opening_at(text, at, text[at - 1]) if closing is None else closing


class CallReader:
    """Reads one reply; see the module for what counts as a call."""

    def __init__(self) -> None:
        self._buffer = ""
        self._line = ""  # what was read of the line
        self._span = ""  # the backticks, or tildes, that opened code on this line
        self._span_leads = False  # whether it leads the line, and so opens a block if the line ends
        self._block = ""  # the marks that opened a code block
        self._call: _OpenCall | None = None
        self._closing = False  # whether a closing tag may follow

    def feed(self, text: str) -> list[str | ReadCall]:
        """Take a piece of the reply; give the texts and calls that are certain now."""
        self._buffer += text
        return self._read(final=False)

    def finish(self) -> list[str | ReadCall]:
        """Give what was held back, for nothing follows."""
        return self._read(final=True)

    def _read(self, *, final: bool) -> list[str | ReadCall]:
        pieces: list[str | ReadCall] = []
        while self._buffer and (piece := self._next(final=final)) is not None:
            if isinstance(piece, str) and pieces and isinstance(pieces[-1], str):
                pieces[-1] += piece
            elif piece:
                pieces.append(piece)
        return pieces

    def _next(self, *, final: bool) -> str | ReadCall | None:
        """Give the next text, often empty, or the next call; None to wait for more."""
        if self._call:
            return self._read_call(self._call, final=final)
        return self._pass_closing(final=final) if self._closing else self._read_text(final=final)

    def _take(self, length: int) -> str:
        text, self._buffer = self._buffer[:length], self._buffer[length:]
        self._line = (self._line + text).rpartition("\n")[2]
        return text

    def _read_call(self, call: _OpenCall, *, final: bool) -> ReadCall | None:
        end = call.end_in(self._buffer, final=final)
        if end is None:
            return None
        written = self._take(end)
        self._call, self._closing = None, call.opening.form == "tag"
        body = written[call.opening.length :]
        if not (body.strip() or self._buffer):
            # Not even a closing tag: empty arguments may be arguments that were cut off.
            body = written
        return read_call(call.opening, body)

    def _pass_closing(self, *, final: bool) -> str | None:
        """Pass over the closing tag of the call before; it may be left out."""
        at = len(self._buffer) - len(self._buffer.lstrip())
        length = closing_at(self._buffer, at)
        if length == UNSURE and not final:
            return None
        self._closing = False
        if isinstance(length, int):
            self._take(at + length)
        return ""

    def _read_text(self, *, final: bool) -> str | None:
        """Give text up to the next mark, or the mark itself where it is text; None to wait."""
        mark = _MARKS.search(self._buffer)
        if mark is None or mark.start():
            return self._take(mark.start() if mark else len(self._buffer))
        if mark[0] == "\n":
            self._end_line()
        elif mark[0] in "<T":
            return self._take(1) if self._block else self._maybe_open(final=final)
        elif mark.end() == len(self._buffer) and not final:
            return None  # the run may go on
        elif not self._block:
            self._note_code(mark[0])
        return self._take(mark.end())

    def _end_line(self) -> None:
        """Note whether a code block ends with this line, or begins after it."""
        if not self._block:
            self._block = self._span if self._span_leads else ""
        else:
            marks = self._line.strip(" \t>")
            if marks.startswith(self._block) and not marks.strip(self._block[0]):
                self._block = ""
        self._span, self._span_leads = "", False

    def _note_code(self, run: str) -> None:
        """Note that code opens or closes with this run of backticks, or of tildes."""
        if not self._span:
            leads = len(run) >= 3 and _BLOCK_PREFIX.fullmatch(self._line) is not None
            if leads or run[0] == "`":
                self._span, self._span_leads = run, leads
        elif run == self._span and run[0] == "`":
            self._span, self._span_leads = "", False

    def _maybe_open(self, *, final: bool) -> str | None:
        opening = opening_at(self._buffer, 0, self._line[-1:])
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
