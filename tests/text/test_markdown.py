"""The blocks of Markdown are those that CommonMark finds, and their places are exact."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt
from markdown_it.token import Token

from rag_assistant.text.blocks import DEEPEST, MOST_LINES, MOST_QUOTES, Block, BlockKind
from rag_assistant.text.markdown import blocks, front_matter_end
from tests.examples import examples
from tests.text.markdown_texts import MARKDOWN

NAMES = {
    "heading_open": BlockKind.HEADING,
    "paragraph_open": BlockKind.PARAGRAPH,
    "fence": BlockKind.FENCE,
    "code_block": BlockKind.INDENTED_CODE,
    "html_block": BlockKind.HTML,
    "hr": BlockKind.RULE,
    "definition": BlockKind.DEFINITION,
    "table_open": BlockKind.TABLE,
    "tr_open": BlockKind.ROW,
    "blockquote_open": BlockKind.QUOTE,
    "bullet_list_open": BlockKind.LIST,
    "ordered_list_open": BlockKind.LIST,
    "list_item_open": BlockKind.ITEM,
}
CONTAINERS = {BlockKind.QUOTE, BlockKind.LIST, BlockKind.ITEM}


def judged(text: str, *, answer: bool = False) -> list[Token]:
    """Read a text by markdown-it-py as it comes, all its rules tried on every line."""
    options = {"html": not answer, "inline_definitions": True, "maxNesting": 200}
    parser = MarkdownIt("commonmark", options).enable("table").disable("inline")
    return (parser.disable("reference") if answer else parser).parse(text)


def lines_of(text: str) -> list[int]:
    """Give where the lines of a text start, and its end."""
    ends = [found.end() for found in re.finditer(r"\r\n?|\n", text)]
    return [0, *(end for end in ends if end < len(text)), len(text)]


@settings(max_examples=examples(300))
@given(MARKDOWN, st.booleans())
def test_blocks_are_those_of_commonmark(text: str, answer: bool) -> None:
    """A heading or code would be found where no reader of Markdown sees one, or be missed."""
    body = 0 if answer else front_matter_end(text)
    found = [b for b in blocks(text, answer=answer) if b.kind is not BlockKind.FRONT_MATTER]
    tokens = [token for token in judged(text[body:], answer=answer) if token.type in NAMES]
    assert [block.kind for block in found] == [NAMES[token.type] for token in tokens]
    starts = [body + start for start in lines_of(text[body:])]
    for block, token in zip(found, tokens, strict=True):
        assert token.map
        assert block.start == starts[token.map[0]]
        if block.kind in CONTAINERS:
            # The parser counts the blank lines after a container as its own.
            assert block.end <= starts[min(token.map[1], len(starts) - 1)]
        else:
            assert block.end == starts[min(token.map[1], len(starts) - 1)]
        if block.kind is BlockKind.HEADING:
            assert block.level == int(token.tag[1])


@settings(max_examples=examples(300))
@given(MARKDOWN, st.booleans())
def test_words_stand_where_places_say(text: str, answer: bool) -> None:
    """A citation would point beside the words, or code be cut in the middle."""
    body = 0 if answer else front_matter_end(text)
    tokens = judged(text[body:], answer=answer)
    contents = [
        token.content
        for before, token in zip([Token("", "", 0), *tokens], tokens, strict=False)
        if token.type in ("fence", "code_block", "html_block")
        or (token.type == "inline" and before.type in ("heading_open", "paragraph_open"))
    ]
    kinds = {
        BlockKind.HEADING,
        BlockKind.PARAGRAPH,
        BlockKind.FENCE,
        BlockKind.INDENTED_CODE,
        BlockKind.HTML,
    }
    found = [[text[s:e] for s, e in b.words] for b in blocks(text, kinds, answer=answer)]
    assert [_squeezed("\n".join(lines)) for lines in found] == [_squeezed(c) for c in contents]


def _squeezed(content: str) -> str:
    """Take off what differs: the indentation, tabs of which are read as blanks."""
    lines = [line.strip() for line in content.replace("\0", "\ufffd").split("\n")]
    return "\n".join(lines).strip()


@settings(max_examples=examples(300))
@given(MARKDOWN)
def test_no_character_lies_beside_all_blocks(text: str) -> None:
    """Words of a document would belong to nothing, or to two blocks that do not enclose another."""
    read = blocks(text)
    end = 0
    for block in [block for block in read if block.depth == 0]:
        assert not text[end : block.start].strip(" \t\r\n")
        assert end <= block.start < block.end <= len(text)
        end = block.end
    assert not text[end:].strip(" \t\r\n")
    around: list[Block] = []
    for block in read:
        around = [other for other in around[: block.depth] if other.end > block.start]
        assert len(around) == block.depth
        assert all(other.start <= block.start and block.end <= other.end for other in around)
        assert all(block.start <= start <= stop <= block.end for start, stop in block.words)
        around.append(block)


@settings(max_examples=examples(100))
@given(MARKDOWN, st.sets(st.sampled_from(list(BlockKind))))
def test_a_choice_of_kinds_changes_no_block(text: str, kinds: set[BlockKind]) -> None:
    """Who asks for headings alone would get others than who asks for all."""
    assert blocks(text, kinds) == [block for block in blocks(text) if block.kind in kinds]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("    ```\n# A\n", []),  # four columns are no fence, but code by indentation
        ("   ```\na\n  ```\n# B\n", ["a"]),
        ("```\na\n``\n~~~\n```` \n# B\n", ["a\n``\n~~~"]),
        ("```\na\n``` b\nc\n", ["a\n``` b\nc"]),  # a closing fence has no words
        ("``` a`b\n# B\n", []),  # back quotes behind it make a code span of it
        ("~~~ a`b~\nc\n~~~", ["c"]),
        ("> ```\n> a\nb\n", ["a"]),  # a fence ends with what it stands in
        ("- ```\n  a\n\n  b\nc\n", ["a\n\nb"]),
        ("- a\n    ```\n    b\n    ```\n", ["b"]),
        ("\t```\n", []),
        ("~~~~\na\n~~~\n", ["a\n~~~"]),
    ],
)
def test_a_fence_is_what_commonmark_says(text: str, code: list[str]) -> None:
    """Headings behind it would be lost, or lines of a program be taken for headings."""
    found = [block for block in blocks(text) if block.kind is BlockKind.FENCE]
    assert ["\n".join(text[s:e] for s, e in block.words) for block in found] == code


def test_places_are_those_of_the_source_whatever_its_line_ends_are() -> None:
    """In a file of Windows every citation would point a line's length further off than the last."""
    text = (
        "---\r\ntitle: x\r\n---\r\n# A\x0c \r\rT\u2028U\n===\r\n|a\\|b|c|\r\n|-|-|\r\n|\td | e|f|"
    )
    shown = [(b.kind, text[b.start : b.end], [text[s:e] for s, e in b.words]) for b in blocks(text)]
    assert shown == [
        (BlockKind.FRONT_MATTER, "---\r\ntitle: x\r\n---\r\n", ["title: x"]),
        (BlockKind.HEADING, "# A\x0c \r", ["A"]),
        (BlockKind.HEADING, "T\u2028U\n===\r\n", ["T\u2028U"]),
        (BlockKind.TABLE, "|a\\|b|c|\r\n|-|-|\r\n|\td | e|f|", []),
        (BlockKind.ROW, "|a\\|b|c|\r\n", ["a\\|b", "c"]),
        (BlockKind.ROW, "|\td | e|f|", ["d", "e", "f"]),
    ]


@pytest.mark.parametrize("sign", ["> ", ">", "+ ", "1. ", "> - "])
def test_what_nests_too_deep_is_words_and_hides_nothing(sign: str) -> None:
    """A line of art in a file would end the parser, or lose all headings below it."""
    text = f"# A\n\n{sign * 5_000}x\n\n# B\n"
    found = blocks(text)
    assert [text[b.start : b.end] for b in found if b.kind is BlockKind.HEADING] == [
        "# A\n",
        "# B\n",
    ]
    assert max(block.depth for block in found) <= DEEPEST + 2
    assert sum(block.kind is BlockKind.QUOTE for block in found) <= MOST_QUOTES
    (words,) = (block for block in found if block.kind is BlockKind.PARAGRAPH)
    assert text[words.words[0][0] : words.words[0][1]].endswith(f"{sign}x")


def test_front_matter_stands_at_the_very_top_and_is_closed() -> None:
    """A page that begins with a rule would lose what stands before the next one."""
    for text in ("\n---\na: b\n---\n", "---\na: b\n", " ---\na: b\n---\n", "--- a\nb: c\n---\n"):
        assert front_matter_end(text) == 0
    assert blocks("---\n---\n") == [Block(BlockKind.FRONT_MATTER, 0, 8)]
    assert blocks("---\na: b\n---\n", answer=True)[0].kind is BlockKind.RULE


def test_a_text_of_countless_lines_is_read_as_far_as_memory_goes() -> None:
    """A file of twenty million line ends would not be indexed at all."""
    text = "# A\n" + "\r\n" * MOST_LINES + "# B\n"
    head, rest = blocks(text)
    assert (head.kind, rest.kind) == (BlockKind.HEADING, BlockKind.PARAGRAPH)
    assert text[rest.start : rest.end].strip() == "# B"
