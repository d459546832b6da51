"""The words of a cited passage that an answer rests on.

A model may cite a passage as it was shown to it; a person is shown the shortest stretch of it that
bears out what cites it, and the checks are made on that.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from rag_assistant.claims.answer_sentences import Piece, pieces_of
from rag_assistant.claims.comparing import verdict
from rag_assistant.claims.findings import ClaimComparison
from rag_assistant.claims.ground import Ground, GroundSentence
from rag_assistant.claims.judging import MUCH
from rag_assistant.claims.no_claim import claims_nothing
from rag_assistant.claims.parts import is_bare, plain_claim
from rag_assistant.claims.statements import Statement, statement
from rag_assistant.claims.windows import windows_of_quotes
from rag_assistant.text.sentences import sentences_of
from rag_assistant.values.evidence import Answer, EvidenceItem

_QUOTATION = re.compile(r"[“\"](?P<words>[^“”\"]{1,2000})[”\"]\s?(?P<markers>(?:\[\d{1,4}\])+)")
_NUMBER = re.compile(r"\d+")


def with_spans(answer: Answer) -> Answer:
    """Give an answer whose citations of passages are of the words in them that it rests on.

    Where several sentences cite one passage, it is the stretch that has the words of all. The time
    is in proportion to the passages and to the answer.
    """
    passages = {one.marker: one.item for one in answer.citations if one.item.is_passage}
    if not passages:
        return answer
    ground = Ground((), passages)
    question = statement(answer.question, ground.written)
    pieces = pieces_of(answer.text)
    quoted = _quotations(answer.text)
    narrow: dict[int, EvidenceItem] = {}
    for marker, item in passages.items():
        borne = _borne(ground, marker, _claims_of(pieces, marker), question)
        standing = _standing(ground, marker, item, quoted.get(marker, ()))
        narrow[marker] = _narrowed(item, [*borne, *standing])
    citations = tuple(
        replace(one, item=narrow[one.marker]) if one.marker in narrow else one
        for one in answer.citations
    )
    return replace(answer, citations=citations)


def _claims_of(pieces: Sequence[Piece], marker: int) -> list[str]:
    """Give what cites a passage: sentences with its number, or else those that it stands beside."""
    citing = [piece for piece in pieces if marker in piece.markers]
    citing = citing or [piece for piece in pieces if marker in piece.beside]
    claims = (plain_claim(piece.words) for piece in citing)
    return [claim for claim in claims if not claims_nothing(claim)]


def _borne(
    ground: Ground, marker: int, claims: Iterable[str], question: Statement
) -> list[GroundSentence]:
    """Give the sentences of a passage that bear claims out, or come nearest; those that answer the
    question where nothing is claimed of it.
    """
    windows = list(windows_of_quotes(ground, [marker]))
    told = [(statement(claim, ground.written), is_bare(claim)) for claim in claims]
    found: list[GroundSentence] = []
    for claim, bare in [*told, (question, False)]:
        if claim is question and found:
            break
        beside = [ClaimComparison(ground, claim, one, question, bare) for one in windows]
        best = max((one.overlap for one in beside), default=0.0)
        window = verdict(beside, best - MUCH).window
        found += window.sentences if window and best else ()
    return found


def _quotations(text: str) -> dict[int, list[str]]:
    """Give what stands in quotation marks right before each number, where it is several sentences:
    of a single one, or of a few words, what bears out the sentence around it is found by that.
    """
    found: dict[int, list[str]] = {}
    for match in _QUOTATION.finditer(text):
        if len(sentences_of(match["words"])) < 2:
            continue
        for number in _NUMBER.findall(match["markers"]):
            found.setdefault(int(number), []).append(match["words"])
    return found


def _standing(
    ground: Ground, marker: int, item: EvidenceItem, quoted: Iterable[str]
) -> Iterator[GroundSentence]:
    """Give the sentences of a passage that words are of, to the letter but for white space."""
    for words in quoted:
        pattern = r"\s+".join(map(re.escape, words.split()))
        if pattern and (match := re.search(pattern, item.quote)):
            start, end = (item.location.start + place for place in match.span())
            for one in ground.of_quotes([marker]):
                if one.location.start < end and start < one.location.end:
                    yield one


def _narrowed(item: EvidenceItem, sentences: Sequence[GroundSentence]) -> EvidenceItem:
    """Give the stretch of a passage from the first of some sentences to the last."""
    if not sentences:
        return replace(item, is_passage=False)
    first = min(sentences, key=lambda one: one.location.start)
    start, end = first.location.start, max(one.location.end for one in sentences)
    here = item.location.start
    return replace(
        item,
        quote=item.quote[start - here : end - here],
        location=replace(first.location, end=end),
        is_passage=False,
    )
