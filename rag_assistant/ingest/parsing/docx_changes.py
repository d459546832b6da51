"""Comments and tracked changes of a Word document (ECMA-376-1, 17.13): which words a comment is
about, what is gone, and how many changes there are by whom.
"""

from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.docx_hidden import why_hidden
from rag_assistant.ingest.parsing.xml_tree import attribute, child, local

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_CHANGES = {"ins": "insertion", "del": "deletion", "moveTo": "move"}
_LONGEST_QUOTE = 120  # characters of the words that a comment is about
_MOST_NAMED = 10


class CommentedWords:
    """The words between the start and the end of each comment's range, as they are read."""

    def __init__(self) -> None:
        self._open: set[str] = set()
        self._words: dict[str, list[str]] = {}

    def meet(self, element: "Element") -> None:
        """Take note of where a range starts or ends."""
        name, identity = local(element), attribute(element, "id")
        if name == "commentRangeStart":
            self._open.add(identity)
            self._words[identity] = []
        elif name == "commentRangeEnd":
            self._open.discard(identity)

    def add(self, words: str, run: "Element | None" = None) -> None:
        """Add words to the ranges that are open, but those of a run that nobody sees."""
        if self._open and (run is None or not why_hidden(run)):
            for identity in self._open:
                self._words[identity].append(words)

    def of(self, identity: str) -> str:
        """Give the words that a comment is about, cut where they are long; they may be none."""
        text = " ".join("".join(self._words.pop(identity, [])).split())
        if len(text) <= _LONGEST_QUOTE:
            return text
        return text[:_LONGEST_QUOTE].rpartition(" ")[0] + " …"


def is_gone(paragraph: "Element") -> bool:
    """Say whether a paragraph's end was deleted, so that it goes on with the next one."""
    settings = child(paragraph, "pPr", "rPr")
    return settings is not None and any(local(one) in ("del", "moveFrom") for one in settings)


def is_gone_row(row: "Element") -> bool:
    """Say whether a row of a table was deleted."""
    return child(row, "trPr", "del") is not None


def change_facts(roots: "Iterable[Element]", comments: "Iterable[Element]") -> dict[str, str]:
    """Count the tracked changes and the comments of a document, with who made them."""
    kinds: Counter[str] = Counter()
    people: Counter[str] = Counter()
    for root in roots:
        for change in root.iter(*(f"{{*}}{name}" for name in _CHANGES)):
            above = change.getparent()
            if above is None or local(above) != "rPr":  # of a paragraph's end, beside its words
                kinds[_CHANGES[local(change)]] += 1
                people[attribute(change, "author")] += 1
    told: Counter[str] = Counter(attribute(comment, "author") for comment in comments)
    counted = ", ".join(f"{count} {kind}{'s' * (count > 1)}" for kind, count in kinds.items())
    facts = {
        "tracked_changes": f"{counted}{by(people)}" if counted else "",
        "comments": f"{told.total()}{by(told)}" if told else "",
    }
    return {name: value for name, value in facts.items() if value}


def by(people: Iterable[str]) -> str:
    """Give " by Ann, Bob" for the names that are known, each once; empty where none is."""
    names = list(dict.fromkeys(" ".join(name.split()) for name in people if name.strip()))
    more = len(names) - _MOST_NAMED
    listed = ", ".join(name[:100] for name in names[:_MOST_NAMED])
    return f" by {listed}{f' and {more} more' if more > 0 else ''}" if names else ""
