"""Which words of a folder are names: those that its documents never write small."""

import re
from dataclasses import dataclass, field

from rag_assistant.text.english import kind_of, tokens_of
from rag_assistant.text.terms import words_in

_INNER = re.compile(r"(?<=[a-z,] )(?=[^\W\d_])(?![a-zß-öø-ÿ])[\w'’-]+")
_CODE = re.compile(r"\b(?=\w*[A-Z])(?=[\w-]*\d)[\w-]+\b")
_BEHIND = re.compile(r"\b(at|in|by|from|to|with|near|for) ([A-Z][a-zß-öø-ÿ]+(?: [A-Z][a-z]+)?)\b")
_MONTH = re.compile(
    r"\b(?:January|February|March|April|May|June|July|August|September|October|November|December)\b"
)
_YEAR = re.compile(r"\b(?:19|20)\d\d\b(?![/-])")


@dataclass(slots=True)
class Names:
    """What the documents that were read write small, and large within a sentence.

    `alike` are names and codes by their kind: what stands behind "at", what is written "AA-000".
    """

    small: set[str] = field(default_factory=set)
    large: set[str] = field(default_factory=set)
    alike: dict[str, set[str]] = field(default_factory=dict)

    def learn(self, text: str) -> None:
        """Take in another text."""
        self.small.update(word for word in words_in(text) if word.islower())
        self.large.update(_INNER.findall(text))
        for kind, name in named_in(text):
            self.alike.setdefault(kind, set()).add(name)

    def has(self, word: str) -> bool:
        """Whether the first word of a sentence or heading is a name: it is never written small."""
        if word.lower() in self.small or kind_of(word) != "word":
            return False
        inside = any(letter.isupper() or letter.isdigit() for letter in word[1:])
        return inside or word in self.large

    def lowered(self, words: str) -> str:
        """Write the first word small where it is no name."""
        first = tokens_of(words)[:1]
        if not first or self.has(first[0].text) or not first[0].text[1:].islower():
            return words if not words[:2].istitle() or len(first[0].text) > 1 else words.lower()
        if first[0].kind == "word" and re.match(r"\S+ [A-ZÀ-Þ]", words):
            return words  # the first of two names
        return words[: first[0].start] + first[0].text.lower() + words[first[0].end :]


def named_in(text: str) -> list[tuple[str, str]]:
    """Find what names something, each with its kind: two of a kind may be taken for each other."""
    found = [(_shape(match[0]), match[0]) for match in _CODE.finditer(text)]
    found += [("month", match[0]) for match in _MONTH.finditer(text)]
    found += [("year", match[0]) for match in _YEAR.finditer(text)]
    return found + [
        (f"behind {match[1]}", match[2])
        for match in _BEHIND.finditer(text)
        if not _MONTH.match(match[2]) and not match[2].endswith(("day", "days"))
    ]


def _shape(code: str) -> str:
    return re.sub(r"[A-Z]", "A", re.sub(r"\d", "0", code))
