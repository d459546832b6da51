"""The chance that the first quote of the built-in model is right, and what voices take.

Written by `--only voices --fit` of the benchmarks. What a signal is, is said by `signals.py` and
`question_fit.py`, of those from `chosen` on by `models/extractive/certainty.py`: the model tells
these itself.
"""

from rag_assistant.claims.confidence import Fit, SignalWeight

CHANCE = Fit(
    -9.54,
    {
        "words": SignalWeight(0.62, 0.56),
        "together": SignalWeight(0.21, 0.30),
        "many": SignalWeight(1.75, 0.49),
        "rank": SignalWeight(0.72, 0.89),
        "margin": SignalWeight(0.76, 0.42),
        "lead": SignalWeight(1.20, 0.25),
        "undenied": SignalWeight(2.81, 0.98),
        "affirmed": SignalWeight(1.23, 0.97),
        "named": SignalWeight(0.97, 0.79),
        "presupposed": SignalWeight(0.10, 0.88),
        "chosen": SignalWeight(0.89, 0.40),
        "fits": SignalWeight(0.00, 0.53),
        "passage": SignalWeight(0.71, 0.53),
        "apart": SignalWeight(0.78, 0.38),
        "kind": SignalWeight(0.29, 0.77),
        "kind_near": SignalWeight(0.10, 0.18),
        "in_a_row": SignalWeight(0.29, 0.21),
    },
)

ANSWER, PROBABLY = 0.80, 0.50
"""The least chance with which it answers, and with which it probably does."""
