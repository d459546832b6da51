"""The marks of citations in an answer, and that no character of what was written is lost."""

import re
from pathlib import Path

import pytest
from textual.geometry import Offset

from rag_assistant.assistant import Assistant
from rag_assistant.tui.chat.conversation_view import ConversationView
from rag_assistant.tui.chat.run_state import Phase, RunState
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem, QuoteState
from rag_assistant.values.messages import Usage
from tests.tui.screen import Opened, opened

QUOTE = "Technicians may carry over eight days of leave into the next leave year."
TEXT = "Found [1]. Close [2]. Made up [3]. Unknown [4?]."

SOURCES = [
    "a<br>b and <div>x</div>",
    "<div>x</div>",
    "<div>\n\nx\n\n</div>",
    '<?xml version="1.0"?>\n<a href="b">c &amp; d</a>',
    "<!-- a remark --> and <![CDATA[ data ]]>",
    "Vec<u8> & <b>bold</b>, `Map<K, V>` and a < b > c",
    "```xml\n<a>\n\t<b>c</b>\n</a>\n```",
    "~~~\n| no | table |\n~~~",
    "    indented <i>code</i>\n    again",
    "| a | <i>b</i> |\n|---|--:|\n| `c|d` | e<br>f |\n| [/b] | [50%] |",
    "- one\n  - two <u>x</u>\n    - three\n      1. four\n      2. five\n\n        six",
    "1. one\n\n   > quoted <p>\n   > - listed\n\n2. two",
    "# Title <h1>\n\nText\n----\n",
    "[1]: http://evil.example\n\n[1] and [text][1]",
    "![shown](http://evil.example) <http://evil.example> https://evil.example",
    '[words](http://evil.example "title") and [a](b)',
    "a\\*b \\<c\\> &lt;d&gt; &copy; &#65;",
    "*[/bold]* **[@click=app.quit]x[/]** ~~[$x]~~ [ B ]",
    "| a | b |\n|---|---|\n| one \\| two | three |\n| four |",
    "- [ ] open\n- [x] done",
    "x[^1]\n\n[^1]: a footnote",
    "line one  \nline two\nline three",
]


def _seen(markdown: str, width: int = 200) -> str:
    return Laid(tuple(markdown_blocks(markdown, {}))).content(width).plain


@pytest.mark.parametrize("markdown", SOURCES)
def test_no_character_of_the_source_text_is_missing(markdown: str) -> None:
    """If it fails, HTML, XML, a table, a list or code in an answer is not shown as written."""
    seen = _seen(markdown)
    # What Markdown itself means by these is shown as layout: rules, bullets, emphasis, entities.
    for mark, shown in (("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&copy;", "©")):
        markdown = markdown if "```" in markdown else markdown.replace(mark, shown)
    written = re.sub(r"^\s*(```\w*|~~~|[|:\s-]+\|?|----)$", "", markdown, flags=re.MULTILINE)
    left = iter("".join(seen.split()))
    missing = [
        character
        for character in re.sub(r"[\s#*~`|\\_>!-]", "", written.replace("&#65;", "A"))
        if character not in "[]()" and character not in _until(left, character)
    ]
    assert not missing, (missing, seen)
    for tag in re.findall(r"</?\w[^<>\\]*>", written):
        assert tag in seen


def _until(letters: object, wanted: str) -> str:
    """Take letters up to one that is wanted; give it, or nothing."""
    return next((letter for letter in letters if letter == wanted), "")  # type: ignore[attr-defined]


def _item(assistant: Assistant, quote: str, *, verified: bool) -> EvidenceItem:
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == "leave.md")
    start = database.text(entry.id).index("Technicians may") if verified else 0
    words = database.text(entry.id, start, start + 40) if verified else quote
    return EvidenceItem(
        "staff", entry.id, entry.title, entry.path, words, Location(start, start + 40), verified
    )


def _answered(assistant: Assistant) -> RunState:
    altered = QUOTE.replace("into", "to")
    items = [
        _item(assistant, "", verified=True),
        _item(assistant, altered, verified=False),
        _item(assistant, "Parrots are sold by weight on Mondays.", verified=False),
    ]
    citations = tuple(Citation(number, item) for number, item in enumerate(items, 1))
    answer = Answer("Why?", TEXT, citations, (), Coverage(), "m", Usage(), 5)
    state = RunState("Why?", ("staff",), Phase.ANSWERED, text=TEXT, answer=answer)
    state.citations = list(citations)
    return state


def _place(shown: Opened, words: str) -> Offset:
    lines = shown.text().splitlines()
    row = next(y for y, line in enumerate(lines) if words in line)
    return Offset(lines[row].index(words) + 1, row)


async def test_each_mark_says_how_its_quote_stands(assistant: Assistant, folder: Path) -> None:
    """If it fails, a quote that was altered, made up or has changed looks like one that is true."""
    async with opened(assistant) as shown:
        conversation = shown.main.query_one(ConversationView)
        conversation.resume([_answered(assistant)])
        await shown.until(
            lambda: "Found [1]. Close [2~]. Made up [3!]. Unknown [4?]." in shown.text(),
            "the marks",
        )
        assert "✓ 1 quote found · ~ 1 close match · ! 1 not found" in shown.text()
        (folder / "leave.md").write_text("# Annual leave\n\nAll is new.\n", encoding="utf-8")
        conversation.check_again()
        await shown.until(lambda: "Found [1!]." in shown.text(), "the mark of a changed file")


async def test_a_number_without_a_source_cannot_be_opened(assistant: Assistant) -> None:
    """If it fails, a number that the model made up opens some source."""
    async with opened(assistant) as shown:
        shown.main.query_one(ConversationView).resume([_answered(assistant)])
        await shown.until(lambda: "[2~]" in shown.text(), "the marks")
        await shown.pilot.click(offset=_place(shown, "[4?]"))
        await shown.settle()
        assert shown.main.columns.sources.shown is None
        await shown.pilot.click(offset=_place(shown, "[2~]"))
        await shown.settle()
        assert shown.panel.chosen == 2


def test_marks_differ_without_colours() -> None:
    """If it fails, NO_COLOR or 16 colours make all citations look sound."""
    marks = {
        1: QuoteState.FOUND,
        2: QuoteState.CLOSE,
        3: QuoteState.MISSING,
        5: QuoteState.STALE,
    }
    seen = Laid(tuple(markdown_blocks("[1][2][3][4?][5]", marks))).content(80).plain
    assert seen == "[1][2~][3!][4?][5!]"


async def test_addresses_in_an_answer_lead_nowhere(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, an answer can take `[1]` over, or open a page by itself or by a click."""
    text = "[1]: http://evil.example\n\nSee [1] and ![](http://evil.example) and [x](http://e.x)."
    state = _answered(assistant)
    state.text = text
    opened_urls: list[str] = []
    async with opened(assistant) as shown:
        monkeypatch.setattr(shown.app, "open_url", lambda url, **_: opened_urls.append(url))
        shown.main.query_one(ConversationView).resume([state])
        await shown.until(lambda: "See [1]" in shown.text(), "the answer")
        for words in ("http://evil.example", "http://e.x"):
            await shown.pilot.click(offset=_place(shown, words))
        await shown.pilot.click(offset=_place(shown, "See [1]") + Offset(4, 0))
        await shown.settle()
        assert shown.panel.chosen == 1
        assert shown.passage.highlighted().startswith("Technicians may")
        assert not opened_urls
