"""How the facts of an entry are said to a person, and to a model."""

from rag_assistant.text.languages import language_name
from rag_assistant.values.outline import PAGE_UNITS, EntryFacts

_MOST_NAMED = 3


def fact_words(facts: EntryFacts) -> list[str]:
    """Say what is known, each in a few words: what it is, by whom, of when."""
    said = [
        f"by {authors_named(facts)}" if facts.authors else "",
        f"created {facts.created[:10]}" if facts.created else "",
        f"modified {facts.modified[:10]}" if facts.modified else "",
    ]
    return [*size_words(facts), *filter(None, said)]


def size_words(facts: EntryFacts) -> list[str]:
    """Say what an entry is: "PDF", "12 pages", "3,400 words", "English"."""
    unit = PAGE_UNITS.get(facts.kind, "page")
    said = [
        facts.kind,
        _counted(facts.pages, unit) if facts.pages else "",
        _counted(facts.words, "word"),
        language_name(facts.language),
    ]
    return [one for one in said if one]


def authors_named(facts: EntryFacts) -> str:
    """Name the first authors, and count the others."""
    more = len(facts.authors) - _MOST_NAMED
    named = ", ".join(facts.authors[:_MOST_NAMED])
    return f"{named} and {more} more" if more > 0 else named


def _counted(number: int, unit: str) -> str:
    return f"{number:,} {unit}{'' if number == 1 else 's'}"
