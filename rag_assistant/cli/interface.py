"""`rag-assistant` alone: the terminal interface."""

import sys
from argparse import Namespace

from rag_assistant.cli.conversations import say_notes, store_of
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import assistant_of, config_path
from rag_assistant.errors import RagError


def open_interface(options: Namespace) -> int:
    """Open the terminal interface."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RagError(
            "The terminal interface needs a terminal.",
            hint="For scripts: rag-assistant ask QUESTION, or rag-assistant --help.",
        )
    from rag_assistant.tui import run_tui

    assistant = assistant_of(options)
    store = store_of(options)
    run_tui(assistant, store if assistant.config.history else None, config_path(options))
    say_notes(store)
    return Exit.DONE
