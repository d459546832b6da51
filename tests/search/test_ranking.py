"""Ranking: stages add up, entries are ranked once, filters and phrases hold, copies collapse."""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.keys import LONG, keys_of
from rag_assistant.search.pool import Pool, make_pool, query_terms
from rag_assistant.search.query_terms import read_query
from rag_assistant.search.stages import (
    QUESTION,
    Stage,
    bm25,
    compounds,
    contributions,
    feedback,
    ngrams,
)
from rag_assistant.search.together import bring_together
from rag_assistant.store.reading import StoreReader
from rag_assistant.store.sqlite.connections import opened
from rag_assistant.store.sqlite.store import SqliteReader
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.terms import terms_by_word, words_in
from tests.conftest import write_files
from tests.search.alone import Alone, search_alone

FILLER = "The office opens at seven and closes at five, whatever the weather may be outside. "


def library_of(root: Path, files: Mapping[str, str]) -> Library:
    """Index files as the database `f`."""
    library = Library(root / "home")
    library.index(write_files(root / "f", dict(files)))
    return library


def pool_of(reader: StoreReader, text: str) -> Pool:
    """Make the pool of a search as ranking does."""
    return make_pool(*bring_together(Alone(DatabaseSearch(reader, "f")), read_query(text), 10))


def titles(pool: Pool, scores: list[float]) -> list[str]:
    """Give the first title word of the extracts in the order of their scores, best first."""
    order = sorted(range(len(scores)), key=lambda index: -scores[index])
    return [pool.extracts[index].title_words[0] for index in order]


@pytest.fixture(scope="module")
def harbour(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """Twelve entries, of which some are about cranes."""
    files = {
        "crane.md": "# Crane\n\nThe crane lifts forty tonnes. Its hook is greased in May.\n",
        "hoist.md": "# Hoist\n\nA crane with a winch and a hook that is greased lifts crates.\n",
        "winch.md": "# Winch\n\nThe winch has a hook, greased in May; it lifts crates too.\n",
        "lifting.md": "# Lifting\n\nCranes and cranework need a licence, for lifting of crates.\n",
        "long.md": "# Long\n\n"
        + "".join(f"## Part {n}\n\n{FILLER * 9}\n\n" for n in range(9))
        + "## End\n\nThe crane is painted yellow.\n",
    }
    files |= {f"n{n}.md": f"# N{n}\n\n{FILLER} Number {n}: a crane.\n" for n in range(8)}
    return library_of(tmp_path_factory.mktemp("harbour"), files)


@pytest.fixture
def reader(harbour: Library) -> Iterator[StoreReader]:
    with harbour.database("f").reading() as reader:
        yield reader


QUERIES = ["crane", "greased hook of the crane", "Which crane lifts crates?", "title:crane lifts"]


@pytest.mark.parametrize("profile", ["question", "typing"])
@pytest.mark.parametrize("text", QUERIES)
def test_an_explanation_sums_to_the_score(reader: StoreReader, text: str, profile: str) -> None:
    """`--explain` would tell a story that is not the ranking's."""
    hits = search_alone(reader, "f", text, 20, "typing" if profile == "typing" else "question").hits
    assert hits
    for hit in hits:
        assert hit.explanation
        assert sum(hit.explanation.values()) == pytest.approx(hit.score, abs=1e-6)
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


@pytest.mark.parametrize("text", QUERIES)
def test_a_snippet_is_the_text_at_its_place(harbour: Library, text: str) -> None:
    """A citation would open other words than those shown, or the wrong line or heading."""
    database = harbour.database("f")
    for hit in search_databases([database], text, 20).hits:
        whole = database.text(hit.entry_id)
        place = hit.location
        assert whole[place.start : place.end] == hit.snippet
        assert hit.snippet == hit.snippet.strip() != ""
        assert place.line == 1 + whole.count("\n", 0, place.start)


def test_no_stage_gives_less_than_nothing(reader: StoreReader) -> None:
    """A stage would be a penalty that nobody sees in the sum."""
    pool = pool_of(reader, "greased hook of the crane")
    for name, part in contributions(pool).items():
        assert len(part) == len(pool.extracts), name
        assert min(part) >= 0, name


def test_the_rarest_words_count_most(reader: StoreReader) -> None:
    """Every entry has a crane; the one that is greased would drown among them."""
    pool = pool_of(reader, "greased crane")
    assert titles(pool, bm25.words(pool, []))[:2] in (["crane", "hoist"], ["hoist", "crane"])


def test_a_word_in_the_title_counts_more(reader: StoreReader) -> None:
    """The entry that is about a thing would come after those that mention it."""
    pool = pool_of(reader, "crane")
    added = bm25.title(pool, [])
    assert [e.title_words[0] for e, share in zip(pool.extracts, added, strict=True) if share] == [
        "crane"
    ]


def test_n_grams_find_words_that_stems_do_not_join(reader: StoreReader) -> None:
    """Compounds and unusual endings of a word would not count at all."""
    pool = pool_of(reader, "crane licence office")
    shares = dict(
        zip(
            [e.title_words[0] for e in pool.extracts], ngrams.shared(pool, [1.0] * 13), strict=False
        )
    )
    assert shares["lifting"] == max(shares.values())


def test_feedback_lifts_what_is_like_the_best(reader: StoreReader) -> None:
    """An entry that says it in other words would stay where chance put it."""
    pool = pool_of(reader, "crane lifts")
    scores = contributions(pool, QUESTION[:2])
    base = [sum(shares) for shares in zip(*scores.values(), strict=True)]
    added = feedback.like_the_best(pool, base)
    share = dict(zip(titles(pool, [0.0] * len(base)), added, strict=True))
    assert share["hoist"] > share["n0"]
    assert max(added) <= 0.5 * max(base)


def test_an_entry_is_no_evidence_for_itself(reader: StoreReader) -> None:
    """The first entry would always gain most, and feedback could never correct the order."""
    pool = pool_of(reader, "crane lifts")
    alone = [1.0, *([0.0] * (len(pool.extracts) - 1))]
    assert feedback.like_the_best(pool, alone)[0] == 0.0


def test_feedback_is_silent_in_a_pool_of_few(tmp_path: Path) -> None:
    """With three entries all would be "the best", and the worst would gain most."""
    library = library_of(tmp_path, {f"{n}.md": f"# T{n}\n\nA crane, {n}." for n in range(3)})
    with library.database("f").reading() as reader:
        pool = pool_of(reader, "crane")
        assert feedback.like_the_best(pool, [1.0, 1.0, 1.0]) == [0.0, 0.0, 0.0]


def test_compounds_count_more_where_they_stand_together(tmp_path: Path) -> None:
    """ERR-42 would find entries with some error and the number 42 first."""
    files = {
        "a.md": "# A\n\nThe code err was seen. It was row 42 of the list, err is not rare.\n",
        "b.md": "# B\n\nThe code err-42 was seen, which means that there is no more paper.\n",
    }
    library = library_of(tmp_path, files)
    with library.database("f").reading() as reader:
        pool = pool_of(reader, "err-42")
        share = dict(
            zip(
                [e.title_words[0] for e in pool.extracts],
                compounds.side_by_side(pool, []),
                strict=True,
            )
        )
    assert share["b"] > 0 == share["a"]


def test_stages_can_be_left_out_one_by_one(reader: StoreReader) -> None:
    """The ablation table could not be made."""
    pool = pool_of(reader, "greased crane")
    for left_out in QUESTION:
        stages: list[Stage] = [stage for stage in QUESTION if stage is not left_out]
        assert list(contributions(pool, stages)) == [stage.name for stage in stages]


@given(st.text(max_size=200))
def test_fast_words_are_the_words(text: str) -> None:
    """Terms would be counted that the index does not have."""
    assert lower_words(text) == [word.lower() for word in words_in(text)]


WORDS = st.lists(st.text("abeiosyngdtéß", min_size=1, max_size=9), min_size=1, max_size=12)


@given(WORDS, WORDS)
def test_all_words_of_a_term_are_found(words: list[str], asked: list[str]) -> None:
    """A word would not count because the shortcut before stemming passed it over."""
    words = [word for word in words_in(" ".join(words).lower())]
    wanted = set(terms_by_word(" ".join(asked)).values())
    expected = {w: t for w, t in terms_by_word(" ".join(words)).items() if t in wanted}
    assert query_terms(words, wanted) == expected


@given(st.lists(st.lists(st.sampled_from([11, 12, 13, 14]))))
def test_vectors_come_with_their_length(texts: list[list[int]]) -> None:
    """Long entries would be near to everything."""
    counts = [Counter(terms) for terms in texts]
    keys = keys_of(counts)
    for index, count in enumerate(counts):
        vector, length = keys.weights(index)
        if vector and len(count) <= LONG * fmean(map(len, counts)):
            assert sum(w * w for w in vector) == pytest.approx(length**2)


def test_rows_of_numbers_do_not_make_a_text_like_nothing() -> None:
    """A report with a long table would lose to one without, whatever both say."""
    prose = [Counter([1, 2, 3]), Counter([2, 3, 4]), Counter([1, 4]), Counter([1, 2, 4])]
    table = Counter(range(1_000, 1_300))
    (_, before), (_, after) = (
        keys_of([*prose[:3], last]).weights(3) for last in (prose[3], prose[3] + table)
    )
    assert before < after < 3 * before


def test_runs_are_found_in_their_order_only() -> None:
    """ "10.2" would be found in "2.10"."""
    assert stands("a b c d", "b c")
    assert not stands("a c b d", "b c")
    assert not stands("b", "b c")


def stands(text: str, run: str) -> bool:
    return compounds.stands_in(text.split(), run.split())


def test_filters_apply_before_the_limit(tmp_path: Path) -> None:
    """Of a thousand better entries elsewhere, none would be left after filtering."""
    lines = "".join(f'{{"id": "{n}", "text": "crane crane crane {n}"}}\n' for n in range(1_500))
    files = {"all.jsonl": lines, "deep/one.md": f"# One\n\n{FILLER * 3} A crane.\n"}
    database = library_of(tmp_path, files).database("f")
    assert [hit.path for hit in search_databases([database], "crane path:deep", 5).hits] == [
        "deep/one.md"
    ]


def test_filters_alone_list_entries_newest_first(tmp_path: Path) -> None:
    """`path:notes` would find nothing, or old things first."""
    files = {
        "notes/old.md": "---\ndate: 2021-03-01\n---\n# Old\n\nFirst of all.\n",
        "notes/new.md": "---\ndate: 2024-03-01\n---\n# New\n\nLast of all.\n",
        "else.md": "---\ndate: 2023-03-01\n---\n# Else\n\nNeither.\n",
    }
    database = library_of(tmp_path, files).database("f")
    hits = search_databases([database], "path:notes", 5).hits
    assert [hit.path for hit in hits] == ["notes/new.md", "notes/old.md"]
    assert [hit.rank for hit in hits] == [1, 2]


def test_hits_hold_the_exact_phrase(tmp_path: Path) -> None:
    """Quotation marks would be decoration."""
    files = {
        "a.md": "# A\n\nThe annual leave of the staff.\n",
        "b.md": "# B\n\nLeave the annual report, leave it, annual staff.\n",
    }
    hits = search_databases(
        [library_of(tmp_path, files).database("f")], '"annual leave" staff', 5
    ).hits
    assert [hit.path for hit in hits] == ["a.md"]


def test_records_bring_their_keys(tmp_path: Path) -> None:
    """A run file could not name the documents of a collection."""
    files = {"r.jsonl": '{"_id": "x-7", "title": "T", "text": "A crane."}\n' * 1}
    assert (
        search_databases([library_of(tmp_path, files).database("f")], "crane", 5).hits[0].key
        == "x-7"
    )


POLICY = "".join(f"Rule {n}: the keeper of gate number {n} locks it at dusk.\n" for n in range(20))


def test_copies_collapse_and_stay_reachable(tmp_path: Path) -> None:
    """Ten copies of one file would be the whole result, or be lost."""
    files = {f"copy{n}.md": f"# Rules\n\n{POLICY}" for n in range(5)}
    files["other.md"] = "# Other\n\nThe keeper has a dog that barks at the gate at dusk.\n"
    database = library_of(tmp_path, files).database("f")
    hits = search_databases([database], "keeper of the gate at dusk", 10).hits
    assert len(hits) == 2
    ids = {hit.entry_id for hit in hits} | {one for hit in hits for one in hit.duplicates}
    assert ids == {entry.id for entry in database.entries()}


def test_texts_that_differ_in_a_number_are_two_entries(tmp_path: Path) -> None:
    """The old price would be shown, and the new one hidden behind it."""
    files = {
        "old.md": f"# Rules\n\n{POLICY}The fee is 20 pounds.\n",
        "new.md": f"# Rules\n\n{POLICY}The fee is 25 pounds.\n",
    }
    hits = search_databases(
        [library_of(tmp_path, files).database("f")], "fee of the keeper", 10
    ).hits
    assert [hit.duplicates for hit in hits] == [(), ()]


def test_evidence_in_several_passages_adds_up(tmp_path: Path) -> None:
    """An entry that answers one half here and one half there would lose to half an answer."""
    half = f"# Both\n\n{FILLER * 8}\n\nThe winch is red.\n\n{FILLER * 8}\n\nThe hook is blue.\n"
    files = {
        "both.md": half,
        "one.md": f"# One\n\n{FILLER * 8}\n\nThe winch is red.\n\n{FILLER * 8}",
    }
    files |= {f"n{n}.md": f"# N{n}\n\n{FILLER * 8} {n}" for n in range(6)}
    hits = search_databases([library_of(tmp_path, files).database("f")], "winch hook", 10).hits
    assert hits[0].path == "both.md"


def test_typing_costs_no_reading_of_passages(harbour: Library) -> None:
    """Each key would read hundreds of passages."""
    path = harbour.database("f").path
    with opened(path) as connection:
        statements: list[str] = []
        connection.set_trace_callback(statements.append)
        hits = search_alone(SqliteReader(connection, path), "f", "cran", 3, "typing").hits
    assert len(hits) == 3
    reads = [s for s in statements if "text, variants" in s]
    assert not reads
