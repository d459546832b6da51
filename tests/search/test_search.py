"""Searching: any text is legal, hits are exact places, rarity decides."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.search.snippets import best_span
from rag_assistant.search.weights import MOST_TERMS
from tests.conftest import HANDBOOK, write_files


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("search")
    library = Library(root / "home")
    library.index(write_files(root / "handbook", HANDBOOK))
    return library


NASTY = [
    '"', "'", '"unbalanced', "AND", "OR OR", "NOT x", "NEAR(", "a NEAR/3 b", "()", "((", "*", "a*",
    "^x", "title:", "title : x", "-", "--", "{a}", "[b]", "a\x00b", "\x00", "💥", "leave 💥 café",
    "foo-bar", "x:y", "$1", "%", "_", "\\", "\ud800", "", "   ", "\n\t",
]  # fmt: skip


@pytest.mark.parametrize("text", NASTY)
def test_odd_texts_are_legal_queries(shared: Library, text: str) -> None:
    """A stray quote or operator would end in a syntax error."""
    search_databases([shared.database("handbook")], text, 5)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text() | st.text('"()*^:{}[]-+ANDORTNE \x00').filter(bool))
def test_any_text_is_a_legal_query(shared: Library, text: str) -> None:
    """As above, for what nobody thought of."""
    search_databases([shared.database("handbook")], text, 3)


def test_ten_thousand_words_are_searched_by_their_rarest_and_it_is_said(shared: Library) -> None:
    """A pasted document would hang the search, or its words be dropped silently."""
    words = " ".join(f"word{number}" for number in range(10_000))
    result = search_databases([shared.database("handbook")], f"{words} crane {words}", 5)
    assert [hit.path for hit in result.hits] == ["notes.txt"]
    assert result.notes == (f"searched for the {MOST_TERMS} rarest of 10001 different words",)


def test_hits_show_the_words_at_their_exact_place(shared: Library) -> None:
    """A citation would open other words than the snippet's."""
    database = shared.database("handbook")
    hit = search_databases([database], "Which form do I send before the birth?", 5).hits[0]
    assert (hit.rank, hit.path, hit.location.heading) == (
        1,
        "leave/parental.md",
        "Parental leave › Applying",
    )
    assert "FORM-PL-3" in hit.snippet
    text = database.text(hit.entry_id)
    assert text[hit.location.start : hit.location.end] == hit.snippet
    assert hit.location.line == 1 + text.count("\n", 0, hit.location.start)


def test_a_question_finds_entries_with_only_some_of_its_words(shared: Library) -> None:
    """Natural questions would find nothing, because no passage holds all their words."""
    paths = [
        h.path
        for h in search_databases([shared.database("handbook")], "crane telephone number?", 5).hits
    ]
    assert paths[0] == "notes.txt"


def test_accents_case_and_word_forms_do_not_matter(tmp_path: Path) -> None:
    """A person would have to type words the way the document does."""
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "f", {"a.txt": "The Café manages naïve Zoe\u0301."}))
    for query in ("cafe", "CAFÉ", "managing", "naive", "zoé", "Zoe\u0301"):
        assert search_databases([library.database("f")], query, 5).hits, query


def test_an_entry_is_ranked_once_however_many_passages_match(tmp_path: Path) -> None:
    """One long document would fill the whole result."""
    files = {"long.md": "".join(f"# Part {n}\n\n{'The pump runs. ' * 60}\n\n" for n in range(40))}
    files |= {f"short{n}.md": f"# Note {n}\n\nA pump, once." for n in range(5)}
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "f", files))
    hits = search_databases([library.database("f")], "pump", 6).hits
    assert sorted(hit.path for hit in hits) == sorted(files)
    assert next(hit for hit in hits if hit.path == "long.md").other_passages > 3


@given(st.text(max_size=2_000), st.lists(st.sampled_from("abc the 12 é".split()), max_size=4))
def test_a_snippet_is_a_span_of_the_text_within_its_length(text: str, words: list[str]) -> None:
    """A snippet would show words that the document does not have, or a whole chapter."""
    start, end = best_span(text, dict.fromkeys(words, 1.0))
    assert 0 <= start <= end <= len(text)
    assert end - start <= 320


def test_a_snippet_shows_the_sentence_that_covers_the_query() -> None:
    """The reader would see the passage's beginning instead of what was found."""
    text = "Nothing here. " * 30 + "The crane lifts 40 tonnes. " + "Nothing there. " * 30
    start, end = best_span(text, {"crane": 3.0, "tonn": 3.0, "noth": 0.1})
    assert "The crane lifts 40 tonnes." in text[start:end]


def test_long_entries_are_read_as_the_passages_that_matter(tmp_path: Path) -> None:
    """A helper model would be sent a whole book, or only its first pages."""
    parts = [f"## Part {n}\n\n{'Filler words stand here. ' * 30}\n\n" for n in range(60)]
    parts[41] += "The secret lever is painted green.\n\n"
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "f", {"book.md": "# Book\n\n" + "".join(parts)}))
    database = library.database("f")
    entry_id = database.entries()[0].id
    part = database.read_for(entry_id, "What colour is the lever?", 800)
    text = "".join(passage.text for passage in part.passages)
    assert "painted green" in text
    assert text.startswith("# Book")
    assert len(text) <= 800 * 4
    assert part.omitted == len(database.passages(entry_id)) - len(part.passages) > 0
    assert database.read_for(entry_id, "lever", 100_000).omitted == 0
