"""How a quote stands to its source now, by the rule that took it."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.quote_state import standing
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import EvidenceItem, QuoteMatch, QuoteState

WORDS = "Every parent gets sixteen weeks of leave at full pay."


def item(library: Library, quote: str, match: QuoteMatch = QuoteMatch.MISSING) -> EvidenceItem:
    database = library.database("handbook")
    entry = next(entry for entry in database.entries() if entry.path == "leave/parental.md")
    text = database.text(entry.id)
    verified = match is not QuoteMatch.MISSING
    start = text.index(quote) if verified else 0
    place = Location(start, start + len(quote) if verified else len(text))
    return EvidenceItem(
        "handbook", entry.id, "Leave", entry.path, quote, place, verified, match=match
    )


@pytest.mark.parametrize(
    ("match", "state"),
    [
        (QuoteMatch.EXACT, QuoteState.FOUND),
        (QuoteMatch.LEVELLED, QuoteState.FOUND),
        (QuoteMatch.ALIGNED, QuoteState.CLOSE),
    ],
)
def test_words_that_are_there_stand_as_they_were_matched(
    indexed: Library, match: QuoteMatch, state: QuoteState
) -> None:
    """A quote with slips would be shown as one to the letter once it was looked up again."""
    found = standing(indexed, item(indexed, WORDS, match))
    assert found.state is state
    assert found.span is not None


def test_what_was_not_found_is_looked_for_by_the_same_rule(indexed: Library) -> None:
    """A wrong number would become a close match in the interface that it was not in the run."""
    close = standing(indexed, item(indexed, WORDS.replace("gets", "receives")))
    assert close.state is QuoteState.CLOSE
    wrong = standing(indexed, item(indexed, WORDS.replace("sixteen", "seventeen")))
    assert (wrong.state, wrong.span) == (QuoteState.MISSING, None)


def test_words_that_went_from_the_source_have_changed(indexed: Library, handbook: Path) -> None:
    """Old words would be shown as the source's own."""
    cited = item(indexed, WORDS, QuoteMatch.ALIGNED)
    (handbook / "leave" / "parental.md").write_text("# Leave\n\nNone.\n", encoding="utf-8")
    indexed.index(handbook)
    assert standing(indexed, cited).state is QuoteState.CHANGED
