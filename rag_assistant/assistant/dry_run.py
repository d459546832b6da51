"""What asking a question would send, and to whom, found out on the very way that sends it.

The gate keeps every request and lets none pass. Later requests depend on what a model replies, so
beside the first one there is what the search for the question's own words would hand on.
"""

import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import replace

from rag_assistant.agents.loop import Run
from rag_assistant.assistant.agent_specs import evidence_agent
from rag_assistant.assistant.conversation import Conversation, Prepared
from rag_assistant.egress.gate import NotSent
from rag_assistant.errors import ModelError
from rag_assistant.models.protocol import whole_reply
from rag_assistant.tools.database_tools import ENTRIES_PER_QUERY
from rag_assistant.tools.toolkit import Toolkit
from rag_assistant.values.events import Event, Note
from rag_assistant.values.messages import AssistantMessage, Request, ToolCall, ToolMessage


class DryConversation(Conversation):
    """A conversation whose questions are prepared as ever and then not asked.

    Its assistant has a `DryGate`, which shows what would have been sent.
    """

    async def _follow(self, run: Run, prepared: Prepared) -> AsyncGenerator[Event, None]:
        first = run.first_request()
        try:
            await whole_reply(run.spec.model, first)
        except NotSent:
            pass
        except ModelError as error:
            yield Note(f"Nothing would be sent to {run.spec.model.name}: {error}")
        toolkit = evidence_agent(prepared.setup, prepared.model, prepared.egress).toolkit
        second = await _after_searching(run, first, toolkit)
        with suppress(NotSent, ModelError):  # told for the first one
            await whole_reply(run.spec.model, second)


async def _after_searching(run: Run, first: Request, toolkit: Toolkit) -> Request:
    """Search for the question, read what is found, and give the request with what searches gave."""
    question, told = run.question.text, set(first.entries)
    calls: list[ToolCall] = []
    results: list[ToolMessage] = []
    for search in [one.name for one in toolkit.specs if toolkit.kind_of(one.name) == "search"]:
        call = ToolCall(f"call_{search}", search, json.dumps({"keyword": question}))
        found = await toolkit.run(call)
        items = found.evidence.items if found.evidence else ()
        text = run.options.references.add(found.evidence, found) if found.evidence else found.text
        calls.append(call)
        results.append(ToolMessage(call.id, search, text))
        told |= {(item.database, item.entry_id) for item in items} | set(found.entries)
        ids = [item.entry_id for item in items] + [number for _, number in found.entries]
        if ids := list(dict.fromkeys(ids))[:ENTRIES_PER_QUERY]:
            read = search.replace("search_", "query_", 1)
            await toolkit.run(ToolCall("", read, json.dumps({"query": question, "ids": ids})))
    said = (*first.messages, AssistantMessage("", tuple(calls)), *results)
    return replace(first, messages=said, entries=tuple(sorted(told)))
