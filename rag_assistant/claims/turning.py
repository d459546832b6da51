"""Words that negate a claim, or turn it into another: "not", "without", "may", "before"."""

import re
from functools import lru_cache

from rag_assistant.claims.words import levelled
from rag_assistant.text.likeness import lower_words

NEGATION = "¬"
_NEGATIONS = frozenset(
    """
    not no never none nor neither without cannot nobody nothing nowhere dont doesnt didnt isnt arent
    wasnt werent cant couldnt wont wouldnt shouldnt mustnt hasnt havent hadnt neednt shant hardly
    nicht kein keine keinen keiner keinem keines nie ohne ne pas jamais sans aucun aucune nunca sin
    ningún ninguna niet geen zonder não sem non mai senza
    """.split()
)
_NOT_NEGATING = re.compile(
    r"\b(?:no|not)\s+(?:more|less|later|earlier|fewer|sooner|only)\b|\bor not\b|\bno\.\s*\d",
    re.IGNORECASE,
)
_TURNING = frozenset(
    """
    may might must shall should can could will would only except unless before after until since
    more less fewer most least above below over under between within beyond all every each any some
    half both either first last next previous once twice always sometimes rarely maximum minimum
    increase increases increased decrease decreases decreased higher lower greater smaller earlier
    later up down one another former latter inside outside
    """.split()
)
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")


def turning(form: str) -> str:
    """Give what a levelled word does to a claim: negate it, turn it, or nothing ("")."""
    if form in _NEGATIONS:
        return NEGATION
    return form if form in _TURNING else ""


@lru_cache(256)
def negates(text: str) -> bool:
    """Whether a text holds a word that negates: "no later than" and "not only" do not.

    The last texts are kept: a quote is asked for each sentence that cites it.
    """
    if _NEGATIONS.isdisjoint(lower_words(text)) and "'" not in text and "’" not in text:
        return False
    told = _NOT_NEGATING.sub(" ", text)
    return any(levelled(match[0]) in _NEGATIONS for match in _WORD.finditer(told))
