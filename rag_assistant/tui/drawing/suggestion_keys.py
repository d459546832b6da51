"""The keys that ask what is suggested, the same below an answer and under an empty prompt.

Ctrl+S asks wherever the person is. The others are keys of the prompt that mean nothing to it as
long as nothing is written: with a draft they edit it, as ever.
"""

SUGGESTION_KEYS = ("ctrl+s", "ctrl+e", "ctrl+k")
"""Of the first suggested question, the second and the third."""


def key_of(place: int) -> str:
    """Give the key of the suggested question at a place; "" where it has none."""
    return f"Ctrl+{SUGGESTION_KEYS[place][-1].upper()}" if place < len(SUGGESTION_KEYS) else ""


def said_of(place: int) -> str:
    """Say how the suggested question at a place is asked; "" where it has no key."""
    return key_of(place) if place else f"{key_of(place)} asks it"
