"""A comparison of two runs in words, and as JSON for scripts.

Keys of the JSON may be added; those that are here keep their names and meanings.
"""

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from rag_assistant.evaluation.measuring.comparing import (
    Comparison,
    MetricChange,
    Moved,
    Untested,
    signed,
)
from rag_assistant.evaluation.measuring.metric_names import OF_TRAFFIC
from rag_assistant.evaluation.measuring.significance import EXACT, FEWEST, LEVEL
from rag_assistant.evaluation.measuring.unlike import Unlike
from rag_assistant.evaluation.questions.naming import first_of
from rag_assistant.evaluation.reports.groups import shown
from rag_assistant.text.safe_text import clean_line

Json = dict[str, Any]

LONGEST = 80
"""Characters of an id or a setting that are shown."""

NONE = "–"
NOT_TESTED = "Not tested: no means over questions, or not in both runs"


def comparison_json(comparison: Comparison) -> Json:
    """Give a comparison as an object; differences are of the second run minus the first."""
    return {
        "before": comparison.before,
        "now": comparison.now,
        "questions": comparison.pairs,
        "unlike": [asdict(one) for one in comparison.unlike],
        "metrics": {change.metric: _change_json(change) for change in comparison.changes},
        "untested": {
            one.metric: {"before": one.before, "now": one.now} for one in comparison.untested
        },
        "per_question": [{**asdict(one), "gain": round(one.gain, 4)} for one in comparison.moved],
        "only_before": list(comparison.only_before),
        "only_now": list(comparison.only_now),
        "reworded": list(comparison.reworded),
        "notes": list(comparison.notes),
        "seed": comparison.seed,
        "samples": comparison.samples,
    }


def _change_json(change: MetricChange) -> Json:
    compared = change.paired
    return {
        "verdict": change.word,
        "before": round(change.before, 4),
        "now": round(change.now, 4),
        "difference": round(compared.difference, 4),
        "interval": asdict(compared.interval) if compared.interval else None,
        "p": change.p,
        "p_alone": compared.p,
        "questions": compared.pairs,
        "differ": compared.differ,
        "better": change.better,
        "worse": change.worse,
        "too_few": change.too_few,
    }


def title(comparison: Comparison) -> str:
    """Say what is compared."""
    pairs = comparison.pairs
    both = "1 question in both" if pairs == 1 else f"{pairs:,} questions in both"
    return f"{comparison.before} → {comparison.now}: {both}"


def outcome(comparison: Comparison) -> str:
    """Say in a line what to make of all of it."""
    if not comparison.changes:
        return "There is nothing to compare: no question has a measure in both."
    found = [
        f"{word.capitalize()}: {', '.join(comparison.of(word))}."
        for word in ("worse", "better")
        if comparison.of(word)
    ]
    noise = len(comparison.of("noise"))
    if found:
        others = "1 other metric differs" if noise == 1 else f"{noise} other metrics differ"
        rest = f" {others} by no more than noise." if noise else ""
        return f"{' '.join(found)}{rest}"
    if noise:
        return "No difference is more than noise: chance alone makes as large ones."
    return "No question has another measure: the runs are alike."


def remarks(comparison: Comparison) -> Iterator[str]:
    """Say how the figures came about, what was left out, and what else a reader must know."""
    metrics = len(comparison.changes)
    if any(change.paired.differ for change in comparison.changes):
        adjusted = f", adjusted for {metrics} metrics (max-T)" if metrics > 1 else ""
        yield (
            "p: how often a difference as large comes about when chance swaps the runs of each"
            f" question{adjusted}; noise above {LEVEL:.2f}. {_drawn(comparison)} +/−: questions"
            " better and worse."
        )
    alone = [one for one in comparison.changes if one.word == "noise" and one.paired.p <= LEVEL]
    if alone:
        named = [f"{change.metric} ({change.paired.p:.3f})" for change in alone]
        yield f"Not noise by itself, but among so many metrics it is, p alone: {_some(named)}"
    few = [change for change in comparison.changes if change.too_few]
    if few:
        named = [f"{change.metric} ({change.paired.differ})" for change in few]
        yield (
            "Too few questions differ to tell from noise, even if all were better or all worse"
            f" (it takes {FEWEST} at least): {_some(named)}"
        )
    for ids, where in (
        (comparison.only_before, f"only in {comparison.before}"),
        (comparison.only_now, f"only in {comparison.now}"),
        (comparison.reworded, "with other words now"),
    ):
        if ids:
            yield f"Left out, {where} ({len(ids):,}): {_some(ids)}"
    yield from (f"{note[:1].upper()}{note[1:]}" for note in comparison.notes)


def _drawn(comparison: Comparison) -> str:
    if all(change.paired.differ <= EXACT for change in comparison.changes):
        return "All choices were tried."
    return f"Random choices: {comparison.samples:,}, seed {comparison.seed}."


def _some(named: Sequence[str]) -> str:
    return first_of(map(brief, named))


def brief(text: str) -> str:
    """Give the beginning of an id or a setting, which may be of any length, as one line."""
    line = clean_line(text[: LONGEST * 10])
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"


def settings_of(one: Unlike) -> tuple[str, str, str]:
    """Give what is not alike, and how it was in both runs."""
    return brief(one.what), brief(one.before) or NONE, brief(one.now) or NONE


def interval_of(change: MetricChange) -> str:
    """Give the interval of a difference."""
    held = change.paired.interval
    return f"{signed(held.low)} to {signed(held.high)}" if held else NONE


def p_of(change: MetricChange) -> str:
    """Give p; nothing differs where there is none."""
    if not change.paired.differ:
        return NONE
    return "<0.001" if change.p < 0.001 else f"{change.p:.3f}"


def tally(change: MetricChange) -> str:
    """Give how many questions are better and worse."""
    return f"{change.better}/{change.worse}" if change.paired.differ else NONE


def untested_words(one: Untested) -> str:
    """Give a metric that is not tested as it stands in both, with the ratio if it is of traffic."""
    told = f"{shown(one.metric, one.before)} → {shown(one.metric, one.now)}"
    if one.metric.endswith(OF_TRAFFIC) and one.before and one.now is not None:
        return f"{told} (× {one.now / one.before:.2f})"
    return told


def other_metrics(comparison: Comparison) -> tuple[Sequence[Untested], Sequence[Untested]]:
    """Give the metrics that are not tested: those of quality, then those of time and cost."""
    traffic = [one for one in comparison.untested if one.metric.endswith(OF_TRAFFIC)]
    return [one for one in comparison.untested if one not in traffic], traffic


def traffic_title(comparison: Comparison) -> str:
    """Head the times and costs with what they can be compared by."""
    unlike = {one.what for one in comparison.unlike}
    if "machine" in unlike:
        return "Times and costs, on different machines"
    if "questions at once" in unlike:
        return "Times and costs, with another number of questions at once"
    return "Times and costs, of two moments (other work on the machine counts, too)"


def moved_lists(comparison: Comparison, rows: int) -> Iterator[tuple[str, Sequence[Moved]]]:
    """Give the first `rows` questions that are worse and that are better, each under a title."""
    worse = [one for one in comparison.moved if one.gain < 0]
    better = [one for one in reversed(comparison.moved) if one.gain > 0]
    for what, some in (("worse", worse), ("better", better)):
        if some:
            first = f", the first {rows}" if 0 < rows < len(some) else ""
            counted = "1 question is" if len(some) == 1 else f"{len(some):,} questions are"
            yield f"{counted} {what}{first}", some[:rows]
    same = [one for one in comparison.moved if one.gain == 0]
    if same:
        counted = "1 question" if len(same) == 1 else f"{len(same):,} questions"
        yield (
            f"{counted} came out otherwise, neither better nor worse by these metrics",
            same[:rows],
        )
