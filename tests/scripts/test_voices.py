"""The fit of the chance, and what the voices take, are what they are called."""

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from scripts.benchmarks.trust.voice_fit import fitted, weights_of
from scripts.benchmarks.trust.voice_tables import Spoken, tables


def asked(count: int) -> Iterator[Spoken]:
    """Give answers whose chance of being right is their one signal."""
    drawn = np.random.default_rng(3)
    for place in range(count):
        likely = drawn.random()
        kind = ("answerable", "answerable", "near", "left out")[place % 4]
        right = kind == "answerable" and drawn.random() < likely
        values = {"words": likely, "lead": drawn.random()}
        yield Spoken("a", kind, f"question {place}", "nearest", likely, bool(right), values)


def test_the_voices_take_what_is_likely_enough() -> None:
    """The constants of the product would be of another choice than they say."""
    report = fitted(list(asked(4_000)))
    written = report.tables[-1]
    line = next(line for line in written.splitlines() if line.startswith("ANSWER"))
    answer, probably = map(float, line.partition("=")[2].split(","))
    assert 0.8 <= answer <= 1.01
    assert 0.5 <= probably < 0.65
    assert '"words": SignalWeight(' in written
    values: dict[str, Any] = {}
    exec(written, values)  # it is a module as it stands
    assert values["CHANCE"].signals["words"].weight > values["CHANCE"].signals["lead"].weight


def test_each_kind_has_its_part_whatever_it_counts() -> None:
    """A collection with many near-misses would teach that nothing can be answered."""
    some = [one for one in asked(40) if one.kind != "near"] + list(asked(12))
    weights = weights_of(some)
    share = sum(w for w, one in zip(weights, some, strict=True) if one.kind == "answerable")
    assert share / weights.sum() == pytest.approx(0.6)


def test_the_table_counts_each_voice_once() -> None:
    """Coverage of the voices would not add up, or precision be of other questions."""
    some = [
        Spoken("demo", "answerable", "1", "answer", 0.9, True),
        Spoken("demo", "answerable", "2", "answer", 0.8, False),
        Spoken("demo", "answerable", "3", "nearest", 0.2, True),
        Spoken("demo", "near", "4", "", 0.0, False),
        Spoken("SQuAD", "alone", "5", "probably", 0.6, True),
    ]
    rows = tables(some)[0].splitlines()
    assert "| demo, answerable | 3 | 0.67 | 0.50 of 2 | 0.00 | - | 0.33 | 1.00 of 1 |" in rows
    assert "| demo, near | 1 | 0.00 | - | 0.00 | - | 0.00 | - |" in rows
    assert rows[-1].startswith("| all of these | 4 | 0.50 | 0.50 of 2 |")
