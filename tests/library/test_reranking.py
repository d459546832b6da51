"""Reranking in a search: the best hits come in the reranker's order, or in the one before."""

from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import ModelError
from rag_assistant.library.library import Library
from rag_assistant.library.reranking import rerank_hits, window
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Hit, Location
from tests.conftest import write_files


class Judge:
    """Scores by how often a word stands in a passage; may be told to answer something else."""

    name = "judge"
    destination = ""
    characters = 300

    def __init__(self, passages: int = 30) -> None:
        self.passages = passages
        self.answer: Sequence[float] | ModelError | None = None
        self.asked: list[tuple[str, list[str]]] = []

    def rerank(self, query: str, texts: Sequence[str]) -> Sequence[float]:
        self.asked.append((query, list(texts)))
        if isinstance(self.answer, ModelError):
            raise self.answer
        return [float(t.count("yellow")) for t in texts] if self.answer is None else self.answer


@pytest.fixture
def judge() -> Judge:
    return Judge()


@pytest.fixture
def library(tmp_path: Path, judge: Judge) -> Library:
    """Two databases with six entries about cranes each, of which some are yellow."""
    library = Library(tmp_path / "home", reranker=judge)
    for name in ("a", "b"):
        files = {
            f"{name}{n}.md": f"# Crane {name}{n}\n\n## Paint\n\nThe crane"
            f" {'lifts the crane ' * (6 - n)}{'and is yellow ' * (n % 4)}.\n"
            for n in range(6)
        }
        library.index(write_files(tmp_path / name, files))
    return library


def test_the_best_hits_come_in_the_order_of_the_reranker(library: Library, judge: Judge) -> None:
    """A reranker would be paid for and change nothing, or `--explain` tell another story."""
    plain = search_databases(library.databases(), "crane lifts", 12, rerank=False)
    assert judge.asked == []
    result = search_databases(library.databases(), "crane lifts", 12)
    yellow = [hit.snippet.count("yellow") for hit in result.hits]
    assert yellow == sorted(yellow, reverse=True) != [h.snippet.count("yellow") for h in plain.hits]
    assert [hit.rank for hit in result.hits] == list(range(1, 13))
    assert result.reranked_by == "judge"
    assert result.notes == plain.notes == ()
    for hit in result.hits:
        assert hit.explanation["rerank"] >= 0
        assert hit.score == pytest.approx(sum(hit.explanation.values()), abs=1e-3)
    scores = [hit.score for hit in result.hits]
    assert scores == sorted(scores, reverse=True)


def test_only_the_best_are_sent_and_the_others_stay_behind(library: Library, judge: Judge) -> None:
    """A search of a hundred hits would cost a hundred passages, or lose those not sent."""
    judge.passages = 4
    plain = search_databases(library.databases(), "crane lifts", 12, rerank=False)
    result = search_databases(library.databases(), "crane lifts", 12)
    assert len(judge.asked[0][1]) == 4
    places = [(hit.database, hit.entry_id) for hit in result.hits]
    before = [(hit.database, hit.entry_id) for hit in plain.hits]
    assert sorted(places[:4]) == sorted(before[:4])
    assert places[4:] == before[4:]
    assert result.hits[3].score >= result.hits[4].score
    assert "rerank" not in result.hits[4].explanation


def test_hits_beyond_the_limit_may_come_forward(library: Library, judge: Judge) -> None:
    """The best entry would be lost because words put it in the eleventh place."""
    result = search_databases(library.databases(), "crane lifts", 2)
    assert len(judge.asked[0][1]) == 12
    assert [hit.snippet.count("yellow") for hit in result.hits] == [3, 3]


def test_passages_are_sent_with_their_headings_and_without_operators(
    library: Library, judge: Judge, tmp_path: Path
) -> None:
    """A model would judge a snippet without knowing what it is about, or the operators."""
    filler = "Words of no importance. " * 30
    long = f"# Long\n\n## Middle\n\n{filler}The winch is yellow. {filler}\n"
    library.index(write_files(tmp_path / "a", {"long.md": long, "x.md": "# X\n\nThe winch.\n"}))
    search_databases(library.databases(), '"the winch" colour -blue path:md \ud800', 5)
    query, texts = judge.asked[0]
    assert query == "colour ? the winch"
    sent = next(text for text in texts if text.startswith("Long"))
    assert sent.startswith("Long › Middle\n")
    assert "The winch is yellow." in sent
    assert len(sent) < judge.characters + 60


@pytest.mark.parametrize(
    ("answer", "said"),
    [
        (ModelError("It is off.", hint="Start it."), "not reranked: It is off. Start it"),
        ([1.0], "1 scores for 12 passages"),
        ([float("nan")] * 12, "or one that is none"),
        ([float("inf")] * 12, "or one that is none"),
        ([], "0 scores for 12 passages"),
    ],
    ids=["off", "too few", "NaN", "inf", "none"],
)
def test_a_reranker_that_fails_leaves_the_order_and_it_is_said(
    library: Library, judge: Judge, answer: Sequence[float] | ModelError, said: str
) -> None:
    """A search would fail, or be ordered at random, when a server is off."""
    plain = search_databases(library.databases(), "crane lifts", 5, rerank=False)
    judge.answer = answer
    result = search_databases(library.databases(), "crane lifts", 5)
    assert result.hits == plain.hits
    assert len(result.notes) == 1
    assert said in result.notes[0]
    assert result.reranked_by == ""


def test_a_reranker_that_may_not_be_asked_leaves_the_order(library: Library) -> None:
    """A missing key would end the search."""

    class Keyless(Judge):
        @property
        def destination(self) -> str:  # type: ignore[override]
            raise ModelError("There is no key.", hint="Set KEY.")

    library.reranker = Keyless()
    result = search_databases(library.databases(), "crane lifts", 5)
    assert len(result.hits) == 5
    assert result.notes == ("not reranked: There is no key. Set KEY",)


def test_it_is_known_where_passages_went(library: Library, judge: Judge) -> None:
    """Text would leave the machine unseen, even if the server then fails."""
    judge.destination = "example.org"
    assert search_databases(library.databases(), "crane", 5).sent_to == "example.org"
    judge.answer = ModelError("It failed.")
    assert search_databases(library.databases(), "crane", 5).sent_to == "example.org"


@pytest.mark.parametrize("text", ["path:a", "nothingofthekind", "", "type:md after:2000"])
def test_nothing_is_sent_where_there_is_nothing_to_judge(
    library: Library, judge: Judge, text: str
) -> None:
    """Lists by date would be put in another order, or a request be made for nothing."""
    search_databases(library.databases(), text, 5)
    search_databases(library.databases(), "cra", 5, profile="typing")
    assert judge.asked == []


def hit(rank: int, score: float) -> Hit:
    explanation = {"words": score}
    return Hit(rank, "d", rank, "T", "p", Location(0, 1), score, "s", explanation=explanation)


@given(
    st.lists(st.floats(0, 50), min_size=1, max_size=12),
    st.lists(st.floats(allow_nan=False, allow_infinity=False), min_size=1, max_size=12),
)
def test_any_scores_give_an_order_that_the_scores_tell(
    before: list[float], scores: list[float]
) -> None:
    """Hits would be lost, doubled, or shown in another order than their scores."""
    hits = [
        hit(rank, round(score, 4))
        for rank, score in enumerate(sorted(before, reverse=True)[: len(scores) + 3], 1)
    ]
    judge = Judge()
    judge.answer = scores[: len(hits)]
    texts = ["x"] * len(judge.answer)
    done = rerank_hits(judge, "q", hits, texts)
    assert sorted(one.entry_id for one in done) == [one.entry_id for one in hits]
    told = [one.score for one in done]
    assert all(a >= b - 2e-4 for a, b in pairwise(told))
    order = [judge.answer[one.entry_id - 1] for one in done[: len(texts)]]
    assert order == sorted(order, reverse=True)


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80), st.integers(1, 40))
def test_a_window_shows_the_span_as_far_as_it_fits(
    text: str, begin: int, length: int, most: int
) -> None:
    """The words that were found would be cut away before the model reads them."""
    begin = min(begin, len(text))
    end = min(len(text), begin + length)
    cut = window(text, begin, end, most)
    assert len(cut) == min(len(text), most)
    assert cut in text
    if end - begin <= most:
        assert text[begin:end] in cut
