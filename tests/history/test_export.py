"""Exported conversations: complete, numbered, and harmless in whatever opens them."""

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag_assistant.history.export import (
    conversation_json,
    conversation_markdown,
    escaped,
    safe_markdown,
)
from rag_assistant.history.store import ConversationStore
from rag_assistant.text.safe_text import clean, clean_line
from rag_assistant.values.events import Event
from tests.examples import examples
from tests.history.runs import answered, run, started
from tests.history.test_store import SAID, keep

ALIVE = {"html_block", "html_inline", "link_open", "image"}
PIECES = st.lists(
    st.sampled_from(
        ["<script>x</script>", "![a](http://e/x.png)", "[a](javascript:x)", "[1]: http://e", "[1]",
         "```", "~~~", "~~~ `", "```{=html}", "  ```", "> ", "- ", "\n", "\n\n", "    ", "`", "\\",
         "<!-- ", "-->", "<http://e>", "text", "| a | b |\n|---|---|\n", "# ", "\x1b]0;x\x07", "\t"]
    ),
    max_size=25,
).map("".join)  # fmt: skip


def kinds_in(markdown: str) -> set[str]:
    """What a reader of Markdown finds in a text."""
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(markdown)
    inline = [child.type for token in tokens for child in token.children or ()]
    return {token.type for token in tokens} | set(inline)


@settings(max_examples=examples(150))
@given(text=PIECES | st.text(max_size=60))
def test_nothing_in_an_answer_is_alive(text: str) -> None:
    """A document could make whoever opens the export load pictures or run scripts."""
    written = safe_markdown(text)
    assert not kinds_in(written) & ALIVE, written
    assert clean(written) == written
    # What comes after it is not swallowed by a block that it left open.
    assert "heading_open" in kinds_in(f"{written}\n\n## Next")


@settings(max_examples=examples(100))
@given(text=PIECES | st.text(max_size=60))
def test_a_quote_is_shown_as_the_words_that_it_is(text: str) -> None:
    """The words of a document would become headings, links or lists of the export."""
    line = escaped(text)
    assert "\n" not in line
    tokens = [token for token in MarkdownIt().parse(f"> {line}") if token.type == "inline"]
    pieces = [child for token in tokens for child in token.children or ()]
    assert {piece.type for piece in pieces} <= {"text", "text_special"}
    assert "".join(piece.content for piece in pieces) == clean_line(text)


def test_code_lists_and_tables_of_an_answer_stay_what_they_are() -> None:
    """An answer with code in it could not be read or used any more."""
    answer = (
        "Two ways:\n- **a**\n\n```python\nif a < b: x[1](2)\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |"
    )
    written = safe_markdown(answer)
    assert "if a < b: x[1](2)" in written
    assert {"fence", "bullet_list_open", "strong_open", "table_open"} <= kinds_in(written)


def test_code_stays_code_wherever_its_fence_stands() -> None:
    """Code of a list would be shown with entities, or what follows an indented fence as code."""
    answer = (
        "- a\n\n  ```py\n  x[1](2)\n     ```\n\nb\n\n    ```\n\n[b](c)\n\n1. ~~~\n   d < e\n   ~~~"
    )
    assert safe_markdown(answer) == (
        "- a\n\n\n```py\nx[1](2)\n```\n\n\nb\n\n    ```\n\n[b]&#40;c)\n\n1.\n~~~\nd < e\n~~~"
    )


@pytest.fixture
def events() -> list[Event]:
    return run("How *many* <b>days</b>?", "You get 27 days [1]. <img src=x>\x1b[2J")


def test_markdown_numbers_its_sources(store: ConversationStore, events: list[Event]) -> None:
    """A reader could not tell what a number in an answer stands for."""
    conversation = keep(store, events)
    keep(store, [started("And?"), answered("And?", "Half")], conversation)
    text = conversation_markdown(store.show(conversation), lambda place: f"line {place.line}")
    assert text.startswith("# How \\*many\\* \\<b\\>days\\</b\\>?\n")
    assert "## 1. How" in text
    assert "## 2. And?" in text
    assert "\\[1\\] Annual leave (handbook 7: leave/annual.md · line 3)" in text
    assert "> 27 days of annual leave a year" in text
    assert "\x1b" not in text
    assert not kinds_in(text) & ALIVE


def test_json_holds_everything_in_ascii(
    store: ConversationStore, events: list[Event], tmp_path: Path
) -> None:
    """A script could not work with what was kept."""
    whole = conversation_json(store.show(keep(store, events, messages=SAID)))
    written = json.dumps(whole)
    assert written.isascii()
    (exchange,) = json.loads(written)["exchanges"]
    assert exchange["answer"] == "You get 27 days [1]. <img src=x>\x1b[2J"
    assert exchange["citations"][0]["quote"] == "27 days of annual leave a year"
    assert exchange["citations"][0]["text_hash"] == "version-1"
    assert [message["role"] for message in exchange["messages"]] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert exchange["messages"][1]["tool_calls"][0]["name"] == "search"
    assert exchange["evidence"][0]["relevant"] == ["27 days of annual leave a year"]
    assert exchange["usage"]["requests"] == 2
