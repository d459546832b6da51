"""What each sentence of an answer rests on, decided by its words and those of the cited quotes.

A model's citation is a hint where to look, never a proof: a sentence is borne out when quotes that
were found in their sources have its words, and every number, date and name in it.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import PurePosixPath

from rag_assistant.claims.answer_sentences import DASHES, Piece, PieceKind, pieces_of
from rag_assistant.claims.names import names_of
from rag_assistant.claims.no_claim import claims_nothing
from rag_assistant.claims.opposites import makes_a_duty, says_the_opposite
from rag_assistant.claims.quote_values import claimed_values, find_words
from rag_assistant.claims.support_values import (
    ambiguous_grounds,
    strange_values,
    terms_of_values,
    written,
)
from rag_assistant.claims.turning import negates
from rag_assistant.claims.words import Words, words_of
from rag_assistant.text.quantities import Quantity
from rag_assistant.text.terms import content_terms, sentences_of
from rag_assistant.values.evidence import Answer, EvidenceItem
from rag_assistant.values.support import Sentence, Support

LEAST_COVERED = 0.6
"""Share of a sentence's telling words that its quotes must have."""

ASKED = 0.5
"""What a word counts in that share that the quotes lack and the question has."""

RESTATED = 0.7
"""Share of a sentence's telling words in a clause of a quote that it repeats, or denies."""

LEAST_QUOTED = 4
"""Words between quotation marks that count as a quotation."""

_CLAUSE = re.compile(
    r"[,;:—(]\s|\b(?:but|except|unless|although|though|while|whereas|because|since|so that)\b",
    re.IGNORECASE,
)
_LABEL = re.compile(rf"(?:^|\s)[{DASHES}]\s+(?P<name>.{{1,300}})$", re.DOTALL)
_PAGE = re.compile(r"[,(\s]*\b(?:page|p\.|line|section)\s*\d+[)\s.]*$", re.IGNORECASE)
_QUOTATION = re.compile('[“"„«]([^“”"„«»]{2,})[”"“»]')


def with_support(answer: Answer) -> Answer:
    """Give an answer with what each of its sentences rests on, and what is wrong with it."""
    pieces = pieces_of(answer.text)
    judge = _Judge(answer)
    sentences = tuple(judge.sentence(piece) for piece in pieces)
    objections = (*_made_up(pieces), *judge.objections(pieces, sentences))
    return replace(answer, sentences=sentences, objections=(*answer.objections, *objections))


class _Ground:
    """The words of a verified quote, and what stands over them: title, heading and path."""

    def __init__(self, item: EvidenceItem) -> None:
        self.quote = item.quote
        path = PurePosixPath(item.path)
        self.above = " \n".join((item.title, item.location.heading or "", " ".join(path.parts)))

    @cached_property
    def words(self) -> Words:
        """The words of the quote alone."""
        return words_of(self.quote)

    @cached_property
    def forms(self) -> frozenset[str]:
        """The words of the quote and of what stands over it."""
        return frozenset((*self.words.forms, *words_of(self.above).forms))

    @cached_property
    def terms(self) -> frozenset[str]:
        """Their terms."""
        return frozenset(content_terms(f"{self.quote} \n{self.above}"))

    @cached_property
    def values(self) -> tuple[Quantity, ...]:
        """The values of both."""
        return (*claimed_values(self.quote), *claimed_values(self.above))

    @cached_property
    def clauses(self) -> list["_Clause"]:
        """The clauses of the quote."""
        spans = sentences_of(self.quote)
        parts = [part for start, end in spans for part in _CLAUSE.split(self.quote[start:end])]
        return [
            _Clause(frozenset(content_terms(part)), frozenset(words_of(part).forms), negates(part))
            for part in parts
        ]


@dataclass(frozen=True, slots=True)
class _Clause:
    """A clause of a quote: its telling terms, all its words, and whether it negates."""

    terms: frozenset[str]
    forms: frozenset[str]
    negated: bool


class _Judge:
    """Judges the sentences of one answer."""

    def __init__(self, answer: Answer) -> None:
        self._asked = frozenset(content_terms(answer.question))
        items = {citation.marker: citation.item for citation in answer.citations}
        self._grounds: Mapping[int, _Ground] = {
            marker: _Ground(item) for marker, item in items.items() if item.verified
        }
        read = [item for evidence in answer.evidence for item in evidence.items]
        self._read = [_Ground(item) for item in read if item.verified]
        self._names = words_of(" ".join(f"{i.title} {i.path}" for i in items.values())).joined

    def sentence(self, piece: Piece) -> Sentence:
        """Say what a sentence rests on."""
        tail = _LABEL.search(piece.words)
        if tail and self._is_name(tail["name"]):
            piece = replace(piece, words=piece.words[: tail.start()])
        support, markers = self._support(piece)
        return Sentence(piece.start, piece.end, support, markers)

    def _support(self, piece: Piece) -> tuple[Support, tuple[int, ...]]:
        if piece.kind is PieceKind.HEADING or not (piece.unknown or piece.words.strip(" .,;")):
            return Support.NO_CLAIM, piece.markers
        if piece.unknown:
            return Support.UNSUPPORTED, piece.markers
        cited = piece.markers or piece.beside
        markers = tuple(marker for marker in cited if marker in self._grounds)
        for support, rests in ((Support.QUOTED, self._quoted), (Support.SUPPORTED, self._covered)):
            if found := rests(piece, markers):
                return support, piece.markers or found
        if piece.kind is PieceKind.PROSE and claims_nothing(piece.words):
            return Support.NO_CLAIM, piece.markers
        return Support.UNSUPPORTED, piece.markers

    def _is_name(self, label: str) -> bool:
        """Whether words behind a citation are no more than the name of a source."""
        named = words_of(_PAGE.sub("", label)).joined
        return bool(named) and named in self._names

    def _quoted(self, piece: Piece, markers: Sequence[int]) -> tuple[int, ...]:
        """Give the citations whose quotes have the sentence word for word, or what it quotes."""
        whole = words_of(piece.words)
        if len(whole) > 1 or piece.markers:
            found = tuple(m for m in markers if find_words(self._grounds[m].words, whole))
            if found:
                return found
        parts = [words_of(found[1]) for found in _QUOTATION.finditer(piece.words)]
        parts = [part for part in parts if len(part) >= LEAST_QUOTED]
        found = tuple(
            m for m in markers if any(find_words(self._grounds[m].words, part) for part in parts)
        )
        if not parts or not all(self._is_there(part, markers) for part in parts):
            return ()
        rest = _QUOTATION.sub(" ", piece.words)
        return found if self._has_values(rest, markers) and not negates(rest) else ()

    def _is_there(self, part: Words, markers: Iterable[int]) -> bool:
        return any(find_words(self._grounds[marker].words, part) for marker in markers)

    def _covered(self, piece: Piece, markers: Sequence[int]) -> tuple[int, ...]:
        """Give the citations that have the words of the sentence, each number and each name."""
        quoted = [words_of(found[1]) for found in _QUOTATION.finditer(piece.words)]
        if any(len(part) >= LEAST_QUOTED and not self._is_there(part, markers) for part in quoted):
            return ()
        wanted = frozenset(content_terms(piece.words)) - {""}
        grounds = [self._grounds[marker] for marker in markers]
        if not grounds or not wanted or not self._has_values(piece.words, markers):
            return ()
        held = frozenset().union(*(ground.terms for ground in grounds))
        # What values are written with has been compared; other words say the same of them.
        valued = wanted & terms_of_values(piece.words)
        covered = len(wanted & held) + len(valued - held)
        lacking = wanted - held - valued
        weight = sum(ASKED if term in self._asked else 1.0 for term in lacking)
        if covered < LEAST_COVERED * (covered + weight) or not wanted & held:
            return ()
        if self._is_denied(piece.words, wanted, grounds):
            return ()
        return tuple(m for m in markers if self._grounds[m].terms & wanted)

    def _has_values(self, words: str, markers: Iterable[int]) -> bool:
        """Whether the quotes have each number, date and name; their units agree where both have
        one."""
        grounds = [self._grounds[marker] for marker in markers]
        known = [value for ground in grounds for value in ground.values]
        values = claimed_values(words)
        if strange_values(values, known):
            return False
        forms = frozenset().union(*(ground.forms for ground in grounds))
        return all(name in forms for name in names_of(words, values))

    def _is_denied(self, words: str, wanted: frozenset[str], grounds: Sequence[_Ground]) -> bool:
        """Whether the sentence says what the quotes deny, or demands what they allow."""
        forms = frozenset(words_of(words).forms)
        if says_the_opposite(forms, frozenset().union(*(ground.words.forms for ground in grounds))):
            return True
        clauses = [clause for ground in grounds for clause in ground.clauses]
        most = max((len(clause.terms & wanted) for clause in clauses), default=0)
        nearest = [clause for clause in clauses if len(clause.terms & wanted) == most]
        if nearest and all(makes_a_duty(forms, clause.forms) for clause in nearest):
            return True
        if most >= RESTATED * len(wanted):
            return all(clause.negated is not negates(words) for clause in nearest)
        return negates(words) and not any(clause.negated for clause in clauses)

    def objections(self, pieces: Sequence[Piece], sentences: Sequence[Sentence]) -> list[str]:
        """Tell of values in unsupported sentences that stand in nothing that was read, and of
        those that bear a sentence out in one of their readings only."""
        grounds = [*self._read, *self._grounds.values()]
        known = [value for ground in grounds for value in ground.values]
        strange: list[str] = []
        unclear: list[str] = []
        for piece, sentence in zip(pieces, sentences, strict=True):
            values = claimed_values(piece.words)
            if sentence.support is Support.UNSUPPORTED:
                strange += written(strange_values(values, known))
            elif sentence.support is Support.SUPPORTED:
                unclear += ambiguous_grounds(values, known)
        unclear = list(dict.fromkeys(unclear))[:MOST_NAMED]
        if not strange:
            return unclear
        strange = list(dict.fromkeys(strange))
        named = ", ".join(strange[:MOST_NAMED]) + (", …" if len(strange) > MOST_NAMED else "")
        return [f"In the answer, and in nothing that was read: {named}.", *unclear]


MOST_NAMED = 5
"""Figures and numbers that a line names."""


def _made_up(pieces: Sequence[Piece]) -> list[str]:
    """Tell of numbers that the model cites and no quote has."""
    numbers = list(dict.fromkeys(number for piece in pieces for number in piece.unknown))
    if not numbers:
        return []
    named = ", ".join(f"[{number}]" for number in numbers[:MOST_NAMED])
    more = ", …" if len(numbers) > MOST_NAMED else ""
    return [f"The answer cites {named}{more}: no quote with that number was read."]
