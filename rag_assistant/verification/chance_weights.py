"""The chance that the first quote of the built-in model is right, and what voices take.

Written by `--only voices --fit` of the benchmarks. What a signal is, is said by `signals.py` and
`question_fit.py`, of those from `chosen` on by `models/extractive/certainty.py`: the model tells
these itself.
"""

from rag_assistant.claims.confidence import Fit, SignalWeight

CHANCE = Fit(
    -9.13,
    {
        "words": SignalWeight(0.61, 0.56),
        "together": SignalWeight(0.17, 0.30),
        "many": SignalWeight(1.53, 0.48),
        "rank": SignalWeight(0.34, 0.89),
        "margin": SignalWeight(0.94, 0.42),
        "lead": SignalWeight(1.12, 0.25),
        "undenied": SignalWeight(2.87, 0.97),
        "affirmed": SignalWeight(0.99, 0.97),
        "named": SignalWeight(0.61, 0.80),
        "presupposed": SignalWeight(0.57, 0.88),
        "chosen": SignalWeight(0.56, 0.41),
        "fits": SignalWeight(0.00, 0.66),
        "passage": SignalWeight(0.64, 0.53),
        "apart": SignalWeight(0.98, 0.37),
        "kind": SignalWeight(0.40, 0.78),
        "kind_near": SignalWeight(0.17, 0.19),
        "in_a_row": SignalWeight(0.52, 0.21),
    },
)

ANSWER, PROBABLY = 0.80, 0.50
"""The least chance with which it answers, and with which it probably does."""
