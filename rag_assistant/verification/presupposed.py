"""What a question presupposes and the cited sources do not say: its year, its names, its codes.

"What did the roof cost in 2024?", answered from the accounts of 2025, is told so. A question may
presuppose what the sources say in other words, so this only tells, and never withholds.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from rapidfuzz import fuzz

from rag_assistant.claims.names import is_name
from rag_assistant.claims.words import levelled
from rag_assistant.text.dates import Date
from rag_assistant.text.quantities import Quantity, quantities_in
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import content_terms
from rag_assistant.text.units import units_of

_WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_ASKED_UNIT = re.compile(r"\b(?:how many|in(?: what)?)\s+(?P<unit>[^\W\d_]{2,20})\b", re.IGNORECASE)
_VERSION = re.compile(
    r"\b(?:version|release|revision|edition|v\.?)\s*(?P<number>\d+(?:\.\d+)*)", re.IGNORECASE
)
_CODE = re.compile(r"\b(?=[\w-]*[A-Z])(?=[\w-]*\d)[A-Za-z]\w*(?:-\w+)*\b")
_BETWEEN = re.compile(r"[\s‐-–-]+")
_SPEAKER = ("I'", "I’")
_POSSESSIVE = re.compile(r"['’]s$")
_CAPITALS = re.compile(
    r"\b[A-Z][\w’'-]*(?:\s+(?:(?:of|for|the|and|on|in|de|du)\s+)*[A-Z][\w’'-]*)+"
)

ALIKE, LEAST_ALIKE = 80, 5
"""How alike two words are that count as one misspelt, of 100, and letters of the shortest such."""

_CALENDAR = frozenset(
    """monday tuesday wednesday thursday friday saturday sunday january february march april may
    june july august september october november december christmas easter mr mrs ms dr prof
    sir""".split()
)
"""Names that tell when, or how somebody is spoken to, and nothing of whom or what."""

Span = tuple[int, int]


@dataclass(frozen=True, slots=True)
class Presupposed:
    """Something that a question says and what is cited does not; `read` is said there instead."""

    kind: str
    asked: str
    read: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """Say it in a line."""
        if self.read:
            instead = ", ".join(self.read)
            return f"You asked about {self.asked}; what is cited speaks of {instead}."
        return f"You asked about {self.asked}, which nothing that is cited mentions."


@dataclass(frozen=True)
class CitedSource:
    """An entry that an answer cites: its quotes with their sentences, what stands above, the rest.

    `above` are its title, path and headings, `dated` the day that it is of, ISO 8601 or "", and
    `text` is all that was read of it.
    """

    quotes: tuple[str, ...]
    above: str
    dated: str
    text: str

    @cached_property
    def forms(self) -> frozenset[str]:
        """The levelled words of all of it."""
        return frozenset(levelled(word) for word in _WORD.findall(f"{self.above}\n{self.text}"))

    @cached_property
    def squeezed(self) -> str:
        """All of it without spaces and hyphens."""
        return _squeezed(f"{self.above}\n{self.text}")

    @cached_property
    def initials(self) -> frozenset[str]:
        """What the first letters of several capitals in a row spell: "wto" of its name."""
        runs = _CAPITALS.findall(f"{self.above}\n{self.text}")
        letters = (
            "".join(word[0] for word in _WORD.findall(run) if word[0].isupper()) for run in runs
        )
        return frozenset(part for told in letters for part in _parts(told.casefold()))

    @cached_property
    def terms(self) -> frozenset[str]:
        """Its terms."""
        return frozenset(content_terms(f"{self.above}\n{self.text}"))


def _parts(letters: str) -> Iterator[str]:
    for start in range(len(letters) - 1):
        yield from (
            letters[start:end] for end in range(start + 2, min(len(letters), start + 6) + 1)
        )


def presupposed(question: str, sources: Sequence[CitedSource]) -> list[Presupposed]:
    """Give what a question presupposes that none of the sources has; none where none is cited."""
    if not sources:
        return []
    asked = " ".join(question[start:end] for start, end in _asking(question))
    values = quantities_in(asked)
    codes = list(_codes(asked, sources))
    names = [
        one
        for one in _names(asked, values, sources)
        if not any(one.asked in c.asked for c in codes)
    ]
    return [
        *_years(values, sources),
        *_versions(asked, sources),
        *codes,
        *names,
        *_units(asked, sources),
    ]


def _asking(question: str) -> list[Span]:
    """Give the sentences that ask, all where none ends with its sign.

    What a person tells of themselves before they ask is left alone.
    """
    spans = sentences_of(question)
    asking = [span for span in spans if question[slice(*span)].rstrip().endswith(("?", "？"))]
    return asking or spans


# Years


def _years(values: Iterable[Quantity], sources: Sequence[CitedSource]) -> Iterator[Presupposed]:
    """Compare the years that are asked for with those of the quotes, and what they stand in."""
    asked = _years_of(values)
    if not asked:
        return
    quoted = _years_in(quote for source in sources for quote in source.quotes)
    near = quoted or _years_in(f"{source.above} {source.dated}" for source in sources)
    if near and asked.keys().isdisjoint(near) and not _spans(asked, near):
        everywhere = _years_in(source.text for source in sources)
        if quoted or asked.keys().isdisjoint(everywhere):
            year = next(iter(asked.values()))
            yield Presupposed("year", year, tuple(map(str, sorted(near)[:3])))


def _spans(asked: Mapping[int, str], near: Iterable[int]) -> bool:
    """Whether years that are cited lie within those asked for: "from 2019 to 2023"."""
    return len(asked) > 1 and any(min(asked) <= year <= max(asked) for year in near)


def _years_of(values: Iterable[Quantity]) -> dict[int, str]:
    found: dict[int, str] = {}
    for value in values:
        for reading in value.readings:
            for date in (reading.low, reading.high):
                if isinstance(date, Date) and date.year is not None:
                    found.setdefault(date.year, str(date.year))
    return found


def _years_in(texts: Iterable[str]) -> set[int]:
    return {year for text in texts for year in _years_of(quantities_in(text))}


# Versions and codes


def _versions(question: str, sources: Sequence[CitedSource]) -> Iterator[Presupposed]:
    asked = _VERSION.search(question)
    if not asked:
        return
    told = {m["number"] for s in sources for m in _VERSION.finditer(f"{s.above}\n{s.text}")}
    if told and asked["number"] not in told:
        yield Presupposed("version", " ".join(asked[0].split()), tuple(sorted(told)[:3]))


def _codes(asked: str, sources: Sequence[CitedSource]) -> Iterator[Presupposed]:
    for code in dict.fromkeys(_CODE.findall(asked)):
        if not any(_squeezed(code) in source.squeezed for source in sources):
            yield Presupposed("code", code)


def _squeezed(text: str) -> str:
    return _BETWEEN.sub("", text.casefold())


# Names


def _names(
    asked: str, values: Sequence[Quantity], sources: Sequence[CitedSource]
) -> Iterator[Presupposed]:
    """Give the names in what is asked, no word of which is in any of the sources."""
    for name in _names_of(asked, values):
        words = [levelled(_POSSESSIVE.sub("", word)) for word in name]
        words = [word for word in words if word not in _CALENDAR]
        if words and not any(_has(source, word) for source in sources for word in words):
            yield Presupposed("name", " ".join(name))


def _has(source: CitedSource, word: str) -> bool:
    """Whether a source has a word, a form or a misspelling of it, or what its letters stand for."""
    if word in source.forms or word in source.initials:
        return True
    terms = content_terms(word)
    if terms and all(term in source.terms for term in terms):
        return True
    if len(word) < LEAST_ALIKE:
        return any(form.startswith(word) for form in source.forms) if len(word) > 1 else True
    return any(
        form[:2] == word[:2] and fuzz.ratio(form, word, score_cutoff=ALIKE)
        for form in source.forms
        if abs(len(form) - len(word)) <= 2
    )


def _names_of(asked: str, values: Sequence[Quantity]) -> list[list[str]]:
    """Give the names in what is asked, those of several words in a row as one."""
    found: list[list[str]] = []
    last = -2
    for match in _WORD.finditer(asked):
        in_value = any(value.start <= match.start() < value.end for value in values)
        if in_value or match[0][:2] in _SPEAKER or not is_name(asked, *match.span()):
            continue
        if found and asked[last : match.start()].strip() == "":
            found[-1].append(match[0])
        else:
            found.append([match[0]])
        last = match.end()
    return found


# Units


def _units(question: str, sources: Sequence[CitedSource]) -> Iterator[Presupposed]:
    """Say where a measure is asked for in a unit that no quote has, in a place of another one."""
    for match in _ASKED_UNIT.finditer(question):
        asked = units_of(match["unit"])
        if not asked or match["unit"].casefold() in _TIMES:
            continue
        base = asked[0][0]
        measured = [
            (value, reading)
            for source in sources
            for quote in source.quotes
            for value in quantities_in(quote)
            for reading in value.readings
            if reading.unit == base
        ]
        sizes = {size for _, size in asked}
        if measured and all(reading.size not in sizes for _, reading in measured):
            told = dict.fromkeys(value.words for value, _ in measured)
            yield Presupposed("unit", f"a figure in {match['unit']}", tuple(told)[:3])
            return


_TIMES = frozenset("day days week weeks month months year years hour hours minute minutes".split())
"""Units in which people ask, and are content with another one."""
