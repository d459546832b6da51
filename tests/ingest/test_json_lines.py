"""JSON Lines must be read record by record, and a bad line must cost only itself."""

from rag_assistant.ingest.loaders import loader_for
from tests.ingest.json_writer import BEIR, lines
from tests.ingest.reading import read_all, refusal


def test_the_records_of_beir_are_guessed_right() -> None:
    """Rankings could not be compared by the collection's own ids."""
    (document,) = read_all("corpus.jsonl", lines(BEIR))
    assert (document.key, document.title, document.text) == (
        "4983",
        "White matter",
        "Alterations of it.",
    )
    assert document.metadata == {}


def test_a_record_keeps_what_was_not_chosen() -> None:
    """Answers and remarks beside the text would be lost without a word."""
    record = {
        "ID": 7,
        "Headline": "A title",
        "abstract": "First.",
        "body": "Second.",
        "authors": ["A. One", "B. Two"],
        "date": "2026-01-05",
        "url": "https://example.org",
        "split": "train",
        "remark": "long " * 60,
    }
    (document,) = read_all("a.jsonl", lines(record))
    assert document.text.startswith("First.\n\nSecond.\n\nremark: long long")
    assert (document.key, document.title) == ("7", "A title")
    assert document.metadata == {
        "author": "A. One, B. Two",
        "date": "2026-01-05",
        "url": "https://example.org",
        "split": "train",
    }


def test_the_fields_a_person_names_are_taken() -> None:
    """A collection with names of its own would be read as a heap of values."""
    record = {"q": {"t": "Why?"}, "a": [{"s": "Because."}, {"s": "And so."}], "n": 5, "text": "no"}
    fields = {"title": "q.t", "text": "a.0.s, a.1.s", "id": "n"}
    (document,) = read_all("a.jsonl", lines(record), fields)
    assert (document.title, document.text, document.key) == ("Why?", "Because.\n\nAnd so.", "5")


def test_a_record_without_known_fields_is_laid_out() -> None:
    """It would be left out though it has words."""
    documents = read_all("a.ndjson", lines({"x": {"y": [1, "two"]}, "z": None}, {"title": "T"}))
    assert [(d.key, d.title, d.text) for d in documents] == [
        ("line 1", "", "x.y: 1, two"),
        ("line 2", "T", "T"),
    ]


def test_no_two_records_share_a_key() -> None:
    """One record would take the place of another in the index."""
    record = {"id": "a", "text": "x"}
    documents = read_all("a.jsonl", lines(record, record, {"id": "line 4", "text": "y"}, "[1]"))
    assert [d.key for d in documents] == ["a", "a (line 2)", "line 4", "line 4 (line 4)"]
    long = {"id": "k" * 5_000, "text": "x"}
    keys = [d.key for d in read_all("a.jsonl", lines(long, long))]
    assert len(set(keys)) == 2
    assert max(map(len, keys)) < 300


def test_a_bad_line_costs_itself_and_is_named() -> None:
    """The file would be lost for one line, or the line without a word."""
    data = lines(BEIR, '{"_id": "2", "text"', "", "{}", {"text": "good\u2028too"}, "[" * 200_000)
    documents = read_all("a.jsonl", data)
    assert [d.key for d in documents] == ["4983", "line 5"]
    told = documents[0].metadata["lines_not_read"]
    assert told.startswith("line 2: not JSON: Expecting ':' delimiter at")
    assert "line 4: no text in it" in told
    assert "line 6: nested too deep" in told
    assert "lines_not_read" not in documents[1].metadata


def test_a_file_of_bad_lines_alone_is_refused() -> None:
    """It would be an entry of nothing."""
    assert refusal("a.jsonl", b"no\njson").startswith("no line can be read as a JSON record (line")
    assert refusal("a.jsonl", b"\x1f\x8b\x08\0\0") == "not text: looks like a binary file"


def test_compressed_records_are_no_business_of_these_loaders() -> None:
    """An archive would be read as if it were its content."""
    assert loader_for("corpus.jsonl.gz", b"\x1f\x8b\x08\0\0") is None


def test_what_escapes_can_write_can_be_stored() -> None:
    """A lone surrogate or a NUL would stop the store, and with it the folder."""
    (document,) = read_all("a.jsonl", b'{"text": "a\\ud800b\\u0000c", "k\\udfff": "v"}')
    assert document.text == "a\ufffdb\ufffdc"
