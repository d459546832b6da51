"""The kind of thing a question asks for, a figure or a person, and whether words hold one."""

import re
from typing import Literal

from rag_assistant.text.quantities import holds_quantity

Kind = Literal["figure", "person", ""]

_ASKS_FIGURE = re.compile(
    r"\b(?:how (?:much|many|long|often|far|old|high|big|large|late|early|soon)|when|what (?:time|"
    r"date|day|year|price|amount|number|percentage|limit|temperature|pressure|size|sum)|"
    r"which (?:day|date|year|version))\b",
    re.IGNORECASE,
)
_HOW_OFTEN = re.compile(
    r"\b(?:one|half|once|twice|daily|weekly|monthly|quarterly|yearly|annual)\b", re.IGNORECASE
)
_ASKS_PERSON = re.compile(r"\b(?:who|whom|whose)\b", re.IGNORECASE)
_NAME = re.compile(r"\b[A-Z][\w'’-]+\s+(?:[a-z]{2,3}\s+)?[A-Z][\w'’-]+")


def kind_asked(question: str) -> Kind:
    """Say what kind of thing a question asks for; empty where any words may answer it."""
    if _ASKS_FIGURE.search(question):
        return "figure"
    return "person" if _ASKS_PERSON.search(question) else ""


def holds_kind(kind: Kind, words: str) -> bool:
    """Say whether words hold a thing of a kind; any words hold what is of none."""
    if kind == "figure":
        return holds_quantity(words) or _HOW_OFTEN.search(words) is not None
    return kind == "" or _NAME.search(words) is not None
