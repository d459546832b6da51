"""Files that a newer loader reads otherwise are the same entries as before."""

import sqlite3
from pathlib import Path

from rag_assistant.library.library import Library
from tests.conftest import write_files


def _ids(library: Library) -> dict[str, int]:
    return {entry.path: entry.id for entry in library.database("tables").entries()}


def test_files_that_are_read_anew_keep_their_ids(library: Library, tmp_path: Path) -> None:
    """A loader that reads tables otherwise than before would break every citation that was kept."""
    folder = tmp_path / "tables"
    rows = "\n".join(f"Town {n},{n}" for n in range(300))
    files = {
        "a.csv": f"Name,Area\n{rows}\n",
        "b.html": "<table><tr><th>Name<th>Area<tr><td>Bern<td>52<tr><td>Basel<td>24</table>",
        "c.md": "| Name | Area |\n|---|---|\n| Bern | 52 |\n",
    }
    write_files(folder, files)
    library.index(folder)
    before = _ids(library)
    connection = sqlite3.connect(library.database("tables").path)
    connection.execute("UPDATE files SET loader = 'table 1'")
    connection.execute("UPDATE entries SET text_hash = 'of another text'")
    connection.commit()
    connection.close()
    assert library.index(folder).updated == len(files)
    assert _ids(library) == before
