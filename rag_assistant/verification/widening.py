"""What is said where nothing is claimed to answer: why, what was searched, how to find more."""

from collections.abc import Iterator, Sequence

from rag_assistant.claims.confidence import Judgement
from rag_assistant.library.other_words import other_words
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.values.coverage import Coverage

_NO_FIRST = "no passage stands out from the rest"

_REASONS = {
    "chosen": _NO_FIRST,
    "passage": _NO_FIRST,
    "apart": _NO_FIRST,
    "fits": "the passages found share too little with the question",
    "words": "the passages found share too little with the question",
    "many": "the passages found share too little with the question",
    "together": "words that belong together in the question are apart in the passages found",
    "in_a_row": "words that belong together in the question are apart in the passages found",
    "margin": _NO_FIRST,
    "rank": "the passage cited is not the first that the search found",
    "presupposed": "the passages found do not mention everything that the question names",
    "undenied": "the question denies what the passages found say",
    "affirmed": "the passages found deny a word of the question",
    "named": "a name in the question is missing from the passages found",
    "lead": _NO_FIRST,
    "found": "no passage found covers much of the question",
    "found_together": "words that belong together in the question are apart in the passages found",
    "kind": "the passage cited has nothing of the kind asked for",
    "kind_near": "the passage cited has nothing of the kind asked for",
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
        yield "Try other words: the ones the documents would use."
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
