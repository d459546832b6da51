"""The options of `why-not`."""

import argparse
from collections.abc import Callable

CommandAdder = Callable[..., argparse.ArgumentParser]
OptionAdder = Callable[[argparse.ArgumentParser], None]


def add_why_not(command: CommandAdder, *, shared: OptionAdder) -> None:
    """Declare `why-not`; `shared` adds the options that it has in common with other commands."""
    why = command("why-not", "why_not", "say why a file is not found, at all or for a question")
    why.set_defaults(function="run_why_not")
    why.add_argument("path", metavar="PATH", help="a file, by its path or as the database has it")
    why.add_argument("question", nargs="*", metavar="QUESTION", help="what it should come up for")
    why.add_argument(
        "--path",
        action="append",
        dest="paths",
        default=[],
        metavar="PART",
        help="as the question was limited: to documents whose path holds this; repeatable",
    )
    shared(why)
