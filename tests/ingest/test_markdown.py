"""Markdown must stay the file's own text, and its headings must be those a reader sees."""

from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.ingest.reading import read


def headings(text: str) -> list[tuple[int, str, str]]:
    """Give level, words, and the text from the heading's offset to the end of its line."""
    document = read("a.md", text.encode())
    return [
        (heading.level, heading.title, document.text[heading.start :].split("\n")[0])
        for heading in document.headings
    ]


def test_headings_of_both_kinds_are_found_at_their_lines() -> None:
    """A passage would be cited under the wrong heading."""
    text = (
        "Top\n===\n\ntext\n\n## Second ##\ntext\n   ### [Third](x.md) `code`\n"
        "Two\nlines\n---\n#not one\n####### nor this\n#\n"
    )
    assert headings(text) == [
        (1, "Top", "Top"),
        (2, "Second", "## Second ##"),
        (3, "Third code", "   ### [Third](x.md) `code`"),
        (2, "Two lines", "Two"),
    ]


def test_code_rules_tables_and_lists_are_no_headings() -> None:
    """A comment of a shell script, or the line above a rule, would become a heading."""
    text = (
        "```sh\n# comment\n~~~\n# comment\n```\n\n    # indented\n\n- item\n---\n\ntext\n\n---\n"
        "| a |\n---\n> quote\n---\n~~~~\n# open\n~~~\n# to the end\n"
    )
    assert headings(text) == []


def test_a_page_that_shows_an_indented_fence_keeps_its_later_headings() -> None:
    """Half of a page about Markdown would have no headings, and its passages no path."""
    text = "# A\n\nA fence is written so:\n\n    ```\n\n## B\n\ntext\n\n## C\n"
    assert headings(text) == [(1, "A", "# A"), (2, "B", "## B"), (2, "C", "## C")]


def test_headings_of_quotes_and_items_name_no_section() -> None:
    """What follows a quoted page would be cited under a heading of that page."""
    assert headings("# A\n\n> # B\n\n- # C\n\n  # D\n\ntext\n") == [(1, "A", "# A")]


def test_code_is_where_readers_of_markdown_see_it() -> None:
    """Passages would be cut within code, or kept whole where there is none."""
    text = "```\na\n````\n\n- b\n\n  ~~~ py\n  c\n  ~~~\n\n    ```\nd\n```\nto the end"
    document = read("a.md", text.encode())
    assert [text[start:end] for start, end in document.code] == [
        "```\na\n````\n",
        "  ~~~ py\n  c\n  ~~~\n",
        "    ```\n",
        "```\nto the end",
    ]


def test_front_matter_gives_simple_values_and_the_title() -> None:
    """The title would be lost, or a line of the front matter become a heading."""
    text = (
        '---\ntitle: "A: title"\nowner: People team  # who\ntags: [a, b]\nlist:\n  - x\n'
        "nested:\n  key: value\nempty:\n---\n# First\n"
    )
    document = read("a.md", text.encode())
    assert document.text == text
    assert document.title == "A: title"
    assert document.metadata == {"title": "A: title", "owner": "People team"}
    assert headings(text) == [(1, "First", "# First")]


def test_the_title_is_else_the_first_heading_of_level_one() -> None:
    """Entries would go by their file names though they name themselves."""
    assert read("a.md", b"## Sub\n# Main\n# Other\n").title == "Main"
    assert read("a.md", b"no heading").title == ""


@given(
    st.text(
        st.sampled_from("#-= `~\n\tab|>*[]()")
        | st.characters(codec="utf-8", exclude_categories=["Cc"])
    )
)
def test_any_text_is_kept_and_headings_start_lines(text: str) -> None:
    """Some odd line would be lost, or a heading's offset lie within a line."""
    data = ("x\n" + text).encode()
    document = read("a.md", data)
    assert document.text == data.decode().replace("\r\n", "\n")
    assert document.lines_match_file
    starts = [heading.start for heading in document.headings]
    assert starts == sorted(set(starts))
    for start in starts:
        assert start == 0 or document.text[start - 1] == "\n"


@pytest.mark.soak
def test_any_shape_is_read_in_time_in_proportion_to_its_length() -> None:
    """A file of many fences or brackets would hold up a whole run."""
    for shape in ("# [", "```\n", "- a\n", "a\n-\n", "#", "text of a line\n\n## Head\n"):
        took = []
        for length in (20_000, 160_000):
            data = (shape * (length // len(shape))).encode()
            start = process_time()
            read("a.md", data)
            took.append(process_time() - start)
        assert took[1] < 25 * took[0] + 0.2, shape  # the square of it would be 64 times
