"""Drafts of questions of one document: what is asked, what answers it, and where that stands."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from rag_assistant.evaluation.making.languages import ENGLISH
from rag_assistant.evaluation.making.pointing import Pointing
from rag_assistant.evaluation.making.prose import Sentence
from rag_assistant.evaluation.making.reading import ReadDocument
from rag_assistant.evaluation.making.wording import (
    LONGEST_RUN,
    longest_run,
    reworded,
    shorter_forms,
)
from rag_assistant.evaluation.making.wordings import (
    Wording,
    gives_away,
    has_no_operators,
    is_acceptable,
    plainer_wordings,
    turned_wordings,
)
from rag_assistant.likeness import lower_words
from rag_assistant.terms import STOP_WORDS, terms_of

GENERATED = "eval init"
"""What made a question that no person wrote."""

_HEADING_SHARE = 0.12
"""Of documents, how many are asked about by a heading first."""

_FEWEST_TELLING = 4
"""Words, stop words apart, below which a question does not say what it is about."""


@dataclass(frozen=True, slots=True)
class Draft:
    """A question with its answers, the sentence that gives them, and all entries that hold it.

    `turned` says that a sentence was turned round to make it, or that it asks about a heading:
    those read best.
    """

    question: str
    answers: tuple[str, ...]
    sentence: Sentence
    holders: tuple[int, ...]
    kind: str = "known-item"
    turned: bool = True
    by: str = GENERATED


def drafts_of(document: ReadDocument, pointing: Pointing, rng: Random) -> Iterator[Draft]:
    """Give drafts of a document, those that read best first, one of a sentence at most.

    Each points to the documents that hold its sentence, and to no other. It blocks.
    """
    drafting = _Drafting(document, pointing, rng)
    if document.language == ENGLISH and rng.random() < _HEADING_SHARE:
        yield from islice(drafting.of_headings(), 1)
    sentences = list(document.sentences)
    rng.shuffle(sentences)
    later: list[Sentence] = []
    for sentence in sentences:
        turned: list[Wording] = []
        if document.language == ENGLISH and sentence.is_marked:
            turned = list(turned_wordings(sentence, document, rng))
        if draft := drafting.first(sentence, turned):
            yield draft
        else:
            later.append(sentence)
    for sentence in later:
        plainer = plainer_wordings(sentence, document, pointing.weights(sentence.plain), rng)
        if draft := drafting.first(sentence, list(plainer)):
            yield draft


@dataclass(frozen=True, slots=True)
class _Right:
    """The terms that a search finds a sentence by, and the entries that hold it."""

    known: Collection[str]
    holders: tuple[int, ...]


class _Drafting:
    """The making of drafts of one document."""

    def __init__(self, document: ReadDocument, pointing: Pointing, rng: Random) -> None:
        self._document = document
        self._pointing = pointing
        self._rng = rng

    def of_headings(self) -> Iterator[Draft]:
        """Ask what is said under a heading, with the title's words where that has some."""
        first: dict[str, Sentence] = {}
        for sentence in self._document.sentences:
            first.setdefault(sentence.heading, sentence)
        sections = list(first.values())
        self._rng.shuffle(sections)
        for sentence in sections:
            asked = self._asked_by_heading(sentence)
            if not asked or longest_run(asked, sentence.plain) > LONGEST_RUN:
                continue
            right = self._right(sentence)
            if right and self._pointing.points(asked, right.known, right.holders):
                yield Draft(asked, (), sentence, right.holders, kind="heading")

    def _asked_by_heading(self, sentence: Sentence) -> str:
        title = self._document.title
        heading = self._document.topic(sentence)
        if not heading or sentence.heading in ("", self._document.entry.title):
            return ""
        words = ["What", "is", "said", "about", *heading.split()]
        if title and title.lower() != heading.lower():
            words += ["in", "connection", "with", *title.split()]
        asked = reworded(words, f"{sentence.heading}. {self._document.entry.title}", self._rng)
        return asked if has_no_operators(asked) else ""

    def first(self, sentence: Sentence, wordings: Sequence[Wording]) -> Draft | None:
        """Give the first wording that points to the sentence's documents, as short as it then may
        be."""
        acceptable = [wording for wording in wordings if is_acceptable(wording, sentence)]
        right = self._right(sentence) if acceptable else None
        for wording in acceptable if right else ():
            if right and (asked := self._pointing_form(wording, sentence, right)):
                return Draft(asked, wording.answers, sentence, right.holders, turned=wording.turned)
        return None

    def _right(self, sentence: Sentence) -> _Right | None:
        holders = self._pointing.holders(sentence.entry_id, sentence.quote)
        known = frozenset(terms_of(self._document.words_near(sentence)))
        return _Right(known, holders) if holders else None

    def _pointing_form(self, wording: Wording, sentence: Sentence, right: _Right) -> str:
        """Give the shortest form of a question that still points, with its topic if it needs that;
        "" where none does."""
        forms = [wording.question]
        if wording.turned:
            forms += shorter_forms(wording.question, self._rng)
        for form in reversed(forms):
            if _says_enough(form) and self._points(form, right):
                return form
        topic = self._document.topic(sentence)
        if not topic or not wording.turned:
            return ""
        form = f"About {topic}: {wording.question[0].lower()}{wording.question[1:]}"
        fits = longest_run(form, sentence.plain) <= LONGEST_RUN and not gives_away(form, wording)
        fits = fits and has_no_operators(form)
        return form if fits and self._points(form, right) else ""

    def _points(self, question: str, right: _Right) -> bool:
        return self._pointing.points(question, right.known, right.holders)


def _says_enough(question: str) -> bool:
    telling = [word for word in lower_words(question) if word not in STOP_WORDS | {"many"}]
    return len(telling) >= _FEWEST_TELLING
