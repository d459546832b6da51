"""Searching several databases: words are as rare in one as in the others, and the best come first.

The collections are made by a seeded generator: topics with words of their own, and words that all
share, so that parts of a collection differ in size and vocabulary.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from random import Random

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.search.ranking import SearchResult
from rag_assistant.search.together import Result, search_together
from tests.conftest import write_files
from tests.examples import examples
from tests.search.alone import search_alone

TOPICS, DOCUMENTS = 6, 360


def word(random: Random) -> str:
    """Make up a word that Porter leaves as it is."""
    return "".join(random.choice(cv) for cv in ("bdgkmprtvz", "aou") * 3) + "k"


@dataclass(frozen=True, slots=True)
class Collection:
    """Documents by key, and questions."""

    documents: Mapping[str, str]
    questions: list[str]


def make_collection() -> Collection:
    """Write documents of topics, and questions of a few words of one topic and common ones."""
    random = Random(20_240_817)
    common = [word(random) for _ in range(40)]
    topics = [[word(random) for _ in range(60)] for _ in range(TOPICS)]
    documents: dict[str, str] = {}
    for number in range(DOCUMENTS):
        topic = topics[min(random.randrange(TOPICS), random.randrange(TOPICS))]
        own = random.sample(topic, 12)
        words = random.choices(own, k=random.randrange(20, 70))
        words += random.choices(common, k=len(words))
        random.shuffle(words)
        documents[f"d{number}"] = " ".join(words)
    questions = [
        " ".join([*random.sample(random.choice(topics), 3), *random.sample(common, 3)])
        for _ in range(30)
    ]
    return Collection(documents, questions)


def index(home: Path, parts: Mapping[str, Mapping[str, str]]) -> Library:
    """Index each part as a database of one file of records."""
    library = Library(home)
    for name, documents in parts.items():
        lines = "".join(f'{{"_id": "{k}", "text": "{t}"}}\n' for k, t in documents.items())
        library.index(write_files(home.parent / name, {"all.jsonl": lines}))
    return library


def by_hash(key: str) -> str:
    """Give the part of a document: some 55, 30, 12 and 3 of a hundred."""
    place = int(sha256(key.encode()).hexdigest(), 16) % 100
    return "one" if place < 55 else "two" if place < 85 else "three" if place < 97 else "four"


@pytest.fixture(scope="module")
def collection() -> Collection:
    return make_collection()


@pytest.fixture(scope="module")
def whole(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("whole")
    return index(root / "home", {"whole": collection.documents})


def split(collection: Collection, root: Path, part_of: Mapping[str, str]) -> Library:
    parts: dict[str, dict[str, str]] = {}
    for key, text in collection.documents.items():
        parts.setdefault(part_of[key], {})[key] = text
    return index(root / "home", parts)


@pytest.fixture(scope="module")
def by_size(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The collection in four uneven parts of like contents."""
    part_of = {key: by_hash(key) for key in collection.documents}
    return split(collection, tmp_path_factory.mktemp("size"), part_of)


@pytest.fixture(scope="module")
def by_topic(collection: Collection, tmp_path_factory: pytest.TempPathFactory) -> Library:
    """The collection in three parts whose words differ: what is rare in one is common in another.

    A part is what holds the most of one of three quarters of all words, by their first letter.
    """
    part_of: dict[str, str] = {}
    for key, text in collection.documents.items():
        words = sorted(set(text.split()), key=text.split().count)
        part_of[key] = {"b": "one", "d": "one", "g": "two"}.get(words[-1][0], "three")
    return split(collection, tmp_path_factory.mktemp("topic"), part_of)


def keys(result: SearchResult) -> list[str]:
    return [hit.key for hit in result.hits]


@pytest.mark.soak
@pytest.mark.parametrize("parts", ["by_size", "by_topic"])
def test_parts_of_a_collection_rank_as_the_whole_does(
    collection: Collection, whole: Library, parts: str, request: pytest.FixtureRequest
) -> None:
    """A hit would come first because it is the best of a bad lot, and the best one be lost."""
    library: Library = request.getfixturevalue(parts)
    assert len(library.databases()) > 2
    same_first, shared = 0, 0
    for question in collection.questions:
        apart = search_databases(library.databases(), question, 10)
        together = search_databases(whole.databases(), question, 10)
        same_first += keys(apart)[0] == keys(together)[0]
        shared += len(set(keys(apart)) & set(keys(together)))
    assert same_first >= 27
    assert shared >= 0.93 * 10 * len(collection.questions)


def test_a_tiny_database_does_not_flood_the_top(collection: Collection, tmp_path: Path) -> None:
    """In ten notes every word is rare, or none is: their scores would beat all others."""
    question = collection.questions[0]
    asked, common = question.split()[:3], question.split()[3:]
    notes = {f"n{n}": f"note {n} {common[n % 3]} zuzuz {common[n % 3]}" for n in range(10)}
    library = index(tmp_path / "home", {"big": collection.documents, "tiny": notes})
    best = search_databases(library.databases(), question, 5).hits
    assert {hit.database for hit in best} == {"big"}
    assert all(any(word in hit.snippet for word in asked) for hit in best)
    found = search_databases(library.databases(), "zuzuz", 5).hits
    assert {hit.database for hit in found} == {"tiny"}


def test_a_single_database_is_searched_as_ever(whole: Library, collection: Collection) -> None:
    """Searching one database would rank otherwise than the index does by itself."""
    database = whole.database("whole")
    for question in collection.questions[:5]:
        with database.reading() as reader:
            alone = search_alone(reader, "whole", question, 7)
        assert search_databases([database], question, 7).hits == alone.hits


def test_hits_are_those_of_their_database(by_size: Library, collection: Collection) -> None:
    """An id of one database would open an entry of another."""
    for question in collection.questions[:5]:
        result = search_databases(by_size.databases(), question, 20)
        assert [hit.rank for hit in result.hits] == list(range(1, 21))
        assert len({hit.database for hit in result.hits}) > 1
        for hit in result.hits:
            database = by_size.database(hit.database)
            place = hit.location
            assert database.text(hit.entry_id, place.start, place.end) == hit.snippet
            assert database.entry(hit.entry_id).key == hit.key
            assert hit.score == pytest.approx(sum(hit.explanation.values()), abs=1e-3)
        assert [h.score for h in result.hits] == sorted(
            (h.score for h in result.hits), reverse=True
        )


def test_copies_are_told_of_by_their_own_database(tmp_path: Path) -> None:
    """A duplicate would be named by a number that its database does not have."""
    text = "The crane lifts forty tonnes over the harbour wall. " * 8
    other = {"x.md": f"# X\n\nNo {text}"}
    library = Library(tmp_path / "home")
    library.index(write_files(tmp_path / "a", {f"{n}.md": f"# Crane\n\n{text}" for n in range(3)}))
    library.index(write_files(tmp_path / "b", other))
    hits = search_databases(library.databases(), "crane harbour", 5).hits
    (copies,) = [hit for hit in hits if hit.duplicates]
    ids = {entry.id for entry in library.database("a").entries()}
    assert {copies.entry_id, *copies.duplicates} == ids


@pytest.fixture(scope="module")
def words(tmp_path_factory: pytest.TempPathFactory) -> list[Database]:
    """Three databases that know different words."""
    root = tmp_path_factory.mktemp("words")
    library = Library(root / "home")
    texts = {
        "food": ["Dinner is at seven.", "The dinner bell, the pension fund."],
        "site": ["The digger is yellow.", "An inner wall.", "Tension in the digger's arm."],
        "work": ["Nothing of the kind.", "Pension rules.", "The pension is paid monthly."],
    }
    for name, lines in texts.items():
        files = {f"{n}.md": f"# {name} {n}\n\n{line}\n" for n, line in enumerate(lines)}
        library.index(write_files(root / name, files))
    return library.databases()


def test_a_word_that_one_database_knows_is_corrected_in_none(words: list[Database]) -> None:
    """Asked for dinner, it would talk of diggers and inner walls."""
    result = search_databases(words, "dinner", 5)
    assert result.notes == ()
    assert {hit.database for hit in result.hits} == {"food"}
    alone = search_databases([one for one in words if one.name == "site"], "dinner", 5)
    assert alone.notes[0].startswith("searched for 'dinner', also ")


def test_an_unknown_word_is_corrected_once_for_all(words: list[Database]) -> None:
    """Each database would correct it to something else, and say so."""
    result = search_databases(words, "pensoin", 5)
    assert result.notes == ("searched for 'pensoin', also 'pension'",)
    assert {hit.database for hit in result.hits} == {"food", "work"}


def test_that_a_phrase_is_not_there_is_said_only_when_no_database_has_it(
    words: list[Database],
) -> None:
    """Notes would say that what is shown below them is not there."""
    result = search_databases(words, '"the dinner bell"', 5)
    assert (len(result.hits), result.notes) == (1, ())
    result = search_databases(words, '"bell the dinner"', 5)
    assert result.notes == ("no passage holds the exact words 'bell the dinner'",)


def test_a_page_in_quotes_is_looked_for_by_its_first_words_and_it_is_said(
    words: list[Database],
) -> None:
    """A phrase of hundreds of frequent words would take seconds."""
    note = "of the exact phrases only the first 64 words were looked for"
    dinner = '"the dinner bell"'
    result = search_databases(words, f'{dinner} -"{"frog " * 70}"', 5)
    assert (len(result.hits), result.notes) == (1, (note,))
    result = search_databases(words, f'{dinner} -"{"frog " * 61}" -"dinner bell"', 5)
    assert (len(result.hits), result.notes) == (1, (note,))
    result = search_databases(words, f'"{"frog " * 70}"', 5)
    assert (len(result.hits), result.notes[0]) == (0, note)


def test_words_are_equally_rare_in_all(words: list[Database]) -> None:
    """A score of one database would mean something else in another."""
    parts: list[DatabaseSearch] = []

    class Both:
        def ask(self, step: Callable[[DatabaseSearch], Result]) -> list[Result]:
            return [step(part) for part in parts]

    with words[0].reading() as one, words[2].reading() as other:
        parts += [DatabaseSearch(one, "food", 0, 2), DatabaseSearch(other, "work", 1, 2)]
        search_together(Both(), "pension dinner", 3)
        assert parts[0].plan.weights == parts[1].plan.weights
        assert parts[0].plan.weights["dinner"] > parts[0].plan.weights["pension"] > 0


def test_filters_alone_list_the_newest_of_all(tmp_path: Path) -> None:
    """The oldest of the first database would come before the newest of the second."""
    library = Library(tmp_path / "home")
    for name, years in (("a", (2019, 2023)), ("b", (2021, 2025))):
        files = {f"{y}.md": f"---\ndate: {y}-01-01\n---\n# Y\n\nText.\n" for y in years}
        library.index(write_files(tmp_path / name, files))
    result = search_databases(library.databases(), "type:md", 3)
    assert [hit.path for hit in result.hits] == ["2025.md", "2023.md", "2021.md"]


def test_beginnings_of_words_are_weighed_by_all(words: list[Database]) -> None:
    """What completes a prefix in one database would not count in the other."""
    result = search_databases(words, "tensi* pensi*", 5)
    assert {hit.database for hit in result.hits} == {"food", "site", "work"}
    typed = search_databases(words, "pensi", 5, profile="typing")
    assert {hit.database for hit in typed.hits} == {"food", "work"}
    assert [hit.rank for hit in typed.hits] == [1, 2, 3]


TEXTS = st.text(max_size=30) | st.lists(
    st.sampled_from('dinner pensoin "the dinner" -inner tensi* path:1 type:md title:food'.split())
).map(" ".join)


@settings(max_examples=examples(60), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(TEXTS, st.integers(0, 12))
def test_any_text_is_legal_and_hits_are_in_order(
    words: list[Database], text: str, limit: int
) -> None:
    """An odd text would end in an error, or its hits in no order."""
    result = search_databases(words, text, limit)
    assert len(result.hits) <= limit
    assert [hit.rank for hit in result.hits] == list(range(1, len(result.hits) + 1))
    assert len(set(result.notes)) == len(result.notes)
    if result.hits and result.hits[0].explanation:
        scores = [hit.score for hit in result.hits]
        assert scores == sorted(scores, reverse=True)
