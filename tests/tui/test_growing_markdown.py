"""An answer looks the same while it is written as it does once it is: only less of it is parsed."""

import pytest

from rag_assistant.tui.drawing.growing_markdown import GrowingMarkdown
from rag_assistant.tui.drawing.layout import Laid, LayoutBlock
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.values.evidence import QuoteState

MARKS = {1: QuoteState.FOUND}

TEXT = """# Leave

Eight days may be carried over [1],
and *lapse* in the autumn.
\x1b[2J
- tight
- list
  of lines

  and a paragraph
    - deeper

1. one

2. two
   > quoted
lazily

| year | days |
|------|-----:|
| 2023 | 8    |

Heading
-------
```python
print("a")

# not a heading
```
    not code, after a fence?
<b>kept</b>\r
\r
***
the end"""


def laid(blocks: list[LayoutBlock]) -> list[tuple[str, list[object]]]:
    content = Laid(tuple(blocks)).content(40)
    return [(content.plain, list(content.spans))]


def test_text_that_grows_looks_at_each_length_as_the_whole_does() -> None:
    """A block would be taken for settled that still goes on, and shown as two, or as another."""
    growing = GrowingMarkdown()
    for end in range(len(TEXT) + 1):
        shown = growing.blocks(TEXT[:end], MARKS)
        assert laid(shown) == laid(markdown_blocks(TEXT[:end], MARKS)), TEXT[:end]


@pytest.mark.parametrize("other", ["Another answer [1].\n\nOf two blocks.", ""])
def test_another_text_begins_anew(other: str) -> None:
    """What a model wrote before it was asked again would stand above what it wrote then."""
    growing = GrowingMarkdown()
    growing.blocks(TEXT, MARKS)
    assert laid(growing.blocks(other, MARKS)) == laid(markdown_blocks(other, MARKS))


def test_a_citation_that_is_resolved_is_marked_in_what_is_settled() -> None:
    """It could not be clicked before the answer was complete."""
    growing = GrowingMarkdown()
    growing.blocks("It is so [1].\n\nAnd more", {})
    assert laid(growing.blocks("It is so [1].\n\nAnd more.", MARKS)) == laid(
        markdown_blocks("It is so [1].\n\nAnd more.", MARKS)
    )
