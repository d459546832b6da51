"""Vectors in the search: entries near in meaning join those found by words, and faults are told."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from rag_assistant.errors import ModelError
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from tests.conftest import write_files

SENSES = {"holiday": 0, "leave": 0, "vacation": 0, "crane": 1, "hoist": 1, "salary": 2, "wages": 2}


class SenseEmbedder:
    """Makes vectors of senses: words of one meaning give one direction."""

    batch = 8
    destination = ""

    def __init__(self, name: str = "senses") -> None:
        self.name = name
        self.dimension = 4
        self.dead = False

    def embed_passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.stack([self.embed_query(text) for text in texts])

    def embed_query(self, text: str) -> NDArray[np.float32]:
        if self.dead:
            raise ModelError("127.0.0.1 refused the connection.", hint="Start the server.")
        vector = np.full(4, 0.01, np.float32)
        for word, sense in SENSES.items():
            vector[sense] += word in text.lower()
        return (vector / np.linalg.norm(vector)).astype(np.float32)


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
