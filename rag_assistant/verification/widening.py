"""What is said where nothing is claimed to answer: why, what was searched, how to find more."""

from collections.abc import Iterator, Sequence

from rag_assistant.claims.confidence import Judgement
from rag_assistant.library.other_words import other_words
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.values.coverage import Coverage

_NO_FIRST = "nothing that was found stands out from the rest"

_REASONS = {
    "chosen": _NO_FIRST,
    "passage": _NO_FIRST,
    "apart": _NO_FIRST,
    "fits": "what was found has too little of what the question says",
    "words": "what was found has too little of what the question says",
    "many": "what was found has too little of what the question says",
    "together": "words that belong together in the question stand apart in what was found",
    "in_a_row": "words that belong together in the question stand apart in what was found",
    "margin": _NO_FIRST,
    "rank": "what comes first in a search for the question is not what is cited",
    "presupposed": "what was found does not mention all that the question names",
    "undenied": "the question denies what was found says",
    "affirmed": "what was found denies a word of the question",
    "named": "what was found does not have all names of the question",
    "lead": _NO_FIRST,
    "found": "no passage that was found holds much of what the question says",
    "found_together": "words that belong together in the question stand apart in what was found",
    "kind": "what is cited has nothing of the kind that is asked for",
    "kind_near": "what is cited has nothing of the kind that is asked for",
    "borne_out": "not all that it says is confirmed by what was read",
    "quotes": "not all of its quotes stand in their sources to the letter",
    "agreement": "the sources disagree",
}
"""What speaks against an answer where a signal is low; what comes to the same is said once."""

MOST_REASONS = 2


def worst(judgement: Judgement) -> str:
    """Say what speaks against an answer most."""
    against = [s for s in sorted(judgement.signals, key=lambda s: s.share) if s.share < 0]
    told = dict.fromkeys(_REASONS[signal.name] for signal in against if signal.name in _REASONS)
    return ", and ".join([*told][:MOST_REASONS])


def searched(coverage: Coverage) -> tuple[str, ...]:
    """Name what was searched, and the words for which."""
    made = dict.fromkeys((one.database, one.words) for one in coverage.searches_made)
    return tuple(f"{database} for “{words}”" for database, words in made)


def ways_to_widen(
    coverage: Coverage, found: SearchedDatabases, unknown: Sequence[str]
) -> Iterator[str]:
    """Give next steps, one line each, the likeliest to help first."""
    others = other_words(found.databases, unknown)
    for word in unknown[:3]:
        instead = f"; near it: {', '.join(others[word])}" if word in others else ""
        yield f"No document has the word “{word}”{instead}."
    for scope in coverage.scope:
        yield f"Only some documents of {scope.database} were searched: ask the whole of it."
    rest = [name for name in found.known if name not in coverage.databases]
    if rest:
        yield f"Not searched: {', '.join(rest)}. Ask there, too."
    if not unknown:
        yield "Ask in other words: those that the documents would use."
    for seen in coverage.by_database:
        if seen.failed:
            files = "1 file" if seen.failed == 1 else f"{seen.failed} files"
            yield (
                f"{files} of {seen.database} could not be read: "
                f"rag-assistant databases info {seen.database}"
            )
        if seen.partial:
            files = "1 file" if seen.partial == 1 else f"{seen.partial} files"
            yield (
                f"{files} of {seen.database} too long to be indexed as a whole: "
                f"rag-assistant databases info {seen.database}"
            )
