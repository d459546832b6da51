"""A model as the judge of answers: right, partly right or wrong, by what is known to be right.

Judge, answer and references are untrusted: what is judged is fenced, what comes back is checked,
and texts of databases pass the gate as in a question that a person asks.
"""

import asyncio
from collections.abc import Sequence
from typing import Any

from rag_assistant.agents.usage import UsageMeter
from rag_assistant.assistant import Assistant
from rag_assistant.assistant.past import without_markers
from rag_assistant.config import EXTRACTIVE
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.errors import BadReply, ModelError, RagError
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.preconditions import refusal_to_send
from rag_assistant.evaluation.runs.outcomes import ModelVerdict
from rag_assistant.library.library import Library
from rag_assistant.models.protocol import Model, whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.json_replies import read_object
from rag_assistant.tools.permission import Permit, deny
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    Usage,
    UserMessage,
)

TRIES = 2
"""How often a judge is asked for a reply that can be read."""

LONGEST_REASON = 500
"""Characters of a judge's reason that are kept."""

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "reason": {"type": "string"},
        "verdict": {"type": "string", "enum": ["right", "partly", "wrong"]},
    },
    "required": ["reason", "verdict"],
}

NO_REFERENCE = (
    "The question has no reference answer and no quote to judge by. "
    "Give it `answers` in the question set."
)


async def cleared_judge(
    assistant: Assistant, judge: str, databases: Sequence[str], permit: Permit = deny
) -> tuple[str, ...]:
    """Settle before a run whether a model may judge answers from databases, asking the person.

    Gives what a reader of the verdicts must know. Raises ModelError where there is no such model or
    it is the built-in one, and EgressError where nothing of these databases may go to the judge.
    """
    _model(assistant, judge)
    notes: list[str] = []
    if host := assistant.models.destination(judge):
        refusal, refused = await refusal_to_send(assistant, host, databases, permit)
        if refusal and len(refused) == len(databases):
            raise refusal
        if refusal:
            notes.append(f"{refusal} Answers from there are not judged.")
    if judge == assistant.config.model:
        notes.append(
            f"{judge} judges its own answers. Models tend to favour these "
            "(Zheng et al. 2023, arXiv 2306.05685): name another judge to be sure."
        )
    return tuple(notes)


async def judged(
    assistant: Assistant, judge: str, question: Question, answer: Answer
) -> ModelVerdict:
    """Have a model judge an answer by the reference answers and quotes of its question.

    Whatever keeps it from a verdict is the judgement's `failure`: a malformed reply is asked for
    once more, an answer of a database that may not go to the judge's host is not sent.
    """
    if not (question.answers or question.quotes):
        return ModelVerdict(judge, "", failure=NO_REFERENCE)
    said: dict[str, Any] = {"verdict": "", "reason": ""}
    used: list[Usage] = []
    failure = ""
    seconds = assistant.config.limits.seconds
    try:
        model = _model(assistant, judge)
        provenance = await asyncio.to_thread(_provenance, assistant.library, question, answer)
        async with asyncio.timeout(seconds):
            said = await _verdict(model, _messages(question, answer), provenance, used)
    except RagError as error:
        failure = str(error)
    except TimeoutError:
        failure = f"{judge} gave no verdict within {seconds:g} seconds. Name a faster judge."
    ledger = UsageMeter(assistant.models.all_settings())
    ledger.add("judge", judge, sum(used, Usage()))
    return ModelVerdict(
        judge,
        said["verdict"],
        clean_line(said["reason"])[:LONGEST_REASON],
        clean_line(failure),
        ledger.total.input_tokens,
        ledger.total.output_tokens,
        ledger.cost(),
    )


def _model(assistant: Assistant, judge: str) -> Model:
    if judge == EXTRACTIVE:
        raise ModelError(
            "The built-in model cannot judge answers: it copies sentences and weighs none.",
            hint="Name one of your models, or leave the judge out.",
        )
    return assistant.models.model(judge)


def _provenance(library: Library, question: Question, answer: Answer) -> Provenance:
    """Say whose words are in what is judged: the quotes are of any database that was asked."""
    items = [citation.item for citation in answer.citations]
    names = [
        *(question.databases or library.names()),
        *answer.coverage.databases,
        *(evidence.database for evidence in answer.evidence),
        *(item.database for item in items),
    ]
    entries = dict.fromkeys((item.database, item.entry_id) for item in items)
    return Provenance("judge", tuple(dict.fromkeys(names)), tuple(entries))


def _messages(question: Question, answer: Answer) -> tuple[Message, ...]:
    boundary = new_boundary()
    parts = [("question", question.text)]
    parts += [("reference", reference) for reference in question.answers]
    parts += [("quote", quote) for quote in question.quotes]
    parts += [("answer", without_markers(answer.text))]
    fenced = [fence(kind, text, boundary=boundary, attributes={}) for kind, text in parts]
    return SystemMessage(load_prompt("judge")), UserMessage("\n\n".join(fenced))


async def _verdict(
    model: Model, messages: tuple[Message, ...], provenance: Provenance, used: list[Usage]
) -> dict[str, Any]:
    """Ask until a reply can be read, TRIES times at most; what each took goes into `used`.

    Raises ModelError. The retry does not repeat what was wrong: a judge that copies from the answer
    would have its words repeated outside their fence.
    """
    problem = ""
    for _ in range(TRIES):
        with carrying(provenance):
            reply = await whole_reply(model, Request(messages, reply_schema=REPLY_SCHEMA))
        used.append(reply.usage)
        if reply.finish == "refusal":
            raise ModelError(f"{model.name} declined to judge.", hint="Name another judge.")
        try:
            return read_object(reply.message.text, REPLY_SCHEMA)
        except BadReply as error:
            problem = error.message
            again = UserMessage(load_prompt("judge_retry"))
            messages = (*messages, AssistantMessage(reply.message.text), again)
    raise ModelError(
        f"{model.name} gave no verdict that can be read: {problem}", hint="Name another judge."
    )
