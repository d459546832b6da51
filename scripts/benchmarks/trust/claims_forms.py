"""The forms in which an answer may give a gold sentence, all of them right."""

import random
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.text.terms import STOP_WORDS
from scripts.benchmarks.trust.claims_gold import Gold

LONGEST_VALUE = 6
"""Words of an answer that is given as a bare value."""

SYNONYMS = {
    "also": "too", "although": "though", "approximately": "about", "because": "since",
    "begin": "start", "begins": "starts", "began": "started", "caused": "brought about",
    "common": "frequent", "demonstrated": "showed", "different": "distinct", "due": "owing",
    "employees": "staff", "found": "observed", "however": "but", "important": "significant",
    "including": "such as", "large": "big", "main": "chief", "method": "approach",
    "obtain": "get", "people": "persons", "performed": "carried out", "receive": "get",
    "results": "findings", "severe": "serious", "show": "demonstrate", "showed": "indicated",
    "significant": "considerable", "study": "investigation", "use": "employ", "used": "employed",
    "using": "with", "many": "numerous", "several": "various",
    "need": "require", "needs": "requires", "buy": "purchase", "help": "assist", "made": "created",
    "parts": "sections", "later": "afterwards", "often": "frequently", "whole": "entire",
    "get": "receive", "known": "recognised", "within": "inside", "each": "every",
}  # fmt: skip
_NUMBERS = {"two": "2", "three": "3", "four": "4", "five": "5", "six": "6", "seven": "7",
            "eight": "8", "nine": "9", "ten": "10", "twelve": "12"}  # fmt: skip
_REFERENCE = re.compile(r"\s*\[\d+(?:[,–-]\s*\d+)*\]|\s*\([A-Z][^()]*\b(?:19|20)\d\d[a-z]?\)")
_BRACKETS = re.compile(r"\s*\([^()]{3,60}\)")
_OPENING = re.compile(
    r"^(?P<first>(?:In|At|On|During|For|After|Since|By) [^,]{4,40}), (?P<rest>.+)$"
)
_LEADS = ("According to the document, ", "The text says that ", "Yes, ", "In short, ", "")

Form = Callable[[Gold, random.Random], str]


@dataclass(frozen=True, slots=True)
class RightAnswer:
    """An answer that says what its sources say, with what it cites as [1], [2]."""

    form: str
    gold: Sequence[Gold]
    answer: str


def without_references(sentence: str) -> str:
    """Leave out the numbers of a bibliography, which are not the answer's."""
    return " ".join(_REFERENCE.sub("", sentence).split())


def whole(gold: Gold, _: random.Random) -> str:
    """Give the sentence."""
    return f"{without_references(gold.sentence)} [1]"


def bare(gold: Gold, _: random.Random) -> str:
    """Give the value alone, where it is short."""
    value = str(gold.answers[0]).strip(" .")
    short = len(value.split()) <= LONGEST_VALUE and value.lower() in gold.sentence.lower()
    return f"{value} [1]" if short else ""


def bullet(gold: Gold, _: random.Random) -> str:
    """Give the sentence as an item of a list, behind a line that leads to it."""
    return f"Here is what the documents say:\n\n- {without_references(gold.sentence)} [1]\n"


def row(gold: Gold, _: random.Random) -> str:
    """Give the sentence, or its value, as a cell of a table."""
    cell = without_references(gold.sentence)
    return f"| Question | Answer |\n|---|---|\n| {gold.question} | {cell} [1] |\n"


def reworded(gold: Gold, chance: random.Random) -> str:
    """Give the sentence with a few other words, another order, and numbers written otherwise."""
    said = without_references(gold.sentence)
    if chance.random() < 0.5:
        said = _BRACKETS.sub("", said)
    opening = _OPENING.match(said)
    if opening and chance.random() < 0.6:
        first, rest = opening["first"], opening["rest"].rstrip(".")
        said = f"{rest[0].upper()}{rest[1:]} {first[0].lower()}{first[1:]}."
    words = said.split(" ")
    places = [n for n, word in enumerate(words) if word.strip(",.;").lower() in SYNONYMS]
    for place in chance.sample(places, min(len(places), max(1, len(words) // 10))):
        bare_word = words[place].strip(",.;")
        other = SYNONYMS[bare_word.lower()]
        other = other.capitalize() if bare_word[0].isupper() else other
        words[place] = words[place].replace(bare_word, other)
    said = " ".join(_NUMBERS.get(word, word) for word in words)
    lead = chance.choice(_LEADS)
    first_word = said.split(" ", 1)[0]
    if lead and first_word.lower() in STOP_WORDS and first_word != "I":
        said = f"{said[0].lower()}{said[1:]}"
    return f"{lead}{said} [1]"


FORMS: Mapping[str, Form] = {
    "whole": whole, "bare": bare, "bullet": bullet, "row": row, "reworded": reworded,
}  # fmt: skip


def right_answers(gold: Sequence[Gold], seed: int = 2) -> list[RightAnswer]:
    """Give each gold sentence in all forms that it has, and two of one document merged."""
    chance = random.Random(seed)
    found: list[RightAnswer] = []
    for one in gold:
        for name, form in FORMS.items():
            if answer := form(one, chance):
                found.append(RightAnswer(name, [one], answer))
    for one, other in pairs(gold):
        first = without_references(one.sentence).rstrip(" .")
        second = without_references(other.sentence)
        begins = second.split(" ", 1)[0].lower() in STOP_WORDS
        second = f"{second[0].lower()}{second[1:]}" if begins else second
        joint = chance.choice((", and ", "; ", ", while "))
        found.append(RightAnswer("merged", [one, other], f"{first}{joint}{second} [1][2]"))
    return found


def pairs(gold: Sequence[Gold]) -> list[tuple[Gold, Gold]]:
    """Give each gold sentence with the next one of the same document."""
    by_document: dict[tuple[str, str], list[Gold]] = {}
    for one in gold:
        by_document.setdefault((one.text.collection, one.text.document), []).append(one)
    return [
        (one, other)
        for some in by_document.values()
        for one, other in zip(some[::2], some[1::2], strict=False)
        if len(one.sentence) + len(other.sentence) < 500
    ]
