"""The room that a database takes on the disk."""

import sqlite3
from contextlib import closing
from pathlib import Path

from rag_assistant.library.library import Library
from tests.conftest import write_files


def test_a_database_gives_back_the_room_of_what_was_deleted(tmp_path: Path) -> None:
    """A folder that shrank would leave a file as large as it ever was.

    Of the full-text index only a part goes at once; the rest is merged away in time.
    """
    texts = {f"{n}.txt": f"{' '.join(f'word{n}x{k}' for k in range(2_000))}\n" for n in range(60)}
    folder = write_files(tmp_path / "notes", texts)
    library = Library(tmp_path / "home")
    library.index(folder)
    path = library.database("notes").path
    before = path.stat().st_size
    for number in range(50):
        (folder / f"{number}.txt").unlink()
    library.index(folder, prune=True)
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("PRAGMA freelist_count").fetchone()[0] == 0
    assert path.stat().st_size < before * 0.85
    assert library.check("notes") == []
