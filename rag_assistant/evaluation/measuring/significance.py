"""How far figures can be relied on: the interval of a mean, and whether two runs differ by chance.

Everything comes from resampling the questions, so that nothing is assumed of how a measure is
distributed, and from a seed, so that it comes out the same each time, with and without the extra
`eval`: of 1,000 questions an interval takes 0.1 s and a p 0.05 s (scipy 1.17: 0.01 s and 0.3 s).
"""

import sys
from array import array
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import ceil, log2, sqrt
from random import Random
from statistics import NormalDist, fmean

from rag_assistant.evaluation.measuring.report import Interval

CERTAINTY = 0.95
LEVEL = 1 - CERTAINTY
"""The largest p at which a difference counts as more than noise."""

FEWEST = ceil(1 - log2(LEVEL))
"""Differing pairs below which no p is at most LEVEL, even if all differ in the same direction."""

RESAMPLES = 2_000
"""Means of an interval. Its ends then move by about 6 % of a standard error from seed to seed, and
by 3 % with 10,000, which takes five times as long."""

FLIPS = 10_000
"""Random choices of signs behind a p: one of 0.05 is then right to about 0.002."""

EXACT = 12
"""Most pairs of which every choice of signs is tried: there are 4,096."""

_NORMAL = NormalDist()
_FINE = 2**31
"""Steps that the largest difference is cut into. So sums are exact whatever their order, and that
of any number of pairs below 2**32 has room in a lane."""
_LANE = 64
"""Bits of a lane: see `_random_sums`."""


@dataclass(frozen=True, slots=True)
class Paired:
    """What the change of a measure comes to over `pairs` questions, of which `differ` differ.

    `difference` is the mean of now - before, `interval` that of 95 % (None where resampling tells
    none), `p` how often a mean difference as large in either direction comes about when it is left
    to chance which of the two runs each value is of.
    """

    pairs: int
    differ: int
    difference: float
    interval: Interval | None
    p: float


def interval(values: Sequence[float], *, seed: int, samples: int = RESAMPLES) -> Interval | None:
    """Give the 95 % interval of the mean of what the values are a sample of.

    The bootstrap (Efron 1979, doi 10.1214/aos/1176344552) with Hesterberg's expanded percentiles
    (2015, doi 10.1080/00031305.2015.1089789): of the means of n values drawn with replacement,
    `samples` times, the percentiles at P and 1 - P, P = Φ(t √(n / (n - 1))), with t the 2.5 % point
    of Student's t with n - 1 degrees of freedom. Over 10 normal values it held the true mean in
    94.5 % of 1,500 samples; plain percentiles did in 89.7 %, and BCa (Efron 1987, doi
    10.1080/01621459.1987.10478410) in 89.3 %. None of fewer than two values, and where all are the
    same: what was never seen is never drawn, and an interval without width would be a lie.
    """
    count = len(values)
    if count < 2 or min(values) == max(values):
        return None
    chance = Random(seed)
    means = sorted(sum(chance.choices(values, k=count)) / count for _ in range(samples))
    tail = _NORMAL.cdf(-_student(count - 1) * sqrt(count / (count - 1)))
    outside = int(tail * samples)
    return Interval(means[outside], means[samples - 1 - outside])


def _student(freedom: int) -> float:
    """Give the 97.5 % point of Student's t: to 0.001 from 5 degrees of freedom on.

    Too small below, where the percentiles are at the ends anyway. Source: Abramowitz and Stegun
    1964, 26.7.5.
    """
    z = _NORMAL.inv_cdf(1 - LEVEL / 2)
    terms = (
        (z**3 + z) / 4,
        (5 * z**5 + 16 * z**3 + 3 * z) / 96,
        (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384,
        (79 * z**9 + 776 * z**7 + 1482 * z**5 - 1920 * z**3 - 945 * z) / 92160,
    )
    return z + sum(term / float(freedom) ** power for power, term in enumerate(terms, 1))


def paired(
    before: Sequence[float],
    now: Sequence[float],
    *,
    seed: int,
    samples: int = FLIPS,
) -> Paired:
    """Compare the values of the same questions in two runs, which stand in the same order.

    p is that of the randomisation test with the mean as its statistic, two-sided (Smucker, Allan
    and Carterette 2007, doi 10.1145/1321440.1321528): the share of the choices of signs for the
    differences whose sum is as far from 0 as the one that was seen. All are tried where up to EXACT
    differences are not 0, for no sign changes a 0; otherwise `samples` at random, of which b are as
    far: p = (b + 1) / (samples + 1), never 0 (Phipson and Smyth 2010, doi 10.2202/1544-6115.1585).
    The interval is that of `interval`, of the differences. Raises ValueError when there are no
    pairs.
    """
    differences = [new - old for old, new in zip(before, now, strict=True)]
    if not differences:
        raise ValueError("no pairs")
    test = _Test.of([each for each in differences if each])
    if len(test.steps) <= EXACT:
        sums = _all_sums(test.steps)
        p = sum(each >= test.seen for each in map(test.distance, sums)) / len(sums)
    else:
        (drawn,) = _random_sums([test.steps], samples, Random(seed))
        p = _share_as_far(map(test.distance, drawn), test.seen, samples)
    return Paired(
        len(differences),
        len(test.steps),
        fmean(differences),
        interval(differences, seed=seed),
        p,
    )


def adjusted(
    differences: Mapping[str, Sequence[float]], *, seed: int, samples: int = FLIPS
) -> dict[str, float]:
    """Give the p of measures that are looked at together, by name: what chance does with any.

    `differences` of each measure are those of the same questions in the same order, 0 where it was
    not taken. A choice of signs goes for a question, whatever the measure, so that measures which
    rise and fall together count little more than one. The step-down max-T of Westfall and Young
    ("Resampling-Based Multiple Testing", 1993; explained by Ge, Dudoit and Speed 2003, doi
    10.1007/BF02595811) with T = |Σ d| / √Σ d²: with the measures in the order of their T, p(i) is
    the share of the choices whose largest T of i and all after it is as large as that of i, and at
    least p(i - 1). It bounds the chance of any mistake, as Holm's method (1979) does for which the
    measures could be strangers: of 27 over 40 questions one with 0.004 alone has 0.005, not 0.1.
    """
    kept = [row for row in zip(*differences.values(), strict=True) if any(row)]
    columns = list(zip(*kept, strict=True)) if kept else [()] * len(differences)
    tests = {name: _Test.of(held) for name, held in zip(differences, columns, strict=True)}
    order = sorted(tests, key=lambda name: tests[name].seen)  # the least first
    sums = _random_sums([tests[name].steps for name in order], samples, Random(seed))
    shares: dict[str, float] = {}
    most = [0.0] * samples
    for name, drawn in zip(order, sums, strict=True):
        most = list(map(max, most, map(tests[name].distance, drawn)))
        shares[name] = _share_as_far(most, tests[name].seen, samples)
    largest = 0.0
    for name in reversed(order):
        largest = shares[name] = max(largest, shares[name])
    return {name: shares[name] for name in differences}


@dataclass(frozen=True, slots=True)
class _Test:
    """Differences in whole steps, and how far from 0 their sum is, in units of √Σ steps²."""

    steps: tuple[int, ...]
    total: int
    unit: float
    seen: float

    @classmethod
    def of(cls, differences: Sequence[float]) -> "_Test":
        """Cut into steps; each is rounded by half of one at most, which `seen` allows for."""
        largest = max(map(abs, differences), default=0.0) or 1.0
        steps = tuple(round(each / largest * _FINE) for each in differences)
        unit = sqrt(sum(step * step for step in steps)) or 1.0
        return cls(steps, sum(map(abs, steps)), unit, (abs(sum(steps)) - len(steps)) / unit)

    def distance(self, rises: int) -> float:
        """Give how far from 0 the sum is of which all that is above 0 makes `rises`."""
        return abs(2 * rises - self.total) / self.unit


def _share_as_far(distances: Iterable[float], seen: float, samples: int) -> float:
    return (sum(each >= seen for each in distances) + 1) / (samples + 1)


def _all_sums(steps: Sequence[int]) -> list[int]:
    """Sum what is above 0 after each choice of signs."""
    sums = [0]
    for step in steps:
        rise, fall = max(step, 0), max(-step, 0)
        sums = [each + added for each in sums for added in (rise, fall)]
    return sums


def _random_sums(columns: Sequence[Sequence[int]], samples: int, chance: Random) -> list[list[int]]:
    """Sum what is above 0 after random choices of signs, the same for all columns.

    All sums of a column are the lanes of one long integer, and a step is added to those where it
    comes out above 0 with one multiplication and one addition: 1,000 steps 10,000 times in a tenth
    of a second, without numpy.
    """
    wide = _LANE // 8
    ones = int.from_bytes((1).to_bytes(wide, "little") * samples, "little")
    lanes = [0] * len(columns)
    for place, row in enumerate(zip(*columns, strict=True)):
        if place % _LANE == 0:
            bits = chance.getrandbits(_LANE * samples)
        kept = bits >> place % _LANE & ones
        turned = kept ^ ones
        for column, step in enumerate(row):
            if step:
                lanes[column] += (kept if step > 0 else turned) * abs(step)
    return [_lanes_of(each, wide * samples) for each in lanes]


def _lanes_of(lanes: int, size: int) -> list[int]:
    sums = array("Q")
    sums.frombytes(lanes.to_bytes(size, "little"))
    if sys.byteorder == "big":
        sums.byteswap()
    return sums.tolist()
