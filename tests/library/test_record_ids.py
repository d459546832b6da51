"""Ids of contacts, events and references must outlive what is added to their file."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library

FILES = {
    "club.vcf": "BEGIN:VCARD\nVERSION:4.0\nUID:{0}\nFN:Person {0}\nNOTE:{1}\nEND:VCARD\n",
    "club.ics": "BEGIN:VEVENT\nUID:{0}\nSUMMARY:Event {0}\nDESCRIPTION:{1}\nEND:VEVENT\n",
    "club.bib": "@misc{{k{0}, title = {{Work {0}}}, abstract = {{{1}}}}}\n",
    "club.ris": "TY  - GEN\nID  - {0}\nTI  - Work {0}\nAB  - {1}\nER  - \n",
}


def ids(library: Library) -> dict[str, int]:
    """Give the ids of the records by their keys."""
    return {entry.key: entry.id for entry in library.database("club").entries()}


@pytest.mark.parametrize("name", FILES)
def test_a_record_keeps_its_id_while_others_come_and_change(name: str, tmp_path: Path) -> None:
    """A citation of a contact or an event would lead to another one after the next export."""
    folder = tmp_path / "club"
    folder.mkdir()
    file, record = folder / name, FILES[name]

    def write(*said: tuple[str, str]) -> None:
        file.write_text("".join(record.format(*one) for one in said), encoding="utf-8")

    library = Library(tmp_path / "home")
    write(("1", "the first"), ("2", "the second"), ("3", "the third"))
    library.index(folder)
    first = ids(library)
    assert len(first) == 3
    library.index(folder)
    assert ids(library) == first
    write(("0", "a new one, before all"), ("3", "the third"), ("1", "the first, changed"))
    library.index(folder)
    second = ids(library)
    assert len(second) == 3
    kept = {key: number for key, number in second.items() if key in first}
    assert len(kept) == 2
    assert kept == {key: first[key] for key in kept}
    assert (second.keys() - first.keys()) and max(second.values()) not in first.values()
