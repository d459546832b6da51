"""What `chat` says of its words: those that it has, and what there is in place of others."""

from collections.abc import Mapping

from rag_assistant.cli.drawn import MARK, DrawnWords, draw
from rag_assistant.tui.main.commands import COMMANDS

INSTEAD: Mapping[str, str] = {
    "compare": "Ask again with /retry; `rag-assistant history recheck` compares kept answers.",
    "copy": "Select it with the terminal, or: rag-assistant history export last",
    "cite": "Select it with the terminal, or: rag-assistant history export last",
    "editor": "Paste it here; a backslash at a line's end goes on in the next line.",
    "stop": "Nothing is being answered. Ctrl-C stops an answer.",
}
"""Words that need a screen, or an answer that is being written, and what there is instead."""


def print_help() -> None:
    """List the words of the interface that do something here, and what else there is."""
    told = {
        f"/{command.word} {command.needs}".rstrip(): command.help
        for command in COMMANDS
        if command.word not in INSTEAD
    }
    told["/1, /2, …"] = "Show a source at the quoted words"
    told["exit"] = "Leave; so does Ctrl-D"
    for word, does in told.items():
        draw(DrawnWords(f"{word:<18}", MARK), does, indent=2, hang=20)
