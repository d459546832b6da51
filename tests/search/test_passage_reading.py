"""The best passages of a search are read once more: their words together, what is asked for."""

from collections.abc import Sequence
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.search.passage_reading import (
    FEATURES,
    READ,
    SeenPassage,
    passage_features,
    read_closely,
)
from rag_assistant.search.passage_weights import PASSAGE_WEIGHTS
from rag_assistant.search.ranking import RankedEntry
from rag_assistant.values.search_plan import Candidate, CandidatePassage
from tests.conftest import write_files

WEIGHTS = {"boiler": 3.0, "inspect": 2.0}
APART = "The boiler is in the cellar. " + "Nothing is said here of it. " * 6 + "We inspect it."


def seen(*texts: str, starts: Sequence[int] = ()) -> list[SeenPassage]:
    return [
        (
            RankedEntry(Candidate(1, [n]), n, 1.0, {"words": 1.0}),
            CandidatePassage(n, "", "", text, "", starts[n] if starts else 5000 * n),
        )
        for n, text in enumerate(texts)
    ]


def feature(name: str, question: str, *texts: str, starts: Sequence[int] = ()) -> list[float]:
    rows = passage_features(question, WEIGHTS, seen(*texts, starts=starts))
    return [row[FEATURES.index(name)] for row in rows]


def test_each_feature_has_its_weight() -> None:
    """A table of another fit would weigh the wrong things, without a word."""
    assert tuple(PASSAGE_WEIGHTS) == FEATURES


def test_words_that_stand_together_are_told_from_words_far_apart() -> None:
    """A passage with a word at either end would be as good as the sentence that answers."""
    near = "They inspect the boiler every spring."
    assert feature("window", "Who inspects the boiler?", near, APART) == [1.0, pytest.approx(0.6)]
    assert feature("together", "Who inspects the boiler?", near, APART) == [1.0, 0.0]


def test_a_word_that_is_repeated_counts_once_in_a_window() -> None:
    """A list of the same word would hold more than the whole question."""
    assert feature("window", "boiler", "boiler " * 40, "other words") == [pytest.approx(0.6), 0.0]


def test_a_thing_of_the_kind_that_is_asked_for_is_seen() -> None:
    """Of two passages about a fee the one without an amount would come first."""
    texts = "The fee is 30 euros.", "The fee is set by the board."
    assert feature("has kind", "What is the fee?", *texts) == [1.0, 0.0]


def test_passages_beside_one_another_are_known_by_their_places() -> None:
    """Where several passages on end are good, the answer would not be looked for among them."""
    first = "The boiler is old."
    starts = 0, len(first), 9_000
    assert feature("beside", "boiler", first, "We inspect it.", "A boiler.", starts=starts) == [
        1.0,
        1.0,
        0.0,
    ]


def test_what_is_read_stays_above_what_is_not_and_says_why() -> None:
    """A score would not say the order, or its explanation not the score."""
    found = read_closely("Who inspects the boiler?", WEIGHTS, seen(APART, "We inspect the boiler."))
    assert [one.candidate.passages[0] for one in found] == [1, 0]
    assert [one.place for one in found] == [0, 1]
    assert found[0].score > found[1].score >= 1.0
    for one in found:
        assert sum(one.shares.values()) == pytest.approx(one.score)
    assert read_closely("boiler", WEIGHTS, []) == []


def test_a_search_for_a_model_reads_and_one_for_people_does_not(tmp_path: Path) -> None:
    """Typing and `search` would be slowed for what only a model is shown."""
    filler = "Ordinary words stand here. " * 30
    folder = {f"{n}.md": f"# Note {n}\n\n{filler} The pump hums, {n}." for n in range(READ + 20)}
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "f", folder))
    databases = library.databases()
    hits = search_passages(databases, "Which pump hums?", READ + 20).hits
    assert "reading" in hits[0].explanation
    assert not any("reading" in hit.explanation for hit in hits[READ:])
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)
    fewer = search_passages(databases, "Which pump hums?", 5).hits
    assert fewer == hits[:5]
    people = search_databases(databases, "Which pump hums?", 5).hits
    assert not any("reading" in hit.explanation for hit in people)
