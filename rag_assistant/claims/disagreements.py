"""Where sources contradict one another: different values of the same thing, each with its date.

Precision comes before recall: two claims are of the same thing only where their words agree, and
nothing in them (a year, a unit, a row, a person, a bound) sets them apart. A sentence that says
which value is wrong ("£18,450, not £18,540") contradicts whoever states that one.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from itertools import chain, combinations, islice, product

from rag_assistant.claims.claim_names import NAME_KIND
from rag_assistant.claims.claim_values import Value, disagree, equal
from rag_assistant.claims.claims import (
    Claim,
    ClaimFilter,
    all_claims_of,
    claims_of,
    kind_of,
)
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.text.version_names import document_date, named_version
from rag_assistant.values.documents import Entry
from rag_assistant.values.evidence import Disagreement, EvidenceItem, Side

MOST_CLAIMS = 300
"""Claims that are compared, each with each: a fraction of a second. Those first in line count."""

MOST_SHOWN, MOST_SIDES = 5, 4
"""Disagreements that are told, and values of each."""

DAYS_APART = 300
"""Documents that are further apart speak of different years, as far as they do not say it."""

LEAST_WORDS = 2
"""Words that two claims must share to be of the same thing."""

ABOUT = 90
"""Characters around a value that say what it is of."""

_SAY_BOTH = "Give both values with their sources and dates."

Source = tuple[str, int]
"""An entry, by its database and id."""

Dates = Mapping[Source, str]
"""The day that an entry is of, ISO 8601."""


def source_of(item: EvidenceItem) -> Source:
    """Give the entry that a quote is of."""
    return item.database, item.entry_id


def disagreements(items: Iterable[EvidenceItem], dates: Dates) -> tuple[Disagreement, ...]:
    """Find where quotes of different entries contradict one another. Only verified ones count."""
    return _told(combinations(_claims(items, dates), 2))


class Cited:
    """What the cited quotes claim, to be held against other words. Only verified ones count."""

    def __init__(self, items: Collection[EvidenceItem], dates: Dates) -> None:
        self._items = frozenset(items)
        self._claims = _claims(items, dates)

    def may_differ(self, entry: Source) -> bool:
        """Whether an entry's words can contradict any of them; those of the same entry cannot."""
        return any(_entry(claim) != entry for claim in self._claims)

    def disagreements(
        self, others: Iterable[EvidenceItem], dates: Dates
    ) -> tuple[Disagreement, ...]:
        """Find where they contradict one another, or `others`, each given once, contradict them."""
        claims: list[Claim] = []
        sought: dict[Source, ClaimFilter] = {}
        for item in others:
            entry = source_of(item)
            if entry not in sought:
                sought[entry] = self._sought(entry)
            if sought[entry].kinds and item.verified and item not in self._items:
                claims += claims_of(item, dates.get(entry, ""), sought[entry])
        room = MOST_CLAIMS - len(self._claims)
        return _told(chain(combinations(self._claims, 2), product(self._claims, claims[:room])))

    def _sought(self, entry: Source) -> ClaimFilter:
        """Say which claims of an entry can contradict these."""
        ours = [claim for claim in self._claims if _entry(claim) != entry]
        kinds = frozenset(kind_of(value) for claim in ours for value in claim.values)
        near = dict.fromkeys(claim.near for claim in ours)
        return ClaimFilter(tuple(near), kinds)


def _claims(items: Iterable[EvidenceItem], dates: Dates) -> list[Claim]:
    unique = dict.fromkeys(item for item in items if item.verified)
    found = (all_claims_of(item, dates.get(source_of(item), "")) for item in unique)
    return list(islice(chain.from_iterable(found), MOST_CLAIMS))


def _told(pairs: Iterable[tuple[Claim, Claim]]) -> tuple[Disagreement, ...]:
    """Say what of some pairs of claims is a contradiction."""
    found: list[tuple[_Stated, _Stated]] = []
    for one, other in pairs:
        if _entry(one) != _entry(other):
            found += _contradictions(one, other)
    return tuple(_disagreement(group) for group in _grouped(found)[:MOST_SHOWN])


def notes_on(items: Iterable[EvidenceItem], entries: Iterable[Entry]) -> list[str]:
    """Say what a model must know of quotes of entries: contradictions, and versions out of date."""
    entries = list(entries)
    databases = {item.database for item in items}
    dates = {
        (database, entry.id): document_date(entry.path, entry.metadata, entry.changed)[0]
        for database in databases
        for entry in entries
    }
    told = [f"{one.words} {_SAY_BOTH}" for one in disagreements(items, dates)]
    outdated = (_outdated(entry) for entry in entries)
    # A name or a sentence that gives orders is not repeated to a model.
    return [note for note in (*told, *outdated) if note and not why_suspicious(note)]


def _outdated(entry: Entry) -> str:
    """Say which entry has taken an entry's place; "" where none has."""
    newest = next((one for one in entry.versions if one.relation == "newer"), None)
    if newest is None:
        return ""
    by = f" by {newest.told_by}" if newest.told_by else ""
    return (
        f"entry {entry.id} ({entry.path}) is superseded by entry {newest.entry_id}"
        f" ({newest.path}), newer{by}"
    )


@dataclass(frozen=True, slots=True)
class _Stated:
    claim: Claim
    value: Value

    @property
    def key(self) -> tuple[str, int, str, int]:
        """Tell this value in this sentence from all others."""
        item = self.claim.item
        return item.database, item.entry_id, self.claim.sentence, self.value.start


def _entry(claim: Claim) -> Source:
    return source_of(claim.item)


def _contradictions(one: Claim, other: Claim) -> list[tuple[_Stated, _Stated]]:
    if corrected := _corrected(one, other) or _corrected(other, one):
        return [corrected]
    named = NAME_KIND in (one.values[0].kind, other.values[0].kind)
    found = _other_names(one, other) if named else _other_values(one, other)
    return found if found and _comparable(one, other) else []


def _corrected(one: Claim, other: Claim) -> tuple[_Stated, _Stated] | None:
    """Find a value that `one` denies and `other` states, with what `one` states instead."""
    stated = other.asserted()
    for denied in one.values:
        if not denied.denied or (denied.denied == "before" and not one.dated < other.dated):
            continue
        for wrong in stated:
            if wrong.kind.split()[:2] != denied.kind.split()[:2] or not equal(wrong, denied):
                continue
            instead = [v for v in one.asserted() if v.kind.split()[:2] == wrong.kind.split()[:2]]
            shared = len(one.words & other.words)
            if not instead or not (denied.is_telling or shared >= LEAST_WORDS):
                continue
            if not any(equal(instead[0], value) for value in stated):
                return _Stated(one, instead[0]), _Stated(other, wrong)
    return None


def _comparable(one: Claim, other: Claim) -> bool:
    """Whether two documents speak of one time: not issues of a series, nor of different years."""
    here, there = named_version(one.item.path), named_version(other.item.path)
    if here.date != there.date and here.subject == there.subject and _same_database(one, other):
        return False
    if (
        "|" in one.sentence + other.sentence and one.item.title != other.item.title
    ):  # a row says little by itself
        return False
    return _days_apart(one.dated, other.dated) <= DAYS_APART


def _same_database(one: Claim, other: Claim) -> bool:
    return one.item.database == other.item.database


def _days_apart(one: str, other: str) -> int:
    try:
        return abs((date.fromisoformat(one[:10]) - date.fromisoformat(other[:10])).days)
    except ValueError:  # unknown, or to the year or month only
        return 0 if one[:4] == other[:4] or not (one and other) else DAYS_APART + 1


def _same_thing(one: Claim, other: Claim) -> bool:
    if one.telling != other.telling:
        return False
    shared = one.words & other.words
    ours, theirs = one.words - shared, other.words - shared
    if len(shared) < LEAST_WORDS or (ours and theirs):
        return False
    return len(ours | theirs) <= len(shared) // 3


def _other_values(one: Claim, other: Claim) -> list[tuple[_Stated, _Stated]]:
    """Pair the values of two claims of the same thing, kind by kind; give those that differ."""
    if not _same_thing(one, other):
        return []
    differ: list[tuple[_Stated, _Stated]] = []
    ours, theirs = _by_kind(one), _by_kind(other)
    if ("date" in ours) != ("date" in theirs):
        return []
    for kind in ours.keys() & theirs.keys():
        if len(ours[kind]) != len(theirs[kind]):
            return []
        for a, b in zip(ours[kind], theirs[kind], strict=True):
            if disagree(a, b):
                differ.append((_Stated(one, a), _Stated(other, b)))
            elif not equal(a, b):
                return []
    # Where values of two kinds differ, one is a condition of the other: "at 20 °C in 45 minutes".
    return differ if len({pair[0].value.kind for pair in differ}) == 1 else []


def _by_kind(claim: Claim) -> dict[str, list[Value]]:
    found: dict[str, list[Value]] = {}
    for value in claim.asserted():
        found.setdefault(value.kind, []).append(value)
    return found


def _other_names(one: Claim, other: Claim) -> list[tuple[_Stated, _Stated]]:
    """Find two holders of one role."""
    a, b = one.values[0], other.values[0]
    if a.kind != b.kind or one.telling != other.telling:
        return []
    if not one.words or one.words != other.words or set(a.name) & set(b.name):
        return []
    return [(_Stated(one, a), _Stated(other, b))]


def _grouped(pairs: Sequence[tuple[_Stated, _Stated]]) -> list[list[_Stated]]:
    """Put together what is about the same thing: pairs that share a value of a sentence."""
    groups: list[dict[tuple[str, int, str, int], _Stated]] = []
    for pair in pairs:
        joined = {stated.key: stated for stated in pair}
        apart = []
        for group in groups:
            if group.keys() & joined.keys():
                joined = {**group, **joined}
            else:
                apart.append(group)
        groups = [*apart, joined]
    return [list(group.values()) for group in groups]


def _disagreement(group: Sequence[_Stated]) -> Disagreement:
    newest_first = sorted(group, key=lambda stated: stated.claim.dated, reverse=True)
    sides: list[_Stated] = []
    for stated in newest_first:
        if not any(equal(stated.value, before.value) for before in sides):
            sides.append(stated)
    # A correction names both values; what they are of is said by who states one.
    plain = next((one for one in sides if len(one.claim.asserted()) == len(one.claim.values)), None)
    first = sides[0].value.kind.split()[0]
    return Disagreement(
        _about(plain or sides[0]),
        first if first in ("date", NAME_KIND) else "number",
        tuple(
            Side(one.claim.item, one.value.words, one.claim.sentence, one.claim.dated)
            for one in sides[:MOST_SIDES]
        ),
    )


def _about(stated: _Stated) -> str:
    """Give the words around a value, with "…" in its place."""
    sentence, value = stated.claim.sentence, stated.value
    before = " ".join(sentence[: value.start].split())
    after = " ".join(sentence[value.start + len(value.words) :].split())
    if len(before) > ABOUT:
        before = "…" + before[-ABOUT:].split(" ", 1)[-1]
    if len(after) > ABOUT:
        after = after[:ABOUT].rsplit(" ", 1)[0] + "…"
    gap = "" if after[:1] in (",", ".", ";", ":", ")") else " "
    return f"{before} …{gap}{after}".strip(" .,;:|")
