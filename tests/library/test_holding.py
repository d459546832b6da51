"""Which entries hold words, all of some in one passage or in a row."""

from pathlib import Path

import pytest

from rag_assistant.library.database import Database
from rag_assistant.library.holding import entries_with, entries_with_phrase
from rag_assistant.library.library import Library
from rag_assistant.values.scope import Scope
from tests.conftest import write_files

FILES = {
    "a.md": "# Sheds\n\nThe shed has a larch roof. O'Neill's key no. 4-12 opens it.\n",
    "b.md": "# Boats\n\nThe roof of the boat is larch; the shed is far.\n",
}


@pytest.fixture
def database(tmp_path: Path) -> Database:
    """Two documents of much the same words."""
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "yard", FILES))
    return library.database("yard")


def ids(database: Database) -> dict[str, int]:
    """Give the ids by path."""
    return {entry.path: entry.id for entry in database.entries()}


def test_all_of_the_words_count_wherever_they_stand(database: Database) -> None:
    """Else a question is said to point where only some of its words are."""
    both = tuple(sorted(ids(database).values()))
    assert entries_with(database, ["larch", "roofs", "shed"], 10) == both  # by their stems
    assert entries_with(database, ["larch", "boats"], 10) == (ids(database)["b.md"],)
    assert entries_with(database, ["larch", "gold"], 10) == ()
    assert len(entries_with(database, ["larch"], 1)) == 1
    assert entries_with(database, ['"', "*"], 10) == entries_with(database, [], 10) == ()


def test_a_phrase_is_found_in_its_order_only(database: Database) -> None:
    """Else a document with the same words in another order counts as holding the sentence."""
    assert entries_with_phrase(database, "the larch roof", 10) == ()
    assert entries_with_phrase(database, "a larch roof. O'Neill's key no. 4-12", 10) == (
        ids(database)["a.md"],
    )
    assert entries_with_phrase(database, "…", 10) == ()


def test_what_is_out_of_scope_holds_nothing(tmp_path: Path, database: Database) -> None:
    """Else documents that were taken away are still counted."""
    part = Library(database.path.parent).database(Scope("yard", paths=("a.md",)))
    assert entries_with(part, ["larch"], 10) == (ids(database)["a.md"],)
