"""What is prose in a text that streams must be what is prose in the text when it is whole."""

import re
from itertools import pairwise

from hypothesis import given, settings
from hypothesis import strategies as st

from rag_assistant.text.blocks import CODE, Block, BlockKind
from rag_assistant.text.inline_marks import Mark, marks_of
from rag_assistant.text.markdown import blocks
from rag_assistant.text.streaming import Prose
from tests.examples import examples
from tests.text.markdown_texts import MARKDOWN

ITEM = re.compile(r"[ \t]*(?:[-+*]|\d{1,9}[.)])(?:[ \t]|\Z)")


def is_read_alike(text: str) -> bool:
    """Whether the parser keeps to the specification: no indented code interrupts a paragraph.

    It lets an indented line do so after a paragraph of an item.
    """
    read = blocks(text, answer=True)
    return not any(
        above.kind is BlockKind.PARAGRAPH
        and below.kind is BlockKind.INDENTED_CODE
        and above.end == below.start
        for above, below in pairwise(read)
    )


STREAMED = MARKDOWN.map(lambda text: text.replace("\r\n", "\n").replace("\r", "\n"))


def prose_in(pieces: list[str]) -> str:
    """Stream the pieces; give the text with all that is not prose as dots, but for line ends."""
    prose = Prose()
    held, told = "", ""
    for number, piece in enumerate([*pieces, ""]):
        held, at = held + piece, 0
        while at < len(held):
            is_prose = prose.is_prose()
            end = prose.read(held, at, final=number == len(pieces))
            if end is None:
                break
            token = held[at:end]
            told += token if is_prose or token == "\n" else "." * len(token)
            at = end
        held = held[at:]
    assert not held
    return told


def code_spans(text: str, block: Block) -> set[int]:
    """Give the places of what stands in the code spans of a block's words."""
    parts = [[span] for span in block.words] if block.kind is BlockKind.ROW else [block.words]
    places: set[int] = set()
    for part in parts:
        places_in = [at for start, end in part for at in (*range(start, end), -1)]
        words = "".join(text[at] if at >= 0 else "\n" for at in places_in)
        for mark in marks_of(words):
            if mark.mark is Mark.CODE:
                places |= set(places_in[mark.first : mark.last]) - {-1}
    return places


@settings(max_examples=examples(300))
@given(STREAMED.filter(is_read_alike))
def test_what_is_code_in_the_whole_text_is_never_prose_in_the_stream(text: str) -> None:
    """A command in code, which a model only shows, would act."""
    told = prose_in(list(text))
    above = None
    for block in blocks(text, answer=True):
        is_head = above is not None and above.kind is BlockKind.TABLE
        above = block
        if block.kind in CODE:
            code = {at for start, end in block.words for at in range(start, end)}
            if block.kind is BlockKind.INDENTED_CODE and block.depth:
                # An item that is indented too far is not meant as code.
                items = [span for span in block.words if ITEM.match(text, *span)]
                code -= {at for start, end in items for at in range(start, end)}
        elif block.kind is BlockKind.ROW and is_head:
            continue  # nobody knows of a table before the line below its head
        else:
            code = code_spans(text, block)
        assert all(told[at] == "." or text[at] in ".\n" for at in code), (told, block)


@settings(max_examples=examples(300))
@given(STREAMED.filter(is_read_alike))
def test_what_is_words_in_the_whole_text_is_prose_in_the_stream(text: str) -> None:
    """Commands of a model would be shown, behind something that only looks like code."""
    told = prose_in(list(text))
    read = blocks(text, answer=True)
    quotes = [block for block in read if block.kind is BlockKind.QUOTE]
    above = None
    for block in read:
        is_head = above is not None and above.kind is BlockKind.TABLE
        above = block
        if block.kind not in (BlockKind.PARAGRAPH, BlockKind.HEADING, BlockKind.ROW) or is_head:
            continue  # the head of a table may have been the next line of a paragraph
        if any(quote.start <= block.start < quote.end for quote in quotes):
            continue
        if "`" in text[block.start : block.end]:
            continue
        for start, end in block.words:
            assert told[start:end] == text[start:end], (told, block)


@settings(max_examples=examples(300))
@given(STREAMED, st.data())
def test_however_the_text_is_cut_the_same_is_prose(text: str, data: st.DataObject) -> None:
    """What acts would depend on how the network cut the stream."""
    cuts = data.draw(st.lists(st.integers(0, len(text)), max_size=8).map(sorted))
    pieces = [text[start:end] for start, end in pairwise([0, *cuts, len(text)])]
    assert prose_in(pieces) == prose_in([text]) == prose_in(list(text))
