"""`completion`: a script that lets a shell complete commands, options, files and folders."""

import argparse
import sys
from argparse import Namespace

import shtab

from rag_assistant.cli.main import Exit
from rag_assistant.cli.parser import build_parser
from rag_assistant.cli.session import say

_HOW = {
    "bash": 'eval "$(rag-assistant completion bash)"  in ~/.bashrc',
    "zsh": 'eval "$(rag-assistant completion zsh)"  in ~/.zshrc, behind compinit',
    "fish": "rag-assistant completion fish | source  in ~/.config/fish/config.fish",
    "powershell": "rag-assistant completion powershell | Out-String | iex  in $PROFILE",
}

_FOLDERS, _FILES = ("FOLDER", "DIR"), ("FILE", "SET", "PATH")
"""How the command line names what is a folder, and what is a file."""


def run_completion(options: Namespace) -> int:
    """Print the script; where it goes to a terminal, say what it is for."""
    parser = build_parser()
    _mark_paths(parser)
    print(shtab.complete(parser, shell=options.shell))
    if sys.stdout.isatty():
        say(f"To have it in every {options.shell}: {_HOW[options.shell]}")
    return Exit.DONE


def _mark_paths(parser: argparse.ArgumentParser) -> None:
    """Let shtab know which arguments are files and folders."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _mark_paths(below)
        elif action.metavar in _FOLDERS:
            action.complete = shtab.DIRECTORY  # type: ignore[attr-defined]
        elif action.metavar in _FILES:
            action.complete = shtab.FILE  # type: ignore[attr-defined]
