"""Words that the index does not hold, corrected to words that it does hold.

All spellings one edit away are looked up, which costs the same for any vocabulary; two edits away,
a bounded part of the vocabulary is compared, that which shares the first letters.
"""

import heapq
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from rag_assistant.store.searching import Vocabulary
from rag_assistant.text.terms import STOP_WORDS, accents_off, is_unspaced, terms_by_word

SHORTEST, LONGEST = 4, 24
"""Letters of a word that is corrected: of shorter ones, every other word is a neighbour."""

SHORTEST_FOR_TWO = 6
"""Letters from which a second mistake is allowed for."""

MOST_COMPARED = 8_000
"""Terms compared for two mistakes, some 30 ms."""

LONGEST_ENDING = 6
"""Letters that a word may have more than its stem: generalizations, general."""

MOST_LOOKED_INTO = 8
"""Terms whose words are looked up in the passages."""

FIRST_LETTER_COSTS = 0.1
"""What a correction of the first letter keeps of its frequency: people get that letter right."""

_ALPHABETS = (
    "abcdefghijklmnopqrstuvwxyz",
    "абвгдежзийклмнопрстуфхцчшщъыьэюяіїєґ",
    "αβγδεζηθικλμνξοπρστυφχψω",
)


@dataclass(frozen=True, slots=True)
class Correction:
    """A word of the documents, its index term, and how many passages hold the term.

    `edits` is how many mistakes it was looked for with.
    """

    word: str
    term: str
    passages: int
    edits: int = 1


def correction(vocabulary: Vocabulary, word: str) -> Correction | None:
    """Give the likeliest correction of a word that the index does not hold, None if there is none.

    Words with digits are names of things and are not corrected.
    """
    plain = accents_off(word)
    if not (SHORTEST <= len(plain) <= LONGEST and plain.isalpha()) or is_unspaced(plain):
        return None
    if found := _one_edit(vocabulary, plain):
        return found
    return _two_edits(vocabulary, plain) if len(plain) >= SHORTEST_FOR_TWO else None


def likeliest(word: str, found: Iterable[Correction]) -> Correction | None:
    """Choose among the corrections that several databases propose for a word.

    The fewest edits first, then what most passages of all together hold.
    """
    first = accents_off(word)[:1]
    by_term: dict[str, list[Correction]] = {}
    for one in found:
        by_term.setdefault(one.term, []).append(one)

    def order(term: str) -> tuple[int, float, str]:
        proposals = by_term[term]
        passages = sum(one.passages for one in proposals)
        likely = passages if proposals[0].word[:1] == first else passages * FIRST_LETTER_COSTS
        return min(one.edits for one in proposals), -likely, term

    best = min(by_term, key=order, default=None)
    if best is None:
        return None
    # Of several words with one term, the one that is spelt so where most passages hold it.
    said = max(by_term[best], key=lambda one: one.passages)
    return replace(said, passages=sum(one.passages for one in by_term[best]))


def _one_edit(vocabulary: Vocabulary, plain: str) -> Correction | None:
    """Choose of all spellings one edit away the one that most passages hold."""
    by_word = terms_by_word(" ".join(_edits(plain) - STOP_WORDS))
    # Of several spellings with one term, one with the right first letter is the likeliest.
    edits = sorted(by_word, key=lambda edit: (edit[0] == plain[0], edit))
    words = {by_word[edit]: edit for edit in edits if len(by_word[edit]) > 2}
    passages = vocabulary.frequencies(words)
    if not passages:
        return None
    best = max(
        passages,
        key=lambda term: (
            passages[term] * (1.0 if words[term][0] == plain[0] else FIRST_LETTER_COSTS),
            term,
        ),
    )
    return _by_its_words(vocabulary, plain, {best: passages[best]}, LONGEST)


def _by_its_words(
    vocabulary: Vocabulary, plain: str, passages: Mapping[str, int], most: int
) -> Correction | None:
    """Choose the term that has the word spelt most like `plain`, `most` edits away at most."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415  (most queries hold no unknown word)

    words = vocabulary.words_of(passages)
    found = [
        (OSA.distance(word, plain), -passages[term], word, term)
        for term in passages
        for word in words[term] or {term}
    ]
    distance, _, word, term = min(found, default=(most + 1, 0, "", ""))
    return Correction(word, term, passages[term]) if distance <= most else None


def _edits(word: str) -> set[str]:
    """Give all words that leave out, swap, replace or add one letter (after Norvig)."""
    alphabet = next((known for known in _ALPHABETS if word[0] in known), "".join(set(word)))
    cuts = [(word[:place], word[place:]) for place in range(len(word) + 1)]
    left_out = {head + tail[1:] for head, tail in cuts if tail}
    swapped = {head + tail[1] + tail[0] + tail[2:] for head, tail in cuts if len(tail) > 1}
    replaced = {head + letter + tail[1:] for head, tail in cuts if tail for letter in alphabet}
    added = {head + letter + tail for head, tail in cuts for letter in alphabet}
    return (left_out | swapped | replaced | added) - {word}


def _two_edits(vocabulary: Vocabulary, plain: str) -> Correction | None:
    """Choose a word two edits away among the likeliest terms with the same first letters."""
    from rapidfuzz.distance import OSA  # noqa: PLC0415

    term = next(iter(terms_by_word(plain).values()))
    known = [name for name in _sharing(vocabulary, plain) if name.isalpha() and len(name) > 3]
    # Terms are stems: the word's own stem may be the whole word, misspelt as it is, so that its
    # beginning is compared too; what the words behind the terms are decides.
    distances: dict[str, int] = {}
    for name in known:
        beginning = plain[: len(name)]
        distance = min(OSA.distance(name, other, score_cutoff=2) for other in (term, beginning))
        if distance <= 2 and -2 <= len(plain) - len(name) <= LONGEST_ENDING:
            distances[name] = distance
    counts = vocabulary.frequencies({name: name for name in distances})
    likely = {name: count / 10 ** distances[name] for name, count in counts.items()}
    nearest = heapq.nlargest(MOST_LOOKED_INTO, likely, key=lambda name: likely[name])
    chosen = _by_its_words(vocabulary, plain, {name: counts[name] for name in nearest}, 2)
    return replace(chosen, edits=2) if chosen else None


def _sharing(vocabulary: Vocabulary, plain: str) -> Sequence[str]:
    """Give terms with the same first letters: three of them, four or two where that is better."""
    found = vocabulary.listed(plain[:3], MOST_COMPARED)
    if len(found) == MOST_COMPARED:
        return vocabulary.listed(plain[:4], MOST_COMPARED)
    wider = vocabulary.listed(plain[:2], MOST_COMPARED)
    return found if len(wider) == MOST_COMPARED else wider
