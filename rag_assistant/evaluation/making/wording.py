"""Changing the words of a question so that no phrase of its sentence gives the answer away."""

import re
from collections.abc import Sequence
from random import Random

from rag_assistant.evaluation.making.english import is_participle, tokens_of, verb_forms
from rag_assistant.evaluation.making.synonyms import synonyms

LONGEST_RUN = 3
"""Words that a question may have in a row as its sentence has them."""

_INSTEAD = {
    "and": "as well as",
    "before": "ahead of",
    "after": "following",
    "every": "each",
    "each": "every",
    "about": "concerning",
    "per": "for each",
    "during": "in the course of",
    "towards": "toward",
}
"""Small words that may be written otherwise to break a run."""

_FRONTED = frozenset("at in on during under after before within beside near".split())
"""Prepositions whose phrase may stand before a question."""

_KEPT_BEFORE = frozenset("number amount kind sort type half rest set no".split())
_TELLING = frozenset(
    "first second third fourth fifth last next previous half full double single only same other"
    " new old former maximum minimum total final main upper lower left right front rear inner outer"
    " late following early unpaid paid partial gross net extra additional further different".split()
)
"""Modifiers without which something else is meant."""

_SHORTENED = 5
"""How often a question is made shorter by a step."""

_OPENS_QUESTION = 2
"""Words at the beginning of a question that ask, and are never left out."""

Words = list[str]


def words_of(text: str) -> Words:
    """Give the words of a text as runs are counted, in lower case; joined ones are one word."""
    return [token.lower.strip("'") for token in tokens_of(text) if token.kind != "mark"]


def longest_run(question: str, sentence: str) -> int:
    """Count the words that a question has in a row as the sentence has them, at most."""
    return max((length for _, length in _runs(words_of(question), words_of(sentence))), default=0)


def _runs(asked: Sequence[str], given: Sequence[str]) -> list[tuple[int, int]]:
    """Give the runs that two texts share: where they begin in the first, and how long they are."""
    found: list[tuple[int, int]] = []
    for start in range(len(asked)):
        longest = 0
        for place in range(len(given)):
            length = 0
            while (
                start + length < len(asked)
                and place + length < len(given)
                and asked[start + length] == given[place + length]
            ):
                length += 1
            longest = max(longest, length)
        if longest:
            found.append((start, longest))
    return found


def reworded(words: Sequence[str], sentence: str, rng: Random) -> str:
    """Make a question of words: other words for some, and no long run of the sentence left.

    Gives "" where that cannot be done.
    """
    changed = _with_other_words(" ".join(words).split())
    given = words_of(sentence)
    for _ in range(12):
        asked = [word.lower().strip("'’,") for word in changed]
        runs = [(start, length) for start, length in _runs(asked, given) if length > LONGEST_RUN]
        if not runs:
            return as_question(changed)
        broken = _broken(changed, *runs[0])
        if broken is None:
            return ""
        changed = broken
    return ""


def _with_other_words(words: Words) -> Words:
    known = synonyms()
    return [_joined(known.get(word, word)) for word in words]


def _joined(words: str) -> str:
    """Make one word of several, so that none of them is left out."""
    return words.replace(" ", "\u00a0")


def _broken(words: Words, start: int, length: int) -> Words | None:
    """Break a run: leave out a word in it, write one otherwise, or end or begin before its end.

    None where none of it can be done.
    """
    inside = range(start + 1, min(start + LONGEST_RUN + 1, len(words)))
    for place in inside:
        if place + 1 < len(words) and _is_modifier(words, place):
            return _without(words, place)
    for place in inside:
        if otherwise := _owned(words, place) or _otherwise(words, place):
            return otherwise
    for place in range(start + length - 1, start, -1):
        if _kind(words[place]) == "prep" and _may_end_before(words, place):
            end = words[place:]
            fronts = end[0] in _FRONTED and len(end) <= LONGEST_RUN and "," not in " ".join(words)
            return [*end[:-1], f"{end[-1]},", *words[:place]] if fronts else words[:place]
    return None


def _otherwise(words: Words, place: int) -> Words:
    """Write a word with others that mean the same; [] where none are known."""
    other = synonyms().get(words[place], "")
    if place + 1 < len(words):
        other = _INSTEAD.get(words[place], other)
    return [*words[:place], _joined(other), *words[place + 1 :]] if other else []


def _owned(words: Words, place: int) -> Words:
    """Write "the roof of the shed" as "the shed's roof"; [] where there is no such "of"."""
    around = words[max(0, place - 2) : place + 4]
    if len(around) < 5 or [around[0], *around[2:4]] != ["the", "of", "the"]:
        return []
    if _kind(around[1]) != "word" or _kind(around[4]) != "word" or around[4].endswith("s"):
        return []
    if len(around) > 5 and _kind(around[5]) == "word" and not _is_verb(words, place + 3):
        return []
    return [*words[: place - 1], f"{around[4]}'s", around[1], *words[place + 3 :]]


def _is_modifier(words: Words, place: int) -> bool:
    """Whether a word only says more of the noun behind it, or is an adverb."""
    if place < _OPENS_QUESTION:
        return False
    kind, word = _kind(words[place]), words[place]
    following, before = words[place + 1], words[place - 1]
    if kind == "adv":
        return word.endswith("ly") and word != "only" and _kind(following) not in ("prep", "conj")
    if kind != "word" or _kind(following) != "word" or before.lower() in _KEPT_BEFORE:
        return False
    if _kind(before) not in ("det", "prep") or before.lower() == "to" or word.lower() in _TELLING:
        return False
    if (word[:1].isupper() and following[:1].isupper()) or word.endswith("ing"):
        return False  # a name stays whole, and "by closing taps" is a way of doing it
    return not (is_participle(following) or verb_forms(following) or following.endswith("ing"))


def _may_end_before(words: Words, place: int) -> bool:
    last = words[place - 1].lower()
    turned = next((n for n, word in enumerate(words) if _kind(word) == "aux"), 0)
    told = [word for word in words[turned + 1 : place] if _kind(word) in ("word", "num")]
    if (
        words[place] == "of"
        or (words[place] == "to" and "from" in words[:place])
        or _is_verb(words, place - 1)
    ):
        return False  # the end of the one, or what a verb needs
    if any(_kind(word) == "aux" or is_participle(word) for word in words[place:]):
        return False  # the verb itself
    if words[turned] in ("do", "does", "did") and not any(
        "base" in verb_forms(words[n]) and _kind(words[n - 1]) not in ("det", "prep", "aux")
        for n in range(turned + 2, place)
    ):
        return False
    return len(told) >= 2 and last != "together" and _kind(last) in ("word", "num", "pron", "adv")


def _is_verb(words: Words, place: int) -> bool:
    """Whether a word is a verb where it stands: known as one, and not behind what nouns follow."""
    known = verb_forms(words[place]) or is_participle(words[place])
    before = words[place - 1]
    return bool(known) and (before == "to" or _kind(before) not in ("det", "num", "prep"))


def _without(words: Words, place: int) -> Words:
    kept = [*words[:place], *words[place + 1 :]]
    if kept[place - 1].lower() in ("a", "an"):
        kept[place - 1] = "an" if kept[place][0].lower() in "aeiou" else "a"
    return kept


def _kind(word: str) -> str:
    tokens = tokens_of(word)
    return tokens[0].kind if len(tokens) == 1 else "word"


def shorter_forms(question: str, rng: Random) -> list[str]:
    """Give a question with modifiers or its end left out, shortest last."""
    words = question.removesuffix("?").split()
    found: list[str] = []
    for _ in range(_SHORTENED):
        places = [n for n in range(_OPENS_QUESTION, len(words) - 1) if _is_modifier(words, n)]
        ends = [
            n
            for n in range(len(words) - 1, 4, -1)
            if _kind(words[n]) == "prep" and _may_end_before(words, n)
        ]
        choices: list[Words] = [_without(words, place) for place in places]
        choices += [words[: ends[0]]] if ends else []
        if not choices:
            break
        words = rng.choice(choices)
        found.append(as_question(words))
    return found


def as_question(words: Sequence[str]) -> str:
    """Write words as a question."""
    text = re.sub(r"\s+([,;])", r"\1", " ".join(words).replace("\u00a0", " ")).strip(" ,;")
    if ", " in text and text[: text.index(",")].count(" ") < LONGEST_RUN:
        front, _, rest = text.partition(", ")
        text = f"{front}, {rest[:1].lower()}{rest[1:]}"
    return f"{text[:1].upper()}{text[1:]}?"
