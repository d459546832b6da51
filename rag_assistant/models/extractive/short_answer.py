"""The words of a sentence that answer by themselves: its one value of the kind asked for."""

from collections.abc import Mapping

from rag_assistant.models.extractive.features import Asked
from rag_assistant.text.kinds_asked import Kind
from rag_assistant.text.quantities import Quantity, quantities_in, same

_OF_KINDS: Mapping[str, frozenset[str]] = {
    "share": frozenset(("share",)),
    "money": frozenset(("money",)),
    "moment": frozenset(("date", "time")),
    "time span": frozenset(("number",)),
    "figure": frozenset(("number", "share")),
}
_TIME_UNITS = frozenset(("s", "month"))


def standing_out(question: str, sentence: str) -> str:
    """Give the value of a sentence that a question asks for, as it is written.

    "" where it asks for none, or more than one may be meant. What the question names is known.
    """
    asked = Asked(question)
    kinds = _OF_KINDS.get(asked.kind.name) if asked.kind else None
    if not kinds:
        return ""
    named = quantities_in(question)
    found = [
        one
        for one in quantities_in(sentence)
        if one.kind in kinds and not any(same(one, other) for other in named)
    ]
    found = [one for one in found if _says_what(asked.kind, one)]
    return found[0].words if len(found) == 1 else ""


def _says_what(kind: Kind | None, value: Quantity) -> bool:
    """Whether a value says what it is of: a bare number says too little by itself."""
    units = {one.unit.partition("/")[0] for one in value.readings}
    if kind is not None and kind.name == "time span":
        return not units.isdisjoint(_TIME_UNITS)
    return value.kind != "number" or units != {""}
