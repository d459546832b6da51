"""What kind of thing a question asks for, as its words tell: a number, a time, a name, a reason.

Told for English questions; of others nothing is known. A text that has the kind need not answer,
but one that lacks it hardly does.
"""

import re
from enum import Enum

from rag_assistant.claims.names import names_of
from rag_assistant.text.quantities import quantities_in


class AskedKind(Enum):
    """What is asked for."""

    NUMBER = "number"
    TIME = "time"
    NAME = "name"
    REASON = "reason"


_WAYS = (
    (
        AskedKind.NUMBER,
        r"\bhow (?:many|much|long|far|often|old|high|large|tall|big|fast|deep|wide|heavy)\b"
        r"|\bwhat (?:percent|percentage|number|share|proportion|amount|price|cost|rate|size"
        r"|temperature|score)\b",
    ),
    (AskedKind.TIME, r"\bwhen\b|\b(?:what|which) (?:year|date|day|month|time|century|decade)\b"),
    (
        AskedKind.NAME,
        r"\bwho(?:m|se)?\b|\bwhere\b|\b(?:what|which) (?:person|author|city|country|town|place"
        r"|region|state|street|company|name)\b",
    ),
    (AskedKind.REASON, r"\bwhy\b|\bwhat (?:caused|causes|reasons?)\b"),
)
_ASKED = tuple((kind, re.compile(words, re.IGNORECASE)) for kind, words in _WAYS)
_OF_KINDS = {
    AskedKind.NUMBER: frozenset(("number", "money", "share")),
    AskedKind.TIME: frozenset(("date", "time")),
}
_REASON = re.compile(
    r"\b(?:because|due to|since|as a result|caused?|so that|owing|leads? to|led to|reasons?"
    r"|therefore|in order to|to (?:avoid|ensure|prevent|reduce|allow|keep|protect|save))\b",
    re.IGNORECASE,
)


def asked_kind(question: str) -> AskedKind | None:
    """Give what a question asks for, None where its words do not tell."""
    return next((kind for kind, words in _ASKED if words.search(question)), None)


def has_kind(kind: AskedKind, text: str) -> bool:
    """Whether a text has anything of a kind."""
    if kind is AskedKind.REASON:
        return _REASON.search(text) is not None
    values = quantities_in(text)
    if kind is AskedKind.NAME:
        return bool(names_of(text, values))
    return any(value.kind in _OF_KINDS[kind] for value in values)
