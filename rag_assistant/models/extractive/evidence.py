"""The extractive model as a helper: fenced entries in, JSON evidence out, like any helper model."""

import json
from collections.abc import Sequence

from rag_assistant.claims.confidence import judged
from rag_assistant.models.extractive.sentences import Quote, SourceEntry, rank_quotes
from rag_assistant.text.fences import read_fences

MOST_QUOTES = 6
"""Quotes picked for one query."""

RELATIVE_COVERAGE = 0.6
"""A quote that covers less than this share of what the best one covers is left out."""


def pick_evidence(message: str) -> str:
    """Answer a retrieval prompt with the JSON that it asks for."""
    fences = read_fences(message)
    question = next((fenced.text for fenced in fences if fenced.kind == "question"), "")
    sources = [
        SourceEntry(int(fenced.attributes["id"]), fenced.attributes.get("title", ""), fenced.text)
        for fenced in fences
        if fenced.kind == "entry"
    ]
    ranked = rank_quotes(question, sources, MOST_QUOTES)
    picked = [q for q in ranked if q.coverage >= RELATIVE_COVERAGE * ranked[0].coverage]
    reply = {
        "relevant": [quote.text for quote in picked],
        "source": [quote.source for quote in picked],
        "confidence": _confidence(picked),
    }
    return json.dumps(reply, ensure_ascii=False)


def _confidence(quotes: Sequence[Quote]) -> int:
    """Judge, from 1 to 10, how likely quotes hold an answer, by what can be seen of them alone."""
    if not quotes:
        return 1
    held = max(quote.together for quote in quotes)
    return judged({"words": quotes[0].coverage, "together": held}).confidence
