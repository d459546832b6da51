"""The keys that ask what is suggested, the same below an answer and under an empty prompt.

Ctrl+S asks wherever the person is. The others are keys of the prompt that mean nothing to it as
long as nothing is written: with a draft they edit it, as ever.
"""

SUGGESTION_KEYS = ("ctrl+s", "ctrl+e", "ctrl+k")
"""Of the first suggested question, the second and the third."""


def said_of(place: int) -> str:
    """Say how the suggested question at a place is asked; "" where it has no key."""
    if place >= len(SUGGESTION_KEYS):
        return ""
    key = f"Ctrl+{SUGGESTION_KEYS[place][-1].upper()}"
    return key if place else f"{key} asks it"
