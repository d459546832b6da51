"""Running a command: every failure becomes one line and an exit code.

A command's code is imported only when it is used, so that `search` starts without what `ask` needs.
"""

import os
import sys
from argparse import Namespace
from collections.abc import Callable, Sequence
from enum import IntEnum
from importlib import import_module

from rag_assistant.cli.drawn import BAD, DrawnWords, be_plain, draw, is_drawn, quiet
from rag_assistant.cli.eval_options import with_action
from rag_assistant.cli.parser import build_parser
from rag_assistant.cli.streams import accept_any_text, what_was_escaped
from rag_assistant.errors import RagError, in_full
from rag_assistant.files.private_files import close_to_others, open_to_others
from rag_assistant.text.safe_text import clean_line


class Exit(IntEnum):
    """Exit codes."""

    DONE = 0
    FAILED = 1
    USAGE = 2
    INTERRUPTED = 130
    PIPE_CLOSED = 141


def main(arguments: Sequence[str]) -> int:
    """Run one command; give its exit code."""
    accept_any_text()
    arguments = with_action(arguments)
    options = build_parser(arguments).parse_args(arguments)
    be_plain(chosen=options.plain)
    try:
        module = import_module(f"rag_assistant.cli.{options.module}")
        command: Callable[[Namespace], int] = getattr(module, options.function)
        _close_to_others(options)
        code = command(options)
        sys.stdout.flush()
        if told := what_was_escaped():
            _say(told)
        return code
    except RagError as error:
        if options.debug:
            raise
        _say(error.message, error.hint)
        return Exit.FAILED
    except KeyboardInterrupt:
        _say("Interrupted.")
        return Exit.INTERRUPTED
    except BrokenPipeError:
        # The reader of our output has left; nothing may be written at exit either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return Exit.PIPE_CLOSED
    except Exception as error:
        if options.debug:
            raise
        _say(f"Internal error: {type(error).__name__}: {error}. Run again with --debug and report.")
        return Exit.FAILED


def _close_to_others(options: Namespace) -> None:
    """Take the home of an older version from other users of this machine; tell what they could
    read."""
    from rag_assistant.cli.session import home_of

    home = home_of(options)
    if open_ones := open_to_others(home):
        files = [path for path in open_ones if path.is_file()]
        kept_open = close_to_others(open_ones)
        if done := len(set(files) - set(kept_open)):
            what = "1 file" if done == 1 else f"{done} files"
            _say(f"Other users of this machine could read {what} in {home}: now only you can.")


def _say(line: str, step: str = "") -> None:
    """Tell of a failure, and the step that mends it, which has a line of its own on a terminal."""
    if not is_drawn(sys.stderr):
        print(f"rag-assistant: {clean_line(in_full(line, step))}", file=sys.stderr)
        return
    draw(DrawnWords("rag-assistant: ", BAD), clean_line(line), hang=2, to=sys.stderr)
    if step:
        draw(quiet("→ "), clean_line(step), indent=2, hang=4, to=sys.stderr)
