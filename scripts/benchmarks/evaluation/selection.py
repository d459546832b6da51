"""Which sentences the built-in model chooses, on questions whose quotes are known.

Odd lines of the demo questions and of those on reports, the first 700 of COVID-QA and articles 1 to
5 of SQuAD by name serve for tuning; the others are reported. --fit prints what each feature weighs,
fitted on the tuning part so that the sentences that hold the quote get the highest likelihood among
all that a search shows (a conditional logistic regression with a quadratic penalty). With an
--embedder the same questions are chosen for once more, by meaning as well.
"""

import argparse
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from rag_assistant.config import EmbedderSettings
from rag_assistant.evaluation.measuring.significance import interval
from rag_assistant.evaluation.measuring.summary import mean
from rag_assistant.evaluation.measuring.wording import (
    contains_answer,
    quote_coverage,
    quote_token_recall,
    same_words,
    tokens_of,
)
from rag_assistant.library.contents import names_of
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.models.extractive.candidates import CandidateSentence, QuotableText, sentences_in
from rag_assistant.models.extractive.choosing import MOST_PASSAGE_TOKENS, MOST_QUOTES, choose
from rag_assistant.models.extractive.features import NAMES, Asked, features_of
from rag_assistant.models.extractive.likeness import Likeness, likeness_by, no_likeness
from rag_assistant.models.local_embedder import LocalEmbedder
from rag_assistant.tools.found_passages import search_for_model
from scripts.benchmarks.shared.choice_fit import Choice, fitted, written
from scripts.benchmarks.shared.figures import Figure, Report, joined, table
from scripts.benchmarks.shared.places import (
    CORPORA,
    DEMO,
    FOR_CHOOSING,
    demo_lines,
    read_lines,
    unpack,
)

SHARES: Mapping[str, float] = {"demo": 3.0, "COVID-QA": 1.0, "SQuAD": 0.7, "reports": 3.0}
"""What a question of each collection counts in the fit: the demo folders and reports have few."""

HELD = ("first right", "quotes held", "IoU", "citations right", "answer held")
"""What is measured of each question, before the number of quotes and of characters."""

GOALS: Mapping[str, Mapping[str, float]] = {
    "demo": {"quotes held": 0.78, "IoU": 0.25, "citations right": 0.45, "answer held": 0},
    "COVID-QA": {"quotes held": 0.78, "IoU": 0.25, "citations right": 0.45, "answer held": 0},
    "reports": {"answer held": 0.5},
}
"""The least that is to be of them; 0 where none is set."""

MOST_MS = 10
"""Milliseconds of processor that choosing may take, by words."""

BY_MEANING = " and meaning"
"""How questions are called where an embedder compared sentences as well."""

MOST_PART, LEAST_PART = 0.5, 0.6
"""Part of a quote that a sentence holds, or of a sentence that a quote does, if it answers."""

Line = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Case:
    """A question, and the passages that a search shows for it; `right` are those of the documents
    that answer, by their places."""

    collection: str
    line: Line
    sources: Sequence[QuotableText]
    right: frozenset[int]

    @property
    def quotes(self) -> Sequence[str]:
        """The words that answer."""
        return tuple(self.line["quotes"])


def add_options(parser: argparse.ArgumentParser) -> None:
    """Let the weights be fitted."""
    parser.add_argument("--fit", action="store_true", help="print weights, from the tuning part")
    parser.add_argument("--every", type=int, default=2, help="take one of so many of COVID-QA")


def measured(options: argparse.Namespace) -> Report:
    """Choose for every question; fit, or report."""
    cases = list(_cases(options))
    if options.fit:
        return Report(skipped=[written("WEIGHTS", fitted(list(_choices(cases)), NAMES))])
    by_words = _reported(cases)
    if not options.embedder:
        return by_words
    settings = EmbedderSettings("local", folder=str(options.embedder))
    embedder = LocalEmbedder(settings, options.scratch)
    embedder.embed_query("a question")  # one that fails here would be passed over below
    likeness = likeness_by(embedder)
    return joined([by_words, _reported(cases, likeness, BY_MEANING)])


def _cases(options: argparse.Namespace) -> Iterator[Case]:
    """Search for the questions of the tuning part where weights are fitted, else for the others."""
    library = Library(options.scratch / "home")
    case = partial(_case, tuning=options.fit)
    for name in DEMO:
        library.index(CORPORA / name)
        for place, line in enumerate(demo_lines(name)):
            yield from case("demo", place % 2 == 0, library.database(name), line)
    covid: Path = options.data / "covidqa"
    if covid.is_dir():
        library.index(unpack(covid, options.scratch / "covidqa"), name="covidqa")
        for place, line in list(enumerate(read_lines(covid / "questions.jsonl")))[:: options.every]:
            database = library.database("covidqa")
            yield from case("COVID-QA", place < FOR_CHOOSING, database, line)
    squad: Path = options.data / "squad"
    if squad.is_dir():
        documents = squad / "documents"
        library.index(documents, name="squad")
        names = [path.name for path in sorted(documents.iterdir())]
        parts = {name: place < 5 for place, name in enumerate(names[:10])}
        for line in read_lines(squad / "questions.jsonl")[:: options.every]:
            own = parts.keys() & set(line["relevant"])
            if own:
                yield from case("SQuAD", parts[min(own)], library.database("squad"), line)
    reports: Path = options.data / "reports"
    if reports.is_dir():
        library.index(options.data / "documents" / "pdf", name="reports")
        for place, line in enumerate(read_lines(reports / "questions.jsonl")):
            yield from case("reports", place % 2 == 0, library.database("reports"), line)


def _case(
    collection: str, tunes: bool, database: Database, line: Line, *, tuning: bool
) -> Iterator[Case]:
    if tunes != tuning or not line.get("answerable", True):
        return
    given = search_for_model([database], line["question"], MOST_PASSAGE_TOKENS).evidence
    items = given.items if given else ()
    relevant = {str(one) for one in line["relevant"]}
    own = {one.id for one in names_of(database) if relevant & {one.key, one.path}}
    sources = [
        QuotableText(place, one.title, one.quote, one.location.heading or "", f"{one.entry_id}")
        for place, one in enumerate(items)
    ]
    right = frozenset(place for place, one in enumerate(items) if one.entry_id in own)
    yield Case(collection, line, sources, right)


def _answers(case: Case, sentence: CandidateSentence) -> float:
    """Say how far a sentence is one that answers: 0, or the part of a quote that it holds."""
    if sentence.place not in case.right:
        return 0.0
    words = f" {' '.join(tokens_of(sentence.text))} "
    if case.collection == "SQuAD":  # its quotes are words of a sentence
        return float(any(f" {' '.join(tokens_of(one))} " in words for one in case.quotes))
    held = max(quote_coverage(one, [sentence.text]) for one in case.quotes)
    long_enough = len(words.split()) >= 3
    part = max(quote_coverage(sentence.text, [one]) for one in case.quotes) if long_enough else 0.0
    return max(held if held >= MOST_PART else 0.0, part if part >= LEAST_PART else 0.0)


def _choices(cases: Sequence[Case]) -> Iterator[Choice]:
    for case in cases:
        sentences = sentences_in(case.sources)
        held = [_answers(case, one) for one in sentences]
        if any(held):
            rows = features_of(Asked(case.line["question"]), sentences)
            yield Choice(rows, held, SHARES[case.collection])


def _reported(cases: Sequence[Case], likeness: Likeness = no_likeness, called: str = "") -> Report:
    rows: list[list[str]] = []
    figures: list[Figure] = []
    for collection in dict.fromkeys(case.collection for case in cases):
        own = [case for case in cases if case.collection == collection]
        found = [_found(case, likeness) for case in own]
        *measures, took = zip(*found, strict=True)
        means = [mean(values) or 0.0 for values in measures]
        name = f"{collection}{called}"
        rows.append([name, str(len(own)), *(f"{one:.3f}" for one in means)])
        figures += _figures(
            name, GOALS.get(collection, {}), dict(zip(HELD, measures, strict=False))
        )
        spent = 1000 * sum(took) / len(took)
        goal = "" if called else f"<= {MOST_MS}"
        figures.append(Figure(f"{name}: choosing, processor time", spent, "ms", goal))
    return Report(figures, [table(("questions", "of", *HELD, "quotes", "characters"), rows)])


def _figures(
    called: str, goals: Mapping[str, float], measured: Mapping[str, Sequence[float]]
) -> Iterator[Figure]:
    for name, least in goals.items():
        values = measured[name]
        ends = interval(values, seed=0)
        detail = f"{len(values)} questions, 95% {ends.low:.3f} to {ends.high:.3f}" if ends else ""
        goal = f">= {least}" if least else ""
        yield Figure(f"{called}: {name}", mean(values) or 0.0, "", goal, detail)


def _found(case: Case, likeness: Likeness) -> tuple[float, ...]:
    """Measure what is chosen for a question; the seconds of processor come last."""
    began = time.process_time()
    chosen = choose(case.line["question"], case.sources, MOST_QUOTES, likeness)
    took = time.process_time() - began
    right = [one for one in chosen if one.source in case.right]
    texts = [one.text for one in right]
    held = quote_token_recall(case.quotes, texts)
    wanted = sum(len(tokens_of(one)) for one in case.quotes)
    given = sum(len(tokens_of(one.text)) for one in chosen)
    union = wanted + given - held * wanted
    cites = [
        one.source in case.right and any(_is_of(case, one.text, quote) for quote in case.quotes)
        for one in chosen
    ]
    answers = case.line.get("answers") or case.quotes
    return (
        float(cites[0]) if cites else 0.0,
        held,
        held * wanted / union if union else 0.0,
        sum(cites) / len(cites) if cites else 0.0,
        contains_answer(" ".join(one.text for one in chosen), answers),
        float(len(chosen)),
        float(sum(len(one.text) for one in chosen)),
        took,
    )


def _is_of(case: Case, words: str, quote: str) -> bool:
    if case.collection == "SQuAD":
        return bool(contains_answer(words, [quote]))
    return same_words(words, quote)
