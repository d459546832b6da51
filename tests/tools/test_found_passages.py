"""What a search gives a model beside somebody who changes the folder."""

import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.tools.found_passages import search_for_model
from rag_assistant.values.documents import Passage
from tests.conftest import write_files


class Changing(Database):
    """A database of which an entry is removed once the passages of a search were read."""

    def passages_at(self, places: Sequence[tuple[int, int]]) -> list[Passage | None]:
        read = super().passages_at(places)
        with closing(sqlite3.connect(self.path)) as writer, writer:
            writer.execute("DELETE FROM entries WHERE id = ?", (places[0][0],))
        return read


def test_a_search_hands_over_what_was_there_at_one_moment(library: Library, tmp_path: Path) -> None:
    """If it fails, a search beside indexing now and then ends with "No entry has the id"."""
    write_files(
        tmp_path / "minutes",
        {"roof.md": "# Roof\n\nThe roof leaks.\n", "shed.md": "# Shed\n\nThe roof of the shed.\n"},
    )
    library.index(tmp_path / "minutes")
    ids = {one.path: one.id for one in library.database("minutes").entries()}
    changing = Changing("minutes", library.database("minutes").path)
    given = search_for_model([changing], "roof", 1_000).evidence
    assert given
    assert {item.entry_id for item in given.items} == set(ids.values())
    assert len(changing.entries()) == 1
