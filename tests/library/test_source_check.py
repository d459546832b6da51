"""What became of the sources of kept citations, in folders that change."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.quote_state import standing
from rag_assistant.library.source_check import SourceState, check_source
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import EvidenceItem, QuoteState
from tests.conftest import settle

DAYS = "Full-time staff get 27 days of annual leave a year."


@pytest.fixture
def cited(indexed: Library) -> EvidenceItem:
    """A citation of the annual leave, as an answer makes it."""
    return make_item(indexed, "leave/annual.md", DAYS)


def make_item(library: Library, path: str, quote: str) -> EvidenceItem:
    database = library.database("handbook")
    entry = next(entry for entry in database.entries() if entry.path == path)
    start = database.text(entry.id).index(quote)
    place = Location(start, start + len(quote))
    return EvidenceItem(
        "handbook", entry.id, entry.title, path, quote, place, True, entry.text_hash
    )


def rewrite(library: Library, folder: Path, path: str, text: str) -> None:
    (folder / path).write_text(text, encoding="utf-8")
    settle(folder)
    library.index(folder)


def test_an_untouched_source_is_the_same(indexed: Library, cited: EvidenceItem) -> None:
    """Every kept answer would seem to need asking again."""
    check = check_source(indexed, cited)
    assert (check.state, check.state.stands, check.why) == (SourceState.SAME, True, "")
    assert standing(indexed, cited).changed is False


def test_words_that_stand_elsewhere_in_a_changed_text_are_kept(
    indexed: Library, handbook: Path, cited: EvidenceItem
) -> None:
    """A person would not learn that the text changed, or would think that the words did."""
    rewrite(indexed, handbook, "leave/annual.md", f"# Annual leave\n\nThis is new.\n\n{DAYS}\n")
    check = check_source(indexed, cited)
    assert check.state is SourceState.KEPT
    assert check.state.stands
    assert check.span
    text = indexed.database("handbook").text(cited.entry_id, *check.span)
    assert text == DAYS
    now = standing(indexed, cited)
    assert (now.state, now.changed) == (QuoteState.FOUND, True)


def test_changed_words_are_told_with_what_stands_there_now(
    indexed: Library, handbook: Path, cited: EvidenceItem
) -> None:
    """The old number would go on being believed, or the new one have to be looked for."""
    text = (handbook / "leave/annual.md").read_text(encoding="utf-8")
    rewrite(indexed, handbook, "leave/annual.md", text.replace("27 days", "thirty-one days"))
    check = check_source(indexed, cited)
    assert check.state is SourceState.REWORDED
    assert not check.state.stands
    assert check.now == "Full-time staff get thirty-one days of annual leave a year."
    assert check.span
    assert indexed.database("handbook").text(cited.entry_id, *check.span) == check.now


def test_words_changed_twice_are_found_by_their_likeness(
    indexed: Library, handbook: Path, cited: EvidenceItem
) -> None:
    """Only the last text but one is kept: after two changes nothing would be told any more."""
    text = (handbook / "leave/annual.md").read_text(encoding="utf-8")
    rewrite(indexed, handbook, "leave/annual.md", text.replace("27 days", "28 days"))
    rewrite(indexed, handbook, "leave/annual.md", text.replace("27 days", "29 days"))
    assert check_source(indexed, cited).now == DAYS.replace("27", "29")


def test_words_that_were_taken_out_have_no_successor(
    indexed: Library, handbook: Path, cited: EvidenceItem
) -> None:
    """Some other sentence would be shown as what became of them."""
    rewrite(indexed, handbook, "leave/annual.md", "# Annual leave\n\nAsk the people team.\n")
    check = check_source(indexed, cited)
    assert (check.state, check.now, check.span) == (SourceState.TAKEN_OUT, "", None)
    assert not check.state.stands


def test_a_deleted_entry_is_gone(indexed: Library, handbook: Path, cited: EvidenceItem) -> None:
    """An answer would seem to stand whose source nobody can open."""
    (handbook / "leave/annual.md").unlink()
    assert check_source(indexed, cited).state is SourceState.STALE
    indexed.index(handbook)
    check = check_source(indexed, cited)
    assert (check.state, check.why) == (SourceState.GONE, "the entry was deleted")


def test_a_removed_database_is_gone(indexed: Library, cited: EvidenceItem) -> None:
    """A person would look for a fault in the document."""
    indexed.remove("handbook")
    check = check_source(indexed, cited)
    assert check.state is SourceState.GONE
    assert "database was removed" in check.why


def test_a_moved_file_stands_at_its_new_path(
    indexed: Library, handbook: Path, cited: EvidenceItem
) -> None:
    """A folder put in order would make every answer look worthless."""
    (handbook / "old").mkdir()
    (handbook / "leave/annual.md").rename(handbook / "old/annual-leave.md")
    indexed.index(handbook)
    check = check_source(indexed, cited)
    assert check.state is SourceState.SAME
    assert (check.path, check.why) == ("old/annual-leave.md", "it was leave/annual.md")


def test_a_damaged_database_cannot_be_read(indexed: Library, cited: EvidenceItem) -> None:
    """A fault of the disk would be told as a changed document."""
    path = indexed.database("handbook").path
    path.write_bytes(b"no database" * 1000)
    assert check_source(indexed, cited).state is SourceState.UNREADABLE


def test_a_file_that_cannot_be_read_any_more_is_told_with_the_reason(
    indexed: Library, handbook: Path
) -> None:
    """It would be called deleted, though the file is there."""
    item = make_item(indexed, "travel.html", "Dinner is refunded up to €32 a day.")
    (handbook / "travel.html").rename(handbook / "travel.pdf")
    (handbook / "travel.pdf").write_bytes(b"%PDF-1.7 broken")
    indexed.index(handbook)
    moved = EvidenceItem(
        item.database, item.entry_id, item.title, "travel.pdf", item.quote, item.location, True
    )
    check = check_source(indexed, moved)
    assert check.state is SourceState.UNREADABLE
    assert check.why
