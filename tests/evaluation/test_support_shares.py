"""The shares of an answer's sentences by what they rest on."""

import pytest

from rag_assistant.evaluation.measuring.answers import support_shares
from rag_assistant.values.support import Sentence, Support

STATES = {
    "v": Support.SUPPORTED, "s": Support.SUPPORTED, "c": Support.COMPUTED,
    "e": Support.IN_ENTRY, "u": Support.UNCONFIRMED, "o": Support.CONTRADICTED,
    "x": Support.NOWHERE, "n": Support.NO_CLAIM,
}  # fmt: skip


def shares(states: str) -> dict[str, float]:
    return support_shares(
        [Sentence(n, n + 1, STATES[state], verbatim=state == "v") for n, state in enumerate(states)]
    )


@pytest.mark.parametrize(
    ("states", "expected"),
    [
        ("vvsunn", {"verbatim": 0.5, "supported": 0.75, "unconfirmed": 0.25, "no_claim": 1 / 3}),
        ("uu", {"unconfirmed": 1.0}),
        ("ceox", {"computed": 0.25, "in_entry": 0.25, "contradicted": 0.25, "nowhere": 0.25}),
        ("nn", {"no_claim": 1.0}),
        ("", {}),
    ],
)
def test_shares_are_of_the_claims(states: str, expected: dict[str, float]) -> None:
    """Headings and courtesies would make an answer look proven, or a refusal unproven."""
    found = {name.removeprefix("sentences_"): n for name, n in shares(states).items() if n}
    assert found == pytest.approx(expected)
