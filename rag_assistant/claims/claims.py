"""What a passage claims, sentence by sentence: values, and the words that say what they are of."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from rag_assistant.claims.claim_names import NAME_KIND, names_in
from rag_assistant.claims.claim_values import Value, apart_from, may_deny, values_in
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import STOP_WORDS, content_terms, terms_of
from rag_assistant.values.evidence import EvidenceItem

LONGEST_SENTENCE = 600
"""Characters of a sentence that is looked at; what is longer is a list or data."""

NEAR_WORDS = 2
"""Words that a sentence shares with what it may contradict."""

NEAR_PART = 0.5
"""Part of a claim's words that one of the same thing has in the same form: three quarters of them
are the same but for their endings."""

_HARMLESS = (
    "now still also currently already always usually generally stand stands come comes amount"
    " amounts take takes place hold holds held set say says reported noted confirmed stated agreed"
    " decided read reads correct corrected actual actually right figure should therefore thus again"
    " today give given gives get got make made total totals altogether exactly"
)
"""Words that say nothing of what a value is of."""

_TELLING = (
    "recommended recommends recommend"
    " proposed proposal suggested asked estimate estimated expected planned quote quoted quotation"
    " offer offered bid budget budgeted forecast target hoped draft average mean median maximum"
    " minimum max min gross net annual monthly weekly daily yearly quarterly first second third"
    " fourth last next previous former half full double single triple quarter adult child children"
    " member members visitor resident weekday weekend summer winter spring autumn morning afternoon"
    " evening night north south east west left right upper lower inner outer old new early late"
    " small medium large low high hot cold front rear top bottom short long standard premium basic"
    " junior senior before after without except excluding including deposit balance extra if would"
    " could might may unless per each every open opens opened close closes closed start starts"
    " started end ends ended begin begins finish finished minimal maximal initial final male female"
    " domestic international inland abroad import export new used optional"
)
"""Words that set two things apart, so that a value of the one says nothing of the other."""

_CODE = re.compile(r"\b(?=\w*\d)(?=\w*[^\W\d_])[\w-]{2,}\b|\b[A-Z]+-\d[\w-]*|(?<!\w)#\d+")
_LABELLED = re.compile(r"\b([^\W\d_]+)\.?\s+(\d{1,4})(?![\w,.]*\d)")
_ONE_LINE = re.compile(r"(?<=[^\n.!?:|])\n(?=[a-z(£€$\d])")
_CLAUSE = re.compile(r";\s+|,\s+(?:and|but|while|whereas)\s+(?=\w+\s+\w+\s+\w+)")
_PAST = re.compile(r"\b(?:was|were|had been|used to)\b", re.IGNORECASE)
_HEADER = re.compile(r"(?:Date|From|To|Cc|Bcc|Subject|Sent|Message-ID|Reply-To):")
_EDGES = "|#*>-–•\t "


@dataclass(frozen=True, slots=True)
class Claim:
    """A sentence with its values, and the terms that say what these are of.

    `telling` are words and codes that must be the same for two claims to be of the same thing.
    """

    item: EvidenceItem
    dated: str
    sentence: str
    values: tuple[Value, ...]
    words: frozenset[str]
    telling: frozenset[str]

    @property
    def near(self) -> "NearWords":
        """The words of the sentence, and how many a sentence on the same thing has of them.

        Who holds a role is told by any sentence that names the role.
        """
        words = telling_words(self.sentence)
        if self.values[0].kind == NAME_KIND:
            role = frozenset(word for word in words if not self.words.isdisjoint(terms_of(word)))
            return NearWords(role, 1)
        plain = all(value.quantity and not value.denied for value in self.values)
        least = max(NEAR_WORDS, int(NEAR_PART * len(self.words))) if plain else NEAR_WORDS
        return NearWords(words, least)

    def asserted(self) -> list[Value]:
        """Give the values that the sentence states, in order."""
        return [value for value in self.values if not value.denied]


def telling_words(text: str) -> frozenset[str]:
    """Give the words of a text, numbers too, that are no stop words."""
    return frozenset(lower_words(text)) - STOP_WORDS


@dataclass(frozen=True, slots=True)
class NearWords:
    """Words of a sentence, and how many of them a claim of the same thing has at `least`."""

    words: frozenset[str]
    least: int

    def may_be_in(self, text: str) -> bool:
        """Whether a text in lower case may have enough of the words for any claim; a fast look."""
        return sum(word in text for word in self.words) >= min(self.least, NEAR_WORDS)


@dataclass(frozen=True, slots=True)
class ClaimFilter:
    """Which claims are looked for: those of sentences near one of those that they are held against,
    if any are given, and that state a value of one of the `kinds`, or of any; see `kind_of`.

    What denies a value need only have `NEAR_WORDS` of the words.
    """

    near: tuple[NearWords, ...] = ()
    kinds: frozenset[str] | None = None

    def is_near(self, sentence: str) -> bool:
        """Whether a sentence may hold a claim of the same thing."""
        if not self.near:
            return True
        text = sentence.lower()
        return any(one.may_be_in(text) for one in self.near) and bool(self._near_to(sentence))

    def within(self, text: str) -> "ClaimFilter | None":
        """Give the filter with what the sentences of a text can have of it; None for nothing."""
        if not self.near:
            return self
        lower = text.lower()
        if not any(one.may_be_in(lower) for one in self.near):
            return None
        near = self._near_to(text)
        return ClaimFilter(tuple(near), self.kinds) if near else None

    def _near_to(self, text: str) -> list[NearWords]:
        """Give what a text has enough words of, with those words alone."""
        words = lower_words(text)
        near: list[NearWords] = []
        denying: list[NearWords] = []
        for one in self.near:
            shared = one.words.intersection(words)
            if len(shared) >= one.least:
                near.append(NearWords(shared, one.least))
            elif len(shared) >= NEAR_WORDS:
                denying.append(NearWords(shared, one.least))
        return [*near, *denying] if denying and may_deny(words) else near

    def wants(self, *kinds: str) -> bool:
        """Whether one of some kinds is looked for."""
        return self.kinds is None or not self.kinds.isdisjoint(kinds)


ALL = ClaimFilter()


def kind_of(value: Value) -> str:
    """Say which values one can be compared with at all: of a rate those without it, too."""
    return " ".join(value.kind.split()[:2])


@lru_cache(64)
def all_claims_of(item: EvidenceItem, dated: str) -> tuple[Claim, ...]:
    """Give the claims of a quote; one that is cited has been compared before, as evidence."""
    return tuple(claims_of(item, dated))


def claims_of(item: EvidenceItem, dated: str, sought: ClaimFilter = ALL) -> Iterator[Claim]:
    """Give those claims of some words that are sought."""
    within = sought.within(item.quote)
    if within is None:
        return
    text = _ONE_LINE.sub(" ", item.quote)
    for start, end in sentences_of(text):
        sentence = text[start:end].strip(_EDGES)
        if len(sentence) > LONGEST_SENTENCE or _HEADER.match(sentence):
            continue
        if not within.is_near(sentence):
            continue
        for clause in _clauses(sentence):
            values = values_in(clause)
            kept = [v for v in values if v.kind != "year" and not _is_its_own_day(v, dated)]
            if kept and sought.wants(*map(kind_of, kept)):
                yield _claim(item, dated, clause, values, kept)
            for name, role in names_in(clause) if sought.wants(NAME_KIND) else ():
                words = frozenset(content_terms(role)) - _terms(_HARMLESS)
                tense = frozenset({"(past)"} if _PAST.search(clause) else ())
                yield Claim(item, dated, clause, (name,), words, tense)


def _clauses(sentence: str) -> list[str]:
    """Cut a sentence where another statement begins."""
    parts = [part for part in _CLAUSE.split(sentence) if part]
    return parts if all(len(part) >= 20 for part in parts) else [sentence]


def _claim(
    item: EvidenceItem, dated: str, sentence: str, values: list[Value], kept: list[Value]
) -> Claim:
    """Make a claim of the values that are `kept`; the others are no words of it either."""
    around = " ".join(apart_from(values, sentence))
    words = frozenset(content_terms(around)) - _terms(_HARMLESS)
    words = frozenset(word for word in words if not word.isdigit()) | _units(kept)
    written = {word.lower() for word in re.findall(r"[^\W\d_]+", around)}
    telling = {word for word in written if word in _words(_TELLING)}
    telling |= {code.lower() for code in _CODE.findall(around)}
    telling |= {f"{label.lower()} {number}" for label, number in _LABELLED.findall(around)}
    telling |= {f"year {value.words}" for value in values if value.kind == "year"}
    if _PAST.search(sentence):
        telling.add("(past)")
    return Claim(item, dated, sentence, tuple(kept), words, frozenset(telling))


def _is_its_own_day(value: Value, dated: str) -> bool:
    """Whether a date is the one that the document is of, as below a letter."""
    return value.kind == "date" and any(date.iso == dated[:10] for date in value.dates)


def _units(values: Iterable[Value]) -> frozenset[str]:
    """Give what values are measured in, as a word of a claim: kilometres as well as metres."""
    readings = (value.readings[0] for value in values if value.readings)
    return frozenset(one.unit for one in readings if one.kind == "number" and one.unit)


@cache
def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


@cache
def _terms(text: str) -> frozenset[str]:
    return frozenset(terms_of(text))
