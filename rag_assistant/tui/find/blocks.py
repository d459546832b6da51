"""How hits look: two lines for each in the list, and beside it the text round the best words."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from textual.content import Content

from rag_assistant.text.markdown import is_markdown
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.marked_text import folded, marked_text
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import GOOD, QUIET, WARN, hint_lines, problem
from rag_assistant.tui.find.row_names import file_within, told_apart
from rag_assistant.tui.find.search import MOST_ROWS, FindResult, Others, Preview, Spans
from rag_assistant.tui.lists.pick_list import FACTS_APART, FactRow, PickItem, room_for_facts
from rag_assistant.tui.rendering.snippets import snippet_line
from rag_assistant.tui.sources.reference import place_of, short_place
from rag_assistant.values.documents import Hit, Version
from rag_assistant.values.scope import Wanted

LANGUAGE = [
    ("words", "what a document should hold; the rarest count most"),
    ('"two words"', "exactly these words, side by side"),
    ("-word", "not with this word"),
    ("word*", "any word that begins like this"),
    ("path:notes/", "only files whose path holds this"),
    ("title:plan", "only titles with this word"),
    ("type:pdf", "only files of this type"),
    ("author:smith", "only what this author or sender signed"),
    ("lang:de", "only what is in this language"),
    ("after:2025-03", "only what is dated later; before: what is earlier"),
]
LONGEST_FILE = 32
"""Cells of the end of a path in the list."""

PLACE = 7
"""Cells of a page or line in the list, so that they stand under one another."""

_UNASKED = "Type to search. No model is asked."

_BOXES = {True: plain("[x] ", GOOD), False: plain("[ ] ", QUIET)}

BAR = 16
"""Cells of the longest bar of an explanation."""


def key_of(hit: Hit) -> str:
    """Give what tells a document from the others in the list."""
    return f"{hit.database} {hit.entry_id}"


def key_of_passage(hit: Hit) -> str:
    """Give what tells a further passage of a document from all else in the list."""
    return f"{key_of(hit)} {hit.location.start}"


def rows_of(
    found: FindResult, opened: Mapping[str, Others], marked: Collection[str]
) -> tuple[PickItem, ...]:
    """Give the list: of each document its title and place, and below it its best words.

    Of those that are `opened`, other passages follow. As soon as any is marked, all have boxes.
    """
    items: list[PickItem] = []
    indent = plain("      " if marked else "  ")
    several = len({name for hit in found.hits for name in found.databases_of(hit)}) > 1
    names = told_apart([hit.title.strip() or hit.path for hit in found.hits])
    for hit, words, name in zip(found.hits, found.words, names, strict=True):
        databases = " ".join(found.databases_of(hit)) if several else ""
        box = (_BOXES[key_of(hit) in marked],) if marked else ()
        title = joined([*box, one_line(name, "bold"), _outdated(hit), _suspicious(hit)])
        items.append(PickItem(HitRow(title, hit, databases, names.count(name) > 1), key_of(hit)))
        items.append(PickItem(Row(joined([indent, _line_of(hit, words)]))))
        if others := opened.get(key_of(hit)):
            items += _others(others)
    return tuple(items)


@dataclass(frozen=True, slots=True)
class HitRow:
    """A document in one line: its title, and at the right edge its databases, file and place.

    The file takes room from the title only where another row `is_alike`.
    """

    title: Content
    hit: Hit
    databases: str
    is_alike: bool

    def lines(self, width: int) -> list[Content]:
        """Give the line, with as much of the path as there is room for."""
        place = plain(short_place(self.hit.location).rjust(PLACE), QUIET)
        room = room_for_facts(width) - PLACE - FACTS_APART
        if not self.is_alike:
            room = min(room, width - self.title.cell_length - PLACE - 2 * FACTS_APART)
        file = one_line(file_within(self.hit.path, min(room, LONGEST_FILE)), QUIET)
        return FactRow(self.title, (one_line(self.databases, QUIET), file, place)).lines(width)


def _others(others: Others) -> list[PickItem]:
    if others.reason:
        return [PickItem(Row(plain("  "), problem(others.reason, "")))]
    if not others.hits:
        return [PickItem(Row(plain("    no other passage matches", QUIET)))]
    return [
        PickItem(
            FactRow(
                joined([plain("  └ ", QUIET), _relation(others.hit, hit), _line_of(hit, words)]),
                (plain(short_place(hit.location).rjust(PLACE), QUIET),),
            ),
            key_of_passage(hit),
        )
        for hit, words in zip(others.hits, others.words, strict=True)
    ]


def _is_newer(version: Version) -> bool:
    return version.relation == "newer"


def _outdated(hit: Hit) -> Content:
    """Mark a document that a newer one has taken the place of."""
    return plain("  older version", WARN) if any(map(_is_newer, hit.versions)) else EMPTY


def _suspicious(hit: Hit) -> Content:
    """Mark words that no model reads."""
    barred = any(not one.allowed for one in hit.suspicions)
    return plain("  ! hidden from the model", WARN) if barred else EMPTY


def _relation(document: Hit, listed: Hit) -> Content:
    """Say what a row below a document is, where it is not a passage of that."""
    found = (one for one in document.versions if one.entry_id == listed.entry_id)
    if version := next(found, None):
        kind = version.relation if version.relation == "copy" else f"{version.relation} version"
        name = version.path.rsplit("/", 1)[-1]
        return joined([plain(f"{kind} ", WARN), one_line(name, "bold"), plain("  ")])
    return EMPTY


def _line_of(hit: Hit, words: Spans) -> Content:
    style = "$foreground 80%"
    if is_markdown(hit.path):
        return snippet_line(hit.snippet, words, style)
    return marked_text(*folded(hit.snippet, words), style)


def head_of(
    databases: Sequence[Wanted],
    found: FindResult | None,
    *,
    by_meaning: bool,
    waiting: bool,
    marked: int,
) -> LayoutBlock:
    """Give the line at the top: what is searched and how, how many were found, how long it took.

    Documents may be `marked` that other words have found.
    """
    names = [one if isinstance(one, str) else f"parts of {one.database}" for one in databases]
    where = ", ".join(names) or "all databases"
    left = joined([plain("Find", "bold $text-primary"), plain("  in ", QUIET), one_line(where)])
    told, other = ("semantic search", "keyword") if by_meaning else ("keyword search", "semantic")
    way = joined([plain(told), plain(f" (Tab: {other})", QUIET)])
    facts: list[Content] = [way]
    if waiting:
        facts.append(plain("searching…", "$text-primary"))
    marks = [plain(f"{marked} marked", "bold $text-accent")] if marked else []
    if found and found.wanted.query.strip() and not found.reason:
        count = len(found.hits)
        best = "best " if count == MOST_ROWS else ""
        facts += [
            plain(f"{found.seconds * 1000:.0f} ms", QUIET),
            plain(f"{count} {best}document{'' if count == 1 else 's'}"),
        ]
    return FactRow(left, (*facts, *marks))


def nothing_of(found: FindResult | None, query: str) -> Content:
    """Say why the list is empty."""
    if found and found.reason:
        return problem(found.reason, found.hint)
    if not query.strip():
        return plain(_UNASKED, QUIET)
    if found is None or found.wanted.query != query:
        return EMPTY
    return joined(
        [
            plain("Nothing found. "),
            plain("Try other words, or fewer; a filter such as path: leaves out the rest.", QUIET),
        ]
    )


def said_of(found: FindResult | None) -> Content:
    """Give what there is to know about a search, in one line; nothing where there is nothing."""
    if found is None or not found.notes:
        return EMPTY
    return joined([plain("– ", QUIET), one_line(" · ".join(found.notes), QUIET)])


def language_blocks() -> tuple[LayoutBlock, ...]:
    """Give what can be typed, for an empty box."""
    return (Text(plain("What you can type", "bold")), Text(), *hint_lines(LANGUAGE))


def preview_head(preview: Preview, *, explained: bool, roomy: bool) -> tuple[LayoutBlock, ...]:
    """Give what stands above the text of a hit; where it is not `roomy`, the path alone."""
    hit = preview.hit
    blocks: list[LayoutBlock] = [Row(one_line(hit.path, "bold"), one_line(hit.database, QUIET))]
    if preview.reason:
        return (*blocks, Text(problem(preview.reason, "")))
    if not roomy:
        return tuple(blocks)
    place = " · ".join(place_of(hit.location))
    others = hit.other_passages
    counts = (others, "more passage"), (len(hit.versions), "other version")
    told = [f"{count} {what}{'' if count == 1 else 's'}" for count, what in counts if count]
    more = f"→ {', '.join(told)}   " if told else ""
    blocks.append(Row(one_line(place, QUIET), plain(f"{more}Ctrl+E why", QUIET)))
    blocks += [Row(one_line(version.words, WARN)) for version in hit.versions if _is_newer(version)]
    for one in hit.suspicions:
        state = "models may read it" if one.allowed else "hidden from the model"
        blocks.append(Text(one_line(f"! {state}: {one.reason}", QUIET if one.allowed else WARN)))
    if explained:
        blocks += explanation_blocks(hit.explanation, hit.score)
    return (*blocks, Divider())


def explanation_blocks(explanation: Mapping[str, float], score: float) -> list[LayoutBlock]:
    """Give what a score is made of: the share of each stage, with a bar for its size."""
    most = max((abs(share) for share in explanation.values()), default=0.0) or 1.0
    widest = max((len(name) for name in explanation), default=0)
    blocks: list[LayoutBlock] = [Text(plain(f"score {score:.3f}", "bold"))]
    for name, share in explanation.items():
        bar = plain("▇" * max(1, round(BAR * abs(share) / most)), "$primary")
        told = joined([plain(name.ljust(widest)), plain(f" {share:+8.3f}  ", QUIET), bar])
        blocks.append(Indented(Row(told), plain("  ")))
    return blocks
