"""The extractive model as a helper: fenced entries in, JSON evidence out, like any helper model."""

import json
import math

from rag_assistant.fences import read_fences
from rag_assistant.models.extractive.sentences import Source, rank_quotes
from rag_assistant.terms import content_terms

MOST_QUOTES = 6
"""Quotes picked for one query."""

RELATIVE_COVERAGE = 0.6
"""A quote that covers less than this share of what the best one covers is left out."""


def pick_evidence(message: str) -> str:
    """Answer a retrieval prompt with the JSON that it asks for."""
    fences = read_fences(message)
    question = next((fenced.text for fenced in fences if fenced.kind == "question"), "")
    sources = [
        Source(int(fenced.attributes["id"]), fenced.attributes.get("title", ""), fenced.text)
        for fenced in fences
        if fenced.kind == "entry"
    ]
    ranked = rank_quotes(question, sources, MOST_QUOTES)
    picked = [q for q in ranked if q.coverage >= RELATIVE_COVERAGE * ranked[0].coverage]
    reply = {
        "relevant": [quote.text for quote in picked],
        "source": [quote.source for quote in picked],
        "confidence": confidence_of(question, ranked[0].coverage if ranked else 0.0),
    }
    return json.dumps(reply, ensure_ascii=False)


def confidence_of(question: str, coverage: float) -> int:
    """Map the best quote's coverage of the question, 0 to 1, to a confidence from 1 to 10.

    A long question in a person's own words is never covered whole, while a short one must be: a
    coverage counts for more the more terms there were to cover. On the demo databases 5 divides
    most questions about a database from those about another one.
    """
    weight = math.pow(len(content_terms(question)), 0.75)
    return max(1, min(10, round(5 * coverage * weight)))
