"""Passages of all databases in one order: several of an entry, with what places them."""

from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.values.documents import Hit
from tests.conftest import write_files

FILLER = "Ordinary words stand here and say nothing of it. " * 25


def indexed(root: Path, **folders: dict[str, str]) -> Library:
    library = Library(root / "home")
    for name, files in folders.items():
        library.index(write_files(root / name, files))
    return library


def passages(library: Library, text: str, limit: int = 5) -> list[Hit]:
    return list(search_passages(library.databases(), text, limit).hits)


def test_an_entry_brings_as_many_passages_as_deserve_it(tmp_path: Path) -> None:
    """Of a long report a single passage would be shown, and that with the answer left out."""
    said = ["The turbine failed at dawn.", "The turbine was mended.", "The turbine failed again."]
    parts = [f"## Part {n}\n\n{FILLER}{one}\n\n" for n, one in enumerate(said)]
    files = {"report.md": "# Report\n\n" + "".join(parts), "other.md": f"# Other\n\n{FILLER}"}
    hits = passages(indexed(tmp_path, plant=files), "When did the turbine fail?")
    assert [hit.path for hit in hits[:3]] == ["report.md"] * 3
    assert len({hit.location.start for hit in hits}) == len(hits)
    assert {"dawn", "again"} <= {word for hit in hits for word in hit.snippet.rstrip(".").split()}
    assert [hit.rank for hit in hits] == list(range(1, len(hits) + 1))
    assert hits == sorted(hits, key=lambda hit: -hit.score)


def test_the_first_lines_of_an_entry_place_its_passages(tmp_path: Path) -> None:
    """Of reports alike the passages of the wrong one would come first: only the head names it."""
    files = {
        f"{number}.md": f"Report of the accident at {place}.\n\n## Cause\n\n{FILLER}\n\n"
        f"## Damage\n\n{FILLER}{FILLER} The wing was bent, say {number}.\n"
        for number, place in enumerate(["Oslo", "Tallahassee", "Perth", "Quito"])
    }
    hits = passages(indexed(tmp_path, air=files), "What of the wing was bent at Tallahassee?", 6)
    wings = [hit.path for hit in hits if "wing" in hit.snippet]
    assert wings[0] == "1.md"


def test_passages_of_several_databases_come_in_one_order(tmp_path: Path) -> None:
    """Those of the first database would come first, however little they say of it."""
    library = indexed(
        tmp_path,
        first={"a.md": f"# Pumps\n\nA pump. {FILLER}"},
        second={"b.md": "# Pumps\n\nThe pump of the harbour is serviced in April."},
    )
    hits = passages(library, "when is the harbour pump serviced")
    assert (hits[0].database, hits[0].path) == ("second", "b.md")
    assert {hit.database for hit in hits} == {"first", "second"}


def test_the_same_passage_in_two_entries_is_given_once(tmp_path: Path) -> None:
    """Copies of a document would take the places of what else there is."""
    files = {f"copy{n}.txt": "The lighthouse keeper is Ada Holm." for n in range(4)}
    files["other.txt"] = "A lighthouse is a tower."
    hits = passages(indexed(tmp_path, coast=files), "lighthouse keeper")
    assert len(hits) == 2
    assert hits[1].path == "other.txt"


def test_filters_and_exclusions_hold_for_passages(tmp_path: Path) -> None:
    """A filter would be overrun, or a list for a filter alone be empty."""
    files = {"a.md": "The gate opens at six.", "b.txt": "The gate is red.", "c.txt": "The gate."}
    library = indexed(tmp_path, park=files)
    assert {hit.path for hit in passages(library, "gate type:txt")} == {"b.txt", "c.txt"}
    assert {hit.path for hit in passages(library, "gate -red")} == {"a.md", "c.txt"}
    assert {hit.path for hit in passages(library, "type:txt")} == {"b.txt", "c.txt"}
    assert passages(library, "") == []
    assert passages(library, "gate", 0) == []
    assert passages(library, "zeppelin") == []


def test_a_number_belongs_to_the_word_before_it(tmp_path: Path) -> None:
    """ "Graz 4" would find the rows of other towns, where Graz stands often and a 4 somewhere."""
    towns = ["Graz", "Oslo", "Graz", "Cork"]
    rows = [f"| {towns[n % 4]} {n} | {n * 37 % 101}.{n % 7} | {n * 53 % 97} |" for n in range(80)]
    rows[50:58] = [f"| Graz {n} | 4.{n} | 4 |" for n in range(50, 58)]
    page = "| Town | Share | Flats |\n| --- | --- | --- |\n" + "\n".join(rows)
    library = indexed(tmp_path, towns={"towns.md": f"# Towns\n\n{page}\n"})
    for number in (4, 34, 66):
        wanted = f"| Graz {number} |"
        text = f"share of Graz {number}"
        for hit in (
            passages(library, text)[0],
            search_databases(library.databases(), text, 1).hits[0],
        ):
            (passage,) = library.database("towns").passages_at([(hit.entry_id, hit.location.start)])
            assert passage is not None and wanted in passage.text
