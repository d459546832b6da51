"""Where a text holds the words that were asked for, as the index sees words."""

from rag_assistant.search.query_terms import read_query
from rag_assistant.text.terms import accents_off, terms_by_word, words_in, words_of

MOST_WORDS = 2_000
"""Places that are given of one text."""


def matching_words(text: str, query: str) -> list[tuple[int, int]]:
    """Give the (start, end) of the words of `text` that `query` looks for, in order.

    The last word of the query counts as the beginning of one.
    """
    looked_for = read_query(query, typing=True)
    terms = set(looked_for.terms)
    openings = tuple(
        accents_off(words[-1]) for prefix in looked_for.prefixes if (words := words_in(prefix))
    )
    if not terms and not openings:
        return []
    by_word = terms_by_word(text)
    wanted = {
        word
        for word, term in by_word.items()
        if term in terms or (openings and accents_off(word).startswith(openings))
    }
    found = [match.span() for match in words_of(text) if match[0] in wanted]
    return found[:MOST_WORDS]
