"""The tables of the three voices: how often each is used of what, and how often it is right."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.values.evidence import Voice
from scripts.benchmarks.shared.figures import table

COVERAGES = (0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0)


@dataclass(frozen=True, slots=True)
class Spoken:
    """What came of a question: the voice, "" where nothing was quoted, and whether it was right.

    `kind` is "answerable", "near" (of the same subject, and not there), "left out" (the documents
    that hold it are) or "alone" (asked of the one document that holds it).
    """

    collection: str
    kind: str
    question: str
    voice: str
    chance: float
    right: bool
    values: Mapping[str, float] = field(default_factory=dict)


def tables(spoken: Sequence[Spoken]) -> list[str]:
    """Give the table of the voices, and the curve of risk and coverage."""
    cells = dict.fromkeys((one.collection, one.kind) for one in spoken)
    rows = [_row(f"{of}, {kind}", _some(spoken, of, kind)) for of, kind in cells]
    together = [one for one in spoken if one.kind != "alone"]
    for kind in dict.fromkeys(one.kind for one in together):
        rows.append(_row(f"all, {kind}", [one for one in together if one.kind == kind]))
    rows.append(_row("all of these", together))
    head = ("reported", "questions")
    voices = [
        f"{name}{what}" for name in ("Answer", "Probably", "nearest") for what in ("", ": right")
    ]
    return [table((*head, *voices), rows), _curve(together)]


def _some(spoken: Sequence[Spoken], collection: str, kind: str) -> list[Spoken]:
    return [one for one in spoken if (one.collection, one.kind) == (collection, kind)]


def _row(name: str, some: Sequence[Spoken]) -> list[str]:
    row = [name, str(len(some))]
    for voice in Voice:
        said = [one for one in some if one.voice == voice.value]
        precision = mean([float(one.right) for one in said])
        share = len(said) / len(some)
        row += [f"{share:.2f}", "-" if precision is None else f"{precision:.2f} of {len(said)}"]
    return row


def _curve(spoken: Sequence[Spoken]) -> str:
    """Say what share is wrong of the answers with the highest chances, by kinds of questions."""
    parts = {
        "answerable": [one for one in spoken if one.kind == "answerable"],
        "all": list(spoken),
    }
    rows = []
    for name, some in parts.items():
        ranked = sorted((one for one in some if one.voice), key=lambda one: -one.chance)
        row = [name]
        for coverage in COVERAGES:
            first = ranked[: max(1, round(coverage * len(ranked)))]
            row.append(
                f"{mean([float(not one.right) for one in first]) or 0.0:.2f}" if first else "-"
            )
        rows.append(row)
    return table(("wrong of the likeliest", *(f"{one:.0%}" for one in COVERAGES)), rows)
