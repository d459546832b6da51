"""What people who review a document leave in it, in any format of an office: the words that a
comment is about, and how many changes and comments there are by whom.
"""

from collections import Counter
from collections.abc import Iterable

_LONGEST_QUOTE = 120  # characters of the words that a comment is about
_MOST_NAMED = 10
_LONGEST_NAME = 100


class CommentedWords:
    """The words between the start and the end of each comment's range, as they are read."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._words: dict[str, list[str]] = {}

    def begin(self, comment: str) -> None:
        """Begin the range of a comment, by its id."""
        self._open.add(comment)
        self._words[comment] = []

    def end(self, comment: str) -> None:
        """End the range of a comment."""
        self._open.discard(comment)

    def add(self, words: str) -> None:
        """Add words to the ranges that are open."""
        for comment in self._open:
            self._words[comment].append(words)

    def label(self, comment: str, author: str) -> str:
        """Give what stands before a comment: by whom it is, and about which words, if any."""
        text = " ".join("".join(self._words.get(comment, [])).split())
        if len(text) > _LONGEST_QUOTE:
            text = f"{text[:_LONGEST_QUOTE].rpartition(' ')[0]} …"
        by = " ".join(author.split())
        about = f" on “{text}”" if text else ""
        return f"Comment{f' ({by})' if by else ''}{about}"


def review_facts(changes: Iterable[tuple[str, str]], commenters: Iterable[str]) -> dict[str, str]:
    """Give the metadata that count tracked changes, each a kind and an author, and comments."""
    kinds: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for kind, author in changes:
        kinds[kind] += 1
        people[author] += 1
    told = Counter(commenters)
    counted = ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in kinds.items())
    facts = {
        "tracked_changes": f"{counted}{_by(people)}" if counted else "",
        "comments": f"{told.total()}{_by(told)}" if told else "",
    }
    return {name: value for name, value in facts.items() if value}


def _by(people: Iterable[str]) -> str:
    names = list(dict.fromkeys(" ".join(name.split()) for name in people if name.strip()))
    more = len(names) - _MOST_NAMED
    listed = ", ".join(name[:_LONGEST_NAME] for name in names[:_MOST_NAMED])
    return f" by {listed}{f' and {more} more' if more > 0 else ''}" if names else ""
