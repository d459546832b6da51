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
    explained = why_not_found(library, path, question, SHOWN)
    return [line for one in explained for line in why_not_lines(one)] or [nowhere(path)]


def why_not_lines(explained: NotFound) -> list[str]:
    """Give the lines, the most telling first; they hold text of documents."""
    head = f"{explained.path.database}: {explained.path.said}"
    if explained.account is None:
        return [head] if explained.reason == explained.path.said else [head, explained.reason]
    account = explained.account
    which = f"{explained.title} [{explained.path.database} {account.entry_id}]"
    if explained.entries > 1:
        which += f", the best of its {explained.entries:,} entries,"
    return [
        head,
        f"{which} {_fate(account)}",
        *_words(account.words),
        *_above(account),
        *(f"Note: {note}." for note in explained.notes),
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


def _fate(account: Account) -> str:
    same = account.same_as
    common = any(word.held and word.weight for word in account.words)
    return _FATES[account.fate].format(
        rank=account.rank,
        ranked=account.ranked,
        before=account.before,
        condition=account.condition,
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


def _above(account: Account) -> Iterator[str]:
    if account.shares is None:
        return
    yield f"Its score is {account.score:.3f} = {_shares(account.shares)}"
    if account.above:
        yield (
            "Before it:"
            if account.rank - 1 == len(account.above)
            else "Before it, the best of all:"
        )
    for hit in account.above:
        yield f"  {hit.rank}. {_named(hit)}: {hit.score:.3f} = {_shares(hit.explanation)}"


def _named(hit: Hit) -> str:
    return f"{hit.title} [{hit.database} {hit.entry_id}] {hit.path}"


def _shares(shares: Mapping[str, float]) -> str:
    return ", ".join(f"{name} {share:+.3f}" for name, share in shares.items() if share)
