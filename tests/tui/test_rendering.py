"""How documents are rendered: what is seen, and where in the source each character of it stands."""

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from rag_assistant.assistant import Assistant
from rag_assistant.library.database import Database
from rag_assistant.tui.drawing.marked_text import HIT
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.rendering.code_styles import LONGEST_LINE, language_of, styles_of
from rag_assistant.tui.rendering.forms import Form, MarkdownForm, PlainForm
from rag_assistant.tui.rendering.shown_lines import ShownLine
from rag_assistant.tui.rendering.snippets import snippet_line
from rag_assistant.tui.rendering.text_form import TextForm
from rag_assistant.tui.sources import document_forms
from rag_assistant.tui.sources.line_drawing import CURRENT, HIGHLIGHT, Marks, line_content
from rag_assistant.tui.sources.reading import find_all, open_entry
from tests.conftest import write_files
from tests.tui.books import indexed_book, span_of, window_of
from tests.tui.hosting import hosted

PAGE = """---
title: Parental leave
owner: People Team
---
# Parental leave

Leave may begin **no earlier** than eleven
weeks before the [due date](dates.md). It is *paid*,
see `FORM-LV-07` &amp; others.

## Partners
- six weeks
  - nested **point**
1. one

> quoted words
> go on

| Weeks | Pay | Who |
|-------|----:|-----|
| 1 to 6 | 100% | partners \\| others |
| 19 to 26 | 60% | birth parents, all of them |

```python
def weeks(who: str) -> int:
    return 6  # at full pay
```

<div>raw</div>
"""


def _lines(form: Form, text: str, width: int = 60) -> list[ShownLine]:
    return [line for part in form.parts(0, text) for line in part.lines(width)]


def _shown(text: str, width: int = 60) -> list[str]:
    return [line.text.rstrip() for line in _lines(MarkdownForm(text), text, width)]


def test_markdown_is_shown_as_what_it_means() -> None:
    """If it fails, a reader sees signs in place of headings, lists, quotes, tables and code."""
    assert _shown(PAGE) == [
        "▎ title: Parental leave",
        "▎ owner: People Team",
        "",
        "Parental leave",
        "",
        "Leave may begin no earlier than eleven weeks before the due",
        "date (dates.md). It is paid, see FORM-LV-07 & others.",
        "",
        "Partners",
        "",
        "• six weeks",
        "  • nested point",
        "1. one",
        "",
        "▎ quoted words go on",
        "",
        "Weeks      Pay  Who",
        "────────  ────  ──────────────────────────",
        "1 to 6    100%  partners | others",
        "19 to 26   60%  birth parents, all of them",
        "",
        "▎ def weeks(who: str) -> int:",
        "▎     return 6  # at full pay",
        "",
        "<div>raw</div>",
    ]


@pytest.mark.parametrize(
    "words",
    [
        "no earlier** than eleven\nweeks before",
        "due date](dates.md). It is *paid*",
        "nested **point**",
        "quoted words\n> go on",
        "partners \\| others",
        "return 6  # at",
        "owner: People",
    ],
)
def test_quoted_words_are_marked_where_they_are_shown(words: str) -> None:
    """If it fails, other words than those that were cited are highlighted, or none."""
    start = PAGE.index(words)
    for width in (24, 60, 200):
        marked = []
        for line in _lines(MarkdownForm(PAGE), PAGE, width):
            content = line_content(line, Marks((start, start + len(words))))
            marked += [
                content.plain[span.start : span.end]
                for span in content.spans
                if span.style == HIGHLIGHT
            ]
        seen = "".join("".join(marked).split())
        meant = words.replace("**", "").replace("*", "").replace("\n>", "").replace("\\|", "|")
        assert seen == "".join(meant.replace("](", "(").split())


@pytest.mark.parametrize("width", [8, 30, 61, 140])
def test_every_line_fits_and_knows_its_places(width: int) -> None:
    """If it fails, a line runs out of its column, or a mark stands beside the words it means."""
    for line in _lines(MarkdownForm(PAGE), PAGE, width):
        assert cell_len(line.text.rstrip()) <= width
        column = 0
        for run in line.runs:
            if run.end > run.start and run.is_exact:
                for number in range(len(run.text)):
                    assert line.place(column + number) == run.start + number
            column += len(run.text)


_BITS = st.sampled_from(
    ["word", "*", "**", "_x_", "`", "[a](b)", "![", "](", "\n", "\n\n", "\n> ", "\n- ", "\n1. ",
     "\n    ", "\n```\n", "\n| a | b |\n|---|---|\n", "| c ", "\n# ", "\n---\n", "&amp;", "\\*",
     "日本", "\t", "\r\n", "<b>", "  \n", "\\\n", "\n[x]: y\n"]
)  # fmt: skip


@given(st.lists(_BITS, max_size=40), st.integers(2, 90))
def test_whatever_is_written_keeps_its_places(bits: list[str], width: int) -> None:
    """If it fails, some Markdown is shown with words of its own, or marked in another place."""
    text = "".join(bits)
    shown: set[int] = set()
    last = 0
    for line in _lines(MarkdownForm(text), text, width):
        assert line.start >= last
        last = line.start
        for run in line.runs:
            if run.end <= run.start:
                continue
            assert 0 <= run.start < run.end <= len(text)
            shown.update(range(run.start, run.end))
            if run.is_exact and run.text not in ("•", " ") and not run.text.startswith("─"):
                assert text[run.start : run.end] == run.text
    for at, letter in enumerate(text):  # words are never lost
        if letter.isalpha() and "---" not in text[max(0, at - 4) : at + 4]:
            assert at in shown, (at, text)


def test_a_part_looks_as_it_does_in_the_whole(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, code is read as words, or a table loses its columns, after a jump."""
    rows = "".join(f"| {n} | {'x' * (n % 30)} |\n" for n in range(3_000))
    code = "".join(f"# no heading {n}\n*no emphasis {n}*\n\n" for n in range(900))
    text = f"# One\n\n```\n{code}```\n\n| number | much |\n|---|---|\n{rows}\nThe end.\n"
    empty.library.index(write_files(tmp_path / "long", {"long.md": text}))
    database = empty.library.database("long")
    (entry,) = database.entries()
    opened = open_entry(database, entry)
    for words in ("no heading 700", "| 2000 |"):
        at = text.index(words)
        window = opened.window(at)
        lines = [line for part in window.parts for line in part.lines(70)]
        assert window.text == text[window.start : window.end]
        near = [line.text for line in lines if at <= line.start < at + 100]
        if words.startswith("|"):
            assert {line.index("x") for line in near if "x" in line} == {8}
        else:
            assert "▎ *no emphasis 700*" in [line.text for line in lines]


@pytest.fixture
def book(empty: Assistant, tmp_path: Path) -> Database:
    """A document of 100 pages."""
    return indexed_book(empty, tmp_path / "books", 100)


async def test_the_current_hit_differs_from_the_others(book: Database) -> None:
    """If it fails, n goes somewhere, and one does not see where."""
    place = span_of(book, "marker of page 10 is")
    async with hosted(ReaderScreen(book, *place)) as shown:
        await shown.sees("marker of page 10 is")
        await shown.press("slash", *"line 44", "enter")
        await shown.sees("of 100")
        window = window_of(shown)

        def marked() -> list[str]:
            lines = [window._held[n] for n in range(len(window._held))]
            drawn = [line_content(line, window.marks) for line in lines]
            spans = [(one.plain, span) for one in drawn for span in one.spans]
            return [text[s.start : s.end] for text, s in spans if s.style == CURRENT]

        assert marked() == ["line 44"]
        first = window.marks.current
        await shown.press("n")
        assert window.marks.current == first + 1
        assert marked() == ["line 44"]


async def test_the_end_is_a_hundred_percent_and_the_thumb_goes_along(book: Database) -> None:
    """If it fails, a document seems to go on at its end, or the bar tells another place."""
    (entry,) = book.entries()
    async with hosted(ReaderScreen(book, entry.id, 0, 0), (80, 24)) as shown:
        await shown.sees("books · 0 %")
        assert window_of(shown).place_in_text().top == 0
        await shown.press("end")
        await shown.sees("books · 100 %")
        bar = window_of(shown).vertical_scrollbar
        column = [strip.crop(bar.region.x, bar.region.right) for strip in _strips(shown)]
        drawn = [
            any(s.style and s.style.meta.get("@mouse.down") == "grab" for s in strip)
            for strip in column
        ]
        rows = [number for number, is_thumb in enumerate(drawn) if is_thumb]
        assert rows
        assert rows[-1] == bar.region.bottom - 1
        middle = entry.length // 2
        window_of(shown).jump(middle)
        await shown.until(lambda: window_of(shown).sees(middle), "the middle")
        await shown.sees("books · 5")
        top, bottom, length = window_of(shown).place_in_text()
        assert 0.45 < top / length < bottom / length < 0.55


async def test_what_was_opened_while_hidden_is_there_when_it_is_shown(book: Database) -> None:
    """If it fails, the text beside what Find finds is empty after words that found nothing."""
    (entry,) = book.entries()
    async with hosted(ReaderScreen(book, entry.id, 0, 0), (80, 24)) as shown:
        await shown.sees("Page 0 line 0")
        window, opened = window_of(shown), open_entry(book, entry)
        window.display = False
        await shown.until(lambda: "Page 0" not in shown.text(), "the hiding")
        at = entry.length // 2
        window.open_entry(opened, opened.window(at), (at, at))
        window.display = True
        await shown.sees("Page 50")


async def test_the_thumb_leads_to_any_place(book: Database) -> None:
    """If it fails, the bar can be drawn only within what happens to be held."""
    (entry,) = book.entries()
    async with hosted(ReaderScreen(book, entry.id, 0, 0), (80, 24)) as shown:
        await shown.sees("books · 0 %")
        window = window_of(shown)
        region = window.vertical_scrollbar.region
        await shown.pilot.mouse_down(offset=(region.x, region.y))
        await shown.pilot.hover(offset=(region.x, region.y + 1))
        await shown.pilot.hover(offset=(region.x, region.y + region.height // 2))
        await shown.pilot.mouse_up(offset=(region.x, region.y + region.height // 2))
        await shown.until(
            lambda: 0.35 < window.place_in_text().top / entry.length < 0.65, "the middle"
        )


def _strips(shown: object) -> list:  # type: ignore[type-arg]
    return shown.app.screen._compositor.render_strips()  # type: ignore[attr-defined,no-any-return]


async def test_rows_of_records_stand_in_columns(empty: Assistant, tmp_path: Path) -> None:
    """If it fails, a list of records is read as lines of names, or not alike far down."""
    rows = "".join(f"Person {n},Dept {n % 7},{n * 37},Berlin\n" for n in range(3_000))
    empty.library.index(write_files(tmp_path / "s", {"staff.csv": f"name,dept,pay,city\n{rows}"}))
    database = empty.library.database("s")
    (entry,) = database.entries()
    ((start, end), *_) = find_all(database, entry.id, entry.length, "Person 2500").spans
    async with hosted(ReaderScreen(database, entry.id, start, end), (80, 24)) as shown:
        await shown.sees("Person 2500  Dept 1  92500  Berlin")
        await shown.press("home")
        await shown.sees("name         dept      pay  city")
        await shown.sees("Person 0     Dept 0      0  Berlin")
    async with hosted(ReaderScreen(database, entry.id, start, end), (24, 24)) as shown:
        await shown.sees("Person 2500")


async def test_what_is_not_rendered_says_so(
    empty: Assistant, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a very long document looks broken, or holds the interface up."""
    monkeypatch.setattr(document_forms, "MOST_MARKDOWN", 1_000)
    files = {"long.md": "# Long\n\n" + "word " * 400, "min.js": f"let a = '{'b' * 2_000}';\n"}
    empty.library.index(write_files(tmp_path / "long", files))
    database = empty.library.database("long")
    said = {"long.md": "shown as written: longer than 1,000", "min.js": "without colours: too long"}
    for entry in database.entries():
        async with hosted(ReaderScreen(database, entry.id, 0, 0), (80, 24)) as shown:
            await shown.sees(said[entry.path])


def test_a_snippet_is_one_line_without_signs() -> None:
    """If it fails, the list of what was found reads as source text."""
    text = "## Partners\n\n- six **weeks** at pre*fix*\n\n| a | b |\n|---|---|\n| 1 | two |\n"
    at = text.index("weeks")
    content = snippet_line(text, [(at, at + 5)], "$foreground 80%")
    assert content.plain == "Partners • six weeks at prefix a b 1 two"
    assert [content.plain[s.start : s.end] for s in content.spans if s.style == HIT] == ["weeks"]
    rows = "| Long | [Sabbatical](s.md) | Partly |\n| B | c |\n\n---\n\nAs **told**."
    at = rows.index("Partly")
    content = snippet_line(rows, [(at, at + 6)], "$foreground 80%")
    assert content.plain == "Long Sabbatical (s.md) Partly B c As told.", "rows without their heads"
    assert [content.plain[s.start : s.end] for s in content.spans if s.style == HIT] == ["Partly"]


def test_a_table_of_a_form_has_no_line_of_dashes() -> None:
    """If it fails, a table of a PDF file without heads begins with a row of dashes."""
    text = "Pilot\n\n|  |  |\n| --- | --- |\n| Place: | Wausau |\n| Age: | 61 |\n\n- one\n"
    form = TextForm((), lambda start, end: text[start:end])
    lines = [line.text.rstrip() for part in form.parts(0, text) for line in part.lines(60)]
    assert lines == ["Pilot", "", "Place:  Wausau", "Age:    61", "", "• one"]


def test_code_has_its_colours_and_hostile_code_none() -> None:
    """If it fails, code is grey, or a line of a megabyte holds the interface up."""
    code = "def weeks():\n    return 6  # at full pay\n"
    words = {code[one.start : one.end] for one in styles_of(code, language_of("python"))}
    assert {"def", "return", "6", "# at full pay"} <= words
    assert not styles_of("x = '" + "a" * LONGEST_LINE, "python")
    assert not styles_of(code, language_of("no such language"))
    for name in ("java", "xml"):  # whose own lexers take minutes for these
        for bit in ("a b ", "<!--"):
            styles_of(f"{bit * 200}\n" * 20, language_of(name))
    lines = _lines(PlainForm(styles_of(code, "python")), code)
    assert [line.text for line in lines] == code.splitlines()
