"""A conversation as a chat program has it, and an answer in its words: with its citations, what is
not borne out, and the sources."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_assistant.clients.shapes import answer_shape
from rag_assistant.http_api.operations import check
from rag_assistant.http_api.schemas import QUESTION
from rag_assistant.values.evidence import Answer
from rag_assistant.values.support import check_lines

_MARKER = re.compile(r"\[(\d+)\]")
_SOURCES = "\n\nSources\n\n"


@dataclass(frozen=True, slots=True)
class Said:
    """What a chat program is given: text, annotations of it, and the tokens that were used."""

    content: str
    annotations: list[dict[str, Any]]
    usage: dict[str, int]


def conversation_in(
    messages: Sequence[Mapping[str, Any]],
) -> tuple[list[tuple[str, str]], str]:
    """Give the exchanges of a conversation, and the question: what the user said last.

    What was said behind that, and questions that have no answer, are passed over. Raises Refused.
    """
    past: list[tuple[str, str]] = []
    asked, answered = "", ""
    for message in messages:
        words = _words(message.get("content")).strip()
        if message["role"] == "user" and words:
            if asked and answered:
                past.append((asked, _without_sources(answered)))
            asked, answered = words, ""
        elif message["role"] == "assistant":
            answered = words
    check("the last question", asked, QUESTION)
    return past, asked


def _words(content: Any) -> str:
    if isinstance(content, str):
        return content
    parts = content if isinstance(content, list) else []
    return "\n".join(part["text"] for part in parts if part["type"] == "text")


def _without_sources(answer: str) -> str:
    """Take the list off that was put below an answer for the eyes of a person."""
    return answer.rpartition(_SOURCES)[0] or answer


def chat_shape(answer: Answer) -> dict[str, Any]:
    """Give an answer with what a chat program shows besides."""
    usage = answer.usage
    return {
        **answer_shape(answer),
        "remarks": [
            *check_lines(answer.text, answer.sentences),
            *(() if answer.refusal else answer.objections),
            *(one.words for one in answer.disagreements),
        ],
        "confidence_words": answer.confidence_words,
        "usage": [usage.input_tokens, usage.output_tokens],
    }


def said_of(shape: Mapping[str, Any]) -> Said:
    """Write an answer, once its secrets are masked, and find its citations in what is written."""
    citations = {one["marker"]: one for one in shape["citations"]}
    text = shape["answer"]
    remarks = "".join(f"\n\n! {' '.join(line.split())}" for line in shape["remarks"])
    sources = "\n".join(_source(marker, one) for marker, one in citations.items())
    confidence = shape["confidence_words"]
    content = (
        text
        + remarks
        + (f"{_SOURCES}{sources}" if sources else "")
        + (f"\n\nConfidence: {confidence}." if confidence else "")
    )
    annotations = [
        {
            "type": "url_citation",
            "url_citation": {
                "start_index": found.start(),
                "end_index": found.end() - 1,  # of the last character, as the format says
                "title": citations[int(found[1])]["title"],
                "url": citations[int(found[1])]["uri"],
            },
        }
        for found in _MARKER.finditer(text)
        if int(found[1]) in citations
    ]
    given, made = shape["usage"]
    usage = {"prompt_tokens": given, "completion_tokens": made, "total_tokens": given + made}
    return Said(content, annotations, usage)


def _source(marker: int, citation: Mapping[str, Any]) -> str:
    page = citation.get("page")
    place = f"p. {page}" if page else citation.get("heading") or ""
    unfound = "" if citation["verified"] else "NOT FOUND in the source"
    where = ", ".join(filter(None, (citation["path"], place, unfound)))
    quote = " ".join(citation["quote"].split())
    return f"- [{marker}] {citation['title']} ({where}): “{quote}”"
