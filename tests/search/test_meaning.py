"""Vectors in the search: entries near in meaning join those found by words, and faults are told."""

from functools import partial
from pathlib import Path

import pytest

from rag_assistant.library.database import Database
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.question_vectors import question_vector
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.search.meaning import beside_words
from tests.conftest import write_files
from tests.search.sense_embedder import SenseEmbedder


@pytest.fixture
def embedder() -> SenseEmbedder:
    return SenseEmbedder()


@pytest.fixture
def library(tmp_path: Path, embedder: SenseEmbedder) -> Library:
    files = {
        "a.md": "# Leave\n\nEvery year there are 27 days.",
        "b.md": "# Crane\n\nThe crane lifts forty tonnes.",
        "c.md": "# Pay\n\nThe salary is paid on the 25th.",
        "d/e.md": "# Other\n\nThe vacation planner hangs in the kitchen.",
    }
    library = Library(tmp_path / "home", embedder)
    library.index(write_files(tmp_path / "f", files))
    embed_database(library.database("f"), embedder, lambda _: None)
    return library


def test_entries_near_in_meaning_are_found_without_a_common_word(library: Library) -> None:
    """A question in other words than the document's would find nothing."""
    result = search_databases([library.database("f")], "hoist", 5)
    assert result.by_meaning
    assert result.hits[0].path == "b.md"
    assert result.hits[0].explanation["meaning"] > 0
    plain = search_databases([Library(library.home).database("f")], "hoist", 5)
    assert (plain.hits, plain.by_meaning) == ((), False)


def test_passages_near_in_meaning_are_found_as_entries_are(library: Library) -> None:
    """A ranking of passages would know words only, and let through what filters hold back."""
    database = library.database("f")
    found = search_passages([database], "hoist", 5)
    assert (found.by_meaning, found.hits[0].path) == (True, "b.md")
    for hit in search_passages([database], "vacation days of leave", 5).hits:
        assert hit.score == pytest.approx(sum(hit.explanation.values()), abs=1e-3)
    assert {hit.path for hit in search_passages([database], "holiday path:d/", 5).hits} == {
        "d/e.md"
    }
    assert search_passages([Library(library.home).database("f")], "hoist", 5).hits == ()


FILLER = "\n\n".join(f"## Part {n}\n\n" + f"It says word{n}, and no more. " * 30 for n in range(9))
LONG = f"# Harbour\n\nOf the harbour and its crane.\n\n{FILLER}\n\n## End\n\nVacation is in May.\n"
"""An entry of many passages, of which the last one means what no word of a question says."""


@pytest.fixture
def long_text(tmp_path: Path, embedder: SenseEmbedder) -> Database:
    library = Library(tmp_path / "home", embedder)
    library.index(write_files(tmp_path / "g", {"long.md": LONG, "other.md": "Of the harbour."}))
    embed_database(library.database("g"), embedder, lambda _: None)
    return library.database("g")


def test_an_entry_found_by_words_is_shown_by_what_is_near_in_meaning(long_text: Database) -> None:
    """A person would see the passage with the word of least importance, as before the vectors."""
    hit = search_databases([long_text], "harbour holiday", 5).hits[0]
    assert (hit.path, hit.location.heading) == ("long.md", "Harbour › End")
    plain = Database(long_text.name, long_text.path)
    hit = search_databases([plain], "harbour holiday", 5).hits[0]
    assert hit.location.heading != "Harbour › End"


def test_what_is_read_of_a_long_entry_is_told_by_words_and_meaning(long_text: Database) -> None:
    """A model would be handed the parts with the words, and not the one that answers."""
    entry = next(one.id for one in long_text.entries() if one.path == "long.md")
    question = "What word3 of a holiday?"
    by_words = long_text.read_for(entry, question, 600)
    assert "word3" in str(by_words.passages)
    assert "Vacation" not in str(by_words.passages)
    both = long_text.read_for(entry, question, 600, lambda: question_vector(long_text, question))
    assert "Vacation is in May" in str(both.passages)
    assert "word3" in str(both.passages)


def test_a_question_has_a_vector_only_where_it_can_be_compared(
    long_text: Database, embedder: SenseEmbedder
) -> None:
    """Reading would fail with the embedder, or go by vectors of another model."""
    assert question_vector(long_text, "holiday") is not None
    assert question_vector(long_text, " ") is None
    assert question_vector(Database(long_text.name, long_text.path), "holiday") is None
    other = Database(long_text.name, long_text.path, SenseEmbedder("other"))
    assert question_vector(other, "holiday") is None
    embedder.dead = True
    assert question_vector(long_text, "holiday") is None


def test_without_vectors_an_embedder_changes_nothing(tmp_path: Path) -> None:
    """Naming an embedder would change what words find and what is read, to some digit."""
    library = Library(tmp_path / "home", SenseEmbedder())
    library.index(write_files(tmp_path / "g", {"long.md": LONG, "other.md": "Of the harbour."}))
    named = library.database("g")
    plain = Database(named.name, named.path)
    for question in ("harbour crane word3", "word1 word2 of the harbour", "holiday"):
        asked = search_databases([named], question, 9).hits
        assert asked == search_databases([plain], question, 9).hits
        assert (
            search_passages([named], question, 9).hits == search_passages([plain], question, 9).hits
        )
        for hit in asked:
            vector = partial(question_vector, named, question)
            read = named.read_for(hit.entry_id, question, 300, vector)
            assert read == plain.read_for(hit.entry_id, question, 300)


def test_meaning_weighs_more_the_less_of_a_question_the_words_find() -> None:
    """A question in other words than its answer would be ranked by the few that are the same."""
    weights = {"crane": 4.0, "fall": 4.0}
    all_held, half_held = beside_words([8.0, 1.0], weights), beside_words([4.0], weights)
    assert all_held < half_held < beside_words([0.5], weights)
    assert beside_words([], weights) == beside_words([0.0], {})


def test_scores_are_the_sum_of_what_is_explained(library: Library) -> None:
    """`--explain` would tell something else than what ranked the hits."""
    for hit in search_databases([library.database("f")], "vacation days of leave", 5).hits:
        assert hit.score == pytest.approx(sum(hit.explanation.values()), abs=1e-3)


def test_filters_phrases_and_exclusions_hold_for_meaning_too(library: Library) -> None:
    """A filter would let through what only the vector found."""
    database = library.database("f")
    assert [hit.path for hit in search_databases([database], "holiday path:d/", 5).hits] == [
        "d/e.md"
    ]
    assert {hit.path for hit in search_databases([database], '"vacation planner"', 5).hits} == {
        "d/e.md"
    }
    assert "d/e.md" not in {
        hit.path for hit in search_databases([database], "leave -vacation", 5).hits
    }


def test_a_dead_embedder_leaves_the_words_and_says_so(
    library: Library, embedder: SenseEmbedder
) -> None:
    """Searching would fail whenever the embedding server is off."""
    embedder.dead = True
    result = search_databases([library.database("f")], "crane", 5)
    assert [hit.path for hit in result.hits] == ["b.md"]
    assert "searched by words alone: 127.0.0.1 refused the connection." in result.notes[0]


def test_vectors_of_another_model_are_not_compared(library: Library) -> None:
    """Vectors of two models would be mixed, and rank at random."""
    other = Library(library.home, SenseEmbedder("other")).database("f")
    result = search_databases([other], "crane", 5)
    assert not result.by_meaning
    assert "rag-assistant embed f" in result.notes[0]


def test_a_new_entry_is_found_before_it_has_a_vector(library: Library, tmp_path: Path) -> None:
    """What was just indexed would be missing until the vectors are made."""
    write_files(tmp_path / "f", {"new.md": "# New\n\nThe crane driver's licence."})
    library.index(tmp_path / "f")
    paths = [
        hit.path
        for hit in search_databases([library.database("f")], "crane driver licence", 5).hits
    ]
    assert paths[0] == "new.md"
