"""Text from documents, models and errors is shown as it is, and can do nothing."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest
from rich.control import Control
from rich.segment import Segment
from textual.color import Color

import rag_assistant.tui
from rag_assistant.assistant import Assistant
from rag_assistant.library.library import Library
from rag_assistant.text.safe_text import REPLACEMENT
from rag_assistant.tui.drawing.layout import Laid
from rag_assistant.tui.drawing.markdown_blocks import markdown_blocks
from rag_assistant.tui.terminal.egress_filter import EgressFilter
from rag_assistant.values.evidence import QuoteState
from tests.tui.screen import opened

PAYLOAD = "[/bold] [@click=app.quit]x[/] [$x] [ B ] [50%] [/"
ESCAPE = "\x1b]0;x\x07"
MARKS = {1: QuoteState.FOUND, 2: QuoteState.MISSING}
PACKAGE = Path(rag_assistant.tui.__file__).parent


def _shown(markdown: str, width: int = 60) -> str:
    return Laid(tuple(markdown_blocks(markdown, MARKS))).content(width).plain


async def test_markup_in_documents_is_text(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a document or its name can crash the interface, act on a click or vanish."""
    folder = tmp_path / "evil"
    folder.mkdir()
    words = f"The zebra crossing is {PAYLOAD} and {ESCAPE}painted white."
    name = "[bold]zebra [@click=app.quit] [$x].md"
    (folder / name).write_text(f"# Zebra {PAYLOAD}\n\n{words}\n", encoding="utf-8")
    empty.library.index(folder)
    async with opened(empty, (200, 50)) as shown:
        exchange = await shown.ask("What is the zebra crossing painted?")
        assert exchange.state.citations
        await shown.pilot.press("ctrl+g")
        await shown.settle()
        exchange.expanded = True
        await shown.pilot.pause()
        text = shown.text()
        assert name in text
        assert "[@click=app.quit]x[/] [$x] [ B ] [50%]" in text
        assert "\x1b" not in text
        assert "\x07" not in text
        for row, line in enumerate(text.splitlines()):
            column = line.find("@click")
            if column >= 0:
                await shown.pilot.click(offset=(column + 2, row))
        await shown.pilot.pause()
        assert shown.app.is_running
        assert shown.app.return_code is None


async def test_markup_in_questions_errors_and_paths_is_text(assistant: Assistant) -> None:
    """If it fails, what a person pastes, or an error that repeats it, can act."""
    unknown = Assistant(assistant.library, type(assistant.config)(model=PAYLOAD), {})
    async with opened(unknown, (200, 50)) as shown:
        await shown.ask(f"{PAYLOAD}{ESCAPE}")
        shown.main.indexing.index(f"/nowhere/{PAYLOAD}{ESCAPE}")
        await shown.until(lambda: "There is no folder" in shown.text(), "the error")
        assert shown.text().count("[@click=app.quit]x[/] [$x]") >= 3
        assert "\x1b" not in shown.text()
        assert REPLACEMENT in shown.text()


async def test_what_is_pasted_into_the_box_cannot_reach_the_terminal(
    assistant: Assistant,
) -> None:
    """If it fails, a pasted escape sequence steers the terminal, by a widget that is not ours."""
    async with opened(assistant) as shown:
        shown.box.insert(f"before{ESCAPE}after")
        await shown.pilot.pause()
        assert "before" in shown.text()
        assert "\x1b" not in shown.text()
        assert "\x07" not in shown.text()


def test_the_guard_takes_control_characters_out() -> None:
    """If it fails, a widget that was handed raw text can set titles or wipe the screen."""
    control = Control.home().segment
    line = [Segment("a\x1b[2Jb\x9b1m\u202ec\n"), Segment("plain"), control]
    filtered = EgressFilter().apply(line, Color(0, 0, 0))
    assert [segment.text for segment in filtered] == ["a[2Jb1mc", "plain", control.text]


@pytest.mark.parametrize(
    "markdown",
    [
        "line<br>two",
        "<div>x</div>",
        "Vec<u8> & <b>bold</b>",
        "[1]: http://evil.example",
        "![shown](http://evil.example)",
        "[words](http://evil.example)",
        "<http://evil.example>",
        "| a | <i> |\n|---|---|\n| [/b] | [50%] |",
        "> " * 30 + "deep",
        "~~~html\n<p>\tcode</p>\n~~~",
        "1. one\n   - two\n\n     three [@click=app.quit]",
    ],
)
def test_no_word_of_an_answer_is_lost(markdown: str) -> None:
    """If it fails, a part of what the model wrote is not shown."""
    shown = _shown(markdown)
    signs = set("|-~ >\n\t![]()<:")
    for word in "".join(c if c not in signs else " " for c in markdown).split():
        if word not in ("1.", "html"):
            assert word in shown
    for tag in ("<br>", "<div>", "<u8>", "<b>", "<i>", "<p>", "<http://evil.example>"):
        assert (tag in markdown) == (tag in shown)


def test_only_known_citations_can_be_clicked() -> None:
    """If it fails, a number without a source, or one in code, looks like a citation."""
    text = "Yes [1], no [2], what [3] or [4?], `[1]`, a[1] and [1](http://x)."
    content = Laid(tuple(markdown_blocks(text, MARKS))).content(200)
    marked = [
        content.plain[span.start : span.end]
        for span in content.spans
        if not isinstance(span.style, str) and "citation" in span.style.meta
    ]
    assert marked == ["[1]", "[2!]"]


def test_every_line_fits_its_width() -> None:
    """If it fails, long words, tables or deep lists run out of their column."""
    text = f"- a\n  - b\n    - {'x' * 90}\n\n| {'y ' * 40} | z |\n|---|---|\n| {'w' * 50} | v |\n"
    for width in (10, 20, 41, 120):
        lines = Laid(tuple(markdown_blocks(text, {}))).content(width).split()
        assert max(line.cell_length for line in lines) <= width


def test_only_the_safe_module_makes_text() -> None:
    """If it fails, some part of the interface shows strings by a way that parses markup."""
    banned = {"Static", "Label", "Markdown", "Content", "Button", "Collapsible", "DataTable"}
    banned |= {"notify", "from_markup", "RichLog", "OptionList", "Tree", "Text.from_markup"}
    for path in PACKAGE.rglob("*.py"):
        if path.name == "safe_widgets.py":
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call):
                name = getattr(node.func, "attr", getattr(node.func, "id", ""))
                assert name not in banned, f"{path.name}:{node.lineno} calls {name}"
            if isinstance(node, ast.Attribute):
                titles = {"border_title", "border_subtitle", "tooltip"}
                assert node.attr not in titles, f"{path.name}:{node.lineno} sets {node.attr}"


def test_importing_the_package_loads_no_textual() -> None:
    """If it fails, every command pays for the interface at its start."""
    code = "import sys, rag_assistant.tui; sys.exit('textual' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_a_home_that_cannot_be_read_shows_which_database(tmp_path: Path) -> None:
    """If it fails, one damaged file hides every database."""
    from rag_assistant.tui.main.database_rows import read_rows

    home = tmp_path / "home"
    home.mkdir()
    (home / "bad.db").write_bytes(b"this is no database at all" * 100)
    (row,) = read_rows(Library(home))
    assert row.name == "bad"
    assert row.problem
