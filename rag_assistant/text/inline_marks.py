"""The marks within the words of Markdown: emphasis, code spans, links, images and escapes.

They are found as CommonMark 0.31.2 has it (https://spec.commonmark.org/0.31.2/#inlines), in time in
proportion to the text. HTML and addresses between angle brackets are words like others.
"""

import re
import unicodedata
from bisect import bisect_left
from dataclasses import dataclass
from enum import Enum
from itertools import chain


class Mark(Enum):
    """What signs around words make of them; an escape takes the meaning from one sign."""

    CODE = "code span"
    EMPHASIS = "emphasis"
    STRONG = "strong emphasis"
    LINK = "link"
    IMAGE = "image"
    ESCAPE = "escape"


@dataclass(frozen=True, slots=True)
class Marked:
    """Characters `start` to `end` of a text with their signs; `first` to `last` are the words."""

    mark: Mark
    start: int
    end: int
    first: int
    last: int


_SIGN = re.compile(r"\\[!-/:-@\[-`{-~]|`+|\*+|_+|!?\[|\]")
_RUN = re.compile(r"`+")
_BLANK = re.compile(r"[ \t\n]*")
_ANGLED = re.compile(r"<(?:[^<>\\\n]|\\.)*+>")
_TITLE = re.compile(r"\"(?:[^\"\\]|\\.)*+\"|'(?:[^'\\]|\\.)*+'|\((?:[^()\\]|\\.)*+\)", re.DOTALL)
_LABEL = re.compile(r"\[(?:[^\[\]\\]|\\.){1,999}+\]", re.DOTALL)
_ADDRESS = re.compile(r"\\.|[()\s\x00-\x1f\x7f]", re.DOTALL)
_DEEPEST_ADDRESS = 32
"""Parentheses in one another that an address may have; the specification lets readers limit it."""


def marks_of(text: str, *, labels: bool = False) -> list[Marked]:
    """Find the marks in the words of one block, in order, each before those in it.

    Links are those with their address; with `labels`, `[words][label]` is one as well, whether or
    not something defines the label.
    """
    if _SIGN.search(text) is None:
        return []
    scan = _Scan(text, labels)
    scan.run()
    return sorted(scan.found, key=lambda mark: (mark.start, -mark.end))


def without_marks(text: str, *, labels: bool = False) -> str:
    """Give the words of one block alone: of links what is shown, of code what is in it."""
    kept: list[str] = []
    end = 0
    for start, stop in _signs(marks_of(text, labels=labels)):
        kept.append(text[end:start])
        end = stop
    return "".join([*kept, text[end:]])


def blanked(text: str) -> str:
    """Give a text of the same length with the signs of code, emphasis and escapes blanked."""
    marks = [mark for mark in marks_of(text) if mark.mark not in (Mark.LINK, Mark.IMAGE)]
    kept: list[str] = []
    end = 0
    for start, stop in _signs(marks):
        kept += text[end:start], " " * (stop - start)
        end = stop
    return "".join([*kept, text[end:]])


def _signs(marks: list[Marked]) -> list[tuple[int, int]]:
    """Give where the signs of marks stand, in order."""
    return sorted(
        chain.from_iterable(((m.start, m.first), (m.last, m.end)) for m in marks),
    )


@dataclass(slots=True)
class _Run:
    """A run of asterisks or underscores: those from `start` to `end` are not matched yet."""

    sign: str
    start: int
    end: int
    length: int
    opens: bool
    closes: bool


@dataclass(slots=True)
class _Bracket:
    """A bracket that may open a link or an image, and how many runs stand before it."""

    start: int
    first: int
    runs: int


class _Scan:
    """Reads one text, by the specification's method of delimiter runs and a stack of brackets."""

    def __init__(self, text: str, labels: bool) -> None:
        self._text = text
        self._labels = labels
        self._brackets: list[_Bracket] = []
        self._dead = 0  # brackets that open no link, for one is inside of what they would open
        self._runs: list[_Run] = []
        self.found: list[Marked] = []
        self._backticks: dict[int, list[int]] = {}
        for run in _RUN.finditer(text):
            self._backticks.setdefault(len(run[0]), []).append(run.start())

    def run(self) -> None:
        """Find the marks of the whole text."""
        at = 0
        while sign := _SIGN.search(self._text, at):
            at = self._read(sign)
        self._match_runs(0)

    def _read(self, sign: re.Match[str]) -> int:
        start, end, first = sign.start(), sign.end(), sign[0][0]
        if first == "\\":
            self.found.append(Marked(Mark.ESCAPE, start, end, start + 1, end))
        elif first == "`":
            return self._code_span(start, end)
        elif first in "*_":
            self._runs.append(self._flanked(first, start, end))
        elif first == "]":
            return self._close_bracket(start)
        else:
            self._brackets.append(_Bracket(start, end, len(self._runs)))
        return end

    def _code_span(self, start: int, first: int) -> int:
        length = first - start
        places = self._backticks.get(length, ())  # behind an escape a run is shorter
        place = bisect_left(places, first)
        if place == len(places):
            return first
        last, end = places[place], places[place] + length
        inside = self._text[first:last]
        if inside[0] in " \n" and inside[-1] in " \n" and inside.strip(" \n"):
            first, last = first + 1, last - 1
        self.found.append(Marked(Mark.CODE, start, end, first, last))
        return end

    def _flanked(self, sign: str, start: int, end: int) -> _Run:
        """Say whether a run may open or close emphasis, by what stands on either side of it."""
        before, after = self._text[start - 1 : start] or " ", self._text[end : end + 1] or " "
        left = not after.isspace() and (
            not _is_punctuation(after) or before.isspace() or _is_punctuation(before)
        )
        right = not before.isspace() and (
            not _is_punctuation(before) or after.isspace() or _is_punctuation(after)
        )
        opens, closes = left, right
        if sign == "_":
            opens = left and (not right or _is_punctuation(before))
            closes = right and (not left or _is_punctuation(after))
        return _Run(sign, start, end, end - start, opens, closes)

    def _close_bracket(self, at: int) -> int:
        if not self._brackets:
            return at + 1
        bracket = self._brackets.pop()
        is_image = self._text[bracket.start] == "!"
        dead = len(self._brackets) < self._dead
        self._dead = min(self._dead, len(self._brackets))
        end = 0 if dead and not is_image else self._tail(at + 1)
        if not end:
            return at + 1
        self._match_runs(bracket.runs)
        mark = Mark.IMAGE if is_image else Mark.LINK
        self.found.append(Marked(mark, bracket.start, end, bracket.first, at))
        if not is_image:
            self._dead = len(self._brackets)
        return end

    def _tail(self, at: int) -> int:
        """Give where the address or the label behind a bracket ends; 0 where there is none."""
        text = self._text
        if text.startswith("(", at):
            place = _blanks(text, at + 1)
            place = self._address(place)
            if place >= 0:
                behind = _blanks(text, place)
                title = _TITLE.match(text, behind) if behind > place else None
                place = _blanks(text, title.end()) if title else behind
                if text.startswith(")", place):
                    return place + 1
        label = _LABEL.match(text, at) if self._labels else None
        return label.end() if label else 0

    def _address(self, at: int) -> int:
        """Give where an address ends; -1 where it is none."""
        if self._text.startswith("<", at):
            angled = _ANGLED.match(self._text, at)
            return angled.end() if angled else -1
        depth = 0
        for sign in _ADDRESS.finditer(self._text, at):
            if sign[0] == "(":
                depth += 1
                if depth > _DEEPEST_ADDRESS:
                    return -1
            elif sign[0] == ")" and depth:
                depth -= 1
            elif sign[0][0] != "\\":
                return -1 if depth else sign.start()
        return -1

    def _match_runs(self, bottom: int) -> None:
        """Match the runs from place `bottom` on with one another; none of them is left open."""
        runs, self._runs[bottom:] = self._runs[bottom:], []
        openers: list[_Run] = []
        # Where nothing before can open for a run of its kind: it need not be looked for again.
        none_before: dict[tuple[str, bool, int], int] = {}
        for run in runs:
            if run.closes:
                self._close(run, openers, none_before)
            if run.opens and run.start < run.end:
                openers.append(run)

    def _close(
        self, run: _Run, openers: list[_Run], none_before: dict[tuple[str, bool, int], int]
    ) -> None:
        kind = (run.sign, run.opens, run.length % 3)
        while run.start < run.end:
            least = none_before.get(kind, -1)
            place = len(openers) - 1
            while place >= 0 and openers[place].start > least:
                if _matches(openers[place], run):
                    break
                place -= 1
            else:
                none_before[kind] = openers[-1].start if openers else least
                return
            opener = openers[place]
            del openers[place + 1 :]
            taken = 2 if min(opener.end - opener.start, run.end - run.start) >= 2 else 1
            mark = Mark.STRONG if taken == 2 else Mark.EMPHASIS
            opener.end -= taken
            start, end = opener.end, run.start + taken
            self.found.append(Marked(mark, start, end, start + taken, run.start))
            run.start = end
            if opener.start == opener.end:
                openers.pop()


def _matches(opener: _Run, closer: _Run) -> bool:
    if opener.sign != closer.sign:
        return False
    both = opener.closes or closer.opens
    return not both or (opener.length + closer.length) % 3 != 0 or opener.length % 3 == 0


def _blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found  # it matches the empty text, too
    return found.end()


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character)[0] in "PS"
