"""JSON must be read as it was written, in bounds, and lists of records entry by entry."""

import json
from time import process_time

import pytest

from tests.ingest.json_writer import BEIR, lines
from tests.ingest.reading import read, read_all, refusal


def test_a_list_of_records_is_an_entry_each() -> None:
    """A citation would open a file of thousands instead of the record."""
    documents = read_all("a.json", json.dumps([BEIR, {"body": "Other."}]).encode())
    assert [(d.key, d.text) for d in documents] == [
        ("4983", "Alterations of it."),
        ("record 2", "Other."),
    ]


def test_other_json_is_laid_out_in_order_as_written() -> None:
    """Repeated keys, long numbers and NaN would change or vanish."""
    data = (
        b'{"name": "Set", "a": {"b.c": 1e400, "b.c": 12345678901234567890123, "n": NaN},'
        b' "rows": [{"x": 1}, {"x": true}], "prose": ["' + b"w " * 60 + b'", "' + b"v " * 60
    )
    document = read("a.json", data + b'"]}')
    assert document.title == "Set"
    assert document.text.split("\n")[:8] == [
        "name: Set",
        "a.b.c: 1e400",
        "a.b.c: 12345678901234567890123",
        "a.n: NaN",
        "",
        "rows.0.x: 1",
        "",
        "rows.1.x: true",
    ]
    assert "prose:\n- w w" in document.text


def test_numbers_past_what_python_converts_are_read() -> None:
    """Python refuses integers of more than 4,300 digits."""
    assert read("a.json", b'{"n": ' + b"7" * 10_000 + b"}").text == "n: " + "7" * 10_000


def test_json_that_is_none_is_read_as_what_it_is() -> None:
    """Settings with comments, and records on lines, would be refused."""
    document = read("a.json", b'{\n  // a comment\n  "a": 1\n}')
    assert document.lines_match_file
    assert "a comment" in document.text
    assert "line 2" in document.metadata["not_json"]
    assert [d.text for d in read_all("a.json", lines(BEIR, {"text": "b"}))] == [
        "Alterations of it.",
        "b",
    ]


@pytest.mark.parametrize(
    "data",
    [b"[" * 100_000, b'{"a":' * 100_000, b"[" * 300 + b"1,[2]" + b"]" * 300],
    ids=["lists", "objects", "closed"],
)
def test_depths_that_no_tree_has_are_refused(data: bytes) -> None:
    """The stack would overflow and end the run."""
    assert refusal("a.json", data) == "nested too deep"


@pytest.mark.soak
def test_values_by_the_million_are_refused_and_prose_is_not() -> None:
    """A file of numbers would take gigabytes."""
    assert refusal("a.json", b"[" + b"1," * 3_100_000 + b"1]").startswith("too many values")
    prose = json.dumps({"text": "a, b, " * 1_600_000}).encode()
    assert len(read("a.json", prose).text) > 9_000_000


def test_long_keys_do_not_multiply() -> None:
    """A key of a megabyte above a thousand values would make a gigabyte."""
    data = json.dumps({"k" * 1_000_000: {str(n): {"v": n} for n in range(1_000)}}).encode()
    start = process_time()
    assert len(read("a.json", data).text) < 3_000_000
    assert process_time() - start < 5
