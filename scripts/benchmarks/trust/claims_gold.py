"""The gold sentences of the collections: where the quotes that answer their questions stand.

Tuning served the odd lines of the demo questions, the first 700 of COVID-QA and the articles 1 to 5
of SQuAD by name; all else is reported.
"""

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_assistant.library.library import Library
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import content_terms
from rag_assistant.values.documents import Entry, EntryText, Location, Passage
from rag_assistant.values.evidence import EvidenceItem
from scripts.benchmarks.shared.places import CORPORA, DEMO, FOR_CHOOSING, demo_lines, read_lines

SQUAD_FOR_CHOOSING = 5
"""So many articles of SQuAD, by name, are for choosing."""

SHORTEST, LONGEST = 5, 60
"""Words of a sentence that is a case."""

_LINE_END = re.compile(r"(?<=[^\s.!?:;|])[ \t]*\n(?=[ \t]*[a-z(][^|\n]*(?:\n|$))")


@dataclass(frozen=True)
class Text:
    """A document of a collection, as it is handed to a model."""

    collection: str
    document: str
    read: EntryText

    @cached_property
    def text(self) -> str:
        """All of it."""
        return "".join(passage.text for passage in self.read.passages)

    @cached_property
    def spans(self) -> Sequence[tuple[int, int]]:
        """Where its sentences stand."""
        return sentences_of(_LINE_END.sub(lambda found: " " * len(found[0]), self.text))

    @cached_property
    def sentences(self) -> Sequence[str]:
        """Its sentences, each in one line."""
        return [" ".join(self.text[start:end].split()) for start, end in self.spans]


@dataclass(frozen=True)
class Gold:
    """A question with the sentence that answers it; `quote` is the part of it that is cited."""

    question: str
    text: Text
    sentence: str
    start: int
    end: int
    quote: str
    quote_start: int
    answers: Sequence[str]

    @property
    def item(self) -> EvidenceItem:
        """The cited quote."""
        entry = self.text.read.entry
        place = Location(self.quote_start, self.quote_start + len(self.quote))
        return EvidenceItem(
            self.text.collection, entry.id, entry.title, entry.path, self.quote, place, True
        )


def demo_gold(home: Path, *, choosing: bool) -> list[Gold]:
    """Give those of the demo questions."""
    library = Library(home)
    found: list[Gold] = []
    for name in DEMO:
        library.index(CORPORA / name)
        database = library.database(name)
        by_path = {entry.path: entry for entry in database.entries()}
        texts: dict[str, Text] = {}
        for line in demo_lines(name)[0 if choosing else 1 :: 2]:
            for path in line.get("relevant", ()):
                if path in by_path and path not in texts:
                    entry = by_path[path]
                    read = EntryText(entry, tuple(database.passages(entry.id)))
                    texts[path] = Text(name, path, read)
            found += _of_line(line, texts)
    return found


def covid_gold(folder: Path, *, choosing: bool) -> list[Gold]:
    """Give those of COVID-QA."""
    texts = covid_texts(folder)
    lines = read_lines(folder / "questions.jsonl")
    chosen = lines[:FOR_CHOOSING] if choosing else lines[FOR_CHOOSING:]
    return [gold for line in chosen for gold in _of_line(line, texts)]


def squad_gold(folder: Path, *, choosing: bool) -> list[Gold]:
    """Give those of SQuAD."""
    names = sorted(path.name for path in (folder / "documents").glob("*.md"))
    wanted = names[:SQUAD_FOR_CHOOSING] if choosing else names[SQUAD_FOR_CHOOSING:]
    texts = squad_texts(folder)
    lines = [line for line in read_lines(folder / "questions.jsonl") if line["answerable"]]
    some = [line for line in lines if set(line["relevant"]) & set(wanted)]
    return [gold for line in some for gold in _of_line(line, texts)]


def covid_texts(folder: Path) -> dict[str, Text]:
    """Give the articles of COVID-QA by their ids."""
    rows = read_lines(folder / "corpus.jsonl.gz")
    return {
        row["_id"]: _text("covidqa", number, row["_id"], row["title"], row["text"])
        for number, row in enumerate(rows, 1)
    }


def squad_texts(folder: Path) -> dict[str, Text]:
    """Give the articles of SQuAD by their names."""
    return {
        path.name: _text("squad", number, path.name, path.stem.replace("_", " "), path.read_text())
        for number, path in enumerate(sorted((folder / "documents").glob("*.md")), 1)
    }


def _text(collection: str, number: int, name: str, title: str, text: str) -> Text:
    entry = Entry(number, title, name, "text/plain", len(text), f"{collection}-{name}")
    return Text(collection, name, EntryText(entry, (Passage(text, Location(0, len(text))),)))


def _of_line(line: Mapping[str, Any], texts: Mapping[str, Text]) -> Iterator[Gold]:
    """Give the first quote of a question with the sentence round it."""
    if not line.get("answerable", True) or not line.get("quotes"):
        return
    quote = str(line["quotes"][0]).strip()
    for path in line["relevant"][:1]:
        text = texts.get(path)
        place = _place(line, quote, text) if text else None
        if text is None or place is None:
            continue
        span = next((s for s in text.spans if s[0] <= place < s[1]), None)
        if span is None or place + len(quote) > span[1] + 2:
            continue
        sentence = " ".join(text.text[slice(*span)].split()).lstrip("#-*> ").strip()
        if SHORTEST <= len(sentence.split()) <= LONGEST and "|" not in sentence:
            answers = line.get("answers") or [quote]
            yield Gold(line["question"], text, sentence, *span, quote, place, answers)


def _place(line: Mapping[str, Any], quote: str, text: Text) -> int | None:
    """Give where a quote stands: among several places, that with most of the question around."""
    if line.get("starts"):
        given = int(line["starts"][0])
        found = text.text.find(quote, max(0, given - 3))
        return found if 0 <= found <= given + 3 else None
    asked = set(content_terms(line["question"]))
    places = [match.start() for match in re.finditer(re.escape(quote), text.text)]

    def shared(place: int) -> int:
        span = next((s for s in text.spans if s[0] <= place < s[1]), (place, place))
        return len(asked & set(content_terms(text.text[slice(*span)])))

    return max(places, key=shared, default=None)


def some_of(gold: Sequence[Gold], most: int, seed: int = 1) -> list[Gold]:
    """Give at most so many of them, by chance, always the same ones, a sentence once."""
    unique = list({(one.text.document, one.start): one for one in gold}.values())
    if len(unique) <= most:
        return unique
    return random.Random(seed).sample(unique, most)
