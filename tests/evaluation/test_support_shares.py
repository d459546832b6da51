"""The shares of an answer's sentences by what they rest on."""

import pytest

from rag_assistant.evaluation.measuring.answers import support_shares
from rag_assistant.values.support import Sentence, Support

STATES = {
    "q": Support.QUOTED, "s": Support.SUPPORTED, "u": Support.UNSUPPORTED, "n": Support.NO_CLAIM,
}  # fmt: skip


def shares(states: str) -> dict[str, float]:
    return support_shares([Sentence(n, n + 1, STATES[state]) for n, state in enumerate(states)])


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ("qqsunn", {"quoted": 0.5, "supported": 0.25, "unsupported": 0.25, "no_claim": 1 / 3}),
        ("uu", {"quoted": 0.0, "supported": 0.0, "unsupported": 1.0, "no_claim": 0.0}),
        ("nn", {"no_claim": 1.0}),
        ("", {}),
    ],
)
def test_shares_are_of_the_claims(states: str, expected: dict[str, float]) -> None:
    """Headings and courtesies would make an answer look proven, or a refusal unproven."""
    found = {name.removeprefix("sentences_"): value for name, value in shares(states).items()}
    assert found == pytest.approx(expected)
