"""Words that the documents do have, for words of a question that none of them has."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from itertools import islice

from rag_assistant.library.database import Database
from rag_assistant.search.spelling import correction, likeliest
from rag_assistant.store.searching import Vocabulary
from rag_assistant.text.terms import accents_off

MOST_WORDS = 3
"""Words for which others are looked up, and others that are given for one."""

BEGINNING = 5
"""Letters that a word has in common with one that is given for it."""


def other_words(databases: Sequence[Database], words: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Give what a word may be a misspelling of, or else words that begin as it does.

    Nothing for a word where there is neither. Raises RagError where a database cannot be read.
    """
    found: dict[str, tuple[str, ...]] = {}
    with ExitStack() as stack:
        readers = [stack.enter_context(database.reading()) for database in databases]
        vocabularies = [reader.vocabulary for reader in readers]
        for word in islice(words, MOST_WORDS):
            corrected = filter(None, (correction(one, word) for one in vocabularies))
            if right := likeliest(word, corrected):
                found[word] = (right.word,)
            elif alike := _beginning_alike(vocabularies, accents_off(word)):
                found[word] = alike
    return found


def _beginning_alike(vocabularies: Sequence[Vocabulary], word: str) -> tuple[str, ...]:
    if len(word) < BEGINNING:
        return ()
    beginning = word[:BEGINNING]
    alike = (other for one in vocabularies for other in _words_from(one, beginning))
    return tuple(islice(dict.fromkeys(alike), MOST_WORDS))


def _words_from(vocabulary: Vocabulary, beginning: str) -> Iterator[str]:
    terms = [term for term, _ in vocabulary.beginning_with(beginning, MOST_WORDS)]
    for words in vocabulary.words_of(terms).values():
        behind = (word for word in words if word.startswith(beginning))
        yield from islice(sorted(behind, key=len), 1)
