"""Changing the words of a question so that no phrase of its sentence gives the answer away."""

import re
from collections.abc import Sequence
from random import Random

from rag_assistant.evaluation.making.alike import alike, is_verb, kin
from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.text.english import is_plural, kind_of, tokens_of
from rag_assistant.text.terms import is_unspaced, words_in

LONGEST_RUN = 3
"""Words that a question may have in a row as its sentence has them."""

_INSTEAD = {
    "may": "can", "should": "ought to", "each": "every", "every": "each",
    "after": "following", "per": "for each", "during": "in the course of", "through": "via",
    "towards": "toward", "only": "solely",
    "without": "with no", "and": "as well as", "until": "up to", "before": "ahead of",
    "regarding": "concerning", "under": "below",
    "with": "together with",
}  # fmt: skip
"""Small words that may be written otherwise to break a run."""

_HELPS = frozenset("is are was were has have had can may must should will would".split())
MOST_KEYWORDS, FEWEST_KEYWORDS = 4, 3
"""Words of a question that is only words."""

_SLIPS = 6
"""Letters of a word from which on one may be misspelt."""


def words_of(text: str) -> list[str]:
    """Give the words of a text as runs are counted, in lower case; joined ones are one word."""
    return [token.lower.strip("'") for token in tokens_of(text) if token.kind != "mark"]


def longest_run(question: str, sentence: str) -> int:
    """Count the words that a question has in a row as the sentence has them, at most."""
    return max((length for _, length in _runs(words_of(question), words_of(sentence))), default=0)


def _runs(asked: Sequence[str], given: Sequence[str]) -> list[tuple[int, int]]:
    """Give the runs that two texts share: where they begin in the first, and how long they are."""
    found: list[tuple[int, int]] = []
    above = [0] * (len(given) + 1)
    for place in range(len(asked) - 1, -1, -1):
        here = [above[n + 1] + 1 if asked[place] == word else 0 for n, word in enumerate(given)]
        above = [*here, 0]
        if longest := max(above):
            found.append((place, longest))
    return found[::-1]


def reworded(words: Sequence[str], sentence: str, rng: Random) -> str:
    """Make a question of words: other words for those in the table, no long run of the sentence.

    Gives "" where that cannot be done.
    """
    changed = " ".join(_otherwise(words, place, rng) for place in range(len(words))).split()
    given = words_of(sentence)
    for _ in range(12):
        asked = [word.lower().strip("'’,") for word in changed]
        run = next((run for run in _runs(asked, given) if run[1] > LONGEST_RUN), None)
        if run is None:
            question = as_question(changed)
            return question if longest_run(question, sentence) <= LONGEST_RUN else ""
        changed = _broken(changed, run[0], LONGEST_RUN + 1)
        if not changed:
            break
    return ""


def _otherwise(words: Sequence[str], place: int, rng: Random) -> str:
    """Give a word, or one that means the same, in place of it."""
    word = words[place]
    bare = word.rstrip(",")
    before, behind = (words[place - 1] if place else ""), (words[place + 1 : place + 2] or [""])[0]
    if not bare.islower() or before.lower() in ("how", "what", "which"):
        return word
    others = alike(bare, before, behind)
    other = rng.choice(others) if others else bare
    if before in ("a", "an") and (other[0] in "aeiou") != (bare[0] in "aeiou"):
        return word
    return other + word[len(bare) :]


def _broken(words: list[str], start: int, length: int) -> list[str]:
    """Break a run by the mildest way there is; [] where there is none.

    An adverb is left out, a small word written otherwise, an "actually" put in, or an article left
    out, as people do who write in haste.
    """
    inside = range(max(1, start), min(start + length, len(words) - 1))
    for place in inside:
        if words[place].endswith("ly") and kind_of(words[place]) == "adv":
            return [*words[:place], *words[place + 1 :]]
    for place in inside:
        if other := _smaller(words, place):
            return [*words[:place], *other.split(), *words[place + 1 :]]
    for place in inside[:-1] if "actually" not in words else ():
        if words[place].lower() in _HELPS:
            return [*words[: place + 1], "actually", *words[place + 1 :]]
        if is_verb(words[place + 1]) and kind_of(words[place]) == "word":
            return [*words[: place + 1], "actually", *words[place + 1 :]]
    articles = (place for place in inside if words[place] in ("the", "a", "an"))
    place = next(articles, 0)
    return [*words[:place], *words[place + 1 :]] if place else []


def _smaller(words: Sequence[str], place: int) -> str:
    if words[place] == "must":
        many = is_plural(words[place - 1]) or words[place - 1] in ("you", "we")
        return ("need to" if many else "needs to") if words[place + 1] == "be" else ""
    return _INSTEAD.get(words[place], "")


def as_question(words: Sequence[str]) -> str:
    """Write words as a question."""
    text = re.sub(r"\s+([,;])", r"\1", " ".join(words)).strip(" ,;")
    return f"{text[:1].upper()}{text[1:]}?"


def keywords(telling: Sequence[str], rng: Random) -> str:
    """Write some words as people type them into a search box: few, related ones for
    some; "" where they are too few."""
    words = list(dict.fromkeys(telling))
    if len(words) < FEWEST_KEYWORDS:
        return ""
    return " ".join(
        kin().get(word) or rng.choice(alike(word, "the", "") or (word,)) for word in words
    )


def misspelt(question: str, rng: Random) -> str:
    """Make a slip in the longest word that is no name: two letters swapped, or one missing."""
    words = question.split(" ")
    places = [
        n
        for n, word in enumerate(words)
        if len(word) >= _SLIPS and word.isalpha() and word.islower()
    ]
    if not places:
        return question
    place = max(places, key=lambda n: (len(words[n]), -n))
    word, letter = words[place], rng.randrange(2, len(words[place]) - 1)
    swapped = word[: letter - 1] + word[letter] + word[letter - 1] + word[letter + 1 :]
    words[place] = swapped if rng.random() < 0.5 else word[:letter] + word[letter + 1 :]
    return " ".join(words)


def has_no_operators(question: str) -> bool:
    """Whether a search takes all of a question for plain words: "stored at -20" excludes 20."""
    return parse(question) == Parsed(question.strip())


def telling_words(text: str, common: frozenset[str]) -> list[str]:
    """Give the longer words of a text that are not among the commonest of its language."""
    return [
        word
        for word in words_in(text)
        if word.lower() not in common
        if len(word) > 3 and word.isalpha() and not is_unspaced(word)
    ]
