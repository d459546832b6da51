"""What asking a question would send, and to whom, found out on the very way that sends it.

The gate keeps every request and lets none pass. Later requests depend on what a model replies, so
beside the first one there is what the search for the question's own words would hand on.
"""

import json
from collections.abc import AsyncGenerator

from rag_assistant.agents.loop import Run
from rag_assistant.assistant.agent_specs import evidence_agent
from rag_assistant.assistant.conversation import Conversation, Prepared
from rag_assistant.egress.gate import NotSent
from rag_assistant.errors import ModelError
from rag_assistant.models.protocol import whole_reply
from rag_assistant.tools.database_tools import ENTRIES_PER_QUERY
from rag_assistant.values.events import Event, Note
from rag_assistant.values.messages import ToolCall


class DryConversation(Conversation):
    """A conversation whose questions are prepared as ever and then not asked.

    Its assistant has a `DryGate`, which shows what would have been sent.
    """

    async def _follow(self, run: Run, prepared: Prepared) -> AsyncGenerator[Event, None]:
        try:
            await whole_reply(run.spec.model, run.first_request())
        except NotSent:
            pass
        except ModelError as error:
            yield Note(f"Nothing would be sent to {run.spec.model.name}: {error}")
        question = run.question.text
        toolkit = evidence_agent(prepared.setup, prepared.model, prepared.egress).toolkit
        for search in [
            spec.name for spec in toolkit.specs if toolkit.kind_of(spec.name) == "search"
        ]:
            found = await toolkit.run(ToolCall("", search, json.dumps({"keyword": question})))
            ids = [entry for _, entry in found.entries][:ENTRIES_PER_QUERY]
            if ids:
                read = search.replace("search_", "query_", 1)
                wanted = json.dumps({"query": question, "ids": ids})
                await toolkit.run(ToolCall("", read, wanted))
