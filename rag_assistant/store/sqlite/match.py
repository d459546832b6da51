"""Phrases in the language of FTS5's MATCH. Words hold no quotes, so that no text is an error.

https://www.sqlite.org/fts5.html#full_text_query_syntax
"""

from collections.abc import Iterable

from rag_assistant.values.search_plan import AllOf, Phrase, Plan


def match_of(plan: Plan) -> str:
    """Give the expression of a plan's candidates; "" when it looks for no words."""
    any_of = " OR ".join(map(_one, plan.any_of))
    found = any_of
    if plan.required:
        required = [all_of(phrases) for phrases in plan.required]
        found = " AND ".join(required)
        if any_of:
            # The first one again, so that the other words may be missing.
            found = f"({found}) AND ({required[0]} OR {any_of})"
    return f"({found}) NOT ({any_of_all(plan.excluded)})" if found and plan.excluded else found


def all_of(phrases: AllOf) -> str:
    """Demand all of some phrases of one passage."""
    return f"({' AND '.join(map(_one, phrases))})"


def any_of_all(conjunctions: Iterable[AllOf]) -> str:
    """Demand the phrases of any of these."""
    return " OR ".join(map(all_of, conjunctions))


def _one(phrase: Phrase) -> str:
    column = "" if phrase.column == "any" else f"{{{phrase.column}}} : "
    return f'{column}"{" ".join(phrase.words)}"{" *" if phrase.begun else ""}'
