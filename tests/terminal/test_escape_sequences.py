"""Terminal control in names, documents, replies, errors and old conversations does nothing."""

import json
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.text.safe_text import REPLACEMENT
from scripts.benchmarks.shared.model_replies import Answer, Call, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import Opener, go_back, quit_program, use_model
from tests.terminal.terminal import Terminal

EVIL = "\x1b]0;OWNED\x07\x1b[2J\x1b[H\x9b2J\x1b]52;c;T1dORUQ=\x07\u202eABC\u202c\u200b"
"""Sets the title, wipes the screen twice, takes the clipboard, turns letters round, hides one."""

MARKED = f"{REPLACEMENT}]0;OWNED{REPLACEMENT}"
TEXT = f"# Zebra {EVIL} heading\n\nThe zebra crossing is {EVIL} painted white. Nothing is lost.\n"
QUESTION = "What is the zebra crossing painted?"


def _index(home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "evil"
    folder.mkdir()
    (folder / f"zebra {EVIL}.md").write_text(TEXT, encoding="utf-8")
    library = Library(home)
    library.index(folder)
    library.allow("evil", allowed=True)  # or no model would see it


def _holds(terminal: Terminal, title: str, *words: str) -> str:
    """See words, the marks beside them, and that neither title nor screen was touched."""
    seen = terminal.sees(*words)
    assert terminal.told("#{pane_title}") == title
    assert terminal.told("#{alternate_on}") == "1"
    assert not set(seen) & set("\x1b\x07\x9b\u202e\u202c\u200b")
    assert not terminal.told("#{buffer_name}"), "the clipboard was written"
    return seen


@pytest.mark.soak
def test_a_document_and_its_name_steer_nothing(home: Path, tmp_path: Path, opened: Opener) -> None:
    """If it fails, a file of somebody else's sets the title, wipes the screen or lies."""
    _index(home, tmp_path)
    terminal = opened()
    title = terminal.told("#{pane_title}")
    terminal.enter(QUESTION)
    _holds(terminal, title, "Nothing is lost", "1 cited", MARKED)
    terminal.press("C-g")
    _holds(terminal, title, "heading", "Next citation", MARKED)
    go_back(terminal)
    terminal.press("C-f")
    terminal.sees("-without")
    terminal.type("zebra crossing")
    _holds(terminal, title, "Find", "zebra", MARKED)
    go_back(terminal)
    terminal.sees(QUESTION)
    terminal.press("F4")
    terminal.sees("Library", "evil")
    terminal.press("Enter")
    _holds(terminal, title, f"zebra {MARKED}")
    terminal.press("Escape")
    terminal.sees("databases")
    go_back(terminal)
    terminal.sees(QUESTION)
    quit_program(terminal)
    assert terminal.told("#{pane_title}") == title


@pytest.mark.soak
def test_replies_errors_and_old_conversations_steer_nothing(home: Path, opened: Opener) -> None:
    """If it fails, a model, its server, or what is kept of them, takes the terminal over."""
    search = Call("search_staff_database", json.dumps({"keyword": f"leave {EVIL}"}))
    said = f"First line {EVIL} of the reply.\n\nThe last line of the reply."
    refusal = Status(400, error(f"No such {EVIL} model here."))
    with ScriptedServer(Answer(calls=(search,)), Answer(said), refusal) as server:
        use_model(home, server)
        terminal = opened()
        title = terminal.told("#{pane_title}")
        terminal.enter("Say the first line.")
        terminal.sees("No passage in scope", "what the model wrote")
        terminal.press("BTab")
        terminal.sees("Enter Steps")
        terminal.press("d")
        shown = _holds(terminal, title, "of the reply.", "The last line of the reply.", MARKED)
        assert "First line" in shown
        terminal.press("s")
        _holds(terminal, title, "Searched staff for “leave", MARKED)
        go_back(terminal)
        terminal.enter("And the second one?")
        _holds(terminal, title, "And the second one?", server.host, "No such", MARKED)
        quit_program(terminal)
    again = opened()
    again.press("C-r")
    again.sees("Say the first line.")
    again.press("Tab", "Enter")
    shown = _holds(again, title, "what the model wrote", "No such", MARKED)
    assert MARKED in shown
    quit_program(again)
