"""Where an entry nearly says what was quoted: for words that are not in it to the letter."""

from rag_assistant.library.database import Database

CLOSE = 85.0
"""Least likeness, from 0 to 100, of words that count as a close match: a word changed in ten."""

ROOM_TOKENS = 6_000
"""Tokens of the entry that are looked through: the passages that share words with the quote."""

LONGEST_QUOTE = 2_000


def close_words(database: Database, entry_id: int, quote: str) -> tuple[int, int] | None:
    """Give the span of the entry that is most like `quote`; None where nothing is close.

    Raises RagError where the entry cannot be read.
    """
    from rapidfuzz import fuzz  # noqa: PLC0415 - only a quote that is not found needs it

    wanted = " ".join(quote.split())[:LONGEST_QUOTE]
    if len(wanted) < 8:
        return None
    best: tuple[float, int, int] = (CLOSE, 0, 0)
    for passage in database.read_for(entry_id, wanted, ROOM_TOKENS).passages:
        # One character for one: places stay those of the entry.
        text = "".join(" " if letter.isspace() else letter for letter in passage.text)
        found = fuzz.partial_ratio_alignment(wanted, text, score_cutoff=best[0])
        # A short passage within a long quote is like it in part only.
        if found and found.score >= best[0] and len(text) >= len(wanted) * 0.8:
            start = passage.location.start
            best = (found.score, start + found.dest_start, start + found.dest_end)
    return best[1:] if best[2] else None
