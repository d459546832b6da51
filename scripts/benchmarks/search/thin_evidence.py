"""Which stage of ranking hurts where its evidence is thin: on strange collections, and held out.

Judged collections are changed in one way at a time (`altered_collections`), and ranked by all
stages, by words alone, and by all stages without each. Then the weights of the two stages that
compare entries with one another, n-grams and feedback, are chosen on all collections but one, and
tried on that one. Rankings are of 100 documents; the measure is nDCG@10.
"""

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import product
from pathlib import Path
from statistics import fmean

from rag_assistant.search.pool import Pool
from rag_assistant.search.stages import QUESTION, Stage
from scripts.benchmarks.search.ablation import Judged, measure, pools_of
from scripts.benchmarks.search.altered_collections import CHANGES, Collection, read_collection
from scripts.benchmarks.shared.figures import Figure, Report, joined, table
from scripts.benchmarks.shared.places import absent, add_collections

COMPARING = ("n-grams", "feedback")
"""Stages whose weights are chosen anew."""

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


def strange(name: str, given: Collection, scratch: Path) -> tuple[Report, Held]:
    """Measure a collection with each change; and how it does with each choice of weights."""
    rows: list[list[str]] = []
    losses: dict[str, float] = {}
    held: dict[str, Mapping[tuple[float, ...], float]] = {}
    for change, make in CHANGES.items():
        made = make(given)
        folder = scratch / f"{name}-{change}".replace(" ", "-")
        made.write(folder)
        judged = pools_of(folder, made.questions, scratch / f"{folder.name}-home")
        whole, base = gain(judged, QUESTION), gain(judged, QUESTION[:1])
        without = {
            stage.name: gain(judged, [one for one in QUESTION if one is not stage])
            for stage in QUESTION[1:]
        }
        losses |= {f"{stage}, {change}": other - whole for stage, other in without.items()}
        shares = [f"{whole - other:+.4f}" for other in without.values()]
        rows.append([change, f"{whole:.4f}", f"{base:.4f}", *shares])
        if change == "as it is":
            held[name] = {
                factors: gain(judged, weighed(factors))
                for factors in product(FACTORS, repeat=len(COMPARING))
            }
    head = f"{name}, {len(given.questions)} queries: nDCG@10", "all stages", "words alone"
    worst = max(losses, key=losses.__getitem__)
    figures = [
        Figure(
            f"{name} and strange kinds of it: most that any stage loses",
            round(losses[worst], 4),
            goal="<= 0.01",
            detail=worst,
        )
    ]
    gains = [f"{stage.name} gains" for stage in QUESTION[1:]]
    return Report(figures, [table((*head, *gains), rows)]), held


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
    return joined([*reports, held_out(found)] if len(found) > 1 else reports)
