"""Which altered quotes count as found, by threshold of likeness, on COVID-QA and the demo.

Reference quotes are altered in the ways of quote_slips.py and looked up as the RetrievalAgent does
it. Of COVID-QA the first 700 questions are for choosing and the rest is reported; of the demo
questions the odd lines and the even ones. "by likeness alone" is what the threshold would let pass
without the rule that numbers, dates, units, names and words that turn a claim must agree.
"""

import argparse
import random
import time
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from rag_assistant.claims.alignment import LEAST_LIKENESS, Aligner
from rag_assistant.claims.quotes import QuoteFinder
from rag_assistant.claims.words import words_of
from rag_assistant.text.sentences import sentences_of
from rag_assistant.values.documents import Location, Passage
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    absent,
    demo_lines,
    read_lines,
)
from scripts.benchmarks.trust.quote_slips import BREAKS, SLIPS, spliced

THRESHOLDS = (70, 75, 80, 85, 88, 90, 92, 95)
LEAST_WORDS = 8
OTHER = "quote of another entry"
SPLICED = "two sentences spliced"


@dataclass(frozen=True, slots=True)
class Sample:
    """A quote of a text, for choosing or for reporting."""

    quote: str
    text: str
    chosen_on: bool


@dataclass(frozen=True, slots=True)
class Tried:
    """An altered quote, and how like it the text has anything by both rules, 100 for the words."""

    kind: str
    right: bool
    chosen_on: bool
    likeness: float
    alone: float


def covidqa(folder: Path) -> Iterator[Sample]:
    """Give the reference answers, short ones with the sentence that they stand in."""
    articles = read_lines(folder / "corpus.jsonl.gz")
    texts = {str(article["_id"]): article["text"] for article in articles}
    for number, question in enumerate(read_lines(folder / "questions.jsonl")):
        text = texts[str(question["relevant"][0])]
        start = question["starts"][0]
        quote = question["quotes"][0]
        if len(quote.split()) < LEAST_WORDS:
            quote = sentence_at(text, start)
        yield Sample(" ".join(quote.split()), text, number < FOR_CHOOSING)


def demo() -> Iterator[Sample]:
    """Give the reference quotes of the demo questions whose files are plain text."""
    for name in DEMO:
        for number, question in enumerate(demo_lines(name)):
            for quote in question.get("quotes", ()):
                for path in question["relevant"]:
                    file = CORPORA / name / path
                    text = file.read_text(encoding="utf-8") if file.suffix == ".md" else ""
                    if quote in text:
                        yield Sample(quote, text, number % 2 == 0)


def sentence_at(text: str, place: int) -> str:
    """Give the sentence that holds a place."""
    around = max(0, place - 1_000)
    for start, end in sentences_of(text[around : place + 1_000]):
        if start + around <= place < end + around:
            return text[start + around : end + around]
    return ""


def altered(
    samples: Sequence[Sample], chance: random.Random
) -> Iterator[tuple[str, bool, str, Sample]]:
    """Give every alteration: its kind, whether the claim is left, the words, the sample."""
    for number, sample in enumerate(samples):
        if len(sample.quote.split()) < LEAST_WORDS:
            continue
        for right, kinds in ((True, SLIPS), (False, BREAKS)):
            for kind, slip in kinds.items():
                if words := slip(sample.quote, chance):
                    yield kind, right, words, sample
        other = samples[number - 1 - chance.randrange(len(samples) - 1)]
        if other.text != sample.text and other.quote not in sample.text:
            yield OTHER, False, other.quote, sample
        at = chance.randrange(max(1, len(sample.text) - 200))
        sentence = sentence_at(sample.text, at)
        words = spliced(sample.quote, sentence)
        if words and sentence not in sample.quote and words not in sample.text:
            yield SPLICED, False, words, sample


def tried(samples: Sequence[Sample]) -> list[Tried]:
    """Look every altered quote up."""
    finders: dict[str, tuple[QuoteFinder, Aligner]] = {}
    found: list[Tried] = []
    for kind, right, words, sample in altered(samples, random.Random(7)):
        text = sample.text
        if text not in finders:
            passages = [Passage(text, Location(0, len(text)))]
            finders[text] = QuoteFinder(passages), Aligner(words_of(text))
        finder, aligner = finders[text]
        with patch.object(Aligner, "align", lambda *_: None):
            to_the_word = finder.find(words) is not None
        likeness = alone = 100.0
        if not to_the_word:
            same = aligner.align(words_of(words), 0)
            likeness = same.likeness if same else 0.0
            with patch.object(Aligner, "says_the_same", lambda *_: True):
                like = aligner.align(words_of(words), 0)
            alone = like.likeness if like else 0.0
        found.append(Tried(kind, right, sample.chosen_on, likeness, alone))
    return found


def share(passed: Sequence[bool]) -> str:
    """Write a share in percent with its count."""
    return f"{100 * sum(passed) / len(passed):.1f} % of {len(passed)}" if passed else "-"


def by_threshold(found: Sequence[Tried], *, chosen_on: bool) -> str:
    """Make the table of a part by threshold."""
    part = [one for one in found if one.chosen_on is chosen_on]
    rows = [
        [
            str(least),
            share([one.likeness >= least for one in part if one.right]),
            share([one.likeness >= least for one in part if not one.right]),
            share([one.alone >= least for one in part if one.right]),
            share([one.alone >= least for one in part if not one.right]),
        ]
        for least in THRESHOLDS
    ]
    name = "choosing" if chosen_on else "reported"
    head = (name, "right", "wrong", "right, by likeness alone", "wrong, by likeness alone")
    return table(head, rows)


def by_kind(found: Sequence[Tried], least: float) -> str:
    """Make the table of what is let pass by kind, on the reported part."""
    kinds: Mapping[tuple[bool, str], list[bool]] = defaultdict(list)
    for one in found:
        if not one.chosen_on:
            kinds[one.right, one.kind].append(one.likeness >= least)
    rows = [
        [kind, "right" if right else "wrong", share(passed)]
        for (right, kind), passed in sorted(kinds.items(), key=lambda pair: not pair[0][0])
    ]
    return table((f"at {least:g}, reported", "is", "found"), rows)


def report_of(name: str, samples: Sequence[Sample]) -> Report:
    """Try the quotes of one collection."""
    started = time.perf_counter()
    found = tried(samples)
    took = time.perf_counter() - started
    part = [one for one in found if not one.chosen_on]
    rights = [one.likeness >= LEAST_LIKENESS for one in part if one.right]
    wrongs = [one.likeness >= LEAST_LIKENESS for one in part if not one.right]
    figures = [
        Figure(f"{name}: altered quotes found", 100 * sum(rights) / len(rights), "%"),
        Figure(f"{name}: wrong quotes taken for found", 100 * sum(wrongs) / len(wrongs), "%"),
        Figure(f"{name}: looked up, each three ways", 1000 * took / len(found), "ms"),
    ]
    tables = [
        f"{name}\n\n" + by_threshold(found, chosen_on=True),
        by_threshold(found, chosen_on=False),
        by_kind(found, LEAST_LIKENESS),
    ]
    return Report(figures, tables)


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let COVID-QA be left out."""
    parser.add_argument("--demo-only", action="store_true", help="without COVID-QA")


def measured(options: argparse.Namespace) -> Report:
    """Measure both collections."""
    report = report_of("demo", list(demo()))
    if options.demo_only:
        return report
    folder = options.data / "covidqa"
    more = report_of("COVID-QA", list(covidqa(folder))) if folder.is_dir() else absent(folder)
    return report.with_more(more)
