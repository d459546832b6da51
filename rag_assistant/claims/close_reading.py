"""A claim that has most of a source's words, word by word: each difference must be harmless."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from rag_assistant.claims.equal_values import is_told_otherwise
from rag_assistant.claims.findings import REPLACED, ClaimComparison, Finding
from rag_assistant.claims.name_differences import is_named
from rag_assistant.claims.opposites import are_opposites, has_opposite
from rag_assistant.claims.placing import is_dated, is_turned
from rag_assistant.claims.statements import CONTENT, EXACT, StatementToken, TokenKind
from rag_assistant.claims.turning import NEGATION
from rag_assistant.claims.wording import verb_in
from rag_assistant.text.quantities import may_be_same
from rag_assistant.values.support import Difference

CLOSE = 0.75
"""Share of a claim's words that stand in the source before it is read word by word."""

IN_ORDER = 0.6
"""Share of them in the source's order, so that what stands in another's place can be told."""

LEAST_WORDS = 4
SHORT_STRETCH = 4
"""Words of a stretch that stands in the place of another."""

LEAST_OF_SUBJECT = 0.7
SAME_PREDICATE = 0.85
"""Share of what a claim says of its subject that the source says, before another subject tells."""

FLANKED = 3
"""Words around a value that are the source's before another value there stands against it."""

_ADVERBS = frozenset(
    """
    currently mostly mainly usually often generally additionally however therefore thus also
    respectively only about around approximately nearly almost already still normally frequently
    now today
    """.split()
)
_KEPT = CONTENT | {TokenKind.VALUE, TokenKind.NEGATION}


@dataclass(frozen=True, slots=True)
class Stretch:
    """Tokens of a claim beside those of a source: the same, or what stands there instead."""

    same: bool
    mine: Sequence[StatementToken]
    theirs: Sequence[StatementToken]
    at: int
    there: int


@dataclass(frozen=True)
class CloseReading:
    """A claim and a window, aligned word by word."""

    beside: ClaimComparison

    @cached_property
    def mine(self) -> Sequence[StatementToken]:
        """The telling tokens of the claim."""
        return [token for token in self.beside.claim.tokens if _is_kept(token)]

    @cached_property
    def theirs(self) -> Sequence[StatementToken]:
        """The telling tokens of the window."""
        return [token for token in self.beside.window.tokens if _is_kept(token)]

    @cached_property
    def terms(self) -> frozenset[str]:
        """What the telling tokens of the claim are compared by."""
        return frozenset(map(_key, self.mine))

    @cached_property
    def terms_there(self) -> frozenset[str]:
        """The same of the window."""
        return frozenset(map(_key, self.theirs))

    @property
    def is_close(self) -> bool:
        """Whether the claim has most of its words from the window."""
        there = sum(_key(token) in self.terms_there for token in self.mine)
        return len(self.mine) >= LEAST_WORDS and there >= CLOSE * len(self.mine)

    @cached_property
    def stretches(self) -> Sequence[Stretch]:
        """Both in stretches that are the same or differ, in order."""
        from rapidfuzz.distance import Levenshtein  # noqa: PLC0415 - only a close claim needs it

        ours, source = [*map(_key, self.mine)], [*map(_key, self.theirs)]
        found: list[Stretch] = []
        at = there = 0
        for block in Levenshtein.editops(source, ours).as_matching_blocks():
            if block.b > at or block.a > there:
                mine, theirs = self.mine[at : block.b], self.theirs[there : block.a]
                found.append(Stretch(False, mine, theirs, at, there))
            at, there = block.b + block.size, block.a + block.size
            if block.size:
                mine, theirs = self.mine[block.b : at], self.theirs[block.a : there]
                found.append(Stretch(True, mine, theirs, block.b, block.a))
        return found

    @cached_property
    def is_in_order(self) -> bool:
        """Whether most of the claim has the source's order."""
        same = sum(len(stretch.mine) for stretch in self.stretches if stretch.same)
        return same >= IN_ORDER * len(self.mine)


def close_findings(beside: ClaimComparison) -> Iterator[Finding]:
    """Give the differences of a claim that has most of its window's words."""
    reading = CloseReading(beside)
    if not reading.is_close:
        return
    differing = [stretch for stretch in reading.stretches if not stretch.same]
    if reading.is_in_order:
        yield from _negations(reading)
        for stretch in differing:
            yield from _added(reading, stretch)
        if not is_turned(beside):
            for stretch in differing:
                yield from _in_the_place_of(reading, stretch)
            yield from _moved(reading, differing)
    for number, stretch in enumerate(reading.stretches):
        if not stretch.same:
            yield from _replaced(reading, stretch)
            yield from _turned(reading, stretch)
            yield from _replaced_value(reading, number)
    yield from _other_subject(reading)


def _is_kept(token: StatementToken) -> bool:
    return token.kind in _KEPT or has_opposite(token.form)


def _key(token: StatementToken) -> str:
    return NEGATION if token.kind is TokenKind.NEGATION else token.term


def _negations(reading: CloseReading) -> Iterator[Finding]:
    """Find where one has more negations than the other in what both say."""
    same = [stretch for stretch in reading.stretches if stretch.same]
    first, last = max(0, same[0].there - 1), same[-1].there + len(same[-1].theirs)
    ours = sum(_negates(token) for token in reading.mine)
    if ours != sum(_negates(token) for token in reading.theirs[first:last]):
        yield Finding("negation")


def _negates(token: StatementToken) -> bool:
    return token.kind is TokenKind.NEGATION and token.form != "nor"


def _replaced(reading: CloseReading, stretch: Stretch) -> Iterator[Finding]:
    """Find a name, code or value that stands where the source has another one."""
    names = [token for token in stretch.mine if token.kind is TokenKind.NAME]
    new = [token for token in names if not is_named(reading.beside, token)]
    gone = [t for t in stretch.theirs if t.kind is TokenKind.NAME and t.term not in reading.terms]
    if new and gone and reading.is_in_order:
        said, read = (" ".join(token.raw for token in side) for side in (new, gone))
        yield Finding(REPLACED, Difference("name", said, read), hard=True)


def _turned(reading: CloseReading, stretch: Stretch) -> Iterator[Finding]:
    """Find a word that stands where the source has its opposite."""
    ours, theirs = ([token.form for token in side] for side in (stretch.mine, stretch.theirs))
    if any(are_opposites(one, other) for one in ours for other in theirs if one and other):
        yield Finding("opposite")


def _replaced_value(reading: CloseReading, number: int) -> Iterator[Finding]:
    """Find a value between words of the source where it has another, which the claim has not."""
    stretch = reading.stretches[number]
    beside = reading.stretches[max(0, number - 1) : number + 2]
    if len(stretch.mine) != 1 or len(stretch.theirs) != 1 or not reading.is_in_order:
        return
    ours, theirs = stretch.mine[0], stretch.theirs[0]
    if ours.value is None or theirs.value is None or _key(theirs) in reading.terms:
        return
    flanked = sum(len(one.mine) for one in beside if one.same) >= FLANKED
    alike = may_be_same(ours.value, theirs.value) or is_told_otherwise(ours.value, [theirs.value])
    if flanked and not alike:
        dated = is_dated(ours) and is_dated(theirs)
        difference = Difference("date" if dated else "number", ours.raw, theirs.raw)
        yield Finding(REPLACED, difference, hard=True)


def _added(reading: CloseReading, stretch: Stretch) -> Iterator[Finding]:
    """Find what the claim says over and above the source."""
    if stretch.theirs:
        return
    window, asked = reading.beside.window, reading.beside.question.terms
    new = [
        token
        for token in stretch.mine
        if token.kind in CONTENT
        and not window.knows(token.term)
        and token.term not in asked
        and token.form not in _ADVERBS
    ]
    at_end = stretch.at + len(stretch.mine) == len(reading.mine)
    if len(new) >= 2 or (new and at_end and _follows_mark(reading.beside.claim.tokens, new[0])):
        yield Finding("added")


def _follows_mark(tokens: Sequence[StatementToken], token: StatementToken) -> bool:
    place = next(number for number, one in enumerate(tokens) if one is token)
    for one in reversed(tokens[:place]):
        if one.kind is TokenKind.MARK:
            return True
        if one.kind in _KEPT:
            return False
    return False


def _in_the_place_of(reading: CloseReading, stretch: Stretch) -> Iterator[Finding]:
    """Find words of the source that stand where it has others of the claim's words."""
    if not stretch.mine or not stretch.theirs:
        return
    if max(len(stretch.mine), len(stretch.theirs)) > SHORT_STRETCH:
        return
    ours, there = {_key(t) for t in stretch.mine}, {_key(t) for t in stretch.theirs}
    taken = (ours - there) & reading.terms_there
    left = (there - ours) & reading.terms
    dated = any(map(is_dated, stretch.mine)) or any(map(is_dated, stretch.theirs))
    if taken and left and not dated:
        yield Finding("place")


def _moved(reading: CloseReading, differing: Sequence[Stretch]) -> Iterator[Finding]:
    """Find names and values that the source has at another place, alone."""
    gone = {_key(token) for stretch in differing for token in stretch.theirs}
    whole = f" {' '.join(map(_key, reading.theirs))} "
    for stretch in differing:
        exact = [t for t in stretch.mine if t.kind in EXACT and _key(t) in gone]
        if not exact or (len(exact) <= 2 and all(map(is_dated, exact))):
            continue
        if stretch.theirs and not all(token.kind in EXACT for token in stretch.mine):
            continue
        together = f" {' '.join(map(_key, stretch.mine))} " in whole
        if not (together and len(stretch.mine) >= 3):
            yield Finding("moved")


def _other_subject(reading: CloseReading) -> Iterator[Finding]:
    """Find another subject of which the claim says what the source says of its own."""
    beside = reading.beside
    verb = verb_in(beside.claim.tokens)
    if not verb:
        return
    asked = beside.question.terms
    subject = [
        token
        for token in beside.claim.tokens[:verb]
        if token.kind in CONTENT
        and token.term not in asked
        and not beside.window.above.has(token.term)
    ]
    said = [token for token in beside.claim.tokens[verb:] if token.kind in CONTENT]
    held = sum(beside.window.has(token.term) for token in said)
    if subject and len(said) >= 3 and held >= SAME_PREDICATE * len(said):
        weights = {token.term: beside.ground.weight(token.term) for token in subject}
        kept = sum(weight for term, weight in weights.items() if beside.window.knows(term))
        if kept < LEAST_OF_SUBJECT * sum(weights.values()):
            yield Finding("subject")
