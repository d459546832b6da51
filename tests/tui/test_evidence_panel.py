"""The sources of an answer: how each quote stands to its source, and what can be done with it."""

from pathlib import Path

import pytest
from textual.app import ComposeResult
from textual.screen import Screen

from rag_assistant.assistant import Assistant
from rag_assistant.library.library import Library
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.evidence.passage_view import PassageView
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.sources.passage import check_citations, read_passage
from rag_assistant.tui.sources.reference import with_reference
from rag_assistant.tui.terminal.clipboard import clipboard_tools, copy_by_tool, terminal_takes
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Citation, EvidenceItem, QuoteState, Retrieved, StageRank
from tests.tui.hosting import hosted

CARRY = "Technicians may carry over eight days of leave into the next leave year."


class Panel(Screen[None]):
    """A screen of the panel alone, which opens what is chosen as the main screen does."""

    def __init__(self, library: Library, citations: tuple[Citation, ...]) -> None:
        super().__init__()
        self._library = library
        self._citations = citations

    def compose(self) -> ComposeResult:
        yield EvidencePanel(self._library, id="evidence")

    def on_mount(self) -> None:
        self.query_one(EvidencePanel).citations = self._citations
        self.query_one(PassageView).focus()

    def on_evidence_panel_chosen(self, event: EvidencePanel.Chosen) -> None:
        panel = self.query_one(EvidencePanel)
        found = [one for one in self._citations if one.marker == event.marker]
        if found:
            panel.chosen = event.marker
            panel.passage = read_passage(self._library, found[0])


def _item(assistant: Assistant, path: str, quote: str, *, verified: bool = True) -> EvidenceItem:
    database = assistant.library.database("staff")
    entry = next(entry for entry in database.entries() if entry.path == path)
    start = database.text(entry.id).index(quote) if verified else 0
    end = start + len(quote) if verified else entry.length
    place = Location(start, end, line=4)
    return EvidenceItem("staff", entry.id, entry.title, path, quote, place, verified)


def _citations(assistant: Assistant) -> tuple[Citation, ...]:
    altered = CARRY.replace("into", "to")
    return (
        Citation(1, _item(assistant, "leave.md", CARRY)),
        Citation(2, _item(assistant, "leave.md", altered, verified=False)),
        Citation(3, _item(assistant, "leave.md", "Zebras pay by the hour.", verified=False)),
        Citation(4, _item(assistant, "parking.md", "40 euro a month")),
    )


def test_each_state_is_told_from_the_others(assistant: Assistant, folder: Path) -> None:
    """If it fails, altered, invented or outdated words pass for the source's own."""
    citations = _citations(assistant)
    (folder / "parking.md").write_text("# Parking\n\nIt is free.\n", encoding="utf-8")
    states = check_citations(assistant.library, citations)
    assert [states[marker] for marker in (1, 2, 3, 4)] == [
        QuoteState.FOUND,
        QuoteState.CLOSE,
        QuoteState.MISSING,
        QuoteState.STALE,
    ]
    close = read_passage(assistant.library, citations[1])
    assert "eight days of leave" in close.quote
    changed = read_passage(assistant.library, citations[3])
    assert changed.quote == "40 euro a month"
    assert changed.stale
    assistant.library.remove("staff")
    assert set(check_citations(assistant.library, citations).values()) == {QuoteState.MISSING}


async def test_cards_show_the_marks_and_keys_open_them(assistant: Assistant) -> None:
    """If it fails, a citation is out of reach, or its mark hides that its words are not there."""
    async with hosted(Panel(assistant.library, _citations(assistant))) as shown:
        await shown.sees("[2~]")
        for mark in ("[1] ", "[2~]", "[3!]", "[4] "):
            assert mark in shown.text()
        passage = shown.app.screen.query_one(PassageView)
        await shown.pilot.press("1")
        await shown.until(lambda: passage.highlighted() == CARRY, "the first source")
        await shown.pilot.press("n")
        await shown.sees("close match: the source says almost the same")
        assert "eight days" in passage.highlighted()
        await shown.pilot.press("p", "p")
        await shown.until(lambda: passage.highlighted() == "40 euro a month", "the last source")
        await shown.pilot.press("enter")
        await shown.until(lambda: isinstance(shown.app.screen, ReaderScreen), "the reader")
        await shown.sees("40 euro a month")


async def test_what_was_retrieved_and_not_cited_is_listed(assistant: Assistant) -> None:
    """If it fails, nobody sees what the answer left out."""
    citations = _citations(assistant)[:1]
    async with hosted(Panel(assistant.library, citations)) as shown:
        panel = shown.app.screen.query_one(EvidencePanel)
        panel.retrieved = (citations[0].item, _item(assistant, "parking.md", "40 euro a month"))
        await shown.sees("1 found, not cited")
        await shown.pilot.press("e")
        await shown.sees("Parking: 40 euro a month")
        panel.open_item(panel.uncited[0])
        passage = shown.app.screen.query_one(PassageView)
        await shown.until(lambda: passage.highlighted() == "40 euro a month", "its source")
        await shown.pilot.press("e")
        await shown.until(lambda: "Parking: 40" not in shown.text(), "the list to fold")


async def test_a_quote_is_copied_with_its_reference(
    assistant: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, a copied quote has lost its source."""
    for name in ("DISPLAY", "WAYLAND_DISPLAY", "WSL_DISTRO_NAME", "TERM_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("TERM", "xterm-256color")
    async with hosted(Panel(assistant.library, _citations(assistant))) as shown:
        await shown.pilot.press("1")
        await shown.sees("quote found: these are")
        await shown.pilot.press("y")
        await shown.sees(f"copied {len(CARRY)} characters (terminal OSC 52)")
        assert shown.app.clipboard == CARRY
        await shown.pilot.press("Y")
        await shown.until(lambda: shown.app.clipboard != CARRY, "the words with their source")
        assert shown.app.clipboard == f"{CARRY}\n— Annual leave, l. 4, leave.md\n"
        monkeypatch.setenv("TERM", "linux")
        await shown.pilot.press("y")
        await shown.sees("no clipboard here:")


async def test_o_opens_the_file_at_the_words(
    assistant: Assistant, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, the file behind a citation is reached only through the reader."""
    programs, opened = tmp_path / "bin", tmp_path / "opened"
    programs.mkdir()
    script = programs / "xdg-open"
    script.write_text(f'#!/bin/sh\necho "$1" > {opened}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", f"{programs}:/usr/bin:/bin")
    for name in ("EDITOR", "VISUAL"):
        monkeypatch.delenv(name, raising=False)
    async with hosted(Panel(assistant.library, _citations(assistant))) as shown:
        await shown.press("1")
        await shown.sees("quote found: these are")
        await shown.press("o")
        await shown.sees("opened leave.md with xdg-open")
        assert opened.read_text().strip() == str((folder / "leave.md").resolve())
        (folder / "leave.md").unlink()
        await shown.press("o")
        await shown.sees("leave.md is not in")


async def test_a_card_says_why_its_entry_was_read(assistant: Assistant) -> None:
    """If it fails, nobody learns what search led to a source."""
    citations = _citations(assistant)[:1]
    item = citations[0].item
    ranks = (StageRank("search", 2), StageRank("words", 1), StageRank("title", 3))
    retrieved = Retrieved(item.entry_id, "carry over", ranks)
    async with hosted(Panel(assistant.library, citations)) as shown:
        panel = shown.app.screen.query_one(EvidencePanel)
        panel.reasons = {("staff", item.entry_id): retrieved}
        await shown.sees("words #1 · title #3")


def test_a_clipboard_tool_comes_first(tmp_path: Path) -> None:
    """If it fails, copying needs a terminal's leave where the system has a clipboard."""
    tool, taken = tmp_path / "xclip", tmp_path / "taken"
    tool.write_text(f"#!/bin/sh\ncat > {taken}\n")
    tool.chmod(0o755)
    environ = {"DISPLAY": ":0", "PATH": f"{tmp_path}:/bin:/usr/bin"}
    assert copy_by_tool("grüße\n", environ, "linux") == "xclip"
    assert taken.read_text(encoding="utf-8") == "grüße\n"
    tool.write_text("#!/bin/sh\nexit 1\n")
    assert copy_by_tool("x", environ, "linux") == ""
    assert [tool[0] for tool in clipboard_tools({"WAYLAND_DISPLAY": "w"}, "linux")] == ["wl-copy"]
    assert [tool[0] for tool in clipboard_tools({}, "darwin")] == ["pbcopy"]


def test_a_terminal_that_cannot_take_it_is_not_asked() -> None:
    """If it fails, a copy is reported that never arrived."""
    assert terminal_takes("x", {"TERM": "xterm-256color"})
    assert not terminal_takes("x" * 80_000, {"TERM": "xterm-256color"})
    assert not terminal_takes("x", {"TERM_PROGRAM": "Apple_Terminal"})


def test_a_reference_names_title_place_and_path() -> None:
    """If it fails, a pasted quote cannot be found again."""
    said = with_reference("words ", "Report", "a/r.pdf", Location(0, 5, page=12))
    assert said == "words\n— Report, p. 12, a/r.pdf\n"
    assert with_reference("w", "", "notes.md", Location(0, 1)) == "w\n— notes.md\n"
