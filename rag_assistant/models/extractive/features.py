"""What can be seen of a sentence as an answer to a question: features, each about 0 to 1.

How much of the question's words it holds, by itself and with what stands around it; how its passage
ranks; what kind of text it is; and whether it has the kind of thing that is asked for. What each of
them weighs is fitted (`weights.py`).
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import chain, pairwise
from math import log1p

from rag_assistant.models.extractive.candidates import CandidateSentence
from rag_assistant.models.extractive.entry_features import ENTRY_NAMES, WithinEntries, rarity
from rag_assistant.text.kinds_asked import KINDS, Kind, holds_kind, kind_asked
from rag_assistant.text.nearness import together
from rag_assistant.text.numerals import NUMBER_WORDS
from rag_assistant.text.terms import STOP_WORDS, content_terms, terms_of, words_in

KIND_NAMES = tuple(kind.name for kind in KINDS)
_FIGURES = frozenset(("share", "money", "time span", "moment", "figure"))

NAMES = (
    "own",
    "before",
    "heading",
    "passage",
    "surrounded",
    "together",
    "in a row",
    "count",
    "numbers",
    "names",
    "rank",
    "late",
    "rival passages",
    "best of passage",
    "short",
    "long",
    "new words",
    "asks",
    "listed source",
    "row",
    "item",
    "announces",
    "label",
    "has kind",
    "lacks kind",
    "kind near words",
    "new value",
    "counted",
    "names itself",
    "unfinished",
    *KIND_NAMES,
    *ENTRY_NAMES,
)
"""The features, in the order in which they are given."""

ABOUT_TEXT = 0.25
"""What words about a text ("according to the study") weigh beside those of its subject."""

_ABOUT_TEXT = (
    "study studies paper papers article articles author authors text texts document documents"
    " mention mentioned mentions according described describe passage report reports stated"
    " discussed example examples found used use main kind kinds type types called say says"
    " name names give tell explain"
)
_LISTED = re.compile(
    r"\bet al\b|\bdoi\b|https?://|\b(?:vol|pp)\. ?\d|\bISBN\b|©|@"
    r"|\b\d{4};\s?\d|\b\d+ ?\(\d+\): ?\d+[-–]\d"
)
"""What stands in lists of literature and addresses, such as "1968; 6 (2): 230-247"."""

_SIGNS_OF_LISTED = ("et al", "doi", "http", "vol", "pp", "ISBN", "©", "@", ";", "):")
"""Each of them holds one of these, which are found forty times as fast."""

_ROW = re.compile(r"^\s*\|")
_ITEM = re.compile(r"^\s*(?:[-*+•]|\d{1,3}[.)])\s")
_LABEL = re.compile(r"^[^.!?]{1,60}:?\**$")
_HOW_MANY = re.compile(r"\bhow many (\w+)", re.IGNORECASE)
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")


@dataclass(frozen=True)
class Asked:
    """A question: its telling terms in their order, with the words they stand for."""

    text: str

    @cached_property
    def words(self) -> Mapping[str, str]:
        """The terms, each with its word."""
        return content_terms(self.text)

    @cached_property
    def numbers(self) -> frozenset[str]:
        """The numbers that it names."""
        return frozenset(_NUMBER.findall(self.text))

    @cached_property
    def capitals(self) -> frozenset[str]:
        """The terms of words with a capital within it."""
        inner = self.text.split(maxsplit=1)[-1]
        written = (word for word in words_in(inner) if not word.islower() and not word.isdigit())
        return frozenset(terms_of(" ".join(written))) & self.words.keys()

    @cached_property
    def kind(self) -> Kind | None:
        """The kind of thing that it asks for, None where any words may answer."""
        return kind_asked(self.text)

    @cached_property
    def counted(self) -> str:
        """The term of what it asks the number of, "" where it asks for none."""
        match = _HOW_MANY.search(self.text)
        return next(iter(terms_of(match[1])), "") if match else ""


def features_of(asked: Asked, sentences: Sequence[CandidateSentence]) -> list[list[float]]:
    """Give the features of each sentence, in the order of `NAMES`."""
    wanted = frozenset(asked.words)
    held = [wanted.intersection(sentence.terms) for sentence in sentences]
    above = [
        wanted.intersection(sentence.title) | wanted.intersection(sentence.heading)
        for sentence in sentences
    ]
    weights = _weigh(asked.words, held)
    around = _Around(asked, weights, sentences, held, above)
    entries = WithinEntries(asked.text, weights, sentences, held, above)
    kind = _OfKind(asked)
    return [
        [
            *around.words(index),
            *around.ranks(index),
            *_form(sentence, len(held[index])),
            *kind.of(sentence, around.held[index]),
            *entries.of(index, sentence),
        ]
        for index, sentence in enumerate(sentences)
    ]


class _Around:
    """What the sentences hold of a question's words, and the best of their passages do.

    `held` are the question's terms that each sentence has, `above` those of what stands above it.
    """

    def __init__(
        self,
        asked: Asked,
        weights: Mapping[str, float],
        sentences: Sequence[CandidateSentence],
        held: Sequence[frozenset[str]],
        above: Sequence[frozenset[str]],
    ) -> None:
        self._asked, self._weights, self._sentences = asked, weights, sentences
        self._total = sum(self._weights.values()) or 1.0
        self._terms, self._above = held, above
        self._shares: dict[frozenset[str], float] = {}
        self.held = [self._share(terms) for terms in held]
        in_passage: dict[int, set[str]] = {}
        best: dict[int, float] = {}
        for sentence, terms, share in zip(sentences, held, self.held, strict=True):
            in_passage.setdefault(sentence.place, set()).update(terms)
            best[sentence.place] = max(best.get(sentence.place, 0.0), share)
        self._best = best
        self._by_passage = {
            place: self._share(frozenset(terms)) for place, terms in in_passage.items()
        }
        self._highest = max(self._by_passage.values(), default=0.0) or 1.0

    def words(self, index: int) -> list[float]:
        """Say how much of the question's words stand in a sentence and around it."""
        sentence, weights, asked = self._sentences[index], self._weights, self._asked
        follows = index > 0 and self._sentences[index - 1].place == sentence.place
        terms = self._terms[index]
        covered = terms | self._above[index]
        several = len(terms) > 1
        numbers = frozenset(_NUMBER.findall(sentence.text)) if asked.numbers else frozenset[str]()
        return [
            self.held[index],
            self.held[index - 1] if follows else 0.0,
            self._share(sentence.heading.intersection(weights)),
            self._by_passage[sentence.place],
            self._share(covered),
            together(weights, sentence.terms) if several else 0.0,
            _in_a_row(weights, sentence.terms) if several else 0.0,
            len(terms) / (len(weights) or 1),
            _part(asked.numbers, numbers),
            _part(asked.capitals, covered),
        ]

    def ranks(self, index: int) -> list[float]:
        """Say how a sentence stands to the others: by its passage, and within it."""
        place = self._sentences[index].place
        return [
            1.0 / (1 + place),
            log1p(place) / 4,
            self._by_passage[place] / self._highest,
            self.held[index] / (self._best[place] or 1.0),
        ]

    def _share(self, terms: frozenset[str]) -> float:
        """Give the share that some of the question's terms have; the same ones come often."""
        share = self._shares.get(terms)
        if share is None:
            share = self._shares[terms] = sum(self._weights[term] for term in terms) / self._total
        return share


def _weigh(wanted: Iterable[str], held: Sequence[frozenset[str]]) -> dict[str, float]:
    """Weigh the question's terms by their rarity among the sentences, which hold these of them."""
    counts = Counter(chain.from_iterable(held))
    total = len(held)
    return {
        term: rarity(counts[term], total) * (ABOUT_TEXT if term in _about_text() else 1.0)
        for term in wanted
    }


@cache
def _about_text() -> frozenset[str]:
    return frozenset(terms_of(_ABOUT_TEXT))


@cache
def _number_terms() -> frozenset[str]:
    return frozenset(terms_of(" ".join(NUMBER_WORDS)))


def _in_a_row(weights: Mapping[str, float], terms: Sequence[str]) -> float:
    """Give the share of neighbouring terms of the question that follow one another directly."""
    pairs = set(pairwise(weights))
    telling = [term for term in terms if term in weights or term not in STOP_WORDS]
    return len(pairs & set(pairwise(telling))) / len(pairs) if pairs else 0.0


def _part(wanted: frozenset[str], held: frozenset[str]) -> float:
    return len(wanted & held) / len(wanted) if wanted else 0.0


def _is_listed(text: str) -> bool:
    """Tell whether a line is one of a list of literature or addresses; most lack all its signs."""
    return any(sign in text for sign in _SIGNS_OF_LISTED) and _LISTED.search(text) is not None


def _form(sentence: CandidateSentence, matched: int) -> list[float]:
    """Say what kind of text a sentence is."""
    text = sentence.text
    new = len(frozenset(sentence.terms) - STOP_WORDS) - matched
    return [
        float(len(text) < 25),
        float(len(text) > 400),
        min(1.0, log1p(max(0, new)) / 3.5),
        float(sentence.is_question),
        float(_is_listed(text)),
        float(_ROW.match(text) is not None),
        float(_ITEM.match(sentence.line) is not None),
        float(text.rstrip(" *_").endswith(":")),
        float(_LABEL.match(text) is not None),
    ]


class _OfKind:
    """Whether sentences have the kind of thing that a question asks for."""

    def __init__(self, asked: Asked) -> None:
        self._asked = asked
        self._name = asked.kind.name if asked.kind else ""
        self._is_figure = self._name in _FIGURES
        self._none = [0.0] * len(KIND_NAMES)
        self._one = [float(name == self._name) for name in KIND_NAMES]

    def of(self, sentence: CandidateSentence, held: float) -> list[float]:
        """Tell it of a sentence that holds such a share of the question's words."""
        asked, text = self._asked, sentence.text
        has = asked.kind is not None and holds_kind(asked.kind, text)
        return [
            float(has),
            float(asked.kind is not None and not has),
            held if has else 0.0,
            float(self._is_figure and self._has_new_number(sentence)),
            float(bool(asked.counted) and _is_counted(asked.counted, sentence)),
            float(self._name == "meaning" and _begins_with(asked, sentence.terms)),
            float(len(text) > 80 and not text.rstrip(" *_|\"'”)").endswith((".", "!", "?", ":"))),
            *(self._one if has else self._none),
        ]

    def _has_new_number(self, sentence: CandidateSentence) -> bool:
        in_words = _number_terms().intersection(sentence.terms)
        numbers = in_words.union(_NUMBER.findall(sentence.text))
        return bool(numbers - self._asked.numbers - self._asked.words.keys())


def _is_counted(term: str, sentence: CandidateSentence) -> bool:
    """Whether a number stands shortly before a term."""
    return any(
        other == term
        and any(
            word.isdigit() or word in _number_terms()
            for word in sentence.terms[max(0, place - 4) : place]
        )
        for place, other in enumerate(sentence.terms)
    )


def _begins_with(asked: Asked, terms: Sequence[str]) -> bool:
    """Whether the first telling words of a sentence are among those that are asked about."""
    telling = [term for term in terms[:5] if term not in STOP_WORDS]
    return any(term in asked.words for term in telling[:2])
