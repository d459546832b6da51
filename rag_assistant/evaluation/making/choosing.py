"""Choosing what to ask of a database: a question of each document by turns, in random order."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from random import Random

from rag_assistant.evaluation.making.drafts import QuestionDraft
from rag_assistant.evaluation.making.source import UNANSWERABLE_SHARE, SelectedDraft, SourceDatabase

_ROUNDS = 6
"""Questions of one document at most, where there are documents enough."""

_MOST_READ = 5
"""Documents that are read for each question that is wanted, before it is given up."""

_AHEAD = 60
"""Documents that are read before the first question: they tell which words are names."""

_TWO_SHARE = 0.15
"""Of the questions, how many are for two documents."""


@dataclass(frozen=True, slots=True)
class MakingProgress:
    """How many questions are made of those that are wanted."""

    done: int
    total: int


OnProgress = Callable[[MakingProgress], None]


@dataclass(slots=True)
class _Choice:
    """What is chosen so far of `count` questions; `half` waits for the question of another."""

    source: SourceDatabase
    count: int
    rng: Random
    on_progress: OnProgress
    chosen: list[SelectedDraft] = field(default_factory=list)
    unanswerable: int = 0
    of_two: int = 0
    half: QuestionDraft | None = None

    @property
    def is_full(self) -> bool:
        """Whether there are as many as are wanted."""
        return len(self.chosen) >= self.count

    def add(self, draft: QuestionDraft) -> None:
        """Add a draft as what is due: one that cannot be answered, half a question, or a whole."""
        done, wanted = len(self.chosen), round(self.count * UNANSWERABLE_SHARE)
        one: SelectedDraft | None = None
        if self.unanswerable < wanted and done * UNANSWERABLE_SHARE >= self.unanswerable:
            one = self.source.near_miss(draft, self.rng) or self.source.taken_away(draft)
        elif self.half is not None and (one := self.source.of_two(self.half, draft)):
            self.half = None
            self.of_two += 1
        elif self.half is None and done * _TWO_SHARE > self.of_two and self.source.is_half(draft):
            self.half = draft
            return
        self._take(one or self.source.answerable(draft))

    def finish(self) -> None:
        """Add the half that found no other one as a question of its own."""
        if self.half is not None and not self.is_full:
            self._take(self.source.answerable(self.half))

    def _take(self, one: SelectedDraft | None) -> None:
        if one:
            self.unanswerable += not one.answerable
            self.chosen.append(one)
            self.on_progress(MakingProgress(len(self.chosen), self.count))


def choose(
    source: SourceDatabase, count: int, seed: int, on_progress: OnProgress
) -> list[SelectedDraft]:
    """Choose `count` questions, fewer where the documents have not enough to ask.

    It blocks. Raises RagError where the database cannot be read.
    """
    choice = _Choice(source, count, Random(seed), on_progress)
    seen: set[str] = set()
    for draft in _drafts(source, count, seed):
        if choice.is_full:
            break
        if {draft.question, *draft.quotes} & seen:
            continue
        seen |= {draft.question, *draft.quotes}
        choice.add(draft)
    choice.finish()
    return choice.chosen


def _drafts(source: SourceDatabase, count: int, seed: int) -> Iterator[QuestionDraft]:
    """Give one draft of each document by turns, in an order by chance."""
    order = sorted(source.entries.values(), key=lambda entry: (entry.path, entry.key, entry.id))
    Random(seed).shuffle(order)
    order = order[: count * _MOST_READ]
    ahead = iter(order)
    for _ in range(max(_ROUNDS, 8 * count // len(order))):
        for place, entry in enumerate(order):
            for other in islice(ahead, 1 if place else _AHEAD):
                source.begin(other, Random(f"{seed} {other.path} {other.key}"))
            yield from islice(source.open.get(entry.id, iter(())), 1)
