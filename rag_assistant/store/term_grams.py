"""The runs of letters by which terms that are written alike are found, in whichever engine."""

MOST_ALIKE = 400
"""Terms that share a run of letters and may have more in common: of more, none is looked at."""

GRAM, LONGEST_GRAMMED = 4, 32
"""Letters of a gram, the blank before a term being one, and of a term whose grams are kept."""


def grams_of(term: str) -> list[str]:
    """Give the runs of four letters of a term, the blank before it being one; none of a number."""
    if len(term) > LONGEST_GRAMMED or term.isdigit():
        return []
    return list(dict.fromkeys(f" {term}"[at : at + GRAM] for at in range(len(term) + 2 - GRAM)))
