"""Questions for which evidence is found and no answer is written.

Each database is searched for the question's own words, and the entries it finds are condensed by
the model that does so for answers: the built-in model, with tools to read by. Policies, scopes and
what is hidden from the model are those of any question.
"""

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import replace

from rag_assistant.agents.loop import Run
from rag_assistant.assistant.agent_specs import evidence_agent
from rag_assistant.assistant.conversation import Conversation, Prepared
from rag_assistant.assistant.setup import Setup
from rag_assistant.egress.gate import may_not_leave
from rag_assistant.tools.permission import Permit
from rag_assistant.tools.provider import ToolProvider
from rag_assistant.values.events import Event


class EvidenceConversation(Conversation):
    """A conversation whose runs end with the evidence; the answer is what the built-in model quotes
    of it, unreviewed.

    No other model takes the helper's place: a run whose text may not go to it raises EgressError.
    """

    def _kept_providers(self, setup: Setup) -> Sequence[ToolProvider]:
        return ()

    def _make_run(self, prepared: Prepared, permit: Permit) -> Run:
        setup, egress = prepared.setup, prepared.egress
        host = setup.models.destination(setup.config.helper or prepared.model)
        if host in egress.closed:
            verdicts = setup.policies.verdicts(egress.names, host)
            refused = [one for one, verdict in verdicts.items() if verdict != "yes"]
            raise may_not_leave(refused, verdicts, host)
        run = super()._make_run(prepared, permit)
        spec = evidence_agent(setup, prepared.model, prepared.egress)
        return Run(run.question, spec, run.limits, replace(run.options, fallback=None))

    async def _follow(self, run: Run, prepared: Prepared) -> AsyncGenerator[Event, None]:
        async with aclosing(run.events()) as events:
            async for event in events:
                yield event
