"""Phrases in the language of FTS5's MATCH. Words hold no quotes, so that no text is an error.

https://www.sqlite.org/fts5.html#full_text_query_syntax
"""

from collections.abc import Iterable

from rag_assistant.values.search_plan import AllOf, Phrase


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
