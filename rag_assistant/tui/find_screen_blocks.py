"""How hits look: two lines for each in the list, and beside it the text round the best words."""

from collections.abc import Mapping, Sequence

from textual.content import Content

from rag_assistant.documents import Hit
from rag_assistant.tui.exchange_blocks import QUIET, hint_lines, problem
from rag_assistant.tui.find_screen_search import MOST_ROWS, Found, Preview, Spans
from rag_assistant.tui.layout import Block, Indented, Row, Rule, Text
from rag_assistant.tui.marked_text import folded, marked_text
from rag_assistant.tui.pick_list import Facts, Item
from rag_assistant.tui.safe_widgets import EMPTY, clickable, joined, one_line, plain
from rag_assistant.tui.source_reference import place_of, short_place

LANGUAGE = [
    ("words", "what a document should hold; the rarest count most"),
    ('"two words"', "exactly so, side by side"),
    ("-word", "not with this word"),
    ("word*", "any word that begins so"),
    ("path:notes/", "only files whose path holds this"),
    ("title:plan", "only titles with this word"),
    ("type:pdf", "only files of this type"),
    ("after:2025-03", "only what is dated later; before: likewise"),
]
PLACE = 7
"""Cells of a page or line in the list, so that they stand under one another."""

BAR = 16
"""Cells of the longest bar of an explanation."""


def key_of(hit: Hit) -> str:
    """Give what tells a document from the others in the list."""
    return f"{hit.database} {hit.entry_id}"


def rows_of(found: Found, *, several: bool) -> tuple[Item, ...]:
    """Give the list: of each document its title and place, and below it its best words."""
    items: list[Item] = []
    for hit, words in zip(found.hits, found.words, strict=True):
        name = hit.title.strip() or hit.path
        facts = (
            one_line(hit.database if several else "", QUIET),
            plain(short_place(hit.location).rjust(PLACE), QUIET),
        )
        items.append(Item(Facts(one_line(name, "bold"), facts), key_of(hit)))
        items.append(Item(Row(joined([plain("  "), _line_of(hit, words)]))))
    return tuple(items)


def _line_of(hit: Hit, words: Spans) -> Content:
    return marked_text(*folded(hit.snippet, words), "$foreground 80%")


def head_of(databases: Sequence[str], found: Found | None, *, waiting: bool) -> Block:
    """Give the line at the top: what is searched, how many were found, and how long it took."""
    where = ", ".join(databases) if databases else "all databases"
    left = joined([plain("Find", "bold $text-primary"), plain("  in ", QUIET), one_line(where)])
    facts: list[Content] = []
    if waiting:
        facts.append(plain("searching…", "$text-primary"))
    if found and found.wanted.query.strip() and not found.reason:
        count = len(found.hits)
        best = "best " if count == MOST_ROWS else ""
        facts = [
            plain("by words and meaning" if found.by_meaning else "by words", QUIET),
            plain(f"{found.seconds * 1000:.0f} ms", QUIET),
            plain(f"{count} {best}document{'' if count == 1 else 's'}"),
        ]
    return Facts(left, tuple(facts))


def nothing_of(found: Found | None, query: str) -> Content:
    """Say why the list is empty."""
    if found and found.reason:
        return problem(found.reason, found.hint)
    if not query.strip():
        return plain("Type to search. Nothing leaves this machine, and no model is asked.", QUIET)
    if found is None or found.wanted.query != query:
        return EMPTY
    return joined(
        [
            plain("Nothing found. "),
            plain("Try other words, or fewer; a filter such as path: leaves out the rest.", QUIET),
        ]
    )


def notes_of(found: Found | None) -> tuple[Block, ...]:
    """Give what there is to know about a search, in one line; no line where there is nothing."""
    if found is None or not found.notes:
        return ()
    return (Row(joined([plain("– ", QUIET), one_line(" · ".join(found.notes), QUIET)])),)


def language_blocks() -> tuple[Block, ...]:
    """Give what can be typed, for an empty box."""
    return (Text(plain("What you can type", "bold")), Text(), *hint_lines(LANGUAGE))


def preview_blocks(preview: Preview, *, explained: bool) -> tuple[Block, ...]:
    """Give a hit with the text round it: its best words bright, the words looked for marked."""
    hit = preview.hit
    blocks: list[Block] = [Row(one_line(hit.path, "bold"), one_line(hit.database, QUIET))]
    place = " · ".join(place_of(hit.location))
    others = hit.other_passages
    more = f"{others} more passage{'' if others == 1 else 's'} match" if others else ""
    if place or more:
        blocks.append(Row(one_line(place, QUIET), plain(more, QUIET)))
    if explained:
        blocks += explanation_blocks(hit.explanation, hit.score)
    blocks.append(Rule())
    if preview.reason:
        return (*blocks, Text(problem(preview.reason, "")))
    return (*blocks, Text(_text_of(preview)))


def _text_of(preview: Preview) -> Content:
    place, text = preview.hit.location, preview.text
    first = max(0, place.start - preview.start)
    last = min(len(text), place.end - preview.start)
    parts: list[Content] = []
    for begin, end, style in (
        (0, first, QUIET),
        (first, last, "$foreground"),
        (last, len(text), QUIET),
    ):
        inside = [(s - begin, e - begin) for s, e in preview.words if begin <= s and e <= end]
        part = marked_text(text[begin:end], inside, style)
        parts.append(clickable(part, {"best": True}) if begin == first and end == last else part)
    return joined(parts)


def explanation_blocks(explanation: Mapping[str, float], score: float) -> list[Block]:
    """Give what a score is made of: the share of each stage, with a bar for its size."""
    most = max((abs(share) for share in explanation.values()), default=0.0) or 1.0
    widest = max((len(name) for name in explanation), default=0)
    blocks: list[Block] = [Text(plain(f"score {score:.3f}", "bold"))]
    for name, share in explanation.items():
        bar = plain("▇" * max(1, round(BAR * abs(share) / most)), "$primary")
        told = joined([plain(name.ljust(widest)), plain(f" {share:+8.3f}  ", QUIET), bar])
        blocks.append(Indented(Row(told), plain("  ")))
    return blocks
