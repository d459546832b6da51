"""How the built-in model speaks: by the chance that the first sentence which it quotes is right."""

import re
from enum import Enum

ALSO = "Also:"
"""What stands, as a paragraph, between what the built-in model quotes first and what follows."""

_VALUE = re.compile(r"\A\*\*[^\n]+\*\* \[\d+\]\n\n")
"""The value that stands out, before the sentence that it is of."""

SURELY = 0.95
"""The chance from which it is no more told as so many in ten."""


class Voice(Enum):
    """What is claimed of the passages that are quoted: that they answer, probably do, or nothing.

    Which of them is chosen by the chance; see `verification/voices.py`.
    """

    ANSWER = "answer"
    PROBABLY = "probably"
    NEAREST = "nearest"

    def words(self, chance: float) -> str:
        """Say it, with a chance from 0 to 1, in whole tenths: none is told as high as the next."""
        if self is Voice.NEAREST:
            return "The nearest passages; they may not answer"
        often = "over 9" if chance >= SURELY else f"about {max(1, int(10 * chance))}"
        return f"{self.value.capitalize()} ({often} in 10)"


def spoken(text: str, voice: Voice, chance: float) -> str:
    """Write what the built-in model quotes in a voice; of the nearest passages none comes first."""
    if voice is Voice.NEAREST:
        text = _VALUE.sub("", text).replace(f"\n\n{ALSO}\n\n", "\n\n", 1)
    return f"{voice.words(chance)}:\n\n{text}"


def in_parts(text: str) -> tuple[str, str]:
    """Part what the built-in model wrote: what it answers with, and the further passages or ""."""
    first, _, further = text.partition(f"\n\n{ALSO}\n\n")
    return first, further
