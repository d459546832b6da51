"""What a model can read, in the fit test: how much at once, how fast, and whether it cites it.

What is found becomes budgets: tokens that are handed to it at once, and who reads for it.
"""

import time
from dataclasses import dataclass

from rag_assistant.agents import fit_materials as materials
from rag_assistant.agents.citations import References, cited_numbers
from rag_assistant.agents.fit_checks import FitResult, short
from rag_assistant.agents.instructions import instructions
from rag_assistant.config import HelperMode
from rag_assistant.errors import ModelError
from rag_assistant.models.protocol import Model, whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.values.messages import (
    AssistantMessage,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)

SIZES = (1_500, 3_000, 6_000)
"""Tokens that are tried."""
READING_SECONDS = 60.0
"""How long a model should read at most before it says a word."""
LEAST = 500
_SEARCH = ToolSpec("search_fit_database", "Finds passages.", {"type": "object"})


@dataclass(frozen=True, slots=True)
class FitReading:
    """What a model was found to read: tokens at once, 0 where nothing was settled."""

    check: FitResult
    tokens: int = 0


async def reading_check(model: Model) -> FitReading:
    """Try how much a model reads at once.

    The least comes first: where that shows that more would take too long, no more is tried.
    """
    name = "reads long texts"
    read, rate = 0, 0.0
    try:
        for size in SIZES:
            if rate and size / rate > READING_SECONDS:
                break
            seconds, said = await _read(model, size)
            if materials.WATCHWORD not in said.lower():
                break
            read, rate = size, size / max(seconds, 1e-3)
    except ModelError as error:
        if not read:
            return FitReading(FitResult(name, None, str(error), "nothing is settled"))
    if not read:
        told = f"it does not know the beginning of {SIZES[0]:,} tokens"
        return FitReading(FitResult(name, False, told, "its window is small"), LEAST)
    budget = read if read == SIZES[-1] else max(LEAST, min(read, int(rate * READING_SECONDS)))
    found = f"{read:,} tokens, about {rate:,.0f} a second"
    means = f"it is handed up to {budget:,} tokens at once"
    return FitReading(FitResult(name, True, found, means), budget)


async def _read(model: Model, tokens: int) -> tuple[float, str]:
    """Give the seconds that a model took, and what it said."""
    notes = materials.notes(tokens)
    asked = load_prompt("fit_reading", notes=notes, question=materials.WATCHWORD_QUESTION)
    started = time.monotonic()
    reply = await whole_reply(model, Request((UserMessage(asked),)))
    return time.monotonic() - started, reply.message.text


async def cites_check(model: Model) -> FitResult:
    """Give it what a search gives, as in a run, and see whether it answers and cites at once."""
    name = "cites passages"
    call = ToolCall("fit_1", _SEARCH.name, "{}")
    found = ToolMessage(call.id, call.name, References().add(materials.evidence()))
    said = (
        SystemMessage(instructions(("fit",), (), None)),
        UserMessage(materials.ANSWERABLE),
        AssistantMessage("", (call,)),
        found,
    )
    try:
        reply = await whole_reply(model, Request(said, (_SEARCH,)))
    except ModelError as error:
        return FitResult(name, None, str(error), "nothing is settled")
    text = reply.message.text
    if reply.message.tool_calls:
        return FitResult(name, False, "it searched again", "it uses more searches than it needs")
    if materials.ANSWER not in text or cited_numbers(text) != {2}:
        return FitResult(name, False, f"it wrote {short(text)}", "its answers cite badly")
    return FitResult(name, True, short(text), "it can answer from what a search shows")


def helper_mode(*, condenses: bool | None, cites: bool | None, tokens: int) -> HelperMode:
    """Say who is to read for a model that answers, by what was found.

    It needs no helper where it reads much and cites, and cannot be one where it gives no evidence.
    """
    if cites and tokens >= SIZES[-1]:
        return "auto" if condenses else "never"
    return "always"
