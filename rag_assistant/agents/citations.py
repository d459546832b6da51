"""From numbers a model wrote to citations a person can open.

A run numbers every piece of evidence as it arrives; the model cites those numbers. In the answer
they are renumbered in the order they appear, while the text streams.
"""

import json
import re
from typing import Any

from rag_assistant.evidence import Citation, Evidence, EvidenceItem

_MARKER = re.compile(r"(?<!\w)\[(\d{1,4}(?:\s*[,;]\s*\d{1,4})*)\](?![(:\[]?\()")
_UNFINISHED = re.compile(r"\[[\d,;\s]{0,60}\]?$")


class References:
    """The numbered evidence of one run. The same words get the same number."""

    def __init__(self) -> None:
        self._items: list[EvidenceItem] = []

    def item(self, number: int) -> EvidenceItem | None:
        """Give the evidence with this number, if there is any."""
        return self._items[number - 1] if 0 < number <= len(self._items) else None

    def add(self, evidence: Evidence) -> str:
        """Number the items of `evidence`; give the JSON that the model reads."""
        relevant: list[dict[str, Any]] = []
        source: list[dict[str, Any]] = []
        for item in evidence.items:
            number = self._number(item)
            quote: dict[str, Any] = {"cite": number, "quote": item.quote}
            if not item.verified:
                quote["unverified"] = "these words were not found in the entry"
            relevant.append(quote)
            source.append({"cite": number, **_place(item)})
        shown: dict[str, Any] = {
            "database": evidence.database,
            "relevant": relevant,
            "source": source,
            "confidence": evidence.confidence,
        }
        if evidence.notes:
            shown["notes"] = list(evidence.notes)
        return json.dumps(shown, ensure_ascii=False)

    def _number(self, item: EvidenceItem) -> int:
        if item not in self._items:
            self._items.append(item)
        return self._items.index(item) + 1


def _place(item: EvidenceItem) -> dict[str, Any]:
    place = {
        "id": item.entry_id,
        "title": item.title,
        "path": item.path,
        "heading": item.location.heading,
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
