"""Sentences of a document that a question can be made of: prose, whole, and saying something.

Code, tables, lists of links, lines in capitals, greetings and what stands in every mail are left
out, as are sentences that begin by pointing back to another one.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.documents import Passage
from rag_assistant.ingest.passages import PATH_SEPARATOR
from rag_assistant.terms import sentences_of

SHORTEST, LONGEST = 40, 280
"""Characters of a sentence."""

_WORDS = (7, 45)
_WRAPPED = re.compile(r"(?<=[^\n.!?:;|])\n(?=[a-z(£€$\d][^\n])")
_MARKER = re.compile(r"(?:[-*+•–>]\s+|\(?\d{1,2}[.)]\s+|#+\s+)+")
_LINK = re.compile(r"\[([^\[\]\n]+)\]\([^()\s]*\)")
_STRESS = re.compile(r"(?<!\w)(\*\*|\*|__|_)(?=\S)([^*_\n]+?)(?<=\S)\1(?!\w)")
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
_NEXT_NUMBER = re.compile(r"(?<=\w\.)\s+\(?\d{1,2}[.)]$")
_TWO = re.compile(r"[°\d]\s?[A-Z]\.\s+[-*•A-Z]|^[A-Z]{4,}[.:]|^[A-Z]{5,} [A-Z]")
"""Two sentences that the abbreviation of a unit holds together."""

_LETTERS = 0.72
_CAPITALS = 0.45
_LINE_OF_PROSE = 60
"""Characters from which a line without a full stop is no heading, but goes on in the next."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of an entry: as it stands there, and `plain`, without the marks of Markdown.

    `heading` is the heading right above it, "" for none.
    """

    entry_id: int
    quote: str
    plain: str
    heading: str
    place: int

    @property
    def is_marked(self) -> bool:
        """Whether full stops and capitals say where sentences and names are."""
        return self.plain.rstrip("\"'”’)»")[-1:] in (".", "!")


def good_sentences(entry_id: int, passage: Passage) -> Iterator[Sentence]:
    """Give the sentences of a passage that a question can be made of, in order."""
    text = _WRAPPED.sub(" ", passage.text)
    heading = (passage.location.heading or "").rpartition(PATH_SEPARATOR)[2]
    in_code = _code_spans(text)
    for begin, end in sentences_of(text):
        marker = _MARKER.match(text, begin, end)
        start = marker.end() if marker else begin
        written = _NEXT_NUMBER.sub("", text[start:end])
        if any(low <= start < high for low, high in in_code) or not _begins_here(text, start):
            continue
        plain = _plain(written)
        if _is_good(plain):
            quote = " ".join(written.split())
            yield Sentence(entry_id, quote, plain, heading, passage.location.start + start)


def unmarked_prose(entry_id: int, passage: Passage) -> Iterator[Sentence]:
    """Give a passage that is one text without capitals and full stops, as old abstracts are."""
    text = " ".join(passage.text.split())
    words = text.split()
    if re.search(r"[.!?A-Z|{}=<>_]", text) or not _WORDS[0] <= len(words) <= 2 * _WORDS[1]:
        return
    if sum(word.isalpha() for word in words) >= 0.9 * len(words):
        yield Sentence(entry_id, text, text, "", passage.location.start)


def _plain(written: str) -> str:
    return " ".join(_STRESS.sub(r"\2", _LINK.sub(r"\1", written)).split())


def _is_good(plain: str) -> bool:
    words = plain.split()
    if not (SHORTEST <= len(plain) <= LONGEST and _WORDS[0] <= len(words) <= _WORDS[1]):
        return False
    if not plain[0].isupper() and not plain[0].isdigit() and plain[0] not in "£€$¿¡«„":
        return False
    if plain.rstrip("\"'”’)»")[-1:] not in (".", "!") or plain.endswith(("etc.", "...")):
        return False
    if _NO_PROSE.search(plain) or _TWO.search(plain) or _POINTS_BACK.match(plain):
        return False
    letters = sum(letter.isalpha() or letter.isspace() for letter in plain)
    capitals = sum(word[0].isupper() for word in words)
    shouted = sum(word.isupper() and len(word) > 3 for word in words)
    balanced = all(plain.count(a) == plain.count(b) for a, b in ("()", "“”", "«»"))
    return (
        letters >= _LETTERS * len(plain)
        and capitals <= max(3, _CAPITALS * len(words))
        and shouted <= 2
        and balanced
        and plain.count('"') % 2 == 0
    )


def _begins_here(text: str, start: int) -> bool:
    """Whether a sentence begins at a place, and not the second line of one."""
    before = text[:start].rstrip(" \t*_#>-•–\"'“‘(")
    if not before or before[-1] in '.!?:;|”’")»':
        return True
    if not before.endswith("\n"):
        return bool(re.search(r"(?:^|\n)\s*\(?\d{1,2}[.)]?$", before))
    line = before.rstrip("\n").rpartition("\n")[2].strip()
    blank = before.endswith("\n\n") or before.rstrip(" ").endswith("\n\n")
    return line[-1:] in (".", "!", "?", ":", ";", "|", "") or (blank or len(line) < _LINE_OF_PROSE)


def _code_spans(text: str) -> list[tuple[int, int]]:
    """Find fenced code, whose lines read like anything."""
    fences = [match.start() for match in re.finditer(r"^\s*(?:```|~~~)", text, re.MULTILINE)]
    if len(fences) % 2:
        fences.append(len(text))
    return list(zip(fences[::2], fences[1::2], strict=True))
