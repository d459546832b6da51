"""How likely an answer of a model is right: from its claims, its quotes, its sources, retrieval.

One rule for every model that writes in words of its own. The built-in model, which copies, is
judged by retrieval alone (`refusing.py`).
"""

from collections.abc import Mapping

from rag_assistant.claims.asked_kind import asked_kind, has_kind
from rag_assistant.claims.confidence import Fit, Judgement, SignalWeight, judged_by
from rag_assistant.values.evidence import Answer, EvidenceItem, QuoteMatch
from rag_assistant.values.support import Support

BY_HAND = {"quotes": SignalWeight(2.0, 1.0), "agreement": SignalWeight(1.0, 0.5)}
"""Weights that no fit gives: the models that are played quote to the letter, from one source."""

MODEL_ANSWER = Fit(
    -15.22,
    {
        **BY_HAND,
        "borne_out": SignalWeight(7.41, 0.93),
        "presupposed": SignalWeight(1.75, 0.83),
        "kind": SignalWeight(1.44, 0.78),
        "found": SignalWeight(2.16, 0.52),
        "found_together": SignalWeight(1.61, 0.25),
        "margin": SignalWeight(2.48, 0.35),
        "lead": SignalWeight(0.92, 0.19),
    },
)
"""What an answer in a model's words is judged by; `signals.py` says what those of retrieval are.

Fitted by `--only judge --fit` of the benchmarks on 2,563 answers of models of known kinds to the
odd lines of the demo questions, the first 700 of COVID-QA and five articles of SQuAD. The helper's
own confidence, the share of claims that are opposed, how much of the question the cited passage
holds, and which of its words any document has were tried, too, and got next to no weight.
"""

CLOSE = 0.7
"""What a quote counts that was found nearly."""

SOFT = 0.5
"""What a claim counts that is not confirmed word for word: it may be right."""


def judge_model_answer(
    answer: Answer, retrieval: Mapping[str, float], *, presupposes_more: bool
) -> Judgement:
    """Judge an answer by what was found of its claims and quotes, and of its retrieval.

    `retrieval` are the signals of `signals.py`; `presupposes_more` says that the question names
    what the cited sources do not.
    """
    return judged_by(
        MODEL_ANSWER, model_signals(answer, retrieval, presupposes_more=presupposes_more)
    )


def model_signals(
    answer: Answer, retrieval: Mapping[str, float], *, presupposes_more: bool
) -> dict[str, float]:
    """Give the signals of an answer by name, each from 0 to 1; what is not known is left out."""
    values = dict(retrieval)
    values["presupposed"] = 0.0 if presupposes_more else 1.0
    states = [s.support for s in answer.sentences if s.support is not Support.NO_CLAIM]
    if states:
        values["borne_out"] = sum(map(_worth, states)) / len(states)
    items = [citation.item for citation in answer.citations]
    if (kind := asked_kind(answer.question)) and items:
        said = " ".join((answer.text, *(item.quote for item in items)))
        values["kind"] = float(has_kind(kind, said))
    if items:
        values["quotes"] = sum(map(_found, items)) / len(items)
        values["agreement"] = _agreement(answer, items)
    return values


def _worth(state: Support) -> float:
    return 1.0 if state.is_borne_out else SOFT if state.is_soft else 0.0


def _found(item: EvidenceItem) -> float:
    if not item.verified:
        return 0.0
    return CLOSE if item.match is QuoteMatch.ALIGNED else 1.0


def _agreement(answer: Answer, items: list[EvidenceItem]) -> float:
    """Say whether sources disagree, or several are cited that do not."""
    if answer.disagreements:
        return 0.0
    return 1.0 if len({(item.database, item.entry_id) for item in items}) > 1 else 0.5
