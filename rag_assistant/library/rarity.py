"""How rare the words of a question are in some databases together, as a search weighs them."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.library.database import Database
from rag_assistant.search.weights import idf
from rag_assistant.text.terms import content_terms, is_unspaced, segments_of, terms_by_word


@dataclass(frozen=True, slots=True)
class Rarity:
    """Terms with their inverse document frequency, in the order of the text, and a word for each.

    `known` are those that any passage holds.
    """

    weights: Mapping[str, float]
    words: Mapping[str, str]
    known: frozenset[str]

    @property
    def total(self) -> float:
        """The weight of all terms together."""
        return sum(self.weights.values())


def rarity(databases: Sequence[Database], text: str) -> Rarity:
    """Weigh the telling words of a text by their rarity in whole databases, whatever their scope.

    What a word is worth does not depend on the documents that a question is limited to. Raises
    RagError where a database cannot be read.
    """
    words = telling_terms(text)
    passages, frequencies = 0, Counter[str]()
    for database in databases:
        with database.reading_all() as reader:
            passages += reader.vocabulary.passages()
            frequencies.update(reader.vocabulary.frequencies(words))
    weights = {term: idf(frequencies[term], passages) for term in words}
    return Rarity(weights, words, frozenset(frequencies))


def telling_terms(text: str) -> dict[str, str]:
    """Map the terms of a text that are no stop words to words; of unspaced scripts, of segments."""
    found: dict[str, str] = {}
    for term, word in content_terms(text).items():
        segments = segments_of(word, closed=False) if is_unspaced(word) else []
        by_word = terms_by_word(" ".join(segments))
        found |= {by_word[segment]: segment for segment in segments} or {term: word}
    return found
