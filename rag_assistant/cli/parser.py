"""Reading the command line: what stands before a command, and the one that is wanted."""

import argparse
import os
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from rag_assistant import __version__
from rag_assistant.cli.commands import COMMANDS, declare

_FLAGS = ("--debug", "--plain", "--ascii")
"""What may stand before a command, and takes nothing behind it."""


class _HelpFormatter(argparse.HelpFormatter):
    """Writes help as wide as the terminal.

    argparse's own asks shutil for the width, at every argument that is declared, and to load that
    takes longer than to read the command line.
    """

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_columns() - 2)


def _columns() -> int:
    """Give the width of the terminal, as `shutil.get_terminal_size` does."""
    given = os.environ.get("COLUMNS", "")
    if given.isdecimal() and int(given):
        return int(given)
    output = sys.__stdout__
    try:
        return (os.get_terminal_size(output.fileno()).columns if output else 0) or 80
    except (ValueError, OSError):  # a closed one, or one that is no terminal
        return 80


class _CommandParser(argparse.ArgumentParser):
    """Reads what may stand before a command, behind it, and behind its own commands."""

    def __init__(self, *arguments: Any, **named: Any) -> None:
        super().__init__(*arguments, **{"formatter_class": _HelpFormatter, **named})
        # A default here would overwrite what was given before the command.
        self.add_argument(
            "--home",
            metavar="DIR",
            default=argparse.SUPPRESS,
            help="where databases and settings are kept",
        )
        self.add_argument(
            "--debug", action="store_true", default=argparse.SUPPRESS, help="show tracebacks"
        )
        self.add_argument(
            "--plain",
            action="store_true",
            default=argparse.SUPPRESS,
            help="draw nothing: no colours, nothing that changes in place, as for screen readers",
        )

    def error(self, message: str) -> NoReturn:
        """End with the mistake, and what was probably meant."""
        from rag_assistant.cli.suggestions import with_suggestion

        super().error(with_suggestion(message, self))


def build_parser(arguments: Sequence[str] | None = None) -> argparse.ArgumentParser:
    """Declare what `arguments` begin with: a command, a folder, or neither; without them, all.

    To declare all commands takes as long as a sixth of a search.
    """
    parser = _CommandParser(
        "rag-assistant",
        description="Ask your own documents. Without a command the terminal interface opens;"
        " rag-assistant FOLDER opens it to index that folder.",
    )
    parser.add_argument("--version", action="version", version=f"rag-assistant {__version__}")
    parser.set_defaults(
        home=None,
        debug=False,
        plain=False,
        ascii=False,
        folder=None,
        module="interface",
        function="open_interface",
    )
    parser.add_argument(
        "--ascii", action="store_true", help="draw the interface with ASCII characters only"
    )
    wanted = _first_word(arguments or ())
    if wanted is None and arguments is not None:
        return parser
    if wanted and wanted not in COMMANDS and _is_path(wanted):
        parser.add_argument("folder", metavar="FOLDER", help="the folder to index and ask")
        return parser
    # Without `prog` argparse formats a usage to find it, which loads shutil.
    commands = parser.add_subparsers(prog=parser.prog, metavar="COMMAND", title="commands")

    def command(name: str, module: str, summary: str, **more: Any) -> argparse.ArgumentParser:
        added = commands.add_parser(name, help=summary, description=summary, **more)
        added.set_defaults(module=module, function=f"run_{name}")
        return added

    for name in [wanted] if wanted and wanted in COMMANDS else COMMANDS:
        declare(name, command)
    return parser


def _first_word(arguments: Sequence[str]) -> str | None:
    """Give what stands behind the options that may come before a command, if anything does."""
    given = iter(arguments)
    for argument in given:
        if argument == "--home":
            next(given, "")
        elif argument not in ("--debug", "--ascii", "--plain") and not argument.startswith(
            "--home="
        ):
            return argument
    return None


def _is_path(word: str) -> bool:
    """Whether a word that is no command is meant as a folder: it is there, or written as a path."""
    if word.startswith("-"):
        return False
    return word.startswith(("~", ".")) or os.sep in word or Path(word).exists()
