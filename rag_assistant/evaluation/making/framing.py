"""Questions that name what a sentence is about, where its clause cannot be turned round."""

from collections.abc import Mapping, Sequence
from itertools import pairwise
from random import Random

from rag_assistant.agents.claim_values import Value
from rag_assistant.evaluation.making.english import (
    Token,
    is_participle,
    is_plural,
    tokens_of,
    verb_forms,
)
from rag_assistant.evaluation.making.wording import as_question
from rag_assistant.terms import STOP_WORDS, content_terms, is_unspaced, words_in

MOST_NOUNS = 3
"""Noun phrases that a question names."""

_LONGEST_PHRASE = 3
_DRAWN, _TRIED = 30, (0.5, 0.75, 1.0)
"""Sets of phrases that are drawn, and which of them are tried, in order of rarity."""

MOST_KEYWORDS, FEWEST_KEYWORDS = 6, 3
"""Words of a question that is only words."""

_SHORTENED = ("'ll", "'re", "'ve", "'m", "'d")
_CLOSING = Token("", 1 << 30, 1 << 30, "mark")
_EMPTY = frozenset(
    "front addition particular general respect contrast relation number amount way thing things "
    "kind sort type part lot case fact example instance order use time times people person "
    "result results end place point means need something".split()
)


def noun_phrases(sentence: str, values: Sequence[Value]) -> list[str]:
    """Give what a sentence names, in order: short runs of nouns, with "the" where it stands there.

    Its values are none of them. A bare word counts as a noun behind a preposition only, or where it
    is a name: elsewhere it may be anything.
    """
    found: list[str] = []
    run: list[Token] = []
    tokens = [*tokens_of(sentence), _CLOSING, _CLOSING]
    for token, following in pairwise(tokens):
        in_value = any(token.start < value.end and token.end > value.start for value in values)
        if run and token.kind == "word" and not in_value and not _is_verb(token, run):
            run.append(token)
            continue
        if not (token.kind == following.kind == "word" and is_participle(token.lower)):
            found += _phrase(run)  # else the noun is still to come: "the thin walled tube"
        opens = token.kind == "prep" or token.lower in ("the", "a", "an")
        is_name = token.kind == "word" and token.text[0].isupper() and token.start > 0
        run = [token] if not in_value and (opens or is_name) else []
    return list(dict.fromkeys(found))


def _is_verb(token: Token, run: Sequence[Token]) -> bool:
    """Whether a word behind some others is a verb: known as one, and not right behind "the"."""
    forms = verb_forms(token.lower)
    if run[-1].kind == "prep":
        return "ing" in forms or (run[-1].lower == "to" and "base" in forms)
    if run[-1].kind == "det":
        return "ing" in forms
    if "base" in forms and not is_plural(run[-1].lower):
        return False  # "the approach path": what is one of a noun may be a noun
    return bool(forms) or is_participle(token.lower)


def _phrase(run: Sequence[Token]) -> list[str]:
    nouns = [token for token in run if token.kind == "word"]
    if not nouns or all(token.lower in _EMPTY or token.lower in STOP_WORDS for token in nouns):
        return []
    if any(token.lower.endswith(_SHORTENED) for token in nouns):
        return []
    if len(nouns) == 1 and (len(nouns[0].text) < 3 or is_participle(nouns[0].lower)):
        return []
    words = " ".join(token.text for token in nouns[-_LONGEST_PHRASE:])
    return [f"the {words}" if run[0].kind == "det" else words]


def framed(asked: str, phrases: Sequence[str]) -> str:
    """Ask for a thing ("date", "number of days") that is given of what the phrases name."""
    if asked.startswith("number of "):
        counted = asked.removeprefix("number of ")
        return as_question(
            [f"How many {counted} are mentioned in connection with", _listed(phrases)]
        )
    return as_question([f"Which {asked} is given in connection with", _listed(phrases)])


def framed_openly(phrases: Sequence[str]) -> str:
    """Ask what is said of what the phrases name."""
    return as_question(["What is said about", _listed(phrases)])


def _listed(phrases: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(phrases[:-1]), phrases[-1]]))


def phrase_sets(
    phrases: Sequence[str], weights: Mapping[str, float], rng: Random
) -> list[tuple[str, ...]]:
    """Choose phrases to name together, those of middling rarity first, which leave a search more
    to do than the rarest and still say what is meant.

    Some lose their first word. They stand in another order than in the sentence.
    """
    found: dict[tuple[str, ...], float] = {}
    count = min(MOST_NOUNS, len(phrases))
    for _ in range(_DRAWN if count > 1 else 0):
        drawn = [_maybe_shorter(phrase, rng) for phrase in rng.sample(phrases, count)]
        if sum(len(_nouns(phrase)) for phrase in drawn) >= MOST_NOUNS:
            found[tuple(drawn)] = sum(
                max((weights.get(term, 0.0) for term in content_terms(phrase)), default=0.0)
                for phrase in drawn
            )
    ordered = sorted(found, key=found.__getitem__)
    return list(
        dict.fromkeys(ordered[int(part * (len(ordered) - 1))] for part in _TRIED[: len(ordered)])
    )


def _nouns(phrase: str) -> list[str]:
    return [word for word in phrase.split() if word != "the"]


def _maybe_shorter(phrase: str, rng: Random) -> str:
    """Leave out the first of three words, or of two, by chance; names stay as they are."""
    words = _nouns(phrase)
    if len(words) < 2 or any(word[0].isupper() for word in words) or rng.random() < 0.5:
        return phrase
    return " ".join(["the"] * phrase.startswith("the ") + words[1:])


def keywords(sentence: str, common: frozenset[str], weights: Mapping[str, float]) -> str:
    """Give telling words of a sentence of any language, out of their order; "" where it has few.

    Rare ones come first, and of those the second half is left out.
    """
    words = [
        word
        for word in dict.fromkeys(words_in(sentence))
        if len(word) > 3 and word.isalpha() and word.lower() not in common and not is_unspaced(word)
    ]
    term_of = {word: next(iter(content_terms(word)), "") for word in words}
    ranked = sorted(words, key=lambda word: weights.get(term_of[word], 0.0), reverse=True)
    kept = ranked[:: 2 if len(ranked) > 2 * FEWEST_KEYWORDS else 1][:MOST_KEYWORDS]
    return " ".join(sorted(kept, key=str.lower)) if len(kept) >= FEWEST_KEYWORDS else ""
