"""The extractive model as a helper: fenced entries in, JSON evidence out, like any helper model."""

import json

from rag_assistant.fences import read_fences
from rag_assistant.models.extractive.sentences import Sentence, Source, rank_sentences

MOST_QUOTES = 6
"""Sentences picked for one query."""

RELATIVE_COVERAGE = 0.6
"""A sentence that covers less than this share of what the best one covers is left out."""


def pick_evidence(message: str) -> str:
    """Answer a retrieval prompt with the JSON that it asks for."""
    fences = read_fences(message)
    question = next((fenced.text for fenced in fences if fenced.kind == "question"), "")
    sources = [
        Source(int(fenced.attributes["id"]), fenced.attributes.get("title", ""), fenced.text)
        for fenced in fences
        if fenced.kind == "entry"
    ]
    ranked = rank_sentences(question, sources)
    picked = _distinct(ranked)
    reply = {
        "relevant": [sentence.text for sentence in picked],
        "source": [sentence.source for sentence in picked],
        "confidence": confidence_of(ranked[0].coverage if ranked else 0.0),
    }
    return json.dumps(reply, ensure_ascii=False)


def _distinct(ranked: list[Sentence]) -> list[Sentence]:
    picked: list[Sentence] = []
    for sentence in ranked:
        if sentence.coverage < RELATIVE_COVERAGE * ranked[0].coverage:
            break
        if all(sentence.text != other.text for other in picked):
            picked.append(sentence)
        if len(picked) == MOST_QUOTES:
            break
    return picked


def confidence_of(coverage: float) -> int:
    """Map the best sentence's coverage of the question, 0 to 1, to a confidence from 1 to 10."""
    return max(1, min(10, round(10 * coverage)))
