"""What a passage says that a question can be made of: sentences, cells of tables, items of lists.

Code, links, lines in capitals, greetings and what stands in every mail are left out, as are
sentences that begin by pointing back to another one.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from rag_assistant.text.blocks import CODE
from rag_assistant.text.markdown import blocks
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.table_rows import cells_of, is_row, is_rule
from rag_assistant.values.documents import Passage
from rag_assistant.values.heading_paths import PATH_SEPARATOR, heads_said, section_of

FactKind = Literal["sentence", "table", "list"]

_SHORTEST, _LONGEST = 40, 280
_WORDS = (7, 45)
_LONGEST_LABEL, _LONGEST_CELL = 6, 8
"""Words of the label of a row or item, and of a cell that answers."""

_WRAPPED = re.compile(r"(?<=[^\n.!?:;|])\n(?=[a-z(£€$\d][^\n])")
_MARKER = re.compile(r"(?:[-*+•–>]\s+|\(?\d{1,2}[.)]\s+|#+\s+)+")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\([^()\s]*\)")
_STRESS = re.compile(r"(?<!\w)(\*\*|\*|__|_|`)(?=\S)([^*_`\n]+?)(?<=\S)\1(?!\w)")
_NO_PROSE = re.compile(
    r"https?:|www\.|\w@\w|[|{}<>\\=`~^]|\w_\w|::|->|//|\s{3,}|\t|\.{3,}|…|\b[a-z]+\(|[\[\]]|\u00ad"
    r"|(?:\b\w\b\s){4,}|\S{40,}|\b(?:et al|doi|Fig|Figs|ibid|cf)\b|[A-Za-z+/]{25,}|\ufffd"
    r"|\b(?:click here|all rights reserved|unsubscribe|copyright)\b|©",
    re.IGNORECASE,
)
_POINTS_BACK = re.compile(
    r"(?:It|They|This|These|That|Those|He|She|Such|There|Here|So|Thus|Hence|Then|Therefore|However"
    r"|But|And|Or|Nor|Its|Their|His|Her|Otherwise|Instead|Also|Moreover|Furthermore|Both|Either"
    r"|Neither|Yes|No|Dear|Hello|Hi|Thanks|Thank|Sorry|Regards|See|I|My|Please|One|Another|Not|What"
    r"|Who|When|Where|Why|How|Which|If so)\b"
)
_LETTERS, _CAPITALS = 0.72, 0.45
_LINE_OF_PROSE = 60
"""Characters from which a line without a full stop is no heading, but goes on in the next."""

_ITEM = re.compile(r"(?P<label>[^:]{6,60}): (?P<value>[^:]{3,90}?)[.;]?$")
_NO_LABEL = re.compile(r"(?:note|decision|corrected|new|changed|from|to|subject|date)\b", re.I)


@dataclass(frozen=True, slots=True)
class Fact:
    """Something an entry says: its words as they stand there, and `plain`, without Markdown.

    `heading` is the one right above. A cell has the `label` of its row, the head of its `column`
    and its `value`; an item of a list "label: value" has the first and the last.
    """

    entry_id: int
    quote: str
    plain: str
    heading: str
    place: int
    kind: FactKind = "sentence"
    label: str = ""
    column: str = ""
    value: str = ""


def facts_of(entry_id: int, passage: Passage) -> Iterator[Fact]:
    """Give the facts of a passage, in order."""
    heading = (section_of(passage.location.heading) or "").rpartition(PATH_SEPARATOR)[2]
    for kind, start, lines in _blocks(passage.text):
        place = passage.location.start + start
        if kind == "table":
            # A passage that begins among the rows has their heads in its path.
            heads = heads_said(passage.place(start, start + 1).heading)
            yield from _cells(lines, heads, entry_id, heading, place)
        elif kind == "text":
            text = "\n".join(lines)
            yield from _sentences(text, entry_id, heading, place)
            yield from _items(text, entry_id, heading, place)


def _blocks(text: str) -> Iterator[tuple[str, int, list[str]]]:
    """Cut a text into tables, code and text: what it is, where it begins, its lines."""
    kind, begin, held, place = "text", 0, list[str](), 0
    code = [(block.start, block.end) for block in blocks(text, CODE)]
    for line in text.split("\n"):
        now = "table" if is_row(line) else "text"
        if any(start <= place < end for start, end in code):
            now = "code"
        if now != kind:
            yield kind, begin, held
            kind, begin, held = now, place, []
        held.append(line)
        place += len(line) + 1
    yield kind, begin, held


def _cells(
    lines: Sequence[str], heads: Sequence[str], entry_id: int, heading: str, place: int
) -> Iterator[Fact]:
    """Give the cells of a table that has heads, else a row of them, and labels in its first column.

    A passage may have fewer heads than there are columns: those of the others are not known.
    """
    rows = [[plain_of(cell) for cell in cells_of(line)] for line in lines]
    head = [*heads, *[""] * (len(rows[0]) - len(heads))] if heads else rows[0]
    if len(head) < 2:
        return
    for line, row in zip(lines, rows, strict=True):
        if row is not head and len(row) == len(head) and not is_rule(line):
            for column, value in zip(head[1:], row[1:], strict=True):
                if _is_label(row[0]) and _is_label(column) and _is_cell(value):
                    # Above the labels nothing: then what is said of a thing is in the rows.
                    label, said = (row[0], column) if head[0] else (column, row[0])
                    quote = " ".join(line.split())
                    yield Fact(
                        entry_id, quote, " ".join([*head, *row]), heading, place, "table",
                        label, said, value,
                    )  # fmt: skip
        place += len(line) + 1


def _items(text: str, entry_id: int, heading: str, place: int) -> Iterator[Fact]:
    """Give the items of a list that say something of what they begin with."""
    for found in re.finditer(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+(.+)$", text, re.MULTILINE):
        plain = plain_of(found[1])
        parts = _ITEM.match(plain)
        if not parts or _NO_PROSE.search(plain) or _NO_LABEL.match(plain):
            continue
        if _is_label(parts["label"]) and len(parts["value"].split()) <= 2 * _LONGEST_CELL:
            yield Fact(
                entry_id, " ".join(found[1].split()), plain, heading, place + found.start(1),
                "list", parts["label"], "", parts["value"],
            )  # fmt: skip


def _is_label(words: str) -> bool:
    return len(words.split()) <= _LONGEST_LABEL and bool(re.search(r"[^\W\d_]{2}", words))


def _is_cell(words: str) -> bool:
    told = words.lower() not in ("", "-", "–", "—", "none", "same", "yes", "no", "n/a")
    return told and len(words.split()) <= _LONGEST_CELL and len(words) > 1


def _sentences(text: str, entry_id: int, heading: str, place: int) -> Iterator[Fact]:
    for one in plain_sentences(text):
        if _is_fit(one.plain) and is_prose(one.plain):
            yield Fact(entry_id, one.quote, one.plain, heading, place + one.start)


@dataclass(frozen=True, slots=True)
class PlainSentence:
    """A sentence of a text from `start` on: as it stands there, and `plain`, without Markdown."""

    start: int
    quote: str
    plain: str


def plain_sentences(text: str, having: re.Pattern[str] | None = None) -> Iterator[PlainSentence]:
    """Give the sentences that begin in a text, lines joined and marks of lists left out.

    Only those that have what a pattern finds, if there is one.
    """
    text = _WRAPPED.sub(" ", text)
    for begin, end in sentences_of(text):
        if having and not having.search(text, begin, end):
            continue
        marker = _MARKER.match(text, begin, end)
        start = marker.end() if marker else begin
        if _begins_here(text, start):
            written = text[start:end]
            yield PlainSentence(start, " ".join(written.split()), plain_of(written))


def unmarked_prose(entry_id: int, passage: Passage) -> Iterator[Fact]:
    """Give a passage that is one text without capitals and full stops, as old abstracts are."""
    text = " ".join(passage.text.split())
    words = text.split()
    if re.search(r"[.!?A-Z|{}=<>_]", text) or not _WORDS[0] <= len(words) <= 2 * _WORDS[1]:
        return
    if sum(word.isalpha() for word in words) >= 0.9 * len(words):
        yield Fact(entry_id, text, text, "", passage.location.start)


def plain_of(written: str) -> str:
    """Leave out the marks of Markdown."""
    return " ".join(_STRESS.sub(r"\2", _LINK.sub(r"\1", written)).split())


def _is_fit(plain: str) -> bool:
    """Whether a sentence is long enough to say what it is about, and short enough to ask for."""
    words = plain.split()
    return _SHORTEST <= len(plain) <= _LONGEST and _WORDS[0] <= len(words) <= _WORDS[1]


def is_prose(plain: str) -> bool:
    """Whether a sentence is one that tells something by itself, as far as its letters show."""
    words = plain.split()
    if not words:
        return False
    if not plain[0].isupper() and not plain[0].isdigit() and plain[0] not in "£€$¿¡«„":
        return False
    if plain.rstrip("\"'”’)»")[-1:] not in (".", "!") or plain.endswith(("etc.", "...")):
        return False
    if _NO_PROSE.search(plain) or _POINTS_BACK.match(plain) or plain.count('"') % 2:
        return False
    letters = sum(letter.isalpha() or letter.isspace() for letter in plain)
    capitals = sum(word[0].isupper() for word in words)
    shouted = sum(word.isupper() and len(word) > 3 for word in words)
    balanced = all(plain.count(a) == plain.count(b) for a, b in ("()", "“”", "«»"))
    prose = letters >= _LETTERS * len(plain) and capitals <= max(3, _CAPITALS * len(words))
    return prose and shouted <= 2 and balanced


def _begins_here(text: str, start: int) -> bool:
    """Whether a sentence begins at a place, and not the second line of one."""
    before = text[:start].rstrip(" \t*_#>-•–\"'“‘(")
    if not before or before[-1] in '.!?:;|”’")»':
        return True
    if not before.endswith("\n"):
        return bool(re.search(r"(?:^|\n)\s*\(?\d{1,2}[.)]?$", before))
    line = before.rstrip("\n").rpartition("\n")[2].strip()
    blank = before.endswith("\n\n")
    return line[-1:] in (".", "!", "?", ":", ";", "|", "") or blank or len(line) < _LINE_OF_PROSE
