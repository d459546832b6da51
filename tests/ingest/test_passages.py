"""Cutting must lose nothing, keep to its sizes, and fall where a reader would cut."""

from dataclasses import replace
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.ingest.passages import split
from rag_assistant.values.documents import Document, Heading, PageStart, Passage
from tests.ingest.reading import read

_TEXT = st.text(st.sampled_from("ab .\n\t-|#`。\u3000") | st.characters(codec="utf-8"))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Draw a text, short or long, with headings and pages anywhere in it."""
    text = draw(_TEXT) * draw(st.sampled_from([1, 1, 7, 60]))
    offsets = st.integers(0, len(text))
    heads = sorted(draw(st.lists(offsets, max_size=20)))
    starts = sorted(draw(st.lists(offsets, max_size=20)))
    ends = sorted(draw(st.sets(offsets, max_size=20)))
    levels = st.integers(1, 6)
    return Document(
        text,
        draw(st.sampled_from(["text/plain", "text/markdown"])),
        headings=tuple(
            Heading(start, draw(levels), f"h{start}", draw(st.none() | offsets)) for start in heads
        ),
        pages=tuple(PageStart(start, number) for number, start in enumerate(starts, 1)),
        lines_match_file=draw(st.booleans()),
        section_ends=tuple(ends),
    )


@given(documents(), st.integers(1, 60), st.integers(0, 60))
def test_no_character_is_lost_and_no_passage_too_long(
    document: Document, target: int, more: int
) -> None:
    """Something a person indexed could not be found, or a citation would open other words."""
    passages = split(document, target=target, longest=target + more)
    assert "".join(passage.text for passage in passages) == document.text
    end = 0
    for passage in passages:
        place = passage.location
        assert place.start == end
        end = place.end
        assert passage.text == document.text[place.start : place.end]
        assert 0 < len(passage.text) <= target + more
        line = document.text.count("\n", 0, place.start) + 1
        assert place.line == (line if document.lines_match_file else None)


def test_the_smallest_passages_end_too() -> None:
    """Cutting would take off nothing, again and again, and fill the memory."""
    document = Document("ab\n。\u3000c d " * 9, "text/plain")
    for target in (1, 2, 3):
        passages = split(document, target=target, longest=target)
        assert "".join(passage.text for passage in passages) == document.text


@given(documents(), st.integers(1, 60))
def test_no_passage_holds_words_of_two_pages(document: Document, target: int) -> None:
    """A citation would name a page on which its words are not."""
    for passage in split(document, target=target, longest=target + 10):
        place = passage.location
        for page in document.pages:
            if place.start < page.start < place.end:
                before = document.text[place.start : page.start]
                after = document.text[page.start : place.end]
                assert not before.strip() or not after.strip()
        first = place.start + len(passage.text) - len(passage.text.lstrip())
        if passage.text.strip():
            numbers = [page.number for page in document.pages if page.start <= first]
            assert place.page == (numbers[-1] if numbers else None)


def cut(text: str, **sizes: int) -> list[Passage]:
    """Cut a Markdown text."""
    return split(read("a.md", text.encode()), **sizes)


def test_sections_are_passages_with_the_path_of_their_headings() -> None:
    """A passage would run on into the next subject, or not say what it is about."""
    body = "A sentence about this. " * 12 + "\n\n"
    text = f"# Top\n\n## One\n\n{body}## Two\n\n{body}### Deep\n\n{body}# Other\n\n{body}"
    passages = cut(text)
    assert [passage.location.heading for passage in passages] == [
        "Top › One",
        "Top › Two",
        "Top › Two › Deep",
        "Other",
    ]
    assert passages[0].text.startswith("# Top\n\n## One\n")
    assert [passage.location.line for passage in passages] == [1, 7, 11, 15]


def test_small_sections_go_together_under_a_heading_that_names_both() -> None:
    """The words of a section would be found, and shown, under the name of another one."""
    long = "# A\n\n" + "Some words. " * 20 + "\n\n"
    text = "## a\n\nOne.\n\n## b\n\nTwo.\n\n# B\n\n## c\n\nThree.\n\n## d\n\nFour.\n"
    passages = cut(long + text)
    assert [(passage.location.heading, passage.text) for passage in passages] == [
        ("A", long),
        ("A › a", "## a\n\nOne.\n\n"),
        ("A › b", "## b\n\nTwo.\n\n"),
        ("B", "# B\n\n## c\n\nThree.\n\n## d\n\nFour.\n"),
    ]


def test_front_matter_is_not_the_heading_that_names_two_sections() -> None:
    """A small note with front matter would be cut into scraps that nothing finds together."""
    (passage,) = cut("---\nowner: People\n---\n# Leave\n\nPaid.\n\n## Applying\n\nAsk.\n")
    assert passage.location.heading == "Leave"
    at = passage.text.index("Ask")
    assert passage.place(at, at + 3).heading == "Leave › Applying"
    assert passage.place(0, 10).heading is None


@given(documents(), st.integers(1, 400), st.data())
def test_a_place_is_of_the_last_section_that_begins_before_it(
    document: Document, target: int, data: st.DataObject
) -> None:
    """A citation would name a section in which its words are not."""
    headings = tuple(replace(one, end=None) for one in document.headings)
    document = replace(document, headings=headings)
    passages = split(document, target=target, longest=target)
    if not passages:
        return
    passage = data.draw(st.sampled_from(passages))
    begin = data.draw(st.integers(0, len(passage.text) - 1))
    start = passage.location.start + begin
    heads = [one for one in document.headings if one.start <= start]
    ends = [end for end in document.section_ends if end <= start]
    named = passage.place(begin, begin + 1).heading
    if passage.text[: begin + 1].isspace():
        return  # blank lines before a heading are under none yet
    if not heads or (ends and ends[-1] > heads[-1].start):
        assert named is None
    else:
        assert named is not None
        assert named.split(" › ")[-1] == heads[-1].title


def test_a_passage_of_several_sections_tells_which_begins_where() -> None:
    """What stands in the second would be cited as if it stood in the first."""
    text = "# B\n\nOn b.\n\n## c\n\nThree.\n\n## d\n\nFour.\n"
    (passage,) = cut(text)
    assert passage.location.heading == "B"
    places = [text.index(word) for word in ("On b", "## c", "Three", "## d", "Four")]
    headings = [passage.place(at, at + 3).heading for at in places]
    assert headings == ["B", "B › c", "B › c", "B › d", "B › d"]
    assert cut("## d\n\nFour.\n")[0].sections == ()


@given(st.lists(st.sampled_from(["# h\n", "## h\n\n", "words. " * 30 + "\n\n", "w\n"])))
def test_a_heading_is_never_a_passage_of_its_own(blocks: list[str]) -> None:
    """The passage under it would lack its best words, and the heading be a hit without content."""
    text = "words. " * 10 + "\n\n" + "".join(blocks)
    for passage in cut(text):
        assert any(not line.startswith("#") for line in passage.text.split("\n") if line)


def test_front_matter_stands_under_the_heading_that_follows_it() -> None:
    """The first passage of most files would have no heading."""
    (passage,) = cut("---\nowner: us\n---\n# Title\n\nText.\n")
    assert passage.location.heading == "Title"


def test_cuts_fall_between_paragraphs_then_sentences_then_words() -> None:
    """Quotes would begin and end in the middle of a thought."""
    paragraph = "One two three. Four five six."
    text = "\n\n".join([paragraph] * 3)
    assert [p.text for p in cut(text, target=40, longest=50)] == [
        paragraph + "\n\n",
        paragraph + "\n\n",
        paragraph,
    ]
    assert [p.text for p in cut(paragraph, target=16, longest=20)] == [
        "One two three. ",
        "Four five six.",
    ]
    assert [p.text for p in cut("one two three four", target=10, longest=12)] == [
        "one two ",
        "three four",
    ]
    assert [p.text for p in cut("漢字の文。" * 4, target=12, longest=12)] == [
        "漢字の文。漢字の文。"
    ] * 2
    assert [len(p.text) for p in cut("x" * 25, target=10, longest=12)] == [10, 10, 5]


def test_wrapped_prose_is_cut_at_the_ends_of_sentences() -> None:
    """The text of a PDF has no blank lines: each passage would end within a sentence."""
    prose = "The first sentence goes on\nto a second line. The next\none ends with its line.\n"
    for passage in split(Document(prose * 40, "application/pdf"))[:-1]:
        assert passage.text.endswith("line.\n")


def test_code_blocks_stay_whole_when_they_fit() -> None:
    """Half a program answers nothing."""
    code = "```py\n" + "a = 1\n\n\nb = 2\n\n" * 30 + "```\n"
    before = "Some words. " * 60 + "\n\n"
    passages = cut(f"{before}{code}\nAfter it.\n")
    assert any(code in passage.text for passage in passages)


def test_rows_and_items_are_never_torn() -> None:
    """A row would be found without its first cell."""
    table = "| name | value |\n|---|---|\n" + "| a longer name. Yes | 12 |\n" * 200
    for passage in cut(table):
        assert passage.text.startswith("|")
        assert passage.text.endswith("|\n")


@pytest.mark.parametrize("sizes", [(0, 10), (11, 10), (-1, -1)])
def test_impossible_sizes_are_refused(sizes: tuple[int, int]) -> None:
    """The loop would never end."""
    with pytest.raises(ValueError, match="target"):
        split(Document("text", "text/plain"), target=sizes[0], longest=sizes[1])


def test_a_line_of_millions_of_characters_is_cut_to_its_end() -> None:
    """A minified file would hold up a whole run: work that grows with the rest takes days here."""
    text = "A sentence. " * 250_000
    passages = split(Document(text, "text/plain"))
    assert "".join(passage.text for passage in passages) == text
    assert all(passage.text.startswith("A sentence.") for passage in passages)


@pytest.mark.soak
@pytest.mark.parametrize(
    "shape",
    ["x", " ", "\n", "word ", "A sentence. ", "- item\n", "# h\n\n", "```\n", "。", ". \n", "\t\n"],
)
def test_a_megabyte_of_any_shape_is_cut_in_linear_time(shape: str) -> None:
    """One odd file would hold up a whole run."""
    text = "x" + shape * (1_000_000 // len(shape))
    document = read("a.md", text.encode())
    start = process_time()
    split(document)
    assert process_time() - start < 5


def test_a_megabyte_of_markdown_is_loaded_and_cut_in_a_tenth_of_a_second() -> None:
    """Indexing would be slower than reading the disk. The bound is three times the promise."""
    section = (
        "## A heading of a section\n\n" + ("Some words of a sentence, as usual. " * 9 + "\n\n") * 3
    )
    data = (section * (1_000_000 // len(section))).encode()
    best = 9.0
    for _ in range(3):
        start = process_time()
        split(read("a.md", data))
        best = min(best, process_time() - start)
    assert best < 0.3
