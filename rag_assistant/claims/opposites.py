"""Words that say the opposite of others: where an answer has one and its source has the other."""

from collections.abc import Iterable
from collections.abc import Set as AbstractSet
from functools import cache

NEGATIVE_PREFIXES = ("un", "in", "im", "ir", "il", "non", "dis", "mis", "de")
"""What turns a word round that it is put before."""

_PAIRS = """
before after|above below|over under|earlier later|earliest latest|more less|more fewer|most least
maximum minimum|higher lower|highest lowest|greater smaller|larger smaller|longer shorter
increase decrease|increases decreases|increased decreased|increasing decreasing|raise lower
raised lowered|rise fall|rises falls|rose fell|rising falling|first last|inside outside
included excluded|includes excludes|with without|allowed forbidden|permitted prohibited
open closed|opens closes|accept reject|accepted rejected|start end|starts ends|begins ends
always never|all none|everyone nobody|on off|won lost|gain loss|buy sell|import export
positive negative|present absent|slow fast|slowly quickly|full empty|full half|pass fail
passed failed|same different|domestic foreign|internal external|male female|up down|many few
largest smallest|longest shortest|high low|able unable|everybody nobody|raised cut|winter summer
oldest newest|youngest oldest|best worst|better worse|strong weak|stronger weaker|rich poor
success failure|agree disagree|agreed refused|approved rejected|granted refused|gained lost
"""
_DUTY = frozenset(("must", "shall", "required", "obliged", "compulsory", "mandatory"))
_LEAVE = frozenset(("may", "can", "might", "could", "optional", "voluntary"))

SHORTEST = 4
"""Letters of a word that a prefix turns round: paid and unpaid."""


def says_the_opposite(forms: Iterable[str], source: AbstractSet[str]) -> bool:
    """Whether one of the levelled words stands in the source only as its opposite."""
    return any(form not in source and _opposites(form) & source for form in forms)


@cache
def _pairs() -> dict[str, set[str]]:
    """Give the opposites of each word of the pairs."""
    opposites: dict[str, set[str]] = {}
    for pair in _PAIRS.strip().replace("\n", "|").split("|"):
        one, other = pair.split()
        opposites.setdefault(one, set()).add(other)
        opposites.setdefault(other, set()).add(one)
    return opposites


def has_opposite(form: str) -> bool:
    """Whether a word has another that says the opposite."""
    return form in _pairs()


def are_opposites(form: str, other: str) -> bool:
    """Whether two levelled words say the opposite of one another."""
    return other in _opposites(form)


def _opposites(form: str) -> set[str]:
    opposites = set(_pairs().get(form, ()))
    if len(form) >= SHORTEST:
        opposites.update(prefix + form for prefix in NEGATIVE_PREFIXES)
    for prefix in NEGATIVE_PREFIXES:
        if form.startswith(prefix) and len(form) >= len(prefix) + SHORTEST:
            opposites.add(form.removeprefix(prefix))
    return opposites


def makes_a_duty(forms: AbstractSet[str], source: AbstractSet[str]) -> bool:
    """Whether words demand what the source only allows."""
    return bool(forms & _DUTY and source & _LEAVE and not source & _DUTY)


@cache
def opposed(one: str, other: str) -> bool:
    """Whether one word is the other with a prefix that negates it: paid and unpaid."""
    short, long = sorted((one, other), key=len)
    return len(short) > 2 and any(long == prefix + short for prefix in NEGATIVE_PREFIXES)
