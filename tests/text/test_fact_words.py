"""What is known of an entry is said in words that a person would use."""

from rag_assistant.text.fact_words import fact_words, size_words
from rag_assistant.values.outline import EntryFacts


def test_facts_are_said_in_a_few_words() -> None:
    """A person would read codes and zeros, or a list of fifty authors."""
    facts = EntryFacts(
        "presentation", 1, 1200, ("Ann", "Bo", "Cy", "Di"), "de", "2024-01-05T10:00:00Z"
    )
    assert size_words(facts) == ["presentation", "1 slide", "1,200 words", "German"]
    assert fact_words(facts)[4:] == ["by Ann, Bo, Cy and 1 more", "created 2024-01-05"]
    assert fact_words(EntryFacts()) == ["0 words"]
