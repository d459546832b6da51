"""What became of a document, in lines for a person."""

from collections.abc import Iterator, Mapping

from rag_assistant.library.library import Library
from rag_assistant.library.why_not import nowhere, why_not
from rag_assistant.library.why_not_found import NotFound, why_not_found
from rag_assistant.search.account import Account, Fate
from rag_assistant.search.word_account import WordAccount
from rag_assistant.values.documents import Hit

SHOWN = 10
"""Hits that a search shows where nothing else is said."""


def why_not_told(library: Library, path: str, question: str) -> list[str]:
    """Say in lines why a path is not found, at all or for a question to all databases."""
    if not question:
        return why_not(library, path)
    found = why_not_found(library, path, question, SHOWN)
    return [line for one in found for line in why_not_lines(one)] or [nowhere(path)]


def why_not_lines(found: NotFound) -> list[str]:
    """Give the lines, the most telling first; they hold text of documents."""
    head = f"{found.path.database}: {found.path.said}"
    if found.account is None:
        return [head] if found.reason == found.path.said else [head, found.reason]
    told = found.account
    which = f"{found.title} [{found.path.database} {told.entry_id}]"
    if found.entries > 1:
        which += f", the best of its {found.entries:,} entries,"
    return [
        head,
        f"{which} {_fate(told)}",
        *_words(told.words),
        *_above(told),
        *(f"Note: {note}." for note in found.notes),
    ]


_FATES: Mapping[Fate, str] = {
    "shown": "comes up: rank {rank} of {ranked:,}.",
    "outranked": "is outranked: rank {rank} of {ranked:,}, which is not shown.",
    "duplicate": "is shown with {other}, which says the same: rank {rank}.",
    "older version": "is an older version of {other}, which is shown instead: rank {rank}.",
    "cut off": (
        "is cut off: {before:,} entries match the rare words better, and only {ranked:,} are ranked"
        " in full. Ask with more of its own words."
    ),
    "filtered": "is kept out by the question's own {condition}.",
    "no words": "cannot be ranked: the question holds no word to look for.",
    "no match": "is not found: it has {what}.",
}


def _fate(told: Account) -> str:
    same = told.same_as
    common = any(word.held and word.weight for word in told.words)
    return _FATES[told.fate].format(
        rank=told.rank,
        ranked=told.ranked,
        before=told.before,
        condition=told.condition,
        other=f"{same.title} [{same.database} {same.entry_id}]" if same else "another",
        what=_NONE_RARE if common else "no word of the question",
    )


_NONE_RARE = "none of the question's rarest words, which find entries"


def _words(words: tuple[WordAccount, ...]) -> Iterator[str]:
    looked_for = [word for word in words if word.weight]
    common = [word.word for word in words if not word.weight]
    held = [_quoted(word.word) for word in looked_for if word.held]
    lacking = [_lacking(word) for word in looked_for if not word.held]
    if held:
        yield f"It has: {', '.join(held)}."
    if lacking:
        yield f"It lacks: {', '.join(lacking)}."
    if common:
        yield f"Not looked for, being too common: {', '.join(map(_quoted, common))}."


def _lacking(word: WordAccount) -> str:
    near = f" (it has {' and '.join(map(_quoted, word.near))})" if word.near else ""
    return f"{_quoted(word.word)}{near}"


def _quoted(word: str) -> str:
    return f"“{word}”"


def _above(told: Account) -> Iterator[str]:
    if told.shares is None:
        return
    yield f"Its score is {told.score:.3f} = {_shares(told.shares)}"
    if told.above:
        yield "Before it:" if told.rank - 1 == len(told.above) else "Before it, the best of all:"
    for hit in told.above:
        yield f"  {hit.rank}. {_named(hit)}: {hit.score:.3f} = {_shares(hit.explanation)}"


def _named(hit: Hit) -> str:
    return f"{hit.title} [{hit.database} {hit.entry_id}] {hit.path}"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:+.3f}" for name, share in shares.items() if share)
