"""What a passage is worth for a phrase that it holds, in whichever engine."""

from rag_assistant.text.terms import accents_off, terms_by_word
from rag_assistant.values.search_plan import Phrase, Plan

TITLED, FEW_WORDS = 0.5, 3
"""Share of its weight that a word in the title adds, where there are so few words: very many
passages hold all of these."""

REQUIRED = 1.0
"""Score of a passage that holds what is demanded, and no other word."""


def weight_of(plan: Plan, phrase: Phrase) -> float:
    """Give what a passage is worth that holds a phrase, as the plan weighs its words.

    The completions of a prefix all have one weight.
    """
    terms = [terms_by_word(word).get(word, "") for word in phrase.words]
    if phrase.begun:
        begun = accents_off(phrase.words[-1])
        return max((w for term, w in plan.weights.items() if term.startswith(begun)), default=1.0)
    return sum(plan.weights.get(term, 0.0) for term in terms) or LEAST


LEAST = 0.01
"""Worth of a phrase whose words have no weight."""
