"""The options of `history` and of its actions."""

import argparse

from rag_assistant.cli.question_options import add_question
from rag_assistant.cli.shared_options import CommandAdder, add_json, natural, positive


def add_history(command: CommandAdder) -> None:
    """Declare `history` and its actions."""
    history = command("history", "history", "list, search, show and export what was asked before")
    history.set_defaults(limit=20, offset=0, replay=None)
    actions = history.add_subparsers(prog=history.prog, dest="action", metavar="ACTION")

    def action(name: str, summary: str) -> argparse.ArgumentParser:
        return actions.add_parser(name, help=summary, description=summary)

    def add_id(parser: argparse.ArgumentParser, name: str = "id", metavar: str = "ID") -> None:
        parser.add_argument(name, metavar=metavar, help="a conversation's number, or last")

    listing = action("list", "list conversations, the latest first")
    search = action("search", "find questions and answers by any text")
    search.add_argument("query", nargs="+", metavar="TEXT")
    for paged in (listing, search):
        paged.add_argument("-n", "--limit", type=positive, default=20, help="lines shown")
        paged.add_argument("--offset", type=natural, default=0, help="lines left out before them")
    show = action("show", "show a conversation with its sources (ID:N: one question of it)")
    add_id(show, metavar="ID[:N]")
    export = action("export", "write a conversation as Markdown or JSON")
    add_id(export)
    export.add_argument("--format", choices=("markdown", "json"), default="markdown")
    export.add_argument("-o", "--output", metavar="FILE", help="by default standard output")
    resume = action("resume", "go on with a conversation: as ask --continue does")
    add_id(resume, "conversation", "ID[:N]")
    add_question(resume)
    rename = action("rename", "give a conversation another title")
    add_id(rename)
    rename.add_argument("title", nargs="+", metavar="TITLE")
    again = _recheck(action)
    delete = action("delete", "delete conversations, and overwrite what the file held of them")
    delete.add_argument("ids", nargs="*", metavar="ID", help="a conversation's number, or last")
    delete.add_argument("--all", action="store_true", help="all of them")
    delete.add_argument("--yes", action="store_true", help="do not ask before deleting all")
    for parser in (listing, search, show, rename, delete, again):
        add_json(parser, default=argparse.SUPPRESS)
    add_json(history)


def _recheck(action: CommandAdder) -> argparse.ArgumentParser:
    """Declare `history recheck`."""
    again = action("recheck", "check the sources of kept answers; exit code 1 where some changed")
    again.add_argument(
        "id", nargs="?", metavar="ID[:N]", help="a conversation's number, or last; by default all"
    )
    again.add_argument("--all", action="store_true", help="all conversations")
    again.add_argument(
        "--ask-again", action="store_true", help="ask again what rests on changed sources"
    )
    again.add_argument("-y", "--yes", action="store_true", help="do not ask before asking again")
    again.add_argument("-m", "--model", help="the model to ask; by default the one that was")
    return again
