"""The chance that the first quote of the built-in model is right, and what voices take.

Written by `--only voices --fit` of the benchmarks. What a signal is, is said by `signals.py` and
`question_fit.py`, of those from `chosen` on by `models/extractive/certainty.py`: the model tells
these itself.
"""

from rag_assistant.claims.confidence import Fit, SignalWeight

CHANCE = Fit(
    -8.00,
    {
        "words": SignalWeight(0.00, 0.54),
        "together": SignalWeight(0.21, 0.29),
        "many": SignalWeight(0.84, 0.49),
        "rank": SignalWeight(1.00, 0.88),
        "margin": SignalWeight(1.04, 0.42),
        "lead": SignalWeight(1.17, 0.24),
        "undenied": SignalWeight(1.75, 0.98),
        "affirmed": SignalWeight(0.89, 0.96),
        "named": SignalWeight(0.94, 0.80),
        "presupposed": SignalWeight(0.00, 0.87),
        "chosen": SignalWeight(0.72, 0.40),
        "fits": SignalWeight(0.00, 0.53),
        "passage": SignalWeight(0.88, 0.53),
        "apart": SignalWeight(1.39, 0.37),
        "kind": SignalWeight(0.14, 0.79),
        "kind_near": SignalWeight(0.27, 0.19),
        "in_a_row": SignalWeight(0.45, 0.21),
    },
)

ANSWER, PROBABLY = 0.85, 0.50
"""The least chance with which it answers, and with which it probably does."""
