"""Answers and outcomes as values, for tests of what is measured of them."""

from collections.abc import Sequence
from dataclasses import replace

from rag_assistant.evaluation.runs.outcomes import AnswerOutcome, ModelVerdict, QuestionCost
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, Voice
from rag_assistant.values.messages import Usage


def made_outcome(
    text: str = "",
    quotes: Sequence[str] = (),
    *,
    paths: Sequence[str] = (),
    documents: Sequence[str] = (),
    confidence: int = 0,
    stopped: str = "",
    judgement: ModelVerdict | None = None,
    voice: Voice | None = None,
    chance: float | None = None,
) -> AnswerOutcome:
    """Give an outcome whose answer cites `quotes`, of the files `paths` where these are given."""
    citations = tuple(
        Citation(number, _item(quote, paths[number - 1] if paths else "a.md"))
        for number, quote in enumerate(quotes, 1)
    )
    answer = Answer("?", text, citations, (), Coverage(), "extractive", Usage(), 5)
    answer = replace(answer, confidence=confidence, voice=voice, chance=chance)
    return AnswerOutcome(
        "q", answer, QuestionCost(5.0), stopped, judgement=judgement, documents=tuple(documents)
    )


def _item(quote: str, path: str) -> EvidenceItem:
    verified = not quote.startswith("?")
    return EvidenceItem("staff", 1, "A", path, quote, Location(0, 1), verified)
