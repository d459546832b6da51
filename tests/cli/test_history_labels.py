"""Citations marked wrong in the interface, told by the history commands."""

from pathlib import Path

from rag_assistant.history.recording import Follows
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from tests.cli.program import Program


def test_show_and_export_say_which_citations_are_marked_wrong(
    tmp_path: Path, handbook: Path
) -> None:
    """If it fails, a script or a reader takes a citation for good that a person found wrong."""
    program = Program(tmp_path / "home")
    Library(program.home).index(handbook)
    program.run("ask", "How many weeks of parental leave at full pay are there?")
    assert "marked wrong" not in program.run("history", "show", "1").out
    store = ConversationStore(program.home / "conversations.db")
    store.label(Follows(1, 1), 1, wrong=True)
    assert "marked wrong" in program.run("history", "show", "1").out
    for command in (("show", "1", "--json"), ("export", "1", "--format", "json")):
        (exchange,) = program.run("history", *command).json["exchanges"]
        assert exchange["citations"][0]["wrong"] is True
    assert "MARKED WRONG" in program.run("history", "export", "1").out
