"""The last event of a run, with its answer checked before it is told."""

import asyncio
from dataclasses import replace
from functools import partial

from rag_assistant.agents.loop import Run
from rag_assistant.assistant.agent_specs import judge_of
from rag_assistant.assistant.egress_check import EgressCheck
from rag_assistant.assistant.setup import Setup
from rag_assistant.config import EXTRACTIVE
from rag_assistant.values.events import Answered, Event, Stopped
from rag_assistant.values.evidence import Answer
from rag_assistant.verification.confirming import with_second_reading
from rag_assistant.verification.review import reviewed


async def with_review(event: Event, run: Run, setup: Setup, egress: EgressCheck) -> Event:
    """Let the last event of a run carry the reviewed answer; give any other as it is."""
    cache = run.seen.run_cache
    log = egress.provenance.log
    match event:
        case Answered(answer):
            second = partial(_second_reading, setup, run, egress)
            answer = await reviewed(answer, egress.found, cache, second)
            return Answered(replace(answer, sent=tuple(log.sent)))
        case Stopped(partial=there):
            there = replace(there, sent=tuple(log.sent))
            there = await reviewed(there, egress.found, cache, ended=False)
            return replace(event, partial=there)
    return event


async def _second_reading(setup: Setup, run: Run, egress: EgressCheck, answer: Answer) -> Answer:
    """Let the configured judge confirm sentences, and count what it used.

    The built-in model copies its sentences, and needs none.
    """
    if answer.model == EXTRACTIVE:
        return answer
    nearest = (sentence.source for sentence in answer.sentences if sentence.source)
    items = (*(citation.item for citation in answer.citations), *nearest)
    entries = [(item.database, item.entry_id) for item in items]
    judge = await asyncio.to_thread(judge_of, setup, egress, entries)
    if judge is None:
        return answer
    read, usage = await with_second_reading(answer, judge, setup.config.limits.seconds)
    run.ledger.add("judge", judge.name, usage)
    ledger = run.ledger
    return replace(read, usage=ledger.total, usage_by_model=ledger.by_model(), cost=ledger.cost())
