"""The passages round a place: the right ones, exactly as long as the text they stand for."""

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.errors import EntryNotFound
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Location
from tests.conftest import write_files
from tests.examples import examples

PARAGRAPH = "Paragraph {0} tells of topic{0}, and goes on for a while about nothing. " * 6
SECTIONS = "".join(f"## Part {n}\n\n{PARAGRAPH.format(n)}\n\n" for n in range(12))


@pytest.fixture(scope="module")
def long_text(tmp_path_factory: pytest.TempPathFactory) -> Database:
    """A database of a long entry and a short one."""
    top = tmp_path_factory.mktemp("around")
    files = {"long.md": f"# Long\n\n{SECTIONS}", "short.txt": "One line.\n"}
    library = Library(top / "home")
    library.index(write_files(top / "f", files))
    return library.database("f")


def id_of(database: Database, path: str) -> int:
    return next(entry.id for entry in database.entries() if entry.path == path)


@settings(max_examples=examples(150))
@given(st.floats(-0.1, 1.2), st.integers(0, 20))
def test_the_passage_at_a_place_comes_with_its_neighbours(
    long_text: Database, share: float, neighbours: int
) -> None:
    """A person would read other words than those round the hit, or with a gap between them."""
    entry_id = id_of(long_text, "long.md")
    every = long_text.passages(entry_id)
    length = long_text.entry(entry_id).length
    at = round(share * length)
    found = long_text.read_around(entry_id, at, neighbours)
    held = min(max(at, 0), length - 1)
    middle = next(n for n, p in enumerate(every) if p.location.start <= held < p.location.end)
    first, last = max(0, middle - neighbours), middle + neighbours + 1
    assert list(found.passages) == every[first:last]
    assert found.omitted == len(every) - len(found.passages)
    start, end = found.passages[0].location.start, found.passages[-1].location.end
    assert long_text.text(entry_id, start, end) == "".join(p.text for p in found.passages)


def test_a_hits_place_leads_to_the_passage_that_holds_it(long_text: Database) -> None:
    """What stands before and after a hit could not be read."""
    hit = search_databases([long_text], "topic7", 1).hits[0]
    found = long_text.read_around(hit.entry_id, hit.location.start, 1)
    before, here, after = found.passages
    assert hit.snippet in here.text
    assert (before.location.heading, here.location.heading, after.location.heading) == (
        "Long › Part 6",
        "Long › Part 7",
        "Long › Part 8",
    )
    assert here.location.line == 3 + 4 * 7


def test_a_place_behind_the_end_and_an_entry_that_is_gone(long_text: Database) -> None:
    """A place written down before an edit, or an id that is gone, would end in a traceback."""
    short = long_text.read_around(id_of(long_text, "short.txt"), 99, 99)
    assert [passage.location for passage in short.passages] == [Location(0, 10, line=1)]
    with pytest.raises(EntryNotFound):
        long_text.read_around(10**9, 0, 1)


@settings(max_examples=examples(40))
@given(st.integers(1, 4_000), st.integers(1, 4_000), st.sampled_from(["topic7", "nothing", "?"]))
def test_more_of_an_entry_is_what_its_words_give(
    long_text: Database, little: int, much: int, words: str
) -> None:
    """An answer would be checked against other words than a reading of that size gives."""
    entry_id = id_of(long_text, "long.md")
    part = long_text.read_for(entry_id, words, little)
    if part.omitted:
        more = long_text.read_more(part, much)
        assert more == long_text.read_for(entry_id, words, much)


def test_of_an_entry_that_has_changed_there_is_no_more(long_text: Database) -> None:
    """Places of one text would be cut out of another."""
    part = long_text.read_for(id_of(long_text, "long.md"), "topic7", 500)
    before = replace(part, entry=replace(part.entry, text_hash="another"))
    assert long_text.read_more(before, 2_000) == before
