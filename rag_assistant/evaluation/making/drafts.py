"""Drafts of questions of one document: what is asked, what answers it, and where that stands.

Which documents are right is told by the words of the documents; only then are other words put in
their place. Of some drafts that comes first whose words then lead to most other documents as well.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from random import Random

from rag_assistant.evaluation.making.asking import head_nouns, heading_words, wordings_of
from rag_assistant.evaluation.making.pointing import Pointing
from rag_assistant.evaluation.making.reading import ReadDocument
from rag_assistant.evaluation.making.wording import (
    FEWEST_KEYWORDS,
    LONGEST_RUN,
    MOST_KEYWORDS,
    as_question,
    has_no_operators,
    keywords,
    longest_run,
    misspelt,
    reworded,
    telling_words,
)
from rag_assistant.library.passage_facts import Fact
from rag_assistant.text.english import kind_of
from rag_assistant.text.languages import ENGLISH, common_words
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.terms import STOP_WORDS, content_terms, terms_of

GENERATED = "eval init"
"""What made a question that no person wrote."""

KINDS = {"sentence": "known-item", "table": "table", "list": "list"}

_TURNS = ("known-item", "table", "known-item", "list", "known-item", "keywords", "heading")
"""The kinds of questions of a document, one after the other."""

_AHEAD = 20
"""Drafts of a kind that are made before the hardest of them is taken."""

_HEADINGS, _SLIPS = 1, 0.5
"""Headings of a document that are asked about, and the share of questions with a slip."""

_ASK = frozenset("how what who why many much happens under for".split())
"""Words that ask: a question is cut behind them only."""

_FEWEST_TELLING = 3
"""Words, stop words apart, below which a question does not say what it is about."""


@dataclass(frozen=True, slots=True)
class QuestionDraft:
    """A question with its answers, the facts that give them, and all entries that hold these.

    `plain` is the question in the documents' words; `rivals` are the other entries that hold all of
    the words that the question has in common with its passage.
    """

    question: str
    answers: tuple[str, ...]
    facts: tuple[Fact, ...]
    holders: tuple[int, ...]
    kind: str
    plain: str = ""
    rivals: int = 0
    by: str = GENERATED

    @property
    def quotes(self) -> tuple[str, ...]:
        """The words of the documents that answer it."""
        return tuple(fact.quote for fact in self.facts)


def drafts_of(document: ReadDocument, pointing: Pointing, rng: Random) -> Iterator[QuestionDraft]:
    """Give drafts of a document, one kind after the other as `_TURNS` has them.

    Each points to the documents that hold its fact, and to no other. It blocks.
    """
    drafting = _Drafting(document, pointing, rng)
    open_kinds = drafting.by_kind()
    turn = rng.randrange(len(_TURNS))
    ahead: dict[str, list[QuestionDraft]] = {kind: [] for kind in open_kinds}
    while ahead:
        kind, turn = _TURNS[turn % len(_TURNS)], turn + 1
        if kind not in ahead:
            continue
        ahead[kind] = ahead[kind] or list(islice(open_kinds[kind], _AHEAD))
        if not ahead[kind]:
            del ahead[kind]
            continue
        hardest = max(ahead[kind], key=lambda draft: draft.rivals)
        ahead[kind].remove(hardest)
        yield hardest


class _Drafting:
    """The making of drafts of one document."""

    def __init__(self, document: ReadDocument, pointing: Pointing, rng: Random) -> None:
        self._document = document
        self._pointing = pointing
        self._rng = rng

    def by_kind(self) -> dict[str, Iterator[QuestionDraft]]:
        """Begin the drafts of each kind that the document bears."""
        facts = list(self._document.facts)
        self._rng.shuffle(facts)
        sentences = [fact for fact in facts if fact.kind == "sentence"]
        keywords = self._of_keywords(sentences[::-1])
        if self._document.language != ENGLISH:
            return {"keywords": keywords}
        return {
            "known-item": self._of_facts(sentences),
            "table": self._of_facts([fact for fact in facts if fact.kind == "table"]),
            "list": self._of_facts([fact for fact in facts if fact.kind == "list"]),
            "keywords": keywords,
            "heading": islice(self._of_headings(sentences), _HEADINGS),
        }

    def _of_facts(self, facts: Sequence[Fact]) -> Iterator[QuestionDraft]:
        """Ask for what facts say, one question of each at most."""
        for fact in facts:
            if draft := next(self._wordings(fact), None):
                yield draft

    def _wordings(self, fact: Fact) -> Iterator[QuestionDraft]:
        topic = self._document.topic(fact)
        for wording in wordings_of(fact, topic, self._document.names):
            holders = self._pointing.holders(fact.entry_id, fact.quote)
            made = QuestionDraft("", wording.answers, (fact,), holders, KINDS[fact.kind])
            forms = [*_shorter(wording.words, fact), self._with_topic(wording.words, topic)]
            for words in filter(None, forms if holders else ()):
                if draft := self._worded(made, words):
                    yield draft

    @staticmethod
    def _with_topic(words: Sequence[str], topic: str) -> tuple[str, ...]:
        if not topic or topic.lower() in " ".join(words).lower():
            return ()
        first = words[0] if words[0][1:2].isupper() else words[0][0].lower() + words[0][1:]
        return (*f"As to {topic},".split(), first, *words[1:])

    def _worded(self, made: QuestionDraft, words: Sequence[str]) -> QuestionDraft | None:
        """Reword a question that points to what is right; None where it does not, or cannot be."""
        plain, [fact] = as_question(words), made.facts
        question = reworded(words, f"{fact.quote} | {fact.plain}", self._rng)
        if not question or not _says_enough(plain):
            return None
        return self._finished(replace(made, question=question, plain=plain))

    def _of_keywords(self, facts: Sequence[Fact]) -> Iterator[QuestionDraft]:
        """Ask by words alone: the commonest of a sentence that still point to what is right."""
        for fact in facts:
            words = self._telling(fact)
            weights = self._pointing.weights(" ".join(words)) if words else {}
            terms = {word: next(iter(content_terms(word)), "") for word in words}
            words.sort(key=lambda word: weights.get(terms[word], 0.0))
            for first in range(len(words) - FEWEST_KEYWORDS + 1):
                chosen = sorted(words[first : first + MOST_KEYWORDS], key=fact.plain.index)
                question, plain = keywords(chosen, self._rng), " ".join(chosen)
                holders = self._pointing.holders(fact.entry_id, fact.quote)
                made = QuestionDraft(question, (), (fact,), holders, "keywords", plain)
                if question and holders and (draft := self._finished(made)):
                    yield draft
                    break

    def _telling(self, fact: Fact) -> list[str]:
        if self._document.language == ENGLISH:
            return head_nouns(fact.plain)
        return telling_words(fact.plain, common_words(self._document.language))

    def _finished(self, draft: QuestionDraft) -> QuestionDraft | None:
        """Make a slip in some; None for a question that points elsewhere or gives too much away."""
        [fact] = draft.facts
        known = frozenset(terms_of(self._document.words_near(fact)))
        points = self._pointing.points(draft.plain, known, draft.holders)
        if not points or not _is_acceptable(draft):
            return None
        if self._rng.random() < _SLIPS and self._document.language == ENGLISH:
            draft = replace(draft, question=misspelt(draft.question, self._rng))
        rivals = self._pointing.rivals(draft.question, known, draft.holders)
        return replace(draft, rivals=rivals)

    def _of_headings(self, facts: Sequence[Fact]) -> Iterator[QuestionDraft]:
        """Ask what is said under a heading, with the title's words where that has some."""
        first: dict[str, Fact] = {}
        for fact in facts:
            first.setdefault(fact.heading, fact)
        for heading, fact in first.items():
            entry = self._document.entry
            topic = self._document.topic(fact)
            holders = self._pointing.holders(entry.id, fact.quote)
            if not holders or not topic or heading in ("", entry.title):
                continue
            words = heading_words(topic, self._document.title)
            made = QuestionDraft("", (), (fact,), holders, "heading")
            draft = self._worded(made, words)
            if draft and longest_run(draft.question, f"{heading} | {entry.title}") <= LONGEST_RUN:
                yield draft


def _shorter(words: Sequence[str], fact: Fact) -> list[Sequence[str]]:
    """Give the words of a question with phrases at its end left out, shortest first."""
    asks = max(n for n, word in enumerate(words) if word.lower() in _ASK or n == 0)
    last = len(words) - 1 if fact.kind == "sentence" else 0
    cuts = [n for n in range(asks + 4, last) if kind_of(words[n]) == "prep" and words[n] != "than"]
    return [*(words[:n] for n in cuts if kind_of(words[n - 1]) == "word"), words]


def _is_acceptable(draft: QuestionDraft) -> bool:
    """Whether a question copies no long run, gives no answer away and is of plain words."""
    quotes = " | ".join(draft.quotes)
    if longest_run(draft.question, quotes) > LONGEST_RUN or not has_no_operators(draft.question):
        return False
    asked = f" {' '.join(lower_words(draft.question))} "
    return not any(f" {' '.join(lower_words(answer))} " in asked for answer in draft.answers)


def _says_enough(question: str) -> bool:
    telling = [word for word in lower_words(question) if word not in STOP_WORDS | {"many"}]
    return len(telling) >= _FEWEST_TELLING
