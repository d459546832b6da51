"""A second reading: a model that a person named may confirm sentences that the words alone do not.

It lifts soft marks, never hard ones. Sentences, sources and the reply are untrusted: what is read
is fenced, and of the reply only numbers count.
"""

import asyncio
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rag_assistant.claims.answer_sentences import MARKER
from rag_assistant.errors import RagError
from rag_assistant.models.protocol import Model, whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.tools.json_replies import read_object
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Request, SystemMessage, Usage, UserMessage
from rag_assistant.values.support import Sentence, Support

MOST_SENTENCES = 20
"""Sentences that are shown to a judge; further ones keep their marks."""

REPLY_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {"confirmed": {"type": "array", "items": {"type": "integer"}}},
    "required": ["confirmed"],
}


async def with_second_reading(answer: Answer, judge: Model, seconds: float) -> tuple[Answer, Usage]:
    """Give an answer in which `judge` has confirmed what it could, and what the judge used.

    Where it fails, or takes longer than some seconds, the marks stay and the answer says so.
    """
    asked = {n: one for n, one in enumerate(answer.sentences) if one.support.is_soft}
    asked = dict(list(asked.items())[:MOST_SENTENCES])
    if not asked:
        return answer, Usage()
    request = Request(
        (SystemMessage(load_prompt("confirm")), UserMessage(_material(answer, asked))),
        reply_schema=REPLY_SCHEMA,
    )
    usage = Usage()
    try:
        async with asyncio.timeout(seconds):
            reply = await whole_reply(judge, request)
        usage = reply.usage
        numbers = set(read_object(reply.message.text, REPLY_SCHEMA)["confirmed"])
    except RagError as error:
        return _unread(answer, judge, str(error)), usage
    except TimeoutError:
        return _unread(answer, judge, f"no reply within {seconds:g} seconds."), usage
    sentences = tuple(
        replace(one, support=Support.SUPPORTED, confirmed_by=judge.name)
        if n in asked and n in numbers
        else one
        for n, one in enumerate(answer.sentences)
    )
    return replace(answer, sentences=sentences), usage


def _unread(answer: Answer, judge: Model, why: str) -> Answer:
    said = f"{judge.name} could not give the answer a second reading: {why}"
    return replace(answer, objections=(*answer.objections, said))


def _material(answer: Answer, asked: dict[int, Sentence]) -> str:
    boundary = new_boundary()
    parts: list[str] = []
    for number, sentence in asked.items():
        named = {"number": str(number)}
        words = MARKER.sub("", answer.text[sentence.start : sentence.end]).strip()
        parts.append(fence("sentence", words, boundary=boundary, attributes=named))
        parts += [
            fence("source", source, boundary=boundary, attributes=named)
            for source in dict.fromkeys(_sources(answer, sentence))
        ]
    return "\n\n".join(parts)


def _sources(answer: Answer, sentence: Sentence) -> Iterator[str]:
    """Give the quotes that a sentence cites, and the words that are nearest to it."""
    for citation in answer.citations:
        if citation.marker in sentence.markers and citation.item.verified:
            yield citation.item.quote
    if sentence.source:
        yield sentence.source.quote
