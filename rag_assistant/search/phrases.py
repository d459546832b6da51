"""Exact phrases, as an index of words holds them."""

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from rag_assistant.text.terms import clusters_of, is_unspaced, segments_of, words_in
from rag_assistant.values.search_plan import AllOf, Phrase


def exactly(text: str) -> AllOf:
    """Give what a passage holds that holds an exact phrase of at least one word.

    Usually these are its words side by side; words of scripts without spaces are each a phrase of
    segments, since these stand in a column of their own, and a single letter of such a script is
    the beginning of one.
    """
    found: list[Phrase] = []
    for unspaced, words in groupby(words_in(text), key=is_unspaced):
        if unspaced:
            groups = (tuple(segments_of(word, closed=False)) for word in words)
            found += [Phrase(group, begun=_is_a_letter(group)) for group in groups]
        else:
            found.append(Phrase(tuple(words)))
    return tuple(found)


def first_words(phrases: Iterable[AllOf], most: int) -> list[AllOf]:
    """Give what the first `most` words of some phrases ask for; of those after them nothing.

    Each word of a phrase that many passages hold is read in all of these, whether it stands there
    beside the others or not.
    """
    kept: list[AllOf] = []
    for needed in phrases:
        cut: list[Phrase] = []
        for one in needed:
            words = one.words[:most]
            most -= len(words)
            if words:
                cut.append(replace(one, words=words, begun=one.begun and words == one.words))
        kept.append(tuple(cut))
    return kept


def _is_a_letter(group: tuple[str, ...]) -> bool:
    return len(group) == 1 and is_unspaced(group[0]) and len(clusters_of(group[0])) == 1
