"""A defect of the program, or its sudden end: what was written and said comes back."""

import os
import signal
import sys
from pathlib import Path

import pytest

from rag_assistant.tui.terminal.crash_report import CRASHED, FOLDER
from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import Opener, program_of, quit_program, use_model

CANARY = "sk-canary-in-the-mine-0123456789"

DEFECTIVE = """
import os
import sys
from pathlib import Path
import rag_assistant.tui
from rag_assistant.assistant import Assistant
from rag_assistant.config import load_config
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.tui.app import AssistantApp

class Defective(AssistantApp):
    CSS_PATH = Path(rag_assistant.tui.__file__).parent / "app.tcss"
    BINDINGS = [("f12", "defect", "")]

    def action_defect(self) -> None:
        raise IndexError("sent with " + os.environ["CANARY_KEY"])

home = Path(sys.argv[1])
config = load_config(home / "config.toml")
store = ConversationStore(home / "conversations.db")
app = Defective(Assistant(Library(home), config, {}), store)
app.run()
sys.exit(app.return_code)
"""


@pytest.mark.soak
def test_a_defect_ends_with_a_paragraph_and_nothing_is_lost(
    home: Path, tmp_path: Path, shell: Opener, opened: Opener
) -> None:
    """If it fails, a defect costs what was written, fills the screen, or tells a key to whoever
    is sent the report.
    """
    script = tmp_path / "defective.py"
    script.write_text(DEFECTIVE, encoding="utf-8")
    with ScriptedServer(Answer("The answer that was given.")) as server:
        use_model(home, server)
        terminal = shell()
        terminal.enter(f"CANARY_KEY={CANARY} {sys.executable} {script} {home}; echo code $?")
        terminal.sees("Ask your documents")
        terminal.enter("The question that was asked?")
        terminal.sees("The answer that was given.")
        terminal.type("unasked")
        terminal.sees("unasked")
        terminal.press("F12")
        seen = terminal.sees(f"code {CRASHED}")
        assert "met a defect" in seen
        assert "IndexError" in seen
        assert "Traceback" not in seen
        (report,) = (home / FOLDER).iterdir()
        written = report.read_text(encoding="utf-8")
        assert "action_defect" in written
        assert "sent with [CANARY_KEY]" in written
        assert CANARY not in written
        assert CANARY not in "".join(seen.split()).split("echocode")[-1]
        assert report.name in "".join(seen.split())
        again = opened()
        again.sees("unasked", "/restore")
        again.enter("/restore")
        again.sees("The answer that was given.", "│  unasked")
        again.press("C-c")
        again.sees("cleared")
        quit_program(again)
        assert not list(home.glob("unfinished-*"))


@pytest.mark.soak
def test_a_program_that_is_killed_loses_no_draft(home: Path, opened: Opener) -> None:
    """If it fails, closing the terminal's window costs the question that was being written."""
    terminal = opened()
    terminal.type("thoughts")
    terminal.until(
        lambda: any("thoughts" in p.read_text() for p in home.glob("unfinished-*.json")),
        "the draft on disk",
    )
    os.kill(program_of(terminal), signal.SIGKILL)
    again = opened()
    again.sees("thoughts", "/restore")
    again.enter("/restore")
    again.sees("│  thoughts")
