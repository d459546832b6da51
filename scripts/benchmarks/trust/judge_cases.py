"""Questions whose answer is known, and what models of known kinds say to them.

Of the demo questions the odd lines tune, of COVID-QA the first 700, of SQuAD the first five
articles by name; all else is reported. Each question is put to every kind of model; `beside` cites
true words of the wrong place: of other folders, or of its own folder without the right document.
"""

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rag_assistant.library.library import Library
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import content_terms
from rag_assistant.values.documents import EntryText
from rag_assistant.values.scope import Scope, Wanted
from scripts.benchmarks.shared.places import DEMO, FOR_CHOOSING, demo_lines, read_lines
from scripts.benchmarks.trust.claims_alterations import ALTERATIONS
from scripts.benchmarks.trust.claims_forms import reworded, without_references
from scripts.benchmarks.trust.claims_gold import Gold, Text
from scripts.benchmarks.trust.scripted_models import KINDS, Kind, Script

ARTICLES_FOR_CHOOSING = 5
"""Articles of SQuAD, by name, that are for choosing."""

AROUND = 600
"""Characters round a quote among which its sentence is looked for."""

REFUSALS = (
    "The documents do not say this.",
    "I searched for the words of the question and read what was found. It does not answer it.",
    "The documents do not hold the answer. The nearest to it is [#].",
    "None of the documents I read mentions it [#].",
    "That could not be found in the documents.",
)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question, the database and entry that answer it, and where: `sentence` holds `quote`."""

    collection: str
    tunes: bool
    question: str
    database: str
    entry_id: int
    others: tuple[int, ...]
    at: int
    quote: str
    sentence: str


@dataclass(frozen=True, slots=True)
class JudgeCase:
    """A question asked of `wanted`, and the script of the model; `beside` is "" or how."""

    asked: Asked
    kind: Kind
    wanted: tuple[Wanted, ...]
    script: Script
    form: str = ""


def asked_of_demo(library: Library) -> Iterator[Asked]:
    """Give the demo questions that can be answered."""
    for name in DEMO:
        ids = {entry.path: entry.id for entry in library.database(name).entries()}
        for place, line in enumerate(demo_lines(name)):
            if line["answerable"]:
                known = Asked("demo", place % 2 == 0, line["question"], name, 0, (), 0, "", "")
                yield from _placed(library, known, line, ids)


def asked_of_covid(library: Library, folder: Path) -> Iterator[Asked]:
    """Give the questions of COVID-QA."""
    ids = {entry.key: entry.id for entry in library.database("covidqa").entries()}
    for place, line in enumerate(read_lines(folder / "questions.jsonl")):
        tunes = place < FOR_CHOOSING
        known = Asked("COVID-QA", tunes, line["question"], "covidqa", 0, (), 0, "", "")
        yield from _placed(library, known, line, ids)


def asked_of_squad(library: Library, folder: Path) -> Iterator[Asked]:
    """Give the answerable questions of SQuAD."""
    ids = {entry.path: entry.id for entry in library.database("squad").entries()}
    tuning = set(sorted(ids)[:ARTICLES_FOR_CHOOSING])
    lines = [line for line in read_lines(folder / "questions.jsonl") if line["answerable"]]
    for line in lines:
        tunes = line["relevant"][0] in tuning
        known = Asked("SQuAD", tunes, line["question"], "squad", 0, (), 0, "", "")
        yield from _placed(library, known, line, ids)


def halved(asked: Asked) -> Asked:
    """Give a question as people type it who trust in keywords: with half of its telling words."""
    chance = random.Random(asked.question)
    words = list(content_terms(asked.question).values())
    kept = sorted(chance.sample(range(len(words)), (len(words) + 1) // 2))
    return replace(asked, question=" ".join(words[place] for place in kept) or asked.question)


def _placed(
    library: Library, known: Asked, line: Mapping[str, Any], ids: Mapping[str, int]
) -> Iterator[Asked]:
    """Give a question with the place of its first quote that stands in its document."""
    relevant = [ids[str(one)] for one in line["relevant"] if str(one) in ids]
    database = library.database(known.database)
    for entry in relevant:
        text = database.text(entry)
        for quote in line["quotes"]:
            at = text.find(quote)
            if at >= 0:
                others = tuple(one for one in ids.values() if one not in relevant)
                sentence = _sentence(text, at, at + len(quote))
                placed = replace(known, entry_id=entry, others=others, at=at)
                yield replace(placed, quote=quote, sentence=sentence)
                return


def _sentence(text: str, start: int, end: int) -> str:
    """Give the sentence that words stand in; the words where they are more than one."""
    low = max(0, start - AROUND)
    part = text[low : end + AROUND]
    for first, last in sentences_of(part):
        if low + first <= start and end <= low + last:
            return part[first:last].strip()
    return text[start:end]


def cases_of(library: Library, asked: Asked, chance: random.Random) -> Iterator[JudgeCase]:
    """Put a question to every kind of model."""
    gold = _gold(library, asked)
    here: tuple[Wanted, ...] = (asked.database,)
    script = Script(
        asked.database, asked.question, "", asked.entry_id, asked.at, evidence=asked.sentence
    )
    for kind in KINDS:
        if kind == "beside":
            yield from _beside(asked, chance)
            continue
        for form, text in _said(gold, kind, chance):
            yield JudgeCase(asked, kind, here, replace(script, text=text), form)


def _gold(library: Library, asked: Asked) -> Gold:
    database = library.database(asked.database)
    entry = database.entry(asked.entry_id)
    read = EntryText(entry, tuple(database.passages(entry.id)))
    start = asked.at - asked.sentence.find(asked.quote)
    return Gold(
        asked.question,
        Text(asked.collection, entry.path, read),
        " ".join(asked.sentence.split()),
        start,
        start + len(asked.sentence),
        asked.sentence,
        start,
        [" ".join(asked.quote.split())],
    )


def _said(gold: Gold, kind: Kind, chance: random.Random) -> Iterator[tuple[str, str]]:
    """Give what a model of a kind says of a question, with the name of its form; or nothing."""
    if kind == "perfect":
        whole = chance.random() < 0.5
        yield ("sentence", f"{gold.sentence} [#]") if whole else ("quote", f"{gold.answers[0]} [#]")
    elif kind == "refusing":
        yield "", chance.choice(REFUSALS)
    elif kind == "rewording":
        yield "", reworded(gold, chance).replace("[1]", "[#]")
    else:
        sentence = without_references(gold.sentence)
        names = list(ALTERATIONS)
        for name in chance.sample(names, len(names)):
            other = ALTERATIONS[name](sentence, gold, chance)
            if other and other != sentence:
                yield name, f"{other} [#]"
                return


def _beside(asked: Asked, chance: random.Random) -> Iterator[JudgeCase]:
    script = Script(asked.database, asked.question, chance.choice(("{quote} [#]", "{quote} [#].")))
    left = Scope(asked.database, entries=tuple(sorted(asked.others)))
    yield JudgeCase(asked, "beside", (left,), script, "left out")
    elsewhere = tuple(name for name in DEMO if name != asked.database)
    yield JudgeCase(asked, "beside", elsewhere, script, "other folders")
