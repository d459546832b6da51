"""Putting a question to search and the RetrievalAgent: the evidence, against the question's quotes.

Nothing is answered. The evidence comes by the tools and the helper of a run that answers, so what
a policy keeps here or keeps out of prompts is the same.
"""

import asyncio
import time
from collections.abc import Iterable, Sequence
from contextlib import aclosing
from dataclasses import dataclass, field, replace
from functools import cache

from rag_assistant.agents.retrieval import taken_over
from rag_assistant.assistant import Assistant
from rag_assistant.assistant.evidence_only import EvidenceConversation
from rag_assistant.errors import ModelError, in_full
from rag_assistant.evaluation.measuring.excerpts import overlap
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.placing import placed
from rag_assistant.evaluation.runs.outcomes import EvidenceOutcome, Overlap, QuestionCost, Span
from rag_assistant.library.library import Library
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.values.events import (
    Answered,
    CitationResolved,
    Event,
    EvidenceFound,
    RunStarted,
    Stopped,
    TextDelta,
    ToolFinished,
)
from rag_assistant.values.evidence import Answer, Evidence, EvidenceItem
from rag_assistant.values.scope import Wanted


async def retrieved(
    assistant: Assistant, question: Question, wanted: Sequence[Wanted], *, permit: Permit = deny
) -> EvidenceOutcome:
    """Find evidence for a question in what is wanted (in all databases where that is nothing).

    `permit` is asked before text goes where nobody was asked yet. A helper that fails or may not be
    asked, and a limit that is met, are an outcome that says so. Raises LibraryError, IndexDamaged
    or, where there is no such model, ModelError when it cannot start at all.
    """
    watched = _Watched()
    try:
        conversation = EvidenceConversation(assistant.setup)
        asking = conversation.ask(question.text, databases=wanted, permit=permit)
        async with aclosing(asking) as events:
            async for event in events:
                watched.see(event)
    except ModelError as error:
        if not watched.started:
            raise
        watched.break_off(str(error))
    return await asyncio.to_thread(_outcome, assistant.library, question, wanted, watched)


@dataclass(slots=True)
class _Watched:
    """What passes of a run: the evidence, when it came, and why there is not more of it."""

    began: float = field(default_factory=time.perf_counter)
    started: bool = False
    stopped: str = ""
    first_ms: float | None = None
    found_ms: float = 0.0
    tool_calls: int = 0
    evidence: list[Evidence] = field(default_factory=list)
    answer: Answer | None = None

    def see(self, event: Event) -> None:
        """Take in an event of the run."""
        match event:
            case RunStarted():
                self.started = True
            case ToolFinished():
                self.tool_calls += 1
                if not event.ok:
                    self.break_off(f"{event.tool}: {event.summary}")
            case EvidenceFound(evidence):
                self.evidence.append(evidence)
                self.break_off(taken_over(evidence))
                if evidence.items and self.first_ms is None:
                    self.first_ms = self._now
            case Answered(answer):
                self.answer = answer
                self.break_off(_left_out(answer))
            case Stopped(reason, hint, answer):
                self.answer = answer
                self.break_off(in_full(reason, hint))
        # What the built-in model writes of the evidence is not waited for.
        if not isinstance(event, TextDelta | CitationResolved | Answered):
            self.found_ms = self._now

    def break_off(self, why: str) -> None:
        """Take in why the evidence is not what it was to be; the first reason counts."""
        self.stopped = self.stopped or why

    @property
    def _now(self) -> float:
        return (time.perf_counter() - self.began) * 1000

    @property
    def traffic(self) -> QuestionCost:
        """What it took."""
        usage = self.answer.usage if self.answer else None
        return QuestionCost(
            self.found_ms,
            self.first_ms,
            self.tool_calls,
            usage.input_tokens if usage else 0,
            usage.output_tokens if usage else 0,
            self.answer.cost if self.answer else None,
        )


def _left_out(answer: Answer) -> str:
    """Say which databases the run had to do without; nothing where it had all."""
    return "; ".join(f"{one.database} was left out: {one.why}" for one in answer.coverage.left_out)


def _outcome(
    library: Library, question: Question, wanted: Sequence[Wanted], watched: _Watched
) -> EvidenceOutcome:
    databases = library.databases(wanted)
    by_name = {database.name: database for database in databases}
    text_of = cache(lambda name, entry_id: by_name[name].text(entry_id))
    places = placed(databases, question)
    shown = [item for found in watched.evidence for item in found.items if item.is_passage]
    passages = tuple(dict.fromkeys(map(_span, shown)))
    picked = tuple(_picked(found) for found in watched.evidence)
    evidence = tuple(found for found in picked if found is not None)

    def against_quotes(found: Iterable[Span]) -> Overlap | None:
        return overlap(places.spans, found, text_of) if places.spans else None

    return EvidenceOutcome(
        question.id,
        watched.traffic,
        places.spans,
        places.missing,
        passages,
        evidence,
        against_quotes(passages),
        against_quotes(_verified(evidence)),
        watched.stopped,
    )


def _picked(found: Evidence) -> Evidence | None:
    """Give evidence without the passages that a search showed; None where it is those alone."""
    items = tuple(item for item in found.items if not item.is_passage)
    return replace(found, items=items) if items or not found.items else None


def _verified(found: Sequence[Evidence]) -> list[Span]:
    return [_span(item) for evidence in found for item in evidence.items if item.verified]


def _span(item: EvidenceItem) -> Span:
    return Span(item.database, item.entry_id, item.location.start, item.location.end)
