"""The mark behind sentences that rest on nothing: seen everywhere, and in nobody's way."""

from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.answer_copy import answer_text
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.evidence import Answer
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence, Support
from tests.tui.screen import NARROW, opened

TEXT = "Leave is long. **Boots are free.** Done."


def sentences_at(text: str, *words: str) -> tuple[Sentence, ...]:
    places = [(text.index(said), text.index(said) + len(said)) for said in words]
    return tuple(Sentence(start, end, Support.UNCONFIRMED) for start, end in places)


def seen(text: str, *words: str) -> str:
    blocks = markdown_blocks(text, {}, sentences_at(text, *words))
    return Laid(tuple(blocks)).content(60).plain


@pytest.mark.parametrize(
    ("text", "words", "shown"),
    [
        (TEXT, "**Boots are free.**", "Leave is long. Boots are free.[?] Done."),
        ("**Boots are free.**", "**Boots are free.**", "Boots are free.[?]"),
        ("- one\n- two\n- three", "two", "• one\n• two[?]\n• three"),
        ("> a b\n> c d", "a b\n> c d", "▎ a b c d[?]"),
        ("Use `a. b` now.", "Use `a.", "Use a.[?] b now."),
        ("See [x](http://e.x).", "See [x](http://e.x).", "See x (http://e.x).[?]"),
    ],
)
def test_the_mark_stands_behind_the_sentence(text: str, words: str, shown: str) -> None:
    """If it fails, a claim without proof looks like the others, or its layout is broken."""
    assert seen(text, words) == shown


def test_the_mark_stays_within_a_row_and_below_code() -> None:
    """If it fails, a table gets another column, or code has a mark that is not its own."""
    table = "| a | b |\n|---|---|\n| one | two |\n| three | four |"
    rows = [line.split() for line in seen(table, "| one | two |").splitlines()]
    assert rows[2:] == [["one", "two[?]"], ["three", "four"]]
    code = "```\nrun it\nnow\n```\n\nEnd."
    assert seen(code, "run it\nnow").split("\n")[:3] == ["▎ run it", "▎ now", "[?]"]


def test_a_text_that_has_the_signs_loses_none_of_them() -> None:
    """If it fails, what a document has is taken for our mark, or is not shown."""
    text = "A⸮ b⸀⸁ c."
    assert seen(text, text) == f"{text}[?]"


def _state() -> RunState:
    sentences = sentences_at(TEXT, "**Boots are free.**")
    answer = Answer(
        "Why?", TEXT, (), (), Coverage(), "m", Usage(), 5,
        sentences=sentences, objections=("The answer cites [7].",),
    )  # fmt: skip
    return RunState("Why?", ("staff",), Phase.ANSWERED, text=TEXT, answer=answer)


@pytest.mark.parametrize("colours", [True, False])
async def test_the_mark_and_what_is_wrong_are_on_the_screen(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch, colours: bool
) -> None:
    """If it fails, a person trusts a sentence that nothing bears out, or copies the mark along."""
    if not colours:
        monkeypatch.setenv("NO_COLOR", "1")
    async with opened(assistant, NARROW) as shown:
        state = _state()
        shown.main.query_one(ConversationView).resume([state])
        await shown.until(lambda: "Boots are free.[?] Done." in shown.text(), "the mark")
        assert "[?] 1 not confirmed word for word" in shown.words()
        assert "! The answer cites [7]." in shown.words()
        assert answer_text(state) == TEXT


async def test_help_says_what_the_marks_mean(assistant: Assistant, folder: Path) -> None:
    """If it fails, a person sees marks that nothing explains."""
    async with opened(assistant) as shown:
        await shown.pilot.press("f1")
        await shown.pilot.press("end")
        await shown.until(lambda: "[?]  " in shown.text(), "the marks")
        assert "not confirmed word for word" in shown.text()
