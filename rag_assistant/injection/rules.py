"""A rule of the detector: a pattern of folded text that is tried only where a word of it stands.

In a pattern written for `phrase`, a space is any break between two words, a space with a question
mark is one that may be missing, and <3> stands for up to three words. Nothing in it may grow
without bound: then a text costs time in proportion to its length, whoever wrote it.
"""

import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal

Kind = Literal["instruction", "hidden", "invisible", "encoded", "command", "link"]

BREAK = r"[\W_]{1,8}"
"""Between two words: white space, and the marks of lists, quotations and Markdown."""

MAYBE_BREAK = r"[\W_]{0,8}"

_FEW = re.compile(r"<(\d+)>")


@dataclass(frozen=True, slots=True)
class Rule:
    """A pattern, looked for where a text has a word of each group of `needs`.

    `reason` says what it does, for a person. What is `whole` matches words, never the end of one.
    What is `cased` tells capitals from small letters. `signs` are pieces of text, in lower case, of
    which it must have one. With `undo`, a match counts where the text gives orders without the
    disguise that `undo` takes off.
    """

    kind: Kind
    reason: str
    pattern: str
    needs: tuple[frozenset[str], ...] = ()
    signs: tuple[str, ...] = ()
    whole: bool = True
    cased: bool = False
    undo: Callable[[str], str] | None = None

    def spans(self, text: str, at: int = 0, end: int = sys.maxsize) -> Iterator[tuple[int, int]]:
        """Give the places in a folded text, or a part of it, in order."""
        # The boundary before the first word is checked here: in the pattern it would keep the
        # expression from looking for that word's first letter alone, which is ten times as fast.
        pattern = _compiled(self.pattern)
        while found := pattern.search(text, at, end):
            start, at = found.start(), max(found.end(), found.start() + 1)
            if self.whole and start and (text[start - 1].isalnum() and text[start].isalnum()):
                at = start + 1
                continue
            yield start, found.end()


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Compile a pattern when a text first needs it: all of them take a tenth of a second."""
    return re.compile(pattern)


def phrase(reason: str, needs: str, pattern: str) -> Rule:
    """Make a rule of a phrase. `needs` are groups apart by spaces, of words apart by strokes."""
    counted = _FEW.sub(lambda few: rf"(?:\w{{1,30}} ){{0,{few[1]}}}?", pattern)
    spaced = counted.replace(" ?", MAYBE_BREAK).replace(" ", BREAK)
    written = rf"(?:{spaced})(?!\w)"
    groups = tuple(frozenset(group.split("|")) for group in needs.split())
    return Rule("instruction", reason, written, groups)


def literal(kind: Kind, reason: str, needs: str, signs: str, pattern: str) -> Rule:
    """Make a rule of a pattern as it stands; `needs` as of a phrase, `signs` apart by spaces."""
    groups = tuple(frozenset(group.split("|")) for group in needs.split())
    return Rule(kind, reason, pattern, groups, tuple(signs.split()), whole=False, cased=True)


class RuleSet:
    """Rules, of which those that a text may match are chosen quickly: most texts match none.

    Each group of words that a rule asks for is a bit; a text's words set theirs. Words are looked
    up as bytes, which is the fastest way to take a text apart.
    """

    def __init__(self, rules: Iterable[Rule]) -> None:
        bits: dict[frozenset[str], int] = {}
        self._of_word: dict[bytes, int] = {}
        self._worded: list[tuple[int, Rule]] = []
        self._by_sign: dict[str, dict[str, list[Rule]]] = {}
        for rule in rules:
            for group in rule.needs:
                bit = bits.setdefault(group, 1 << len(bits))
                for word in group:
                    coded = word.encode()
                    self._of_word[coded] = self._of_word.get(coded, 0) | bit
            if rule.needs:
                self._worded.append((sum(bits[group] for group in set(rule.needs)), rule))
            for sign in () if rule.needs else rule.signs:
                self._by_sign.setdefault(sign[0], {}).setdefault(sign, []).append(rule)
        self._words = frozenset(self._of_word)

    def words_in(self, folded: str) -> int:
        """Give the bits of the words of a folded text."""
        present = 0
        for word in self._words.intersection(words_of(folded)):
            present |= self._of_word[word]
        return present

    def needed(self, folded: str, present: int) -> list[Rule]:
        """Give the rules that a text with these words may match, each once."""
        chosen = [
            rule
            for wanted, rule in self._worded
            if wanted & present == wanted
            and (not rule.signs or any(sign in folded for sign in rule.signs))
        ]
        for first, signs in self._by_sign.items():
            if first in folded:
                there = {id(r): r for sign in signs if sign in folded for r in signs[sign]}
                chosen += there.values()
        return chosen


def words_of(folded: str) -> list[bytes]:
    """Give the words of a folded text, those in letters of ASCII."""
    return folded.encode("latin-1", "replace").translate(_MARKS_AS_SPACES).split()


_MARKS_AS_SPACES = bytes(
    code if code < 128 and chr(code).isalnum() else ord(" ") for code in range(256)
)
