"""What may be offered while a word is typed; it needs no Textual, which `chat` does without."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Completion:
    """A word that may be meant, and what it stands for; `takes_more` when more is typed after."""

    word: str
    help: str
    takes_more: bool = True
