"""A passage of Python source is a function or a class, and is named by it."""

from pathlib import Path

import pytest

from rag_assistant.ingest.extraction import Job, extract
from rag_assistant.ingest.parsing.code.python import MOST_PARSED, python_definitions
from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Passage
from tests.ingest.reading import read

BODY = "".join(f"        total += weigh(item, {number})\n" for number in range(6))
SOURCE = f'''"""A shop."""

import sys

RATE = 0.2


class Basket(dict):
    """What a customer wants to buy, with the price of each."""

    currency = "EUR"

    @property
    def total(self):
        """Sum the prices."""
        total = 0
        for item in self:
            pass
{BODY}        return total

    # Rounds half up,
    # as the tax office does.
    @staticmethod
    @cached(maxsize=10)
    async def rounded(price,
                      digits=2):
{BODY}        return price

    discounts = {{"january": 0.1, "july": 0.2, "staff": 0.35, "wholesale customers of old": 0.4}}
    surcharges = {{"express": 9.5, "abroad": 14.0, "islands and mountains": 22.0, "sunday": 30}}


if sys.platform == "win32":
    def opened(path):
{BODY}        return path
else:
    def opened(path):
{BODY}        return None

print("a line of the module itself, which belongs to no function and to no class of it at all")
'''


def passages(source: str) -> list[Passage]:
    """Cut Python source as an index does."""
    return split(read("shop.py", source.encode()))


def holding(words: str, source: str = SOURCE) -> Passage:
    """Give the one passage that holds words."""
    (found,) = [passage for passage in passages(source) if words in passage.text]
    return found


@pytest.mark.parametrize(
    ("words", "path"),
    [
        ("RATE = 0.2", None),
        ("What a customer wants", "Basket"),
        ("Sum the prices", "Basket › total"),
        ("digits=2", "Basket › rounded"),
        ('"july": 0.2', "Basket"),
        ("return None", "opened"),
        ("a line of the module itself", None),
    ],
)
def test_a_passage_is_named_by_the_function_or_class_of_its_words(
    words: str, path: str | None
) -> None:
    """A hit would not say in which function it is, or name one that has ended before."""
    passage = holding(words)
    begin = passage.text.index(words)
    assert passage.place(begin, begin + len(words)).heading == path


def test_a_function_stands_with_its_decorators_and_the_comment_above_it() -> None:
    """What a function is for, and what wraps it, would be read without it, or not at all."""
    passage = holding("def rounded")
    assert passage.text.startswith(
        "    # Rounds half up,\n    # as the tax office does.\n    @static"
    )
    assert passage.text.rstrip().endswith("return price")
    assert passage.location.line == SOURCE.split("\n").index("    # Rounds half up,") + 1


def test_the_text_is_the_files_own_to_the_character() -> None:
    """Quotes, lines and ids of files that nobody changed would no longer hold."""
    document = read("shop.py", SOURCE.encode())
    assert document.text == SOURCE
    assert document.lines_match_file
    assert document.media_type == "text/plain"
    assert "".join(passage.text for passage in split(document)) == SOURCE


def test_small_functions_keep_their_names() -> None:
    """Of two one-line functions, only the first could be found and cited by its name."""
    first, second = passages("def first(): return 1\n\n\ndef second(): return 2\n")
    assert (first.location.heading, second.location.heading) == ("first", "second")
    source = "class Pair:\n    def first(self): return 1\n\n    def second(self): return 2\n"
    (both,) = passages(source)
    assert both.location.heading == "Pair"
    at = source.index("return 2")
    assert both.place(at, at + 8).heading == "Pair › second"


def test_a_long_function_is_cut_and_each_part_bears_its_name() -> None:
    """The later parts of a long function would name none."""
    source = f"def long(total, weigh):\n{BODY * 12}        return total\n"
    parts = passages(source)
    assert len(parts) > 3
    assert {part.location.heading for part in parts} == {"long"}


@pytest.mark.parametrize(
    "source",
    [
        "print 'Python 2'\n\ndef f():\n    pass\n",
        "def f(:\n",
        "x = " + "(" * 5_000,
        "x = " + "-" * 100_000 + "1",
        "x = 1" + " + 1" * 100_000,
        "x = a" + ".b" * 100_000,
        "\n".join(" " * depth + "class A:" for depth in range(200)),
        "if a:\n    pass\n" + "elif b:\n    pass\n" * 5_000,
        "x" * (MOST_PARSED + 1),
    ],
    ids=lambda source: repr(source[:12]),
)
def test_what_pythons_parser_refuses_is_plain_text_and_says_so(source: str) -> None:
    """A broken or hostile file would be lost, or end the worker; or nobody would know why it has
    no functions."""
    document = read("a.py", source.encode())
    assert document.text == source
    assert document.headings == ()
    assert document.metadata["not_parsed"]
    assert "".join(passage.text for passage in split(document)) == document.text


def test_a_null_byte_is_a_fault_like_any_other() -> None:
    """Python's parser raises another error for it, which would cost the file."""
    assert python_definitions("a = 1\0\ndef f():\n    pass\n").fault


def test_every_definition_of_our_own_package_is_a_heading(tmp_path: Path) -> None:
    """Real source would lack a function, or a heading begin elsewhere than its definition."""
    root = Path(__file__).resolve().parents[2] / "rag_assistant" / "ingest"
    read_files = 0
    for file in sorted(root.rglob("*.py")):
        text = file.read_text("utf-8")
        found = python_definitions(text).headings
        lines = [line for line in text.split("\n") if line.startswith(("def ", "class "))]
        assert sum(one.level == 1 for one in found) == len(lines)
        for heading in found:
            assert heading.end is not None
            piece = text[heading.start : heading.end]
            assert f"def {heading.title}" in piece or f"class {heading.title}" in piece
            assert text[heading.start - 1 : heading.start] in {"", "\n"}
        read_files += 1
    assert read_files > 50
    extraction = extract(root, Job("pool.py"), {})
    assert "ExtractionPool › _serve" in {row[4] for row in extraction.entries[0].passages}
