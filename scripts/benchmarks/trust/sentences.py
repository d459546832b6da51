"""What sentences of answers rest on, against labels by hand.

The labels were written from the words of sources and sentences alone: q quoted, s supported, u
unsupported, n no claim. A sentence is marked where its state is hard or soft. The first of two
cases is for choosing limits, the second for reporting.
`--only answers` counts the states in answers to whole question sets.
"""

import argparse
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.claims.judging import with_support
from rag_assistant.claims.quotes import find_quote
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location, Passage
from rag_assistant.values.evidence import Answer, Citation, Evidence, EvidenceItem, QuoteMatch
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Support
from scripts.benchmarks.shared.figures import Figure, Report
from scripts.benchmarks.shared.places import CORPORA, read_lines

LABELS: Mapping[str, str] = {
    "q": "borne out", "s": "borne out", "u": "marked", "n": "no claim",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Case:
    """An answer as sentences with their labels, and the quotes that its numbers [1], [2] … stand
    for: a path below corpora/ and words of it, or words that a model made up."""

    question: str
    sources: Sequence[Sequence[str]]
    sentences: Sequence[Sequence[str]]

    @property
    def text(self) -> str:
        """The answer."""
        return "".join(words for words, _ in self.sentences)


CASES = tuple(
    Case(line["question"], line["sources"], line["sentences"])
    for line in read_lines(Path(__file__).parent / "cases" / "support.jsonl")
)


def item(path: str, words: str) -> EvidenceItem:
    """Look words up in a document, as the RetrievalAgent does."""
    text = (CORPORA / path).read_text(encoding="utf-8")
    found = find_quote(words, [Passage(text, Location(0, len(text), line=1))])
    return EvidenceItem(
        path.split("/", maxsplit=1)[0],
        1,
        Path(path).stem,
        path.partition("/")[2],
        found.text if found else words,
        found.location if found else Location(0, len(text)),
        found is not None,
        match=found.match if found else QuoteMatch.MISSING,
    )


def judged(case: Case) -> Answer:
    """Judge the sentences of a case."""
    items = [item(path, words) for path, words in case.sources]
    citations = tuple(Citation(number, cited) for number, cited in enumerate(items, 1))
    evidence = (Evidence("d", case.question, tuple(items), 5, (1,)),)
    return with_support(
        Answer(case.question, case.text, citations, evidence, Coverage(), "m", Usage(), 1)
    )


def _told(support: Support) -> str:
    """Give the label that a state is one of."""
    if support.is_borne_out:
        return "borne out"
    return "no claim" if support is Support.NO_CLAIM else "marked"


def given(case: Case) -> list[tuple[str, str, str]]:
    """Give each labelled sentence with its label and what was found."""
    answer = judged(case)
    assert len(answer.sentences) == len(case.sentences), [
        answer.text[s.start : s.end] for s in answer.sentences
    ]
    return [
        (words.strip(), LABELS[label], _told(sentence.support))
        for (words, label), sentence in zip(case.sentences, answer.sentences, strict=True)
    ]


def precision_and_recall(cases: Sequence[Case]) -> tuple[float, float]:
    """Give precision and recall of the marks."""
    pairs = [(label, found) for case in cases for _, label, found in given(case)]
    told = [label for label, found in pairs if found == "marked"]
    wanted = [found for label, found in pairs if label == "marked"]
    return told.count("marked") / len(told), wanted.count("marked") / len(wanted)


def against_labels() -> Iterator[Figure]:
    """Measure the marks, and how many states are as labelled."""
    for name, cases in (("choosing", CASES[::2]), ("reported", CASES[1::2])):
        precision, recall = precision_and_recall(cases)
        pairs = [(label, found) for case in cases for _, label, found in given(case)]
        detail = f"{len(pairs)} sentences"
        yield Figure(f"labels, {name}: precision of marks", precision, detail=detail)
        yield Figure(f"labels, {name}: recall of marks", recall, detail=detail)
        same = sum(label == found for label, found in pairs) / len(pairs)
        yield Figure(f"labels, {name}: states as labelled", same, detail=detail)


def add_options(_: argparse.ArgumentParser) -> None:
    """There is nothing to choose."""


def measured(_: argparse.Namespace) -> Report:
    """Measure."""
    return Report([*against_labels()])
