"""Choosing what to ask of a database: a question of each document by turns, in random order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from rag_assistant.evaluation.making.drafts import Draft
from rag_assistant.evaluation.making.source import UNANSWERABLE_SHARE, Chosen, Source

_ROUNDS = 6
"""Questions of one document at most, where there are documents enough."""

_MOST_READ = 5
"""Documents that are read for each question that is wanted, before it is given up."""

_AHEAD = 60
"""Documents that are read before the first question: they tell which words are names."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How many questions are made of those that are wanted."""

    done: int
    total: int


OnProgress = Callable[[Progress], None]


@dataclass(slots=True)
class _Choice:
    """What is chosen so far of `count` questions; `spare` are drafts that do not read as well."""

    source: Source
    count: int
    on_progress: OnProgress
    chosen: list[Chosen] = field(default_factory=list)
    spare: list[Draft] = field(default_factory=list)
    away: int = 0

    @property
    def is_full(self) -> bool:
        """Whether there are as many as are wanted."""
        return len(self.chosen) >= self.count

    def has_enough(self) -> bool:
        """Whether there are so many drafts that no document is asked about twice."""
        return len(self.chosen) + len(self.spare) >= 2 * self.count

    def add(self, draft: Draft) -> None:
        """Add a draft as a question that can be answered, or as one that cannot, where it can be
        either."""
        due = len(self.chosen) * UNANSWERABLE_SHARE > self.away
        ways = [self.source.answerable]
        if self.away < round(self.count * UNANSWERABLE_SHARE):
            ways.insert(0 if due else 1, self.source.taken_away)
        one = next(filter(None, (way(draft) for way in ways)), None)
        if one:
            self.away += bool(one.without)
            self.chosen.append(one)
            self.on_progress(Progress(len(self.chosen), self.count))


def choose(source: Source, count: int, seed: int, on_progress: OnProgress) -> list[Chosen]:
    """Choose `count` questions, fewer where the documents have not enough to ask.

    It blocks. Raises RagError where the database cannot be read.
    """
    choice = _Choice(source, count, on_progress)
    seen: set[str] = set()
    for draft in _drafts(source, count, seed, choice.has_enough):
        if choice.is_full:
            break
        if {draft.question, draft.sentence.quote} & seen:
            continue
        seen |= {draft.question, draft.sentence.quote}
        if draft.turned:
            choice.add(draft)
        else:
            choice.spare.append(draft)
    for draft in choice.spare:
        if choice.is_full:
            break
        choice.add(draft)
    return choice.chosen


def _drafts(
    source: Source, count: int, seed: int, has_enough: Callable[[], bool]
) -> Iterator[Draft]:
    """Give one draft of each document by turns, in an order by chance, until there are enough."""
    order = sorted(source.entries.values(), key=lambda entry: (entry.path, entry.key, entry.id))
    Random(seed).shuffle(order)
    order = order[: count * _MOST_READ]
    ahead = iter(order)
    for turn in range(max(_ROUNDS, 3 * count // len(order))):
        if turn and has_enough():
            return
        for place, entry in enumerate(order):
            for other in islice(ahead, 1 if place else _AHEAD):
                source.begin(other, Random(f"{seed} {other.path} {other.key}"))
            yield from islice(source.open.get(entry.id, iter(())), 1)
