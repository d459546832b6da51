"""The options of a question, and of the commands that ask one."""

import argparse

from rag_assistant.cli.egress_options import add_dry_run
from rag_assistant.cli.shared_options import CommandAdder, add_databases, add_json


def add_ask(command: CommandAdder) -> None:
    """Declare `ask`."""
    ask = command("ask", "ask", "answer a question with citations")
    kept = ask.add_mutually_exclusive_group()
    kept.add_argument(
        "--continue",
        dest="conversation",
        metavar="ID[:N]",
        help="continue a kept conversation (from question N: as a branch)",
    )
    kept.add_argument("--replay", metavar="ID[:N]", help="replay a kept run, without a model")
    add_question(ask)


def add_chat(command: CommandAdder) -> None:
    """Declare `chat`."""
    chat = command("chat", "chat", "ask in lines, one question after another, without a screen")
    _add_asked(chat)
    chat.add_argument(
        "--continue",
        dest="conversation",
        metavar="ID[:N]",
        help="go on with a kept conversation, or last",
    )
    chat.add_argument("--no-history", action="store_true", help="do not keep what is asked")


def add_question(parser: argparse.ArgumentParser) -> None:
    """Declare a question, and what it may come with."""
    parser.add_argument("question", nargs="*", metavar="QUESTION")
    _add_asked(parser)
    parser.add_argument(
        "--path",
        action="append",
        dest="paths",
        default=[],
        metavar="PART",
        help="only documents whose path contains this, as path: in a search; repeatable",
    )
    parser.add_argument(
        "--image",
        dest="images",
        action="append",
        default=[],
        metavar="FILE",
        help="a PNG, JPEG, GIF or WebP to send with the question; repeatable",
    )
    parser.add_argument(
        "--no-tools",
        action="store_true",
        help="turn all tools off, those of the databases too: nothing is searched or read",
    )
    add_dry_run(parser)
    parser.add_argument(
        "--no-history", action="store_true", help="do not keep this question and its answer"
    )
    forms = parser.add_mutually_exclusive_group()
    add_json(forms)
    forms.add_argument("--events", action="store_true", help="print the run's events as JSON lines")


def _add_asked(parser: argparse.ArgumentParser) -> None:
    """Declare what is asked, by which model, and which tools may run."""
    add_databases(parser)
    parser.add_argument("-m", "--model", help="a name from the configuration, or a model id")
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="TOOL",
        help="a tool that may run without asking; repeatable",
    )
