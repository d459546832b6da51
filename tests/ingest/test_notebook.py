"""Notebooks must be read cell by cell, with their headings and outputs."""

import json

import pytest

from rag_assistant.ingest.passages import split
from tests.ingest.reading import read, refusal


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


def test_functions_of_a_cell_stand_under_the_heading_before_it() -> None:
    """A hit in a notebook would not say which function it is in."""
    code = (
        "%matplotlib inline\n!pip install x\nimport x\n\n# Weighs.\n@cached\n"
        f"def weigh(a):\n    !ls\n    return a\n\nclass Model:\n    {'y = 1; ' * 30}\n"
        f"    def fit(self):\n        return {'1 + ' * 40} 1\n\nprint({'weigh(3), ' * 20})\n"
    )
    output = {"output_type": "stream", "text": "done and done and done\n"}
    document = read(
        "a.ipynb",
        notebook(
            {"cell_type": "markdown", "source": "# Mass\n\n## Loss"},
            {"cell_type": "code", "source": code, "outputs": [output]},
            {"cell_type": "code", "source": "%%bash\nclass x", "outputs": []},
            {"cell_type": "code", "source": "def broken(:", "outputs": []},
            language_info={"name": "python"},
        ),
    )
    assert document.title == "Mass"
    names = [heading.title for heading in document.headings]
    assert names == ["Mass", "Loss", "weigh", "Model", "fit"]
    assert "!ls" in document.text
    weigh = document.headings[2]
    assert document.text[weigh.start : weigh.end].startswith("# Weighs.\n@cached\ndef weigh")
    assert document.text[weigh.start : weigh.end].endswith("return a\n\n")
    paths = {
        words: passage.place(begin, begin + 1).heading
        for words in ("return a", "y = 1", "1 + ", "weigh(3)", "done and", "broken")
        for passage in split(document)
        if (begin := passage.text.find(words)) >= 0
    }
    assert paths == {
        "return a": "Mass › Loss › weigh",
        "y = 1": "Mass › Loss › Model",
        "1 + ": "Mass › Loss › Model › fit",
        "weigh(3)": "Mass › Loss",
        "done and": "Mass › Loss",
        "broken": "Mass › Loss",
    }


def test_cells_of_another_language_are_not_read_as_python() -> None:
    """A name that only looks like Python would be a heading."""
    cell: dict[str, object] = {"cell_type": "code", "source": "def f(): pass", "outputs": []}
    assert read("a.ipynb", notebook(cell, language_info={"name": "scala"})).headings == ()
    assert len(read("a.ipynb", notebook(cell)).headings) == 1


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
