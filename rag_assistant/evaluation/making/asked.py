"""How a value is asked for: how many of what, how much, when; and how its sentence writes it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.agents.claim_values import Value
from rag_assistant.evaluation.making.clauses import Clause, is_only_verb
from rag_assistant.evaluation.making.english import Token, is_plural, verb_forms

SIZES = frozenset("long wide high deep old thick tall heavy large big far".split())
_UNITS = {
    "m": "metres", "mm": "millimetres", "cm": "centimetres", "km": "kilometres", "g": "grams",
    "kg": "kilograms", "mg": "milligrams", "l": "litres", "ml": "millilitres", "h": "hours",
    "min": "minutes", "s": "seconds", "ms": "milliseconds", "v": "volts", "w": "watts",
    "kw": "kilowatts", "kb": "kilobytes", "mb": "megabytes", "gb": "gigabytes", "bar": "bar",
    "n·m": "newton metres", "kn": "kilonewtons", "db": "decibels", "hz": "hertz",
}  # fmt: skip
_TEMPERATURES = ("°c", "°f", "°")
_EMPTY = ("times", "ways", "parts", "things")
_NO_UNIT = frozenset("of or and to in on at for per by the a an".split())


@dataclass(frozen=True, slots=True)
class Asked:
    """The words that ask for a value, and what is left of the clause behind it."""

    words: str
    after: tuple[Token, ...]
    kind: str
    unit: str = ""


def asked_for(value: Value, clause: Clause) -> Asked | None:
    """Say how a value is asked for: how many of what, how much, when."""
    kind = value.kind.split()[0]
    after = clause.after
    if any("-" in token.text and token.text[-1].isalpha() for token in clause.value):
        return None  # "24-well plates"
    if kind in ("number", "tight"):
        attached = re.search(r"(?<=\d)[^\W\d_]+$|°\s?[CF]?$", value.words)
        return _measured(attached[0], after) if attached else _counted(after)
    words = {"money": "How much", "share": "What percentage", "year": "Which year",
             "date": "Which date", "time": "What time"}.get(kind)  # fmt: skip
    if kind in ("share", "time") and after and after[0].kind == "word":
        return None  # "20 % alcohol"
    return Asked(words, after, kind) if words else None


def answer_of(value: Value, clause: Clause) -> str:
    """Give the value as its sentence writes it, with all of its unit."""
    asked = asked_for(value, clause)
    if not asked or not asked.unit or value.words.endswith(asked.unit):
        return value.words
    written = " ".join(token.text for token in clause.value)
    return f"{written} {asked.unit}"


def thing_asked(value: Value, clause: Clause) -> str:
    """Name what a value is: "number of days", "date"; "" where that cannot be said."""
    kind = value.kind.split()[0]
    named = {"money": "sum of money", "share": "percentage", "year": "year", "date": "date",
             "time": "time of day"}.get(kind)  # fmt: skip
    if named:
        return named
    asked = asked_for(value, clause)
    if asked is None:
        return ""
    if asked.words == "What temperature":
        return "temperature"
    return f"number of {asked.words.removeprefix('How many ')}"


def _measured(unit: str, after: tuple[Token, ...]) -> Asked | None:
    if after and after[0].kind in ("word", "num") and after[0].lower not in SIZES:
        return None  # "8 mm hose", "100 ml 0.1 M buffer"
    if unit.lower() in _TEMPERATURES:
        return Asked("What temperature", after, "measure", unit)
    named = _UNITS.get(unit.lower())
    return Asked(f"How many {named}", after, "number", unit) if named else None


def _counted(after: tuple[Token, ...]) -> Asked | None:
    """Take the noun that a number counts from what follows it."""
    counted = _noun(after)
    if not counted:
        return None
    last, rest, many = counted[-1].lower(), after[len(counted) :], ""
    if len(counted) == 1 and last in (*_TEMPERATURES, *_UNITS):
        return _measured(counted[-1], rest)
    if counted[0].lower() in ("month", "week", "day", "year", "hour", "minute"):
        many = f"{counted[0]}s"
    elif not is_plural(last) or last in _EMPTY or (last == "degrees" and rest):
        return None
    if rest and rest[0].kind == "word" and not verb_forms(rest[0].lower):
        return None  # "two parameters C and D"
    unit = " ".join(counted)
    return Asked(f"How many {many or unit}", rest, "number", unit)


def _noun(after: Sequence[Token]) -> list[str]:
    """Give the words up to a plural or a unit; [] where the value says more of another thing, as
    in "five days' notice"."""
    counted: list[str] = []
    for token in after[:3]:
        if token.text.endswith(("'", "’")):
            return []
        is_unit = token.kind == "word" and token.lower not in _NO_UNIT
        if not is_unit or (counted and (is_only_verb(token.lower) or token.lower in SIZES)):
            break
        counted.append(token.text)
        if is_plural(token.text) or token.lower in _UNITS:
            break
    return counted
