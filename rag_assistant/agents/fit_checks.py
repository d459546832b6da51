"""The verdicts of the fit test: what a model's replies show, one line each."""

from dataclasses import dataclass

from rag_assistant.agents import fit_materials as materials
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.evidence import Evidence, QuoteState

LOW_CONFIDENCE = 3
"""Up to this confidence (of 10), a model says that the passages do not hold the answer."""
SHOWN_CHARACTERS = 80


@dataclass(frozen=True, slots=True)
class FitResult:
    """What one check found; `ok` is None when nothing was settled. `means` is for the person."""

    name: str
    ok: bool | None
    found: str
    means: str = ""


def quotes_check(name: str, evidence: Evidence) -> FitResult:
    """Judge the evidence for a question that the passages answer."""
    # A quote that is nearly so was not copied to the letter.
    found = [item for item in evidence.items if item.state is QuoteState.FOUND]
    if not any(materials.ANSWER in item.quote for item in evidence.items):
        found_none = "the words that answer are not among its quotes"
        return FitResult(name, False, found_none, "it overlooks answers")
    told = f"{len(found)} of {len(evidence.items)} quotes stand in the passages"
    if len(found) == len(evidence.items):
        return FitResult(name, True, told, "its quotes can be opened at their place")
    return FitResult(name, False, told, "its other quotes are marked as not found")


def declines_check(name: str, evidence: Evidence) -> FitResult:
    """Judge the evidence for a question that the passages do not answer."""
    told = f"{len(evidence.items)} quotes, confidence {evidence.confidence} of 10"
    if not evidence.items or evidence.confidence <= LOW_CONFIDENCE:
        return FitResult(name, True, told, "it says so when passages do not hold the answer")
    return FitResult(name, False, told, "it takes what does not answer for an answer")


def names_both(said: str) -> bool:
    """Whether the picture's colours were named in their order; `said` is in lower case."""
    left = [said.find(colour) for colour in materials.LEFT_COLOURS if colour in said]
    right = [said.find(colour) for colour in materials.RIGHT_COLOURS if colour in said]
    return bool(left and right) and min(left) < min(right)


def short(text: str) -> str:
    """Give what a model wrote as one short and safe line."""
    line = clean_line(text)
    return line if len(line) <= SHOWN_CHARACTERS else f"{line[: SHOWN_CHARACTERS - 1].rstrip()}…"
