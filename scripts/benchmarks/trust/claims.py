"""Marks on right answers and on altered ones: gold sentences in several forms, or wrong by rule.

A hard mark says that the sources say otherwise, a soft one that words were not confirmed. What is
read is the whole document that the cited quote is of. The rules that made an answer say whether it
is right; free rewordings, each with an altered twin, were written by somebody who had not seen the
judge. Processor time is that of all checks of answers of the built-in model.
"""

import argparse
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import sqrt

from rag_assistant.claims.judging import with_support
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.evidence import Answer, Citation, Evidence
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import absent
from scripts.benchmarks.trust.claims_alterations import ALTERATIONS, altered
from scripts.benchmarks.trust.claims_forms import right_answers
from scripts.benchmarks.trust.claims_gold import (
    Gold,
    covid_gold,
    demo_gold,
    some_of,
    squad_gold,
)
from scripts.benchmarks.trust.claims_rewordings import rewordings
from scripts.benchmarks.trust.claims_times import processor_times

HARD_KINDS = ("number", "scale", "date", "unit", "version")
MARKED_KINDS = ("name", "negation", "sign", "exchanged", "roles", "added")
PLAIN_FORMS = ("whole", "bare", "bullet", "row")
FREE = ("light", "clear", "free")

_Z = 1.96


@dataclass(frozen=True)
class Outcome:
    """What an answer of a kind got; `collection` is what it is about."""

    kind: str
    collection: str
    answer: str
    sentences: Sequence[Sentence]

    @cached_property
    def is_hard(self) -> bool:
        """Whether any sentence has a hard mark."""
        return any(one.support.is_hard for one in self.sentences)

    @cached_property
    def is_soft(self) -> bool:
        """Whether any sentence has a soft mark, and none a hard one."""
        return not self.is_hard and any(one.support.is_soft for one in self.sentences)

    @property
    def is_marked(self) -> bool:
        """Whether any sentence has a mark."""
        return self.is_hard or self.is_soft


def judged(kind: str, gold: Sequence[Gold], text: str) -> Outcome:
    """Judge an answer that cites the quotes of gold sentences."""
    items = [one.item for one in gold]
    citations = tuple(Citation(number, item) for number, item in enumerate(items, 1))
    evidence = (Evidence(items[0].database, gold[0].question, tuple(items), 8, ()),)
    answer = Answer(gold[0].question, text, citations, evidence, Coverage(), "m", Usage(), 1)
    read = list({one.text.document: (one.text.collection, one.text.read) for one in gold}.values())
    sentences = with_support(answer, read).sentences
    return Outcome(kind, gold[0].text.collection, text, sentences)


def of_forms(gold: Sequence[Gold]) -> Iterator[Outcome]:
    """Judge the right answers."""
    for right in right_answers(gold):
        yield judged(right.form, right.gold, right.answer)


def of_alterations(gold: Sequence[Gold]) -> Iterator[Outcome]:
    """Judge the wrong ones."""
    for kind in ALTERATIONS:
        for one, answer in altered(gold, kind):
            yield judged(kind, [one], answer)


def share(some: Iterable[bool]) -> tuple[float, str]:
    """Give a share with its count and Wilson's interval of 95 %."""
    values = list(some)
    if not values:
        return 0.0, "0"
    count, found = len(values), sum(values)
    part = found / count
    middle = (part + _Z**2 / (2 * count)) / (1 + _Z**2 / count)
    spread = _Z * sqrt(part * (1 - part) / count + _Z**2 / (4 * count**2)) / (1 + _Z**2 / count)
    return part, f"{found} of {count}, {max(0, middle - spread):.3f} to {middle + spread:.3f}"


def figures(outcomes: Sequence[Outcome], prefix: str) -> Iterator[Figure]:
    """Give the figures that have goals."""
    near = [one for one in outcomes if one.kind in (*PLAIN_FORMS, "merged", "reworded")]
    yield _figure(f"{prefix}: hard marks on right answers", (o.is_hard for o in near), "<= 0.01")
    plain = [one for one in near if one.kind in PLAIN_FORMS]
    name = f"{prefix}: soft marks, whole, bare, bullet and table"
    yield _figure(name, (one.is_soft for one in plain), "<= 0.03")
    light = [one for one in near if one.kind == "reworded"]
    yield _figure(f"{prefix}: soft marks, reworded by rule", (o.is_soft for o in light), "<= 0.08")
    for kind in (*HARD_KINDS, *MARKED_KINDS, "attribution"):
        found = [one for one in outcomes if one.kind == kind]
        if kind in HARD_KINDS:
            yield _figure(f"{prefix}: {kind}, hard", (one.is_hard for one in found), ">= 0.95")
        else:
            goal = ">= 0.8" if kind == "attribution" else ">= 0.9"
            yield _figure(f"{prefix}: {kind}, marked", (one.is_marked for one in found), goal)


def _figure(name: str, some: Iterable[bool], goal: str = "") -> Figure:
    value, detail = share(some)
    return Figure(name, value, goal="" if detail == "0" else goal, detail=detail)


def by_collection(outcomes: Sequence[Outcome], parts: Sequence[str]) -> str:
    """Make a table of hard and soft marks by kind and collection."""
    kinds = list(dict.fromkeys(one.kind for one in outcomes))
    rows: list[list[str]] = []
    for kind in kinds:
        row = [kind]
        for part in parts:
            some = [o for o in outcomes if o.kind == kind and part in (o.collection, "all")]
            row.append(_cell(some))
        rows.append(row)
    return table(["hard / soft", *parts], rows)


def _cell(some: Sequence[Outcome]) -> str:
    if not some:
        return "–"
    hard = sum(one.is_hard for one in some) / len(some)
    soft = sum(one.is_soft for one in some) / len(some)
    return f"{hard:.3f} / {soft:.3f} of {len(some)}"


def of_rewordings(options: argparse.Namespace) -> Report:
    """Judge the free rewordings and their altered twins."""
    cases = rewordings(options.data, options.scratch / "rewordings", choosing=options.choosing)
    found: list[Figure] = []
    rows: list[list[str]] = []
    right = [(one, judged(one.freedom, [one.gold], f"{one.reworded} [1]")) for one in cases]
    wrong = [(one, judged(one.kind, [one.gold], f"{one.altered} [1]")) for one in cases]
    found.append(
        _figure("rewordings: hard marks on right ones", (o.is_hard for _, o in right), "<= 0.03")
    )
    found.append(_figure("rewordings: right ones flagged", (o.is_marked for _, o in right)))
    found.append(_figure("rewordings: altered caught", (o.is_marked for _, o in wrong)))
    found.append(_figure("rewordings: altered caught, hard", (o.is_hard for _, o in wrong)))
    for freedom in FREE:
        some = [o for one, o in right if one.freedom == freedom]
        twins = [o for one, o in wrong if one.freedom == freedom]
        rows.append([f"right, {freedom}", _cell(some)])
        rows.append([f"altered, {freedom}", _cell(twins)])
    for kind in dict.fromkeys(one.kind for one in cases):
        rows.append([f"altered: {kind}", _cell([o for one, o in wrong if one.kind == kind])])
    return Report(found, [table(["rewordings by hand", "hard / soft"], rows)])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the number of sentences be chosen, and the parts that served for tuning."""
    parser.add_argument("--most", type=int, default=300, help="gold sentences of a collection")
    parser.add_argument("--choosing", action="store_true", help="the tuning parts instead")
    parser.add_argument("--demo-only", action="store_true", help="no collection but the demo's")


def measured(options: argparse.Namespace) -> Report:
    """Measure all parts that are there."""
    report = Report()
    choosing = options.choosing
    parts: dict[str, Sequence[Gold]] = {
        "demo": demo_gold(options.scratch / "gold", choosing=choosing)
    }
    for name, read in (("covidqa", covid_gold), ("squad", squad_gold)):
        folder = options.data / name
        if options.demo_only or not (folder / "questions.jsonl").exists():
            report = report.with_more(absent(folder))
        else:
            parts[name] = some_of(read(folder, choosing=choosing), options.most)
    outcomes = [
        Outcome(one.kind, name, one.answer, one.sentences)
        for name, gold in parts.items()
        for one in (*of_forms(gold), *of_alterations(gold))
    ]
    tables = [by_collection(outcomes, [*parts, "all"])]
    report = report.with_more(Report([*figures(outcomes, "claims")], tables))
    report = report.with_more(of_rewordings(options))
    if not choosing:
        report = report.with_more(processor_times(options))
    return report
