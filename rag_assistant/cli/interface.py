"""`rag-assistant` alone: the terminal interface."""

import sys
from argparse import Namespace

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import assistant_of
from rag_assistant.errors import RagError


def open_interface(options: Namespace) -> int:
    """Open the terminal interface."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise RagError(
            "The terminal interface needs a terminal.",
            hint="For scripts: rag-assistant ask QUESTION, or rag-assistant --help.",
        )
    from rag_assistant.tui import run_tui

    run_tui(assistant_of(options))
    return Exit.DONE
