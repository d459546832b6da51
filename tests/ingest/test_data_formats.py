"""Notebooks, tables, JSON and Pixi's databases must be read whole, record by record, in bounds."""

import json
from time import process_time

import pytest

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.passages import split
from tests.ingest.reading import read, refusal

BEIR = {"_id": "4983", "title": "White matter", "text": "Alterations of it.", "metadata": {}}


def read_all(path: str, data: bytes, fields: dict[str, str] | None = None) -> list[Document]:
    """Give all documents of a file."""
    loader = loader_for(path, data)
    assert loader is not None
    documents = load(loader, LoadInput(path, data, fields or {}))
    for document in documents:
        assert "".join(passage.text for passage in split(document)) == document.text
        json.dumps([document.text, document.key, dict(document.metadata)]).encode()
    return documents


def lines(*records: object) -> bytes:
    """Write records one on a line; a string is a line as it stands."""
    return "\n".join(
        record if isinstance(record, str) else json.dumps(record) for record in records
    ).encode()


# --- JSON Lines ---


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
    data = lines(BEIR, '{"_id": "2", "text"', "", "{}", {"text": "good\u2028too"}, "[" * 2_000)
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


# --- JSON ---


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


# --- tables ---


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


@pytest.mark.parametrize("rows", [50, 200_000])
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


def test_a_huge_table_ends_with_a_note() -> None:
    """It would take the memory of the machine, or end without a word."""
    row = b"some words in a cell,and other words in the next\n"
    data = b"first,second\n" + row * (100_000_000 // len(row))
    start = process_time()
    (document,) = read_once("a.csv", data)
    assert 19_000_000 < len(document.text) <= 20_000_000
    assert document.metadata["rows_not_read"].startswith("those after row ")
    assert process_time() - start < 20


def read_once(path: str, data: bytes) -> list[Document]:
    """Read without cutting passages, which would take longer than the reading."""
    loader = loader_for(path, data)
    assert loader is not None
    return list(loader.load(LoadInput(path, data)))


# --- notebooks ---


def notebook(*cells: dict[str, object], **metadata: object) -> bytes:
    """Write a notebook of nbformat 4."""
    return json.dumps({"cells": cells, "metadata": metadata, "nbformat": 4}).encode()


def test_cells_come_in_order_with_headings_pages_and_outputs() -> None:
    """A citation would name the wrong cell, and results would not be found."""
    data = notebook(
        {"cell_type": "markdown", "source": ["\n", "# Mass loss\n", "Words.\n"]},
        {"cell_type": "code", "source": "", "outputs": []},
        {
            "cell_type": "code",
            "source": ["x = 1\n", "print(x)"],
            "outputs": [
                {"output_type": "stream", "text": ["10%\r20%\r100%\n", "done\n"]},
                {"output_type": "execute_result", "data": {"text/plain": "42", "image/png": "A"}},
                {"output_type": "error", "traceback": ["\x1b[0;31mValueError\x1b[0m: bad"]},
            ],
        },
        {"cell_type": "markdown", "source": "## Then\nMore."},
        language_info={"name": "python"},
        authors=[{"name": "A. Writer"}],
    )
    document = read("a.ipynb", data)
    assert document.text == (
        "# Mass loss\nWords.\n\nx = 1\nprint(x)\n\nOutput:\n100%\ndone\n\nOutput:\n42\n\n"
        "Output:\nValueError: bad\n\n## Then\nMore."
    )
    assert document.title == "Mass loss"
    assert document.metadata == {"programming_language": "python", "author": "A. Writer"}
    assert [p.number for p in document.pages] == [1, 3, 4]
    assert [document.text[h.start :].split("\n")[0] for h in document.headings] == [
        "# Mass loss",
        "## Then",
    ]
    assert document.text[document.pages[1].start :].startswith("x = 1")


def test_a_long_output_is_cut_with_a_note() -> None:
    """A log of training would drown the words of the notebook."""
    output = {"output_type": "stream", "text": "x" * 1_000_000}
    text = read(
        "a.ipynb", notebook({"cell_type": "code", "source": "run()", "outputs": [output]})
    ).text
    assert text.endswith("\n[995,000 more characters of output are left out]")
    assert len(text) < 6_000


def test_notebooks_of_the_format_before_are_read() -> None:
    """Old notebooks would be refused as having no cells."""
    cells = [
        {"cell_type": "heading", "level": 2, "source": "Old"},
        {"cell_type": "code", "input": "y", "outputs": [{"output_type": "pyout", "text": ["7"]}]},
    ]
    document = read("a.ipynb", json.dumps({"worksheets": [{"cells": cells}]}).encode())
    assert document.text == "## Old\n\ny\n\nOutput:\n7"
    assert document.title == "Old"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"{", "not a notebook: it is not JSON"),
        (b"[1]", "not a notebook: it has no cells"),
        (b'{"cells": 5}', "not a notebook: it has no cells"),
        (b'{"cells": [1, null, {"source": {"a": 1}, "outputs": [3]}]}', "no text in it"),
        (b'{"cells":' * 50_000, "nested too deep"),
    ],
)
def test_what_is_no_notebook_is_refused(data: bytes, reason: str) -> None:
    """It would be called a defect of the loader."""
    assert refusal("a.ipynb", data).startswith(reason)


# --- Pixi ---


def zst(value: object) -> bytes:
    """Compress JSON."""
    zstandard = pytest.importorskip("zstandard", reason="the extra 'formats' is not installed")
    data = value if isinstance(value, bytes) else json.dumps(value).encode()
    return bytes(zstandard.ZstdCompressor().compress(data))


PIXI = {"title": "Ferns", "content": "They grow.", "id": 12, "source": "https://example.org"}


def test_an_entry_of_pixi_keeps_its_id() -> None:
    """The ids that people and bots know it by would change."""
    (document,) = read_all("a.zst", zst(PIXI))
    assert (document.wanted_id, document.key) == (12, "12")
    assert (document.title, document.text) == ("Ferns", "They grow.")
    assert document.metadata == {"source": "https://example.org"}


@pytest.mark.parametrize("identifier", [0, -3, 1.5, "7", True, None, 10**30, "x"])
def test_an_id_that_no_store_can_keep_is_only_a_key(identifier: object) -> None:
    """The store would refuse it, or another entry would get it."""
    (document,) = read_all("a.zst", zst({**PIXI, "id": identifier}))
    assert document.wanted_id is None


def test_a_database_of_pixi_may_hold_many_entries() -> None:
    """All but one would be lost, or all be one."""
    other = {"title": "Moss", "content": "Too.", "id": 3}
    empty = {"title": "", "content": "", "id": 4}
    listed = read_all("a.zst", zst([PIXI, other, empty]))
    assert [(d.key, d.wanted_id) for d in listed] == [("12", 12), ("3", 3)]
    assert listed[0].metadata["records_not_read"] == "record 3: no text in it"
    mapped = read_all("a.zst", zst({"ferns": PIXI, "moss": {"content": "Too."}}))
    assert [(d.key, d.text) for d in mapped] == [("12", "They grow."), ("moss", "Too.")]


def test_two_frames_in_a_row_are_one_content() -> None:
    """What was appended by a second writer would be lost."""
    data = json.dumps(PIXI).encode()
    assert read("a.zst", zst(data[:20]) + zst(data[20:])).text == "They grow."


def test_zst_of_another_kind_or_broken_is_refused() -> None:
    """A bomb would fill the memory, and an archive be taken for a database."""
    assert "unpacks to far more" in refusal("a.zst", zst(b" " * 50_000_000))
    assert refusal("a.zst", b"not zstd").startswith("broken zstd file")
    assert refusal("a.zst", zst(PIXI)[:-4]).startswith(("broken zstd", "not a Pixi database"))
    assert refusal("a.zst", zst(b"ustar, a tar")).startswith("not a Pixi database")
    assert refusal("a.zst", zst([1, 2])) == "not a Pixi database: there are no entries in it"


@pytest.mark.parametrize("path", ["a.json", "a.jsonl", "a.csv", "a.ipynb", "a.srt", "a.zst"])
def test_any_bytes_end_as_text_or_as_a_reason(path: str) -> None:
    """A file that nobody thought of would end the run."""
    samples = [bytes(range(256)), b"\xff\xfe\0", b"\xef\xbb\xbf", b"null", b'""', b"{}", b"[]"]
    for data in [*samples, b'"' * 10_001, b",\n" * 5_000, b'{"a":' * 50, b"-->\n" * 999]:
        loader = loader_for(path, data)
        assert loader is not None
        try:
            load(loader, LoadInput(path, data))
        except LoadError as error:
            assert "loader failed" not in error.message, (data[:20], error.message)
