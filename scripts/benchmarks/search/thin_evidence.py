"""Which stage of ranking hurts where its evidence is thin: on strange collections, and held out.

Judged collections are changed in one way at a time (`altered_collections`), and ranked by all
stages, by words alone, and by all stages without each. Then the weights of the two stages that
compare entries with one another, n-grams and feedback, are chosen on all collections but one, and
tried on that one: those with judgements, and folders whose questions name the documents that answer
them. Rankings are of 100 documents; the measure is nDCG@10.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean

from rag_assistant.search.pool import Pool
from rag_assistant.search.stages import QUESTION, Stage
from scripts.benchmarks.search.ablation import Judged, measure, pools_of
from scripts.benchmarks.search.altered_collections import CHANGES, Collection, read_collection
from scripts.benchmarks.shared.figures import Figure, Report, joined, table
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    absent,
    add_collections,
    read_lines,
    unpack,
)

COMPARING = ("n-grams", "feedback")
"""Stages whose weights are chosen anew."""

AS_IT_IS = "as it is"
"""The change that changes nothing."""

FOLDERS = {"covidqa": "", "squad": "squad/documents", "reports": "documents/pdf"}
"""Collections with questions, and where their documents are; empty where they are one file."""

FACTORS = (0.0, 0.5, 1.0, 1.5)
"""What their weights are multiplied with."""

Held = Mapping[str, Mapping[tuple[float, ...], float]]
"""nDCG@10 by collection and factors."""


def gain(judged: Sequence[Judged], stages: Sequence[Stage]) -> float:
    """Give the nDCG@10 of some stages."""
    return measure(judged, stages)[0]


def weighed(factors: Sequence[float]) -> list[Stage]:
    """Give all stages, the comparing ones with their weights multiplied."""

    def contribute(stage: Stage, factor: float, pool: Pool, scores: Sequence[float]) -> list[float]:
        return [factor * value for value in stage.contribute(pool, scores)]

    known = dict(zip(COMPARING, factors, strict=True))
    return [
        replace(stage, contribute=partial(contribute, stage, known[stage.name]))
        if stage.name in known
        else stage
        for stage in QUESTION
    ]


@dataclass(frozen=True, slots=True)
class Gains:
    """nDCG@10 of all stages, of the words alone, and of all stages without each."""

    whole: float
    base: float
    without: Mapping[str, float]

    def row(self, name: str) -> list[str]:
        """Write it with what each stage gains."""
        shares = [f"{self.whole - other:+.4f}" for other in self.without.values()]
        return [name, f"{self.whole:.4f}", f"{self.base:.4f}", *shares]


def gains_of(judged: Sequence[Judged]) -> Gains:
    """Measure all stages and each."""
    without = {
        stage.name: gain(judged, [one for one in QUESTION if one is not stage])
        for stage in QUESTION[1:]
    }
    return Gains(gain(judged, QUESTION), gain(judged, QUESTION[:1]), without)


def table_of(found: Mapping[str, Gains], title: str, what: str) -> Report:
    """Make the table of all gains, and the figure of the stage that loses most anywhere."""
    losses = {
        f"{stage}, {name}": other - one.whole
        for name, one in found.items()
        for stage, other in one.without.items()
    }
    worst = max(losses, key=losses.__getitem__)
    loss = round(losses[worst], 4)
    figure = Figure(f"{what}: most that any stage loses", loss, goal="<= 0.01", detail=worst)
    head = title, "all stages", "words alone", *(f"{one.name} gains" for one in QUESTION[1:])
    return Report([figure], [table(head, [one.row(name) for name, one in found.items()])])


def weights_of(judged: Sequence[Judged]) -> dict[tuple[float, ...], float]:
    """Give the nDCG@10 of each choice of weights."""
    return {
        factors: gain(judged, weighed(factors))
        for factors in product(FACTORS, repeat=len(COMPARING))
    }


def strange(name: str, given: Collection, scratch: Path) -> tuple[Report, Held]:
    """Measure a collection with each change; and how it does with each choice of weights."""
    found: dict[str, Gains] = {}
    held: dict[str, Mapping[tuple[float, ...], float]] = {}
    for change, make in CHANGES.items():
        made = make(given)
        folder = scratch / f"{name}-{change}".replace(" ", "-")
        made.write(folder)
        judged = pools_of(folder, made.questions, scratch / f"{folder.name}-home")
        found[change] = gains_of(judged)
        if change == AS_IT_IS:
            held[name] = weights_of(judged)
    title = f"{name}, {len(given.questions)} queries: nDCG@10"
    return table_of(found, title, f"{name} and strange kinds of it"), held


def folders(options: argparse.Namespace) -> tuple[Report, Held]:
    """Measure folders of documents whose questions name the documents that answer them."""
    data: Path = options.data
    sets = [(name, CORPORA / name, CORPORA / f"{name}.questions.jsonl") for name in DEMO]
    for name, documents in FOLDERS.items():
        if (data / name).is_dir():
            folder = data / documents if documents else unpack(data / name, options.scratch / name)
            sets.append((name, folder, data / name / "questions.jsonl"))
    found: dict[str, Gains] = {}
    held: dict[str, Mapping[tuple[float, ...], float]] = {}
    for name, folder, questions in sets:
        asked = [
            (str(line["question"]), dict.fromkeys(map(str, line["relevant"]), 1))
            for line in read_lines(questions)
            if line.get("answerable", True) and line.get("relevant")
        ]
        asked = asked[:: max(1, len(asked) // options.queries)][: options.queries]
        judged = pools_of(folder, asked, options.scratch / f"{name}-home")
        found[f"{name}, {len(asked)} questions"] = gains_of(judged)
        held[name] = weights_of(judged)
    return table_of(found, "folders of documents: nDCG@10", "folders of documents"), held


def held_out(found: Held) -> Report:
    """Choose weights on all collections but one, and try them on that one."""
    rows: list[list[str]] = []
    for name, own in found.items():
        others = [some for other, some in found.items() if other != name]
        chosen = max(own, key=lambda factors: fmean(some[factors] for some in others))
        best = max(own, key=own.__getitem__)
        cells = [f"{own[factors]:.4f}" for factors in ((1.0,) * len(COMPARING), chosen, best)]
        rows.append([name, *cells, *(_written(factors) for factors in (chosen, best))])
    head = "left out", "as it is", "chosen on the others", "its own best", "chosen", "best"
    return Report(tables=[table(head, rows)])


def _written(factors: Sequence[float]) -> str:
    return ", ".join(f"{name} × {x:g}" for name, x in zip(COMPARING, factors, strict=True))


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let collections be named, and fewer queries be asked."""
    add_collections(parser)
    parser.add_argument("--queries", type=int, default=150, help="of each collection, at most")


def measured(options: argparse.Namespace) -> Report:
    """Measure every collection, changed and held out."""
    reports: list[Report] = []
    found: dict[str, Mapping[tuple[float, ...], float]] = {}
    for name in options.collections:
        folder = options.data / name
        if not (folder / "queries.jsonl").exists():
            reports.append(absent(folder))
            continue
        given = read_collection(folder, options.queries)
        report, held = strange(name, given, options.scratch)
        reports.append(report)
        found.update(held)
    report, held = folders(options)
    return joined([*reports, report, held_out({**found, **held})])
