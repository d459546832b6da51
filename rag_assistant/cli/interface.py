"""`rag-assistant` alone, or with a folder: the terminal interface."""

import os
import sys
from argparse import Namespace
from dataclasses import replace
from pathlib import Path

from rag_assistant.cli.conversations import say_notes, store_of
from rag_assistant.cli.session import assistant_of, config_path
from rag_assistant.errors import RagError
from rag_assistant.library.folders import absolute, check_folder
from rag_assistant.web import PAGE_DRIVER


def open_interface(options: Namespace) -> int:
    """Open the terminal interface; with a folder, or where there is no database, to index one.

    With --plain it is `chat`, which draws nothing.
    """
    if options.plain and not options.folder:
        from rag_assistant.cli.chat import run_chat
        from rag_assistant.cli.parser import build_parser

        return run_chat(build_parser(["chat"]).parse_args(["chat"], options))
    folder = absolute(Path(options.folder)) if options.folder else None
    if folder:
        check_folder(folder, "", there=False, prune=False)
    in_page = os.environ.get("TEXTUAL_DRIVER") == PAGE_DRIVER
    if not (in_page or (sys.stdin.isatty() and sys.stdout.isatty())):
        step = f"rag-assistant index {folder}" if folder else "rag-assistant ask QUESTION"
        raise RagError(
            "The terminal interface needs a terminal.",
            hint=f"For scripts: {step}, or rag-assistant --help.",
        )
    if not in_page and os.environ.get("TERM") == "dumb":
        raise RagError(
            "This terminal cannot draw the interface (TERM=dumb).",
            hint="To ask in lines: `rag-assistant chat`.",
        )
    if not in_page:
        for fixed in ("COLUMNS", "LINES"):  # a shell may export them: no resizing would be seen
            os.environ.pop(fixed, None)
    from rag_assistant.tui import run_tui
    from rag_assistant.tui.first_run.beginning import Beginning

    assistant = assistant_of(options)
    if options.ascii:
        assistant.config = replace(assistant.config, ascii=True)
    store = store_of(options)
    begins = folder is not None or not assistant.library.names()
    code = run_tui(
        assistant,
        store if assistant.config.history else None,
        config_path(options),
        Beginning(folder, os.environ) if begins else None,
    )
    say_notes(store)
    return code
