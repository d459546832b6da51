"""What can be told of how well the sentence that is quoted first answers: signals from 0 to 1.

They are for the chance that it is right, which is fitted and computed where all signals are known
(`verification/voices.py`).
"""

from collections.abc import Mapping, Sequence
from math import exp

from rag_assistant.models.extractive.candidates import CandidateSentence
from rag_assistant.models.extractive.features import NAMES

FAR = 4.0
"""A score that is so much above that of the best of other passages has no rival."""

_PLACES = {name: place for place, name in enumerate(NAMES)}


def signals_of(
    order: Sequence[int],
    sentences: Sequence[CandidateSentence],
    scores: Sequence[float],
    rows: Sequence[Sequence[float]],
) -> Mapping[str, float]:
    """Give the signals of the first sentence of an `order`, which has the places of all.

    `rows` are the features. "chosen" is the likelihood that it is the one that answers if any does,
    "passage" that of its passage, "apart" how far it is above the best of others. "kind" is 0 where
    it lacks the kind of thing that is asked for, "kind_near" the share of the question's words
    beside one.
    """
    first = order[0]
    here = sentences[first].place
    likely = [exp(scores[place] - scores[first]) for place in order]
    within = [
        one for one, place in zip(likely, order, strict=True) if sentences[place].place == here
    ]
    beside = (scores[place] for place in order if sentences[place].place != here)
    gap = scores[first] - next(beside, scores[first] - FAR)

    def feature(name: str) -> float:
        return rows[first][_PLACES[name]]

    return {
        "chosen": 1 / sum(likely),
        "passage": sum(within) / sum(likely),
        "apart": min(1.0, max(0.0, gap / FAR)),
        "kind": 1.0 - feature("lacks kind"),
        "kind_near": feature("kind near words"),
        "in_a_row": feature("in a row"),
    }
