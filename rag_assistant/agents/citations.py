"""From numbers a model wrote to citations a person can open.

A run numbers every piece of evidence as it arrives; the model cites those numbers. In the answer
they are renumbered in the order they appear, while the text streams.
"""

import json
import re
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import asdict
from typing import Any

from rag_assistant.injection.naming import prompt_heading, prompt_path, prompt_title
from rag_assistant.tools.toolkit import ToolOutput
from rag_assistant.values.evidence import Citation, Evidence, EvidenceItem
from rag_assistant.values.heading_paths import PATH_SEPARATOR
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
    """The numbered evidence of a conversation. The same words get the same number.

    A passage is shown once: what finds it again in the same run names its number.
    """

    def __init__(self) -> None:
        self._items: list[EvidenceItem | None] = []
        self._shown: set[int] = set()

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

    def add(self, evidence: Evidence, beside: ToolOutput | None = None) -> str:
        """Number the items of `evidence`; give the JSON that the model reads, by entry.

        `beside` has what its tool states besides. A confidence of 0 is none.
        """
        said = beside or ToolOutput("", "")
        rows: Sequence[JsonObject] = said.rows or [{}] * len(evidence.items)
        sources: dict[tuple[str, int], dict[str, Any]] = {}
        known: list[int] = []
        for item, row in zip(evidence.items, rows, strict=True):
            number = self._number(item)
            if number in self._shown:
                known.append(number)
                continue
            self._shown |= {number} if item.is_passage else set()
            key = item.database, item.entry_id
            if key not in sources:
                elsewhere = {} if item.database == evidence.database else {"database": key[0]}
                sources[key] = {**elsewhere, **_source(item), **said.of_entries.get(key, {})}
                sources[key]["quotes"] = []
            sources[key]["quotes"].append({**self._quote(item), **row})
        shown: dict[str, Any] = {
            **said.result,
            "database": evidence.database,
            "sources": list(sources.values()),
            **({"found_before": known} if known else {}),
            **said.rest,
        }
        if evidence.confidence:
            shown["confidence"] = evidence.confidence
        if evidence.notes:
            shown["notes"] = list(evidence.notes)
        if evidence.parts:
            shown["parts"] = [asdict(part) for part in evidence.parts]
        return json.dumps(shown, ensure_ascii=False)

    def only_shown(self, results: Iterable[str]) -> None:
        """Take it that of what tools gave in this run a model still sees just these results."""
        self._shown &= {number for text in results for number in numbered_words(text)}

    def _quote(self, item: EvidenceItem) -> dict[str, Any]:
        # A paper's own [12] would be a citation of ours in any answer that copies it.
        quote: dict[str, Any] = {
            "cite": self._number(item),
            "quote": _MARKER.sub(r"(\1)", item.quote),
            "heading": prompt_heading(_untold(item)),
            "page": item.location.page,
            "at": item.location.start if item.is_passage else None,
        }
        if not item.verified:
            quote["unverified"] = "these words were not found in the entry"
        return {key: value for key, value in quote.items() if value is not None}

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
    return {
        int(quote["cite"]): (source["database"], source["id"], quote["quote"])
        for source in sources_in(text)
        for quote in source["quotes"]
    }


def sources_in(text: str) -> list[dict[str, Any]]:
    """Read the entries in what `References.add` gave: `database`, `id`, `quotes` and what else is
    told of each; none in any other text.
    """
    try:
        shown = json.loads(text)
        if "sources" in shown:
            sources = shown["sources"]
        else:  # older conversations: a list of quotes, and one of their places
            places = {place["cite"]: place for place in shown["source"]}
            sources = [{**places[quote["cite"]], "quotes": [quote]} for quote in shown["relevant"]]
        read = [{"database": shown["database"], **source} for source in sources]
        named = all(one.keys() >= {"id", "quotes"} for one in read)
        whole = all(one.keys() >= {"cite", "quote"} for s in read for one in s["quotes"])
    except (ValueError, TypeError, LookupError, AttributeError):
        return []
    return read if named and whole else []


def keep_quotes(text: str, keep: Callable[[int, int], bool]) -> str | None:
    """Keep of what `References.add` gave the quotes that `keep` wants, by place and number.

    None for any other text, and where no quote is left.
    """
    sources = sources_in(text)
    numbers = [quote["cite"] for source in sources for quote in source["quotes"]]
    kept = {number for place, number in enumerate(numbers) if keep(place, number)}
    if not kept:
        return None
    if len(kept) == len(numbers):
        return text
    shown = json.loads(text)
    for source in sources:
        source["quotes"] = [one for one in source["quotes"] if one["cite"] in kept]
    said = {name: value for name, value in shown.items() if name not in ("relevant", "source")}
    said["sources"] = [source for source in sources if source["quotes"]]
    return json.dumps(said, ensure_ascii=False)


def _untold(item: EvidenceItem) -> str | None:
    """Give the headings above an item's words that neither its title nor its words repeat."""
    lines = (line.lstrip("#=* ").rstrip() for line in item.quote.splitlines())
    told = {item.title.strip(), *lines}
    parts = (item.location.heading or "").split(PATH_SEPARATOR)
    parts = [part for part in parts if part.strip() not in told]
    return PATH_SEPARATOR.join(parts) or None


def _source(item: EvidenceItem) -> dict[str, Any]:
    return {
        "id": item.entry_id,
        "title": prompt_title(item.title, item.path),
        "path": prompt_path(item.path),
    }


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
