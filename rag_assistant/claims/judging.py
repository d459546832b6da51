"""What each sentence of an answer rests on, decided by its words and those of all that was read.

A model's citation is a hint where to look, never a proof. A sentence is held against the quotes
that it cites, then against the entries that were handed over; no model is asked.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from rag_assistant.claims.answer_sentences import DASHES, MARKER, Piece, PieceKind, pieces_of
from rag_assistant.claims.comparing import ClaimVerdict, computed_values, verdict
from rag_assistant.claims.findings import REPLACED, ClaimComparison
from rag_assistant.claims.ground import EntryRead, Ground
from rag_assistant.claims.no_claim import claims_nothing, leads_in
from rag_assistant.claims.part_outcome import (
    PartOutcome,
    bearing,
    hard_differences,
    overlap_of,
    worst,
)
from rag_assistant.claims.parts import cell_claims, is_bare, plain_claim, two_claims
from rag_assistant.claims.quote_values import claimed_values, stands_in
from rag_assistant.claims.statements import Statement, statement
from rag_assistant.claims.support_values import ambiguous_grounds
from rag_assistant.claims.tallied import quoted_values, tallied
from rag_assistant.claims.windows import Window, windows_for, windows_of_quotes
from rag_assistant.claims.words import Words, words_of
from rag_assistant.values.evidence import Answer
from rag_assistant.values.support import Computation, Difference, Sentence, Support

_LABEL = re.compile(rf"(?:^|\s)[{DASHES}]\s+(?P<name>.{{1,300}})$", re.DOTALL)
_FIGURE = re.compile(r"\d")
_PAGE = re.compile(r"[,(\s]*\b(?:page|p\.|line|section)\s*\d+[)\s.]*$", re.IGNORECASE)

MUCH = 0.15
"""Share of a claim's words that another place may have less of than the likest one."""

NEARLY_ALL = 0.85
"""Share from which a quote that bears a claim out need not be compared with other places."""

MOST_QUOTED = 12
"""Sentences of quotes whose numbers are tried with one another."""

MOST_NAMED = 5
"""Figures and numbers that a line names."""


def with_support(answer: Answer, read: Sequence[EntryRead] = ()) -> Answer:
    """Give an answer with what each of its sentences rests on, and what is wrong with it.

    `read` are the entries that were handed to a model, with their databases. The time is in
    proportion to what was read and to the answer.
    """
    pieces = pieces_of(answer.text)
    judge = _Judge(answer, read)
    sentences = tuple(judge.sentence(piece) for piece in pieces)
    objections = (*_made_up(pieces), *judge.unclear(pieces, sentences))
    return replace(answer, sentences=sentences, objections=(*answer.objections, *objections))


class _Judge:
    """Judges the sentences of one answer."""

    def __init__(self, answer: Answer, read: Sequence[EntryRead]) -> None:
        items = {citation.marker: citation.item for citation in answer.citations}
        self._answer = answer
        self._read = [*read]
        self._items = items
        # What other tools gave was read as well, and is not known here; where nothing was read, a
        # value that stands nowhere says nothing.
        looked = bool(self._read or items or answer.coverage.tallies)
        self._all_known = looked and not answer.coverage.other_tools

    @cached_property
    def _ground(self) -> Ground:
        found = [item for one in self._answer.evidence for item in one.items]
        return Ground(self._read, self._items, found)

    @cached_property
    def _names(self) -> str:
        items = self._items.values()
        return words_of(" ".join(f"{item.title} {item.path}" for item in items)).joined

    @cached_property
    def _quoted(self) -> dict[int, Words]:
        """The words of the cited quotes that were found."""
        found = {marker: item for marker, item in self._items.items() if item.verified}
        return {marker: words_of(item.quote) for marker, item in found.items()}

    @cached_property
    def _question(self) -> Statement:
        return statement(self._answer.question, self._ground.written)

    def sentence(self, piece: Piece) -> Sentence:
        """Say what a sentence rests on."""
        tail = _LABEL.search(piece.words)
        if tail and self._is_name(tail["name"]):
            piece = replace(piece, words=piece.words[: tail.start()])
        judged = Sentence(piece.start, piece.end, Support.NO_CLAIM, piece.markers)
        judged = replace(judged, block=piece.group)
        if piece.kind in (PieceKind.HEADING, PieceKind.CODE) or not piece.words.strip(" .,;"):
            return judged
        if piece.kind is PieceKind.PROSE and claims_nothing(piece.words):
            return judged
        return self._judged(piece, judged)

    def _is_name(self, label: str) -> bool:
        """Whether words behind a citation are no more than the name of a source."""
        named = words_of(_PAGE.sub("", label)).joined
        return bool(named) and named in self._names

    def _judged(self, piece: Piece, judged: Sentence) -> Sentence:
        """Judge what a sentence claims; a row of a table cell by cell if not as a whole."""
        cited = piece.markers or piece.beside
        if piece.kind is PieceKind.ROW:
            row = MARKER.sub(" ", self._answer.text[piece.start : piece.end])
            outcome = self._of_row(cell_claims(row, self._answer.question), cited)
        else:
            outcome = self._of_prose(plain_claim(piece.words), cited)
        if outcome is None or (outcome.support.is_soft and leads_in(piece.words)):
            return judged
        markers = piece.markers or outcome.markers
        start, end = piece.start, piece.end
        return replace(outcome, start=start, end=end, block=piece.group, markers=markers)

    def _of_prose(self, claim: str, cited: Sequence[int]) -> Sentence | None:
        """Judge a sentence as a whole, or as two where that bears it out."""
        outcome = self._outcome(claim, cited, bare=is_bare(claim))
        if outcome is None or outcome.sentence.support.is_borne_out:
            return outcome.sentence if outcome else None
        for halves in two_claims(claim):
            told = [self._outcome(half, cited, bare=False) for half in halves]
            both = [one for one in told if one and one.sentence.support.is_borne_out]
            if len(both) == len(halves) and both[0].place != both[1].place:
                return worst(both)
        return outcome.sentence

    def _of_row(self, cells: Sequence[str], cited: Sequence[int]) -> Sentence | None:
        """Judge a row: short cells together, as what they are of, and sentences one by one."""
        short = [cell for cell in cells if is_bare(cell)]
        told = [self._outcome(" ".join(short), cited, bare=True)] if short else []
        told += [self._outcome(cell, cited, bare=False) for cell in cells if cell not in short]
        return worst([one for one in told if one is not None])

    def _outcome(self, words: str, cited: Sequence[int], *, bare: bool) -> "PartOutcome | None":
        """Judge words by the quotes that are cited, then by all that was read; None for no claim.

        The places of the sentence are still to be filled in.
        """
        if markers := self._verbatim(words, cited):
            return PartOutcome(Sentence(0, 0, Support.SUPPORTED, markers, True), ClaimVerdict(None))
        claim = statement(words, self._ground.written)
        if not claim.content and not claim.values:
            return None
        quotes = self._beside(claim, windows_of_quotes(self._ground, cited), bare=bare)
        best = max((one.overlap for one in quotes), default=0.0)
        quoted = verdict(quotes, best - MUCH)
        found = ClaimVerdict(None)
        if not (quoted.is_borne_out and (bare or best >= NEARLY_ALL)):
            windows = windows_for(self._ground, claim, self._question, bare=bare)
            entries = self._beside(claim, windows, bare=bare)
            best = max([best, *(one.overlap for one in entries)])
            found = verdict(entries, best - MUCH)
            quoted = quoted if bare else verdict(quotes, best - MUCH)
        if quoted.window and quoted.is_borne_out:
            markers = tuple(m for m in cited if m in quoted.window.sentences[0].markers)
            return PartOutcome(Sentence(0, 0, Support.SUPPORTED, markers), quoted)
        if found.is_borne_out and not (bare and self._is_beside(quoted, found)):
            source = bearing(found, claim)
            item = source.item if source else None
            return PartOutcome(Sentence(0, 0, Support.IN_ENTRY, source=item), found)
        against = any(one.kind == REPLACED for one in (*quoted.findings, *found.findings))
        computed = None if against else self._computed(claim, cited, found)
        if made := self._counted(claim, cited, bare=bare) or computed:
            return PartOutcome(made, quoted)
        return PartOutcome(self._marked(claim, quoted, found), found)

    def _counted(self, claim: Statement, cited: Sequence[int], *, bare: bool) -> Sentence | None:
        """Say what tools counted of a claim's values, where the others were asked or are quoted."""
        tallies = self._answer.coverage.tallies
        if not (tallies and claim.values):
            return None
        asked = self._question
        known = [*asked.quantities, *quoted_values(self._ground, cited)]
        named = claim.terms | asked.terms if bare else claim.terms
        made = tallied(claim, named, tallies, known)
        return (
            Sentence(0, 0, Support.COMPUTED, tuple(cited), computed=tuple(made)) if made else None
        )

    def _beside(
        self, claim: Statement, windows: Iterable[Window], *, bare: bool
    ) -> list[ClaimComparison]:
        """Put a claim beside windows."""
        return [ClaimComparison(self._ground, claim, one, self._question, bare) for one in windows]

    def _verbatim(self, words: str, cited: Sequence[int]) -> tuple[int, ...]:
        """Give the citations whose quotes have words to the letter, and deny them no more."""
        wanted = words_of(words)
        if len(wanted) < 2 and not _FIGURE.search(words):
            return ()
        quotes = {marker: self._quoted[marker] for marker in cited if marker in self._quoted}
        return tuple(marker for marker, quote in quotes.items() if stands_in(wanted, quote))

    def _is_beside(self, quoted: ClaimVerdict, found: ClaimVerdict) -> bool:
        """Whether a bare value stands where less of the question does than in what is cited."""
        if quoted.window is None or found.window is None:
            return False
        asked = [token.term for token in self._question.content]
        there = sum(map(found.window.knows, asked))
        return there <= sum(map(quoted.window.knows, asked)) or 2 * there < len(asked)

    def _computed(
        self, claim: Statement, cited: Sequence[int], found: ClaimVerdict
    ) -> Sentence | None:
        """Say from what values are computed that nothing has, where nothing else is wrong."""
        if not claim.values:
            return None
        quotes = self._ground.of_quotes(cited or self._items)[:MOST_QUOTED]
        read = found.window.sentences if found.window else ()
        for sentences in (quotes, [*quotes, *read]):
            if not sentences:
                continue
            window = Window(sentences, self._ground.above(sentences[0]))
            beside = ClaimComparison(self._ground, claim, window, self._question)
            if made := computed_values(beside):
                markers = self._markers_of(made, cited)
                return Sentence(0, 0, Support.COMPUTED, markers, computed=tuple(made))
        return None

    def _markers_of(self, made: Sequence[Computation], cited: Sequence[int]) -> tuple[int, ...]:
        """Give the citations whose quotes have what was computed with."""
        words = {words for one in made for words in one.operands}
        return tuple(
            marker
            for marker, item in self._items.items()
            if (not cited or marker in cited)
            and any(operand in " ".join(item.quote.split()) for operand in words)
        )

    def _marked(self, claim: Statement, quoted: ClaimVerdict, found: ClaimVerdict) -> Sentence:
        """Give a hard mark where the nearest words stand against the claim, else a soft one."""
        nearest = max((v for v in (quoted, found) if v.window), key=overlap_of, default=quoted)
        source = bearing(nearest, claim)
        item = source.item if source else None
        differences = hard_differences(nearest)
        if not nearest.window and self._all_known and claim.values:
            differences = tuple(Difference("number", value.raw) for value in claim.values)
        if not differences or not (self._all_known or any(one.read for one in differences)):
            return Sentence(0, 0, Support.UNCONFIRMED, source=item)
        otherwise = any(one.read for one in differences)
        support = Support.CONTRADICTED if otherwise else Support.NOWHERE
        return Sentence(0, 0, support, differences=differences, source=item)

    def unclear(self, pieces: Sequence[Piece], sentences: Sequence[Sentence]) -> Iterator[str]:
        """Tell of values that bear a sentence out in one of their readings only."""
        told: list[str] = []
        for piece, sentence in zip(pieces, sentences, strict=True):
            if sentence.support is Support.SUPPORTED and not sentence.verbatim:
                cited = [m for m in piece.markers or piece.beside if m in self._quoted]
                known = [v for m in cited for v in claimed_values(self._quoted[m].text)]
                told += ambiguous_grounds(claimed_values(piece.words), known)
        yield from list(dict.fromkeys(told))[:MOST_NAMED]


def _made_up(pieces: Sequence[Piece]) -> list[str]:
    """Tell of numbers that the model cites and no quote has."""
    numbers = list(dict.fromkeys(number for piece in pieces for number in piece.unknown))
    if not numbers:
        return []
    named = ", ".join(f"[{number}]" for number in numbers[:MOST_NAMED])
    more = ", …" if len(numbers) > MOST_NAMED else ""
    return [f"The answer cites {named}{more}: no quote with that number was read."]
