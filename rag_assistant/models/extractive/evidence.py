"""The extractive model as a helper: fenced entries in, JSON evidence out, like any helper model."""

import json

from rag_assistant.claims.confidence import READING, judged_by
from rag_assistant.models.extractive.candidates import QuotableText
from rag_assistant.models.extractive.choosing import MOST_QUOTES, Chosen, choose
from rag_assistant.text.fences import read_fences


def pick_evidence(message: str) -> str:
    """Answer a retrieval prompt with the JSON that it asks for."""
    fences = read_fences(message)
    question = next((fenced.text for fenced in fences if fenced.kind == "question"), "")
    sources = [
        QuotableText(int(fenced.attributes["id"]), fenced.attributes.get("title", ""), fenced.text)
        for fenced in fences
        if fenced.kind == "entry"
    ]
    chosen = choose(question, sources, MOST_QUOTES)
    reply = {
        "relevant": [one.text for one in chosen],
        "source": [one.source for one in chosen],
        "confidence": _confidence(chosen),
    }
    return json.dumps(reply, ensure_ascii=False)


def _confidence(chosen: list[Chosen]) -> int:
    """Judge, from 1 to 10, how likely quotes hold an answer, by what can be seen of them alone."""
    if not chosen:
        return 1
    held = max(one.together for one in chosen)
    return judged_by(READING, {"words": chosen[0].coverage, "together": held}).confidence
