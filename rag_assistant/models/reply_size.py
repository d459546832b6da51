"""How much a reply may be, whatever the endpoint was asked for: a reply that never ends is cut.

The text is counted in characters as the model writes it, all else in bytes as they arrive, so that
neither an event without end nor events without text can fill the memory (see `bounded_body`).
"""

from collections.abc import Mapping, Sequence

_CHARACTERS_OF_A_TOKEN = 32
"""Eight times what a token has on average."""
_LEAST_TOKENS = 1_024
_MOST_BYTES = 8 << 20
_BYTES_OF_A_TOKEN = 1_024
"""An event for each token, with all that servers put round it."""
ERROR_BYTES = 65_536
"""Bytes read of the body of an error."""

_WRITTEN = frozenset({"content", "text", "refusal", "arguments"})
"""Where a delta holds what the model wrote; thoughts are apart, for not all count as output."""


def most_characters(max_output_tokens: int) -> int:
    """Give how many characters a reply may have that was to have so many tokens."""
    return _CHARACTERS_OF_A_TOKEN * max(max_output_tokens, _LEAST_TOKENS)


def most_bytes(max_output_tokens: int) -> int:
    """Give how many bytes may arrive for a reply that was to have so many tokens."""
    return _MOST_BYTES + _BYTES_OF_A_TOKEN * max_output_tokens


def written(event: Mapping[str, object]) -> int:
    """Count the characters of text and arguments that an event of either wire format adds."""
    delta = event.get("delta")
    if isinstance(delta, str):
        return 0 if "reasoning" in str(event.get("type")) else len(delta)
    choices = event.get("choices")
    return _written(choices) if isinstance(choices, list) else 0


def _written(value: object) -> int:
    if isinstance(value, Mapping):
        return sum(
            len(inner) if isinstance(inner, str) and name in _WRITTEN else _written(inner)
            for name, inner in value.items()
        )
    if isinstance(value, Sequence) and not isinstance(value, str):
        return sum(map(_written, value))
    return 0
