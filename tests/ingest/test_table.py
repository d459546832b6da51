"""Tables must be read row by row with the names of their columns, whoever wrote them."""

from time import process_time

import pytest

from rag_assistant.ingest.loaders import loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.values.documents import Document
from tests.ingest.reading import read


def test_each_cell_bears_the_name_of_its_column() -> None:
    """A row far from the header would be figures without a meaning."""
    data = b'name,age,"note"\n"Ann, B.",34,"two\nlines"\nBob,,\nC,1,x,more\nD\n'
    document = read("a.csv", data)
    assert document.text.split("\n") == [
        "name | age | note",
        "name: Ann, B. | age: 34 | note: two lines",
        "name: Bob",
        "name: C | age: 1 | note: x | more",
        "name: D",
    ]
    assert document.metadata == {"rows": "5", "columns": "name, age, note"}


@pytest.mark.parametrize(
    ("path", "data"),
    [
        ("a.csv", ("name;city\nAnn;Köln\nBob;Rome\n" + "Jürgen;Düsseldorf\n" * 9).encode("cp1252")),
        ("a.csv", "name\tcity\nAnn\tKöln\nBob\tRome\n".encode("utf-16")),
        ("a.tsv", "name\tcity\nAnn\tKöln\nBob\tRome\n".encode()),
        ("a.tab", "name\tcity\r\nAnn\tKöln\r\nBob\tRome\r\n".encode()),
        ("a.csv", "sep=|\nname|city\nAnn|Köln\nBob|Rome\n".encode()),
        ("a.csv", b"name,city\nAnn,K\xc3\xb6ln\nBo\0b,Rome\n" + b"x,y\n" * 100),
    ],
    ids=["semicolon", "utf-16", "tabs", "tab", "sep", "nul"],
)
def test_the_delimiter_and_the_encoding_are_found(path: str, data: bytes) -> None:
    """The row would be one cell, or its letters wrong."""
    text = read(path, data).text
    assert text.split("\n")[:3] == [
        "name | city",
        "name: Ann | city: Köln",
        "name: Bob | city: Rome",
    ]


def test_a_table_without_names_is_written_as_it_is() -> None:
    """The first row's values would be taken for the names of the others'."""
    assert read("a.csv", b"1,2,3\n4,5,6\n").text == "1 | 2 | 3\n4 | 5 | 6"
    assert read("a.csv", b"It's one,don't\nIt's two,won't\n1,2").text.startswith("It's one | don't")


def test_a_title_above_the_header_is_no_header() -> None:
    """Every row would bear the title and no names."""
    text = read("a.csv", b"Squares,,\n,,\n,Number,Square\n,1,1\n,2,4\n").text
    assert text.split("\n")[0] == "Squares"
    assert text.endswith("Number: 2 | Square: 4")


@pytest.mark.parametrize("rows", [50, pytest.param(200_000, marks=pytest.mark.soak)])
def test_a_quote_that_never_ends_costs_its_line_only(rows: int) -> None:
    """The rest of the table would be one cell, or an error."""
    data = b'a,b\n1,"open\n' + b"2,fine\n" * rows
    start = process_time()
    text = read("a.csv", data).text
    assert text.split("\n")[1:3] == ['a: 1 | b: "open', "a: 2 | b: fine"]
    assert text.count("\n") == rows + 1
    assert process_time() - start < 10


def test_a_quote_open_on_every_line_costs_no_more() -> None:
    """Each would be sought to the end of the file: the square of its length."""
    start = process_time()
    text = read("a.csv", b"a,b\n" + b'1,"open, it is\n' * 150_001).text
    assert text.count("\n") >= 75_000
    assert process_time() - start < 10


def test_a_cell_past_the_limit_of_the_module_is_kept() -> None:
    """One long cell would refuse the table."""
    text = read("a.csv", b"a,b\n1," + b"w" * 300_000 + b"\n2,x\n").text
    assert len(text) > 300_000
    assert text.endswith("a: 2 | b: x")


@pytest.mark.soak
def test_a_huge_table_ends_with_a_note() -> None:
    """It would take the memory of the machine, or end without a word."""
    row = b"some words in a cell,and other words in the next\n"
    data = b"first,second\n" + row * (100_000_000 // len(row))
    start = process_time()
    (document,) = read_once("a.csv", data)
    assert 39_000_000 < len(document.text) <= 40_000_000
    assert document.left_out.startswith("rows ")
    assert process_time() - start < 20


def read_once(path: str, data: bytes) -> list[Document]:
    """Read without cutting passages, which would take longer than the reading."""
    loader = loader_for(path, data)
    assert loader is not None
    return list(loader.load(LoadInput(path, data)))
