"""Phrases in the language of FTS5's MATCH. Words hold no quotes, so that no text is an error.

https://www.sqlite.org/fts5.html#full_text_query_syntax
"""

from collections.abc import Iterable

from rag_assistant.text.terms import accents_off, terms_by_word
from rag_assistant.values.search_plan import AllOf, Phrase, Plan


def all_of(phrases: AllOf) -> str:
    """Demand all of some phrases of one passage."""
    return f"({' AND '.join(map(one, phrases))})"


def any_of_all(conjunctions: Iterable[AllOf]) -> str:
    """Demand the phrases of any of these."""
    return " OR ".join(map(all_of, conjunctions))


def one(phrase: Phrase) -> str:
    """Give the expression of a phrase."""
    column = "" if phrase.column == "any" else f"{{{phrase.column}}} : "
    return f'{column}"{" ".join(phrase.words)}"{" *" if phrase.begun else ""}'


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
