"""The names of authors as a database compares them."""

from rag_assistant.text.terms import accents_off, words_in


def author_words(names: str) -> str:
    """Give names as they are compared: their words without case and accents, a blank before each.

    What is found by " word" begins so.
    """
    return "".join(f" {accents_off(word)}" for word in words_in(names))
