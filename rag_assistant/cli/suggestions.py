"""What a mistyped command or option was probably meant to be; imported for a mistake alone."""

import argparse
import re
from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz, process

_WRONG_CHOICE = re.compile(
    r"argument (?P<of>.+?): invalid choice: '(?P<given>.*)' \(choose from (?P<choices>.*)\)", re.S
)
_WRONG_OPTIONS = re.compile(r"unrecognized arguments: (?P<given>.*)", re.S)
_CLOSE = 65
"""How alike two words must be, of 100, for one to be a slip of the other."""


def with_suggestion(message: str, parser: argparse.ArgumentParser) -> str:
    """Give an error of argparse, with the nearest that there is to what was written."""
    if wrong := _WRONG_CHOICE.fullmatch(message):
        choices = re.findall(r"[\w-]+", wrong["choices"])
        near = _meant(wrong["given"], choices)
        if wrong["of"] in ("COMMAND", "ACTION"):
            named = near or f"There are: {', '.join(choices)}."
            return f"there is no command {wrong['given']!r}. {named}"
        return f"{message}. {near}" if near else message
    if wrong := _WRONG_OPTIONS.fullmatch(message):
        known = list(_options(parser))
        given = [word.partition("=")[0] for word in wrong["given"].split()]
        near = " ".join(_meant(word, known) for word in given if word.startswith("--"))
        return f"{message}. {near}" if near.strip() else message
    return message


def nearest(given: str, known: Iterable[str]) -> str:
    """Give the known word that another is probably a slip of; "" for none."""
    found = process.extractOne(given, sorted(set(known)), scorer=fuzz.ratio, score_cutoff=_CLOSE)
    return found[0] if found else ""


def _meant(given: str, known: Iterable[str]) -> str:
    found = nearest(given, known)
    return f"Did you mean {found}?" if found else ""


def _options(parser: argparse.ArgumentParser) -> Iterator[str]:
    """Give the long options of a parser and of the commands below it."""
    for action in parser._actions:
        yield from (option for option in action.option_strings if option.startswith("--"))
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                yield from _options(below)
