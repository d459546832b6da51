"""Wordings of a question for one sentence: turned round, by its nouns, or by its words alone."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random

from rag_assistant.agents.claim_names import names_in
from rag_assistant.agents.claim_values import Value, values_in
from rag_assistant.evaluation.making.asked import answer_of, thing_asked
from rag_assistant.evaluation.making.asking import question_for
from rag_assistant.evaluation.making.clauses import clause_around
from rag_assistant.evaluation.making.english import UNCLEAR, tokens_of, verb_forms
from rag_assistant.evaluation.making.framing import (
    framed,
    framed_openly,
    keywords,
    noun_phrases,
    phrase_sets,
)
from rag_assistant.evaluation.making.languages import ENGLISH, common_words
from rag_assistant.evaluation.making.prose import Sentence
from rag_assistant.evaluation.making.reading import ReadDocument
from rag_assistant.evaluation.making.wording import LONGEST_RUN, longest_run, reworded
from rag_assistant.likeness import lower_words
from rag_assistant.search.query_language import Parsed, parse

_LONGEST_QUESTION, _SHORTEST_QUESTION = 30, 5
"""Words of a question."""


_ROLE = re.compile(r"(?:er|or|ist|ary|ant|man|person|chair|head|lead|chief|captain|steward|host)$")
"""What a role of a person ends in."""


@dataclass(frozen=True, slots=True)
class Wording:
    question: str
    answers: tuple[str, ...]
    turned: bool


def turned_wordings(sentence: Sentence, document: ReadDocument, rng: Random) -> Iterator[Wording]:
    """Give the questions that turn a sentence round: who holds a role, who did it, how much."""
    plain = _lowered(sentence.plain, document)
    for name, role in names_in(sentence.plain):
        words = _who(sentence.plain, name, role)
        if words and (asked := reworded(words, sentence.plain, rng)):
            yield Wording(asked, (name.words,), turned=True)
    words = _doer(sentence.plain, document)
    if words and (asked := reworded(words[1:], sentence.plain, rng)):
        yield Wording(asked, (words[0],), turned=True)
    values = [value for value in values_in(plain) if not value.denied]
    rng.shuffle(values)
    for value in values:
        clause = clause_around(plain, value)
        words = question_for(value, clause) if clause else []
        if clause and words and (asked := reworded(words, sentence.plain, rng)):
            yield Wording(asked, (answer_of(value, clause),), turned=True)


def _who(sentence: str, name: Value, role: str) -> list[str]:
    """Ask who holds a role: "the treasurer is Ruth", who is the treasurer."""
    if re.search(rf"\b(?:is|was|will be|remains)\W+(?:now )?{re.escape(name.words)}", sentence):
        tense = "was" if re.search(r"\bwas\b", sentence) else "is"
        return ["Who", tense, "the", *role.split()] if _ROLE.search(role.strip()) else []
    return []


def _doer(sentence: str, document: ReadDocument) -> list[str]:
    """Ask who did what a sentence tells of a person in its beginning; the name comes first."""
    tokens = tokens_of(sentence)
    count = 0
    while count < 3 and count < len(tokens) and tokens[count].text[:1].isupper():
        count += 1
    if not count or count + 2 >= len(tokens) or not document.names.has(tokens[0].text):
        return []
    if not all(token.text.istitle() for token in tokens[:count]):
        return []  # an abbreviation is nobody
    verb, following = tokens[count], tokens[count + 1]
    if "past" not in verb_forms(verb.lower) or following.kind not in ("det", "prep", "num", "word"):
        return []
    told: list[str] = []
    for token in tokens[count:]:
        if token.kind in ("mark", "conj"):
            break
        told.append(token.text)
    if len(told) < 4 or any(word.lower() in UNCLEAR for word in told) or len(told) > 14:
        return []
    return [" ".join(token.text for token in tokens[:count]), "Who", *told]


def plainer_wordings(
    sentence: Sentence, document: ReadDocument, weights: Mapping[str, float], rng: Random
) -> Iterator[Wording]:
    """Give the questions that name what a sentence is about; in words alone where its document is
    not in English. `weights` are those of the sentence's terms."""
    if document.language != ENGLISH:
        if asked := keywords(sentence.plain, common_words(document.language), weights):
            yield Wording(asked, (), turned=False)
        return
    values = [value for value in values_in(sentence.plain) if not value.denied]
    values = values if sentence.is_marked else []
    sets = phrase_sets(noun_phrases(sentence.plain, values), weights, rng)
    for value in values:
        clause = clause_around(sentence.plain, value)
        if clause and (thing := thing_asked(value, clause)):
            for chosen in sets:
                yield Wording(framed(thing, chosen), (answer_of(value, clause),), turned=False)
    for chosen in sets:
        if len(chosen) > 2:
            yield Wording(framed_openly(chosen), (), turned=False)


def _lowered(sentence: str, document: ReadDocument) -> str:
    """Write the first word small where it is no name."""
    first = tokens_of(sentence)[:1]
    if not first or document.names.has(first[0].text):
        return sentence
    if first[0].kind == "word" and re.match(r"\S+ [A-ZÀ-Þ]", sentence):
        return sentence  # the first of two names
    return sentence[: first[0].start] + first[0].text.lower() + sentence[first[0].end :]


def is_acceptable(wording: Wording, sentence: Sentence) -> bool:
    """Whether a question is of a usual length, copies no long run and gives no answer away."""
    words = wording.question.split()
    if not _SHORTEST_QUESTION <= len(words) <= _LONGEST_QUESTION and wording.turned:
        return False
    if longest_run(wording.question, sentence.plain) > LONGEST_RUN:
        return False
    return has_no_operators(wording.question) and not gives_away(wording.question, wording)


def has_no_operators(question: str) -> bool:
    """Whether a search takes all of a question for plain words: "stored at -20" excludes 20."""
    return parse(question) == Parsed(question.strip())


def gives_away(question: str, wording: Wording) -> bool:
    """Whether an answer stands in a question."""
    asked = " ".join(lower_words(question))
    return any(f" {' '.join(lower_words(one))} " in f" {asked} " for one in wording.answers)
