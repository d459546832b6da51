"""From numbers a model wrote to citations a person can open.

A run numbers every piece of evidence as it arrives; the model cites those numbers. In the answer
they are renumbered in the order they appear, while the text streams.
"""

import json
import re
from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict
from typing import Any

from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.values.evidence import Citation, Evidence, EvidenceItem
from rag_assistant.values.messages import JsonObject

MOST = 9_999
"""The greatest number that can be cited."""

_NUMBERS = r"\d{1,4}(?:\s*[,;]\s*\d{1,4})*"
_MARKER = re.compile(rf"(?<!\w)\[({_NUMBERS})\](?![(:\[]?\()")
_CITED = re.compile(rf"\[(?:CITE:\s*)?({_NUMBERS})\s*\]")
_UNFINISHED = re.compile(r"\[[\d,;\s]{0,60}\]?$")


def markers_for(numbers: str) -> str | None:
    """Write "3, 4" as the markers [3][4]; None for anything but numbers."""
    if not re.fullmatch(_NUMBERS, numbers):
        return None
    return "".join(f"[{number}]" for number in re.findall(r"\d+", numbers))


class References:
    """The numbered evidence of a conversation. The same words get the same number."""

    def __init__(self) -> None:
        self._items: list[EvidenceItem | None] = []

    def copy(self) -> "References":
        """Give the same numbers, to go on from."""
        copied = References()
        copied._items = list(self._items)
        return copied

    def without(self, databases: Collection[str]) -> "References":
        """Give the same numbers, of which those for words of some databases stand for nothing."""
        copied = References()
        copied._items = [
            None if item and item.database in databases else item for item in self._items
        ]
        return copied

    def filled(self, other: "References") -> "References":
        """Give the same numbers; those that stand for nothing stand for what they do in another."""
        copied = self.copy()
        for number, item in enumerate(other._items, 1):
            if item and copied.item(number) is None:
                copied.put(number, item)
        return copied

    def put(self, number: int, item: EvidenceItem | None) -> None:
        """Let a number mean what it meant before; None where that is not known any more.

        No other quote gets it, nor any number below it.
        """
        if 0 < number <= MOST:
            self._items += [None] * (number - len(self._items))
            self._items[number - 1] = item

    def item(self, number: int) -> EvidenceItem | None:
        """Give the evidence with this number, if there is any."""
        return self._items[number - 1] if 0 < number <= len(self._items) else None

    def add(
        self, evidence: Evidence, result: JsonObject | None = None, rows: Sequence[JsonObject] = ()
    ) -> str:
        """Number the items of `evidence`; give the JSON that the model reads.

        `result` is what its tool states beside it, `rows` what it says of each item.
        """
        relevant: list[dict[str, Any]] = []
        source: list[dict[str, Any]] = []
        for item, row in zip(evidence.items, rows or [{}] * len(evidence.items), strict=True):
            number = self._number(item)
            # A paper's own [12] would be a citation of ours in any answer that copies it.
            shown_quote = _MARKER.sub(r"(\1)", item.quote)
            quote: dict[str, Any] = {"cite": number, "quote": shown_quote}
            if not item.verified:
                quote["unverified"] = "these words were not found in the entry"
            relevant.append(quote)
            elsewhere = {"database": item.database} if item.database != evidence.database else {}
            source.append({"cite": number, **elsewhere, **_place(item), **row})
        shown: dict[str, Any] = {
            **(result or {}),
            "database": evidence.database,
            "relevant": relevant,
            "source": source,
            "confidence": evidence.confidence,
        }
        if evidence.notes:
            shown["notes"] = list(evidence.notes)
        if evidence.parts:
            shown["parts"] = [asdict(part) for part in evidence.parts]
        return json.dumps(shown, ensure_ascii=False)

    def _number(self, item: EvidenceItem) -> int:
        if item not in self._items:
            self._items.append(item)
        return self._items.index(item) + 1


def cited_numbers(written: str) -> set[int]:
    """Give the numbers that a model cites in an answer as it wrote it."""
    groups = (match[1] for match in _CITED.finditer(written))
    return {int(number) for group in groups for number in re.findall(r"\d+", group)}


Words = tuple[str, int, str]
"""A database, an entry of it, and words of that."""


def numbered_words(text: str) -> dict[int, Words]:
    """Read the numbers in what `References.add` gave, and what they stand for.

    Any other text has none.
    """
    try:
        shown = json.loads(text)
        entries = {
            source["cite"]: (source.get("database", shown["database"]), source["id"])
            for source in shown["source"]
        }
        return {
            int(quote["cite"]): (*entries[quote["cite"]], quote["quote"])
            for quote in shown["relevant"]
        }
    except (ValueError, TypeError, LookupError):
        return {}


def keep_quotes(text: str, keep: Callable[[int, int], bool]) -> str | None:
    """Keep of what `References.add` gave the quotes that `keep` wants, by place and number.

    None for any other text, and where no quote is left.
    """
    try:
        shown = json.loads(text)
        places = {quote["cite"]: place for place, quote in enumerate(shown["relevant"])}
        kept = {number for number, place in places.items() if keep(place, number)}
        for name in ("relevant", "source"):
            shown[name] = [item for item in shown[name] if item["cite"] in kept]
    except (ValueError, TypeError, LookupError):
        return None
    if not kept:
        return None
    return text if len(kept) == len(places) else json.dumps(shown, ensure_ascii=False)


def _place(item: EvidenceItem) -> dict[str, Any]:
    place = {
        "id": item.entry_id,
        "title": prompt_title(item.title, item.path),
        "path": prompt_path(item.path),
        "heading": prompt_heading(item.location.heading),
        "page": item.location.page,
    }
    return {key: value for key, value in place.items() if value is not None}


class CitationStream:
    """Rewrites a streamed answer's citation numbers and collects the citations.

    `[7]` becomes `[1]` when it is the first to appear; a number that no evidence has becomes
    `[7?]`. Links (`[7](...)`), subscripts (`a[7]`) and anything else in brackets stay as they are.
    """

    def __init__(self, references: References) -> None:
        self._references = references
        self._pending = ""
        self._before = ""
        self._markers: dict[int, int] = {}
        self.citations: list[Citation] = []

    def feed(self, text: str) -> tuple[str, list[Citation]]:
        """Take a piece; give the text that is ready and the citations new in it.

        A marker that may still be unfinished waits for the next piece.
        """
        whole = self._pending + text
        unfinished = _UNFINISHED.search(whole)
        ready_to = unfinished.start() if unfinished else len(whole)
        self._pending = whole[ready_to:]
        return self._rewrite(whole[:ready_to])

    def finish(self) -> tuple[str, list[Citation]]:
        """Give what was held back when the answer has ended."""
        rest, self._pending = self._pending, ""
        return self._rewrite(rest)

    def _rewrite(self, text: str) -> tuple[str, list[Citation]]:
        known = len(self.citations)
        # One character of what went before decides whether a bracket is a subscript.
        joined = self._before + text
        rewritten = _MARKER.sub(self._replacement, joined)[len(self._before) :]
        self._before = joined[-1:] if joined[-1:] not in "[]" else ""
        return rewritten, self.citations[known:]

    def _replacement(self, match: re.Match[str]) -> str:
        numbers = [int(number) for number in re.findall(r"\d+", match[1])]
        return "".join(f"[{self._marker(number)}]" for number in numbers)

    def _marker(self, number: int) -> str:
        item = self._references.item(number)
        if item is None:
            return f"{number}?"
        if number not in self._markers:
            self._markers[number] = len(self._markers) + 1
            self.citations.append(Citation(self._markers[number], item))
        return str(self._markers[number])
