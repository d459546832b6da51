"""What is settled before the first question of a run: that its models are there, that a budget can
count what they cost, and that text may go to them.
"""

import asyncio
from collections.abc import Sequence

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.egress_check import permission_to_send
from rag_assistant.config import EXTRACTIVE
from rag_assistant.egress.gate import may_not_leave
from rag_assistant.errors import EgressError, QuestionSetError
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.runs.header import Settings
from rag_assistant.tools.permission import Decision, Permit, deny


async def cleared_models(
    assistant: Assistant,
    settings: Settings,
    databases: Sequence[str],
    budget: EvaluationBudget,
    permit: Permit = deny,
) -> tuple[str, ...]:
    """Make sure that the models of a run can be asked of databases, with the person's permission.

    That is done before any question is, so that no time to answer has the person's in it. Gives
    what a reader of the figures must know. Raises ModelError where there is no such model,
    QuestionSetError where a budget of money would never be met because no model has prices, and
    EgressError where nothing of these databases may go to a model.
    """
    models = dict.fromkeys(filter(None, (settings.model, settings.helper)))
    hosts = {name: await asyncio.to_thread(assistant.models.destination, name) for name in models}
    if settings.judge:
        await asyncio.to_thread(assistant.models.destination, settings.judge)
    notes = list(_uncounted(assistant, (*models, settings.judge), budget))
    for host in dict.fromkeys(filter(None, hosts.values())):
        refusal, refused = await refusal_to_send(assistant, host, databases, permit)
        if refusal and len(refused) == len(databases):
            raise refusal
        if refusal:
            notes.append(f"{refusal} Questions to it break off.")
    if any(name not in ("", EXTRACTIVE) for name in (*models, settings.judge)):
        # It would be in the times of the first questions.
        from rag_assistant.models.openai_model import load_client  # noqa: PLC0415

        await asyncio.to_thread(load_client)
    return tuple(notes)


async def refusal_to_send(
    assistant: Assistant, host: str, databases: Sequence[str], permit: Permit
) -> tuple[EgressError | None, Sequence[str]]:
    """Ask for permission to send text of databases to a host where policies want that.

    Gives why not all of it may go there, None where it may, and the databases it is about.
    """
    gate = assistant.gate
    verdicts = dict(await asyncio.to_thread(gate.verdicts, databases, host))
    asked = [name for name, verdict in verdicts.items() if verdict == "ask"]
    decision = await permit(permission_to_send(asked, host)) if asked else Decision.NO
    if decision is not Decision.NO:
        await asyncio.to_thread(gate.allow, asked, host, lasting=decision is Decision.ALWAYS)
        verdicts.update(dict.fromkeys(asked, "yes"))
    refused = [name for name, verdict in verdicts.items() if verdict != "yes"]
    return (may_not_leave(refused, verdicts, host) if refused else None), refused


def _uncounted(
    assistant: Assistant, models: Sequence[str], budget: EvaluationBudget
) -> tuple[str, ...]:
    """Say what a budget of money does not count."""
    if budget.cost is None:
        return ()
    asked = [name for name in dict.fromkeys(models) if name not in ("", EXTRACTIVE)]
    known = {name: assistant.models.settings(name) for name in asked}
    free = [
        name for name, one in known.items() if one and not (one.price_input or one.price_output)
    ]
    if not free:
        return ()
    named = ", ".join(free)
    if len(free) == len(asked):
        raise QuestionSetError(
            f"--max-cost would never stop the run: {named} has no prices.",
            hint="Set price_input and price_output in config.toml, or take --max-tokens.",
        )
    return (f"--max-cost does not count what {named} takes, which has no prices",)
