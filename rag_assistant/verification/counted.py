"""Answers that the built-in model wrote from what tools counted: nothing of them is a guess.

Whether the right place was found, by which its other answers are judged, is no question there: all
documents were looked at.
"""

from dataclasses import replace

from rag_assistant.config import EXTRACTIVE
from rag_assistant.values.evidence import WELL_SUPPORTED, Answer, Voice


def rests_on_counts(answer: Answer) -> bool:
    """Whether the built-in model wrote an answer from counts and lists alone."""
    seen = answer.coverage
    searched = seen.searches_made or seen.other_tools or seen.read
    return answer.model == EXTRACTIVE and bool(seen.tallies) and not searched


def with_certainty(answer: Answer) -> Answer:
    """Give such an answer as certain; as not judged where a tool could not look at everything."""
    if not all(tally.complete for tally in answer.coverage.tallies):
        return answer
    return replace(answer, confidence=WELL_SUPPORTED, voice=Voice.ANSWER)
