"""What is measured of each format must be measured on all of them, and count what was lost."""

from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.ingest.loaders import LOADERS
from scripts.benchmarks.ingest.format_reading import FormatScore, Scores, measure
from scripts.benchmarks.ingest.known_files.formats import FORMATS, KnownFile, known_files
from scripts.benchmarks.ingest.known_files.texts import texts
from scripts.benchmarks.ingest.word_comparing import compare_words, longest_common
from tests.scripts.command import printed

_UNWRITTEN = {"image", "msg"}
"""What needs tesseract, and what has real files alone."""


def test_every_loader_has_files_whose_content_is_known() -> None:
    """Nobody would know how well a new format is read, and the table say that all is well."""
    written = {f".{one.suffix}" for one in FORMATS}
    assert {one.name for one in LOADERS if not one.suffixes & written} == _UNWRITTEN


def test_files_of_known_content_are_read_whole() -> None:
    """If this fails, a format loses words or cells, or puts them where they are not."""
    scores: Scores = {}
    measure(known_files([*texts()][:1]), scores, rounds=1)
    lost = {
        suffix: (one.words, one.cells.missed)
        for suffix, one in scores.items()
        if one.read < one.tried or one.words.recall < 1 or one.words.order < 1 or one.cells.missed
    }
    assert not lost
    assert {suffix: one.words for suffix, one in scores.items() if one.words.precision < 0.98} == {}


def test_what_is_lost_or_moved_counts() -> None:
    """If this fails, the table says 1.000 whatever is read."""
    said = compare_words("one two, three; four", "two one three five three")
    assert (said.known, said.read, said.same, said.ordered) == (4, 5, 3, 2)
    scores: Scores = {}
    files = [KnownFile("a.txt", b"one two", "one two three"), KnownFile("a.pdf", b"none", "one")]
    measure(files, scores, rounds=1)
    assert round(scores[".txt"].words.recall, 2) == 0.67
    assert scores[".pdf"] == FormatScore(tried=1)


@given(st.lists(st.sampled_from("abc")), st.lists(st.sampled_from("abc")))
def test_the_longest_common_subsequence_is_that_of_the_textbook(
    first: list[str], second: list[str]
) -> None:
    """If this fails, words in another order count as read in order, or the other way round."""
    row = [0] * (len(second) + 1)
    for one in first:
        before = row[:]
        for at, other in enumerate(second, 1):
            row[at] = before[at - 1] + 1 if one == other else max(before[at], row[at - 1])
    assert longest_common(first, second) == row[-1]


def test_the_part_runs_without_what_may_be_absent() -> None:
    """If this fails, whoever has no collections gets no table of formats."""
    told = printed("reading", "--quick", "--data", "nowhere")
    assert any("nowhere" in line for line in told.skipped)
    assert [one.value for one in told.figures if one.name.endswith(": read")] == [1]
