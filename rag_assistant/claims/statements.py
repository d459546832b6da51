"""A sentence as it is compared: its words, names, codes and values in order, and what is negated.

A value is one token with all that belongs to it; a code is a name with digits in it ("HLY-407",
"3.5.0"). The time is in proportion to the sentence.
"""

import re
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property

from rag_assistant.claims.turning import NEGATION, turning
from rag_assistant.claims.words import levelled
from rag_assistant.text.quantities import Quantity, quantities_in
from rag_assistant.text.terms import STOP_WORDS, terms_by_word, words_in

PREFIX = 5
"""Letters at their beginnings that two words of one root share: "infect", "infectious"."""

NEGATED = 3
"""Words behind a negation that it is taken to deny."""

_TOKEN = re.compile(
    r"(?P<code>(?<![^\W_])(?=[\w-]*\d)(?=[\w-]*[^\W\d_])[^\W_][\w-]*(?:\.\d+)*|\d+(?:\.\d+){2,})"
    r"|(?P<word>[^\W\d_]+(?:['’][^\W\d_]+)?)"
    r"|(?P<mark>[.;:!?,()|\n—–])"
)
_MARK = re.compile(r"[.;:!?,()|\n—–]")
_POSSESSIVE = re.compile(r"['’]s$")
_NO_NEGATION = re.compile(
    r"\b(?:no|not|never)\s+(?:be\s+)?(?:more|less|later|earlier|fewer|sooner|only|longer\s+than"
    r"|shorter\s+than|necessarily|exceed|matter)\b|\b(?:whether\s+)?or\s+not\b|\bno\.\s*\d",
    re.IGNORECASE,
)
_ENDS_NEGATION = frozenset("but and because since while which than if".split())


class TokenKind(Enum):
    """What a token is."""

    WORD = "word"
    STOP = "stop"
    NEGATION = "negation"
    NAME = "name"
    CODE = "code"
    VALUE = "value"
    MARK = "mark"


CONTENT = frozenset((TokenKind.WORD, TokenKind.NAME, TokenKind.CODE))
EXACT = frozenset((TokenKind.NAME, TokenKind.CODE, TokenKind.VALUE))
"""What must not be another one."""


@dataclass(slots=True)
class StatementToken:
    """A word, a mark of punctuation, or a whole value; `term` is what it is compared by."""

    kind: TokenKind
    raw: str
    form: str
    term: str
    start: int
    value: Quantity | None = None
    negated: bool = False


@dataclass(frozen=True)
class WrittenWords:
    """How the documents write words: those that they write small, and those that they never do."""

    small: Collection[str] = frozenset()
    never_small: Collection[str] = frozenset()


@dataclass(frozen=True)
class Statement:
    """The tokens of a sentence, in order."""

    text: str
    tokens: Sequence[StatementToken]
    _near: dict[str, list[str]] = field(init=False, default_factory=dict)

    @cached_property
    def terms(self) -> frozenset[str]:
        """The terms of all words, those that values are written with among them."""
        found = {token.term for token in self.tokens if token.term}
        for token in self.tokens:
            if token.value:
                words = [word for word in words_in(token.raw) if not word.isdigit()]
                found.update(terms_by_word(" ".join(words)).values())
        return frozenset(found)

    @cached_property
    def content(self) -> Sequence[StatementToken]:
        """The words that tell something, names and codes; no values."""
        return [token for token in self.tokens if token.kind in CONTENT]

    @cached_property
    def values(self) -> Sequence[StatementToken]:
        """The values."""
        return [token for token in self.tokens if token.kind is TokenKind.VALUE]

    @cached_property
    def quantities(self) -> Sequence[Quantity]:
        """The values, those of ranges one by one."""
        return [end for token in self.values if token.value for end in token.value.ends()]

    @cached_property
    def forms(self) -> frozenset[str]:
        """All words, levelled."""
        return frozenset(token.form for token in self.tokens if token.form)

    @cached_property
    def squeezed(self) -> str:
        """All letters and digits, so that a code is found however it is written."""
        return "".join(filter(str.isalnum, self.text.casefold()))

    @cached_property
    def _by_prefix(self) -> dict[str, list[str]]:
        found: dict[str, list[str]] = defaultdict(list)
        for term in self.terms:
            if len(term) >= PREFIX:
                found[term[:PREFIX]].append(term)
        return found

    def has(self, term: str) -> bool:
        """Whether it has a term, or one of the same root."""
        if term in self.terms:
            return True
        if len(term) < PREFIX:
            return False
        return any(
            term.startswith(other) or other.startswith(term) or term[:6] == other[:6]
            for other in self._by_prefix.get(term[:PREFIX], ())
        )


def statement(text: str, written: WrittenWords | None = None) -> Statement:
    """Read a sentence. A word at its beginning is a name if the documents never write it small."""
    known = written or WrittenWords()
    values = [one for one in quantities_in(text) if one.kind != "code" and _counts(one)]
    terms = terms_by_word(text)
    name_of = _name_finder(text, known)
    tokens: list[StatementToken] = []
    place = number = 0
    while True:
        match = _TOKEN.search(text, place)
        start = match.start() if match else len(text)
        if number < len(values) and values[number].start <= start:
            tokens.append(_value_token(values[number]))
            place = max(place, values[number].end)
            number += 1
            continue
        if match is None:
            break
        end = match.end()
        if match.lastgroup == "code" and number < len(values) and values[number].start < end:
            place = values[number].start  # "x5 km": the value stands within
            continue
        tokens.append(_token(match, terms, name_of))
        place = end
    _mark_negated(tokens, text)
    return Statement(text, tokens)


def _counts(value: Quantity) -> bool:
    return value.kind != "ordinal" or value.words[:1].isdigit()


def _value_token(value: Quantity) -> StatementToken:
    reading = value.readings[0]
    key = f"#{reading.kind} {reading.low} {reading.high} {reading.unit}"
    return StatementToken(TokenKind.VALUE, value.words, "", key, value.start, value)


def _token(
    match: re.Match[str], terms: dict[str, str], is_a_name: Callable[[int, str], bool]
) -> StatementToken:
    raw, start = match[0], match.start()
    if match.lastgroup == "mark":
        return StatementToken(TokenKind.MARK, raw, "", "", start)
    form = levelled(raw)
    if match.lastgroup == "code":
        return StatementToken(
            TokenKind.CODE, raw, form, form.replace("-", "").replace("_", ""), start
        )
    bare = _POSSESSIVE.sub("", raw)
    term = terms.get(bare) or terms.get(raw) or levelled(bare)
    if turning(form) == NEGATION or (form.endswith("nt") and raw[-2:-1] in "'’"):
        return StatementToken(TokenKind.NEGATION, raw, form, term, start)
    if len(raw) == 1 and raw.isupper() and raw != "I" and start:
        return StatementToken(TokenKind.CODE, raw, form, f"={form}", start)  # "type B"
    if form in STOP_WORDS or levelled(bare) in STOP_WORDS:
        return StatementToken(TokenKind.STOP, raw, form, term, start)
    kind = TokenKind.NAME if is_a_name(start, bare) else TokenKind.WORD
    return StatementToken(kind, raw, levelled(bare), term, start)


_BEGINS = re.compile(r"(?:^|[.!?:…;\n|>#“\"(]|[-–—*]\s)[\s*_#>\"'“‘(\[-]*$")
_LOOKED_BACK = 12


def _name_finder(text: str, written: WrittenWords) -> Callable[[int, str], bool]:
    """Give what tells whether the word at a place is written as a name."""

    def is_a_name(start: int, word: str) -> bool:
        if not word[:1].isupper():
            return False
        if len(word) > 1 and any(letter.isupper() for letter in word[1:]):
            return True
        if len(word) < 2:
            return False
        if not _BEGINS.search(text[max(0, start - _LOOKED_BACK) : start]):
            return True
        return word.lower() in written.never_small

    return is_a_name


def _mark_negated(tokens: Iterable[StatementToken], text: str) -> None:
    """Mark the words that a negation before them denies."""
    harmless = [match.span() for match in _NO_NEGATION.finditer(text)]
    left = 0
    for token in tokens:
        if token.kind is TokenKind.NEGATION:
            if not any(start <= token.start < end for start, end in harmless):
                left = NEGATED
                token.negated = True
        elif token.kind is TokenKind.MARK:
            left = left if token.raw in "()" else 0
        elif token.form in _ENDS_NEGATION and left < NEGATED:
            left = 0
        elif left and (token.kind in CONTENT or token.kind is TokenKind.VALUE):
            token.negated = True
            left -= 1
        elif token.form in ("instead", "rather"):
            left = NEGATED - 1
