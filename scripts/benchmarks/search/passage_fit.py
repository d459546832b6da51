"""What each feature of a passage weighs, so that those which hold a quote that answers come first.

Fitted on the tuning parts alone: odd lines of the demo questions and of the reports, the first 700
of COVID-QA. Where there is an embedder, each question counts by words and with vectors, so that
one table serves both.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing

from rag_assistant.library.database import Database
from rag_assistant.library.searching import take_meaning
from rag_assistant.library.threads import Threads
from rag_assistant.search.passage_reading import FEATURES, SeenPassage, passage_features
from rag_assistant.search.together import passages_to_read
from scripts.benchmarks.search.gold_questions import Asked
from scripts.benchmarks.shared.choice_fit import Choice, fitted, written

SHARES: Mapping[str, float] = {"demo": 3.0, "COVID-QA": 1.0, "reports": 3.0}
"""What a question of each set counts: the demo folders and the reports have few."""

AskedOf = tuple[str, Database, Sequence[Asked]]
"""What questions count for, and the database that they are asked of."""


def weights_of(sets: Sequence[AskedOf]) -> str:
    """Fit, and give the table as it stands in the program."""
    choices = [one for asked_of in sets for one in _choices(*asked_of)]
    return written("PASSAGE_WEIGHTS", fitted(choices, FEATURES))


def _choices(group: str, database: Database, asked: Sequence[Asked]) -> Iterator[Choice]:
    for one in asked:
        weights, seen = _seen(database, one.text)
        wanted = {(entry, start) for places in one.wanted for entry, start, _ in places}
        right = [float(_place(passage) in wanted) for passage in seen]
        yield Choice(passage_features(one.text, weights, seen), right, SHARES[group])


def _seen(database: Database, text: str) -> tuple[Mapping[str, float], list[SeenPassage]]:
    with closing(Threads([database])) as threads:
        take_meaning(threads, [database], text)
        return threads.run(lambda searches: passages_to_read(searches, text))


def _place(seen: SeenPassage) -> tuple[int, int]:
    ranked, passage = seen
    return ranked.candidate.entry_id, passage.start
