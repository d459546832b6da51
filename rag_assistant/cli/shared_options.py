"""What options of several commands have in common: how values are read, and what is declared
the same wherever it is wanted."""

import argparse
import re
from collections.abc import Callable
from typing import Any

CommandAdder = Callable[..., argparse.ArgumentParser]
"""Declares a command: its name, the module of its code, and what it does in a line."""

LARGEST = 2**63 - 1
"""The largest whole number that SQLite holds."""


def add_json(parser: Any, **more: Any) -> None:
    """Declare `--json`."""
    parser.add_argument("--json", action="store_true", help="print one JSON object", **more)


def add_databases(parser: argparse.ArgumentParser, default: str = "all") -> None:
    """Declare `-d`, any number of times; it says which are used without it."""
    parser.add_argument(
        "-d",
        "--database",
        action="append",
        dest="databases",
        metavar="NAME",
        help=f"a database to use; repeatable; by default {default}",
    )


def size(written: str) -> int:
    """Read a number of bytes, such as 50M; K, M and G are powers of 1,024."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)B?", written.strip().upper())
    number = float(size[1]) * 1024 ** " KMG".index(size[2] or " ") if size else 0
    if not 1 <= number <= LARGEST:
        raise argparse.ArgumentTypeError(
            f"{written!r} is no size: give one such as 500K, 50M or 2G"
        )
    return int(number)


def natural(written: str) -> int:
    """Read a whole number from 0 on."""
    try:
        number = int(written)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{written!r} is no whole number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is negative")
    if number > LARGEST:
        raise argparse.ArgumentTypeError(f"it must be at most {LARGEST}")
    return number


def positive(written: str) -> int:
    """Read a whole number from 1 on."""
    number = natural(written)
    if number == 0:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number
