"""Gold sentences reworded freely, each with a twin that says something else, written by hand.

The cases name the place of the sentence and never have its words; those of collections that are not
there are left out. Those that are reported are never tuned on; for that there are others, of the
tuning parts.
"""

from dataclasses import dataclass
from pathlib import Path

from rag_assistant.library.library import Library
from rag_assistant.values.documents import EntryText
from scripts.benchmarks.shared.places import CORPORA, DEMO, read_lines
from scripts.benchmarks.trust.claims_gold import (
    Gold,
    Text,
    covid_gold,
    covid_texts,
    demo_gold,
    squad_gold,
    squad_texts,
)

CASES = Path(__file__).parent / "cases"


@dataclass(frozen=True, slots=True)
class Rewording:
    """A gold sentence in free words, how freely, and a twin altered in one way."""

    gold: Gold
    reworded: str
    altered: str
    kind: str
    freedom: str


def rewordings(data: Path, home: Path, *, choosing: bool) -> list[Rewording]:
    """Give the cases whose documents are there."""
    texts = {(name, text.document): text for name, text in _demo_texts(home)}
    gold = demo_gold(home, choosing=choosing)
    for name, read, asked in (
        ("covidqa", covid_texts, covid_gold),
        ("squad", squad_texts, squad_gold),
    ):
        if (data / name / "questions.jsonl").exists():
            texts |= {(name, key): text for key, text in read(data / name).items()}
            gold += asked(data / name, choosing=choosing)
    found: list[Rewording] = []
    for line in read_lines(CASES / f"rewordings{'_choosing' if choosing else ''}.jsonl"):
        text = texts.get((line["collection"], line["document"]))
        if text is None:
            continue
        start, end = line["start"], line["start"] + line["length"]
        quote = text.text[start:end]
        question = _question(gold, text, start, end)
        one = Gold(question, text, " ".join(quote.split()), start, end, quote, start, [])
        found.append(
            Rewording(one, *(line[key] for key in ("reworded", "altered", "kind", "freedom")))
        )
    return found


def _question(gold: list[Gold], text: Text, start: int, end: int) -> str:
    """Give the question that a place answers, "" where that is not known."""
    here = (text.collection, text.document)
    for one in gold:
        if (one.text.collection, one.text.document) == here and start <= one.quote_start < end:
            return one.question
    return ""


def _demo_texts(home: Path) -> list[tuple[str, Text]]:
    library = Library(home)
    found: list[tuple[str, Text]] = []
    for name in DEMO:
        library.index(CORPORA / name)
        database = library.database(name)
        for entry in database.entries():
            read = EntryText(entry, tuple(database.passages(entry.id)))
            found.append((name, Text(name, entry.path, read)))
    return found
