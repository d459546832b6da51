"""Two runs of the same questions, compared question by question: what is better, worse or noise."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from rag_assistant.evaluation.measuring.figures import Figures
from rag_assistant.evaluation.measuring.metric_names import NEITHER, check_metric, less_is_better
from rag_assistant.evaluation.measuring.ranking import FOUND
from rag_assistant.evaluation.measuring.significance import (
    FEWEST,
    FLIPS,
    LEVEL,
    Paired,
    adjusted,
    paired,
)
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.unlike import Unlike, unlike
from rag_assistant.evaluation.measuring.verdicts import Verdict

DIGITS = 4
"""Decimals that values are compared by, which are those of a report's JSON: a fifth would make a
run differ from its own report."""

LARGEST = 2
"""Measures that are named of a question, those that changed the most."""

Word = Literal["better", "worse", "noise", "same"]
Pair = tuple[Verdict, Verdict]
_Both = tuple[float, float] | None


@dataclass(frozen=True, slots=True)
class MetricChange:
    """A metric in both runs, over the questions that both measured it on.

    `before` and `now` are means. `p` is that of `paired`, adjusted for all metrics that are
    compared with it. `better` and `worse` count the questions.
    """

    metric: str
    before: float
    now: float
    paired: Paired
    p: float
    better: int
    worse: int

    @property
    def word(self) -> Word:
        """What to make of it: "noise" where chance does as much in more than 1 of 20 cases."""
        if not self.paired.differ:
            return "same"
        if self.p > LEVEL:
            return "noise"
        rises = self.paired.difference > 0
        return "better" if rises is not less_is_better(self.metric) else "worse"

    @property
    def too_few(self) -> bool:
        """Whether so few questions differ that nothing could be more than noise."""
        return 0 < self.paired.differ < FEWEST

    @property
    def drop(self) -> float:
        """How much worse the mean is; negative where it is better."""
        difference = self.paired.difference
        return difference if less_is_better(self.metric) else -difference


@dataclass(frozen=True, slots=True)
class Moved:
    """A question that came out otherwise, and how.

    `gain` is the mean over the metrics compared of how much better it is, negative where it is
    worse; `differences` are now - before by metric, those that are not 0. `changes` are in words.
    """

    id: str
    question: str
    gain: float
    changes: tuple[str, ...]
    differences: Mapping[str, float]


@dataclass(frozen=True, slots=True)
class Untested:
    """A metric that is no mean over questions, or that of a stage one run has not, as it stands."""

    metric: str
    before: float | None
    now: float | None


@dataclass(frozen=True, slots=True)
class Comparison:
    """What came of comparing two runs.

    `pairs` counts the questions in both with the same text. `moved` are those of them that came out
    otherwise, the worst first. The others are left out, by their ids: `only_before`, `only_now`,
    and `reworded`, whose texts differ. `unlike` says what else is not alike.
    """

    before: str
    now: str
    pairs: int
    unlike: tuple[Unlike, ...]
    changes: tuple[MetricChange, ...]
    untested: tuple[Untested, ...]
    moved: tuple[Moved, ...]
    only_before: tuple[str, ...]
    only_now: tuple[str, ...]
    reworded: tuple[str, ...]
    notes: tuple[str, ...]
    seed: int
    samples: int

    def of(self, word: Word) -> tuple[str, ...]:
        """Name the metrics of a word."""
        return tuple(change.metric for change in self.changes if change.word == word)


def compare(
    before: Figures,
    now: Figures,
    *,
    metrics: Collection[str] = (),
    seed: int = 0,
    samples: int = FLIPS,
) -> Comparison:
    """Compare two runs over the questions that they have in common, by their ids.

    Only `metrics` are compared where there are any. Raises QuestionSetError for one that both runs
    do not have.
    """
    shared = _shared(before, now)
    pairs = _pairs(shared)
    values = _values(pairs, _order(before, now))
    names = tuple(dict.fromkeys(metrics)) or tuple(values)
    for name in names:
        check_metric(name, values)
    chosen = {name: values[name] for name in names}
    changes = _changes(chosen, seed, samples)
    return Comparison(
        before.name,
        now.name,
        len(pairs),
        unlike(before.header, now.header) if before.header and now.header else (),
        changes,
        () if metrics else _untested(before, now, names),
        _moved(pairs, names),
        _others(before, shared),
        _others(now, shared),
        tuple(one.id for one, other in shared if one.question != other.question),
        tuple(_notes(before, now)),
        seed,
        samples,
    )


def measures_of(verdict: Verdict) -> Mapping[str, float]:
    """Give a question's measures with those of refusing, which a report has as shares of all."""
    measures = dict(verdict.measures)
    if verdict.outcome:
        wanted = ("answered", "answered") if verdict.answerable else ("refusal_recall", "refused")
        measures[wanted[0]] = float(verdict.outcome == wanted[1])
        measures["stopped"] = float(verdict.outcome == "stopped")
    return {name: round(value, DIGITS) for name, value in measures.items()}


def measured_in_both(before: Figures, now: Figures) -> tuple[str, ...]:
    """Name the metrics that `compare` can compare."""
    return tuple(_values(_pairs(_shared(before, now)), _order(before, now)))


def _shared(before: Figures, now: Figures) -> Sequence[Pair]:
    old = {verdict.id: verdict for verdict in before.verdicts}
    return [(old[new.id], new) for new in now.verdicts if new.id in old]


def _pairs(shared: Sequence[Pair]) -> Sequence[Pair]:
    return [(old, new) for old, new in shared if old.question == new.question]


def _others(run: Figures, shared: Sequence[Pair]) -> tuple[str, ...]:
    ids = {new.id for _, new in shared}
    return tuple(one.id for one in run.verdicts if one.id not in ids)


def _order(before: Figures, now: Figures) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*now.metrics, *before.metrics)))


def _values(pairs: Sequence[Pair], order: Sequence[str]) -> Mapping[str, Sequence[_Both]]:
    """Give each measure's values for each pair, the measures in the order of the reports."""
    measured = [(measures_of(old), measures_of(new)) for old, new in pairs]
    names = dict.fromkeys((*order, *(name for _, has in measured for name in has)))
    found = {
        name: [
            (had[name], has[name]) if name in had and name in has else None for had, has in measured
        ]
        for name in names
        if name not in NEITHER
    }
    return {name: values for name, values in found.items() if any(values)}


def _changes(
    values: Mapping[str, Sequence[_Both]], seed: int, samples: int
) -> tuple[MetricChange, ...]:
    changes = [
        _change(name, list(filter(None, held)), seed, samples) for name, held in values.items()
    ]
    if len(changes) < 2:
        return tuple(changes)
    differences = {
        name: [both[1] - both[0] if both else 0.0 for both in held] for name, held in values.items()
    }
    together = adjusted(differences, seed=seed, samples=samples)
    return tuple(replace(one, p=max(one.p, together[one.metric])) for one in changes)


def _change(
    name: str, values: Sequence[tuple[float, float]], seed: int, samples: int
) -> MetricChange:
    old, new = zip(*values, strict=True)
    compared = paired(old, new, seed=seed, samples=samples)
    rose = sum(now > before for before, now in values)
    fell = compared.differ - rose
    better, worse = (fell, rose) if less_is_better(name) else (rose, fell)
    means = (sum(old) / len(old), sum(new) / len(new))
    return MetricChange(name, *means, compared, compared.p, better, worse)


def _untested(before: Figures, now: Figures, tested: Collection[str]) -> tuple[Untested, ...]:
    names = (name for name in _order(before, now) if name not in tested)
    found = (Untested(name, before.metrics.get(name), now.metrics.get(name)) for name in names)
    return tuple(one for one in found if (one.before, one.now) != (None, None))


def _moved(pairs: Sequence[Pair], names: Sequence[str]) -> tuple[Moved, ...]:
    moved = (_move(old, new, names) for old, new in pairs)
    return tuple(sorted(filter(None, moved), key=lambda one: one.gain))


def _move(old: Verdict, new: Verdict, names: Sequence[str]) -> Moved | None:
    had, has = measures_of(old), measures_of(new)
    both = [name for name in names if name in had and name in has]
    differences = {name: round(has[name] - had[name], DIGITS) for name in both}
    gains = [-d if less_is_better(name) else d for name, d in differences.items()]
    differing = {name: d for name, d in differences.items() if d}
    changes = tuple(_words(old, new, differing))
    if not changes:
        return None
    return Moved(new.id, new.question, mean(gains) or 0.0, changes, differing)


def _words(old: Verdict, new: Verdict, differing: Mapping[str, float]) -> Iterator[str]:
    """Say what a person sees of a difference, and which measures changed the most."""
    if None not in (old.rank, new.rank) and old.rank != new.rank:
        yield f"rank {old.rank or f'over {FOUND}'} → {new.rank or f'over {FOUND}'}"
    if old.outcome and new.outcome:
        if old.outcome != new.outcome:
            yield f"{old.outcome} → {new.outcome}"
        elif None not in (old.answered, new.answered) and old.answered != new.answered:
            yield "wrong → right" if new.answered else "right → wrong"
        yield from _quotes(set(old.quotes), set(new.quotes))
    for name in sorted(differing, key=lambda name: -abs(differing[name]))[:LARGEST]:
        yield f"{name} {signed(differing[name])}"


def signed(value: float) -> str:
    """Give a difference with its sign; the same width for either."""
    return f"{value:+.3f}".replace("-", "−")


def _quotes(old: Collection[str], new: Collection[str]) -> Iterator[str]:
    lost, gained = len(set(old) - set(new)), len(set(new) - set(old))
    told = [f"{count} {what}" for count, what in ((lost, "lost"), (gained, "gained")) if count]
    if told:
        yield f"quotes: {', '.join(told)}"


def _notes(before: Figures, now: Figures) -> Iterator[str]:
    for one in (before, now):
        yield from one.notes
        if one.header is None:
            yield f"it is not known what {one.name} was made with"
