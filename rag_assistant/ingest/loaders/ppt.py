"""PowerPoint 97 to 2003 (.ppt, .pps): a page for each slide with its title as a heading, its texts
in the order they were drawn, then its notes and comments. Prompts of masters are left out.

The format: MS-PPT, "PowerPoint (.ppt) Binary File Format", Microsoft; section numbers refer to it.
"""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.flow import clean
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content, suffix_by_stream
from rag_assistant.ingest.parsing.office.ole import MAGIC, OleFile, opened, password_protected
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/vnd.ms-powerpoint"
_STREAM = "PowerPoint Document"
_HEADER = struct.Struct("<HHI")
_DEEPEST = 100
_MOST_RECORDS = 3_000_000
# Types of records (2.13.24) and of drawings (MS-ODRAW).
_DOCUMENT, _SLIDE, _NOTES, _SLIDE_ATOM = 1000, 1006, 1008, 1007
_LIST, _PERSIST, _TEXT_KIND, _CHARS, _BYTES = 4080, 1011, 3999, 4000, 4008
_OUTLINE_REF, _STRING, _TAG_DATA, _COMMENT = 3998, 4026, 5003, 12000
_EDIT, _DIRECTORY, _TEXT_BOX, _HEADERS_FOOTERS = 4085, 6002, 0xF00D, 4057
_ENCRYPTED = 0xF3D1C4DF  # token of the current user (2.3.2)
_SLIDES, _NOTES_LIST = 0, 2  # instances of the lists
_TITLES, _BODIES = (0, 6), (1, 5, 7, 8)  # kinds of text (2.13.33)
_CONTAINERS_IN_DISGUISE = frozenset({_TAG_DATA, _TEXT_BOX})


@dataclass(frozen=True, slots=True)
class _Record:
    """A record: what it is, and where its content begins and ends in the stream."""

    kind: int
    instance: int
    start: int
    end: int
    holds_records: bool


@dataclass(frozen=True, slots=True)
class _Text:
    """A text with its kind: a title, a body, notes or other."""

    kind: int
    text: str


@dataclass(frozen=True, slots=True)
class _Page:
    """A slide or its notes, as a list names it: where it is kept, its id, its texts in outline."""

    persist: int
    id: int
    outline: tuple[_Text, ...]


def load(source: LoadInput) -> list[Document]:
    """Read a presentation; the title is its own, else that of the first slide.

    Raises ReadAs for a file of another format under this suffix.
    """
    if not source.data.startswith(MAGIC):
        raise ReadAs(suffix_by_content(source.data, ".ppt"))
    with opened(source.data) as ole:
        if _STREAM not in ole:
            if "PP40" in ole or "PP97_DUALSTORAGE/PP40" in ole:
                raise LoadError("of PowerPoint 95 or before", hint="Save it as .pptx.")
            raise ReadAs(suffix_by_stream(ole, ".ppt"))
        builder = TextBuilder(source.most)
        deck = _Deck(ole)
        for number, blocks in enumerate(deck.slides(), 1):
            builder.page(number)
            builder.write(blocks)
        metadata = {name: clean(value) for name, value in ole.properties().items()}
        return [builder.document(_MEDIA_TYPE, tidy(metadata))]


class _Deck:
    """The stream of a presentation, and where in it each slide is kept."""

    def __init__(self, ole: OleFile) -> None:
        self._data = ole.read(_STREAM)
        self._seen = 0
        self._footers: set[str] = set()
        user = ole.read("Current User")
        if len(user) >= 20 and struct.unpack_from("<I", user, 12)[0] == _ENCRYPTED:
            raise password_protected()
        self._places = self._directory(user)

    def slides(self) -> Iterator[list[TextBlock]]:
        """Give the blocks of each slide, in their order."""
        lists = {
            record.instance: list(self._listed(record))
            for document in self._records(0, len(self._data))
            if document.kind == _DOCUMENT
            for record in self._records(document.start, document.end)
            if record.kind == _LIST
        }
        notes = {page.id: page for page in lists.get(_NOTES_LIST, ())}
        done: set[int] = set()
        for page in lists.get(_SLIDES, ()):
            place = self._places.get(page.persist)
            if place in done:
                continue
            record = self._at(place, _SLIDE)
            if place is None or record is None:
                yield list(_blocks(page.outline))
                continue
            done.add(place)
            blocks = list(self._slide(record, page.outline))
            their = notes.pop(self._notes_id(record), None)
            yield blocks + (list(self._notes(their)) if their else [])
        if not lists.get(_SLIDES):
            for record in self._records(0, len(self._data)):
                if record.kind == _SLIDE:  # the list is lost, the slides are not
                    yield list(self._slide(record, ()))

    def _slide(self, slide: _Record, outline: tuple[_Text, ...]) -> Iterator[TextBlock]:
        texts = list(self._texts(slide.start, slide.end, outline))
        shown = [text for text in texts if text.kind >= 0]
        drawn = {text.text for text in shown}
        shown += [text for text in outline if text.text not in drawn]
        yield from _blocks(tuple(shown))
        for text in texts:
            if text.kind == -1:
                yield TextBlock(f"Comment: {text.text}")
            elif text.kind == -2 and text.text not in self._footers:
                self._footers.add(text.text)
                yield TextBlock(text.text)

    def _notes(self, page: _Page) -> Iterator[TextBlock]:
        record = self._at(self._places.get(page.persist), _NOTES)
        texts = page.outline
        if record is not None:
            texts = tuple(self._texts(record.start, record.end, page.outline))
        words = "\n".join(text.text for text in texts if text.kind >= 0 and text.text != "*")
        if words.strip():
            yield TextBlock(f"Notes: {words}")

    def _texts(self, start: int, end: int, outline: tuple[_Text, ...]) -> Iterator[_Text]:
        """Give the texts of a slide in order, comments as of kind -1 and footers of -2."""
        kind = 4
        referred: set[int] = set()
        strings: list[str] = []
        until, of_strings = 0, 0  # a comment or the footers, whose strings are being read
        for record in self._records(start, end, deep=True):
            if record.start >= until and strings:
                yield from _said(strings, of_strings)
                strings = []
            if record.kind in (_COMMENT, _HEADERS_FOOTERS):
                until, of_strings = record.end, -1 if record.kind == _COMMENT else -2
            elif record.kind == _STRING and record.start < until:
                strings.append(self._string(record))
            elif record.kind == _TEXT_BOX:
                kind = 4
            elif record.kind == _TEXT_KIND:
                kind = struct.unpack_from("<I", self._data, record.start)[0]
            elif record.kind in (_CHARS, _BYTES):
                yield _Text(kind, self._string(record))
            elif record.kind == _OUTLINE_REF:
                index = struct.unpack_from("<I", self._data, record.start)[0]
                if index < len(outline) and index not in referred:
                    referred.add(index)
                    yield outline[index]
        yield from _said(strings, of_strings)

    def _string(self, record: _Record) -> str:
        data = self._data[record.start : record.end]
        self._spend(len(data) // 64)  # slides may overlap, and a text be read for each
        wide = record.kind != _BYTES
        text = data.decode("utf-16-le" if wide else "latin-1", "replace")
        return clean(text)

    def _listed(self, container: _Record) -> Iterator[_Page]:
        """Give the slides of a list with their texts in outline (2.4.14.3)."""
        page: tuple[int, int] | None = None
        texts: list[_Text] = []
        kind = 4
        for record in self._records(container.start, container.end):
            if record.kind == _PERSIST:
                if page:
                    yield _Page(*page, tuple(texts))
                texts = []
                page = struct.unpack_from("<I8xI", self._data, record.start)
            elif record.kind == _TEXT_KIND:
                kind = struct.unpack_from("<I", self._data, record.start)[0]
                texts.append(_Text(kind, ""))
            elif record.kind in (_CHARS, _BYTES) and texts:
                texts[-1] = _Text(kind, self._string(record))
        if page:
            yield _Page(*page, tuple(texts))

    def _notes_id(self, slide: _Record) -> int:
        for record in self._records(slide.start, slide.end):
            if record.kind == _SLIDE_ATOM:
                found: int = struct.unpack_from("<I", self._data, record.start + 16)[0]
                return found
        return 0

    def _directory(self, user: bytes) -> dict[int, int]:
        """Give where each persistent object is, by the edits from the last to the first (2.3.3)."""
        places: dict[int, int] = {}
        edit = struct.unpack_from("<I", user, 16)[0] if len(user) >= 20 else 0
        read: set[int] = set()
        while edit not in read and (record := self._at(edit, _EDIT)):
            read.add(edit)
            earlier, directory = struct.unpack_from("<II", self._data, record.start + 8)
            if record.end - record.start >= 32:
                raise password_protected()  # only then it names an object of encryption
            found = self._at(directory, _DIRECTORY)
            if found is None:
                break
            for persist, place in self._persisted(found):
                places.setdefault(persist, place)
            edit = earlier
        return places

    def _persisted(self, directory: _Record) -> Iterator[tuple[int, int]]:
        words = (directory.end - directory.start) // 4
        values = struct.unpack_from(f"<{words}I", self._data, directory.start)
        position = 0
        while position < words:
            first, count = values[position] & 0xFFFFF, values[position] >> 20
            for number, place in enumerate(values[position + 1 : position + 1 + count]):
                yield first + number, place
            position += 1 + count

    def _at(self, place: int | None, kind: int) -> _Record | None:
        """Give the record at an offset, if it is one of this kind."""
        if place is None or place + 8 > len(self._data):
            return None
        record = self._record(place, len(self._data))
        return record if record.kind == kind else None

    def _records(self, start: int, end: int, *, deep: bool = False) -> Iterator[_Record]:
        """Give the records of a span in order; if `deep`, each before those within it."""
        spans = [(start, end)]
        while spans:
            position, last = spans.pop()
            if position + 8 > last:
                continue
            record = self._record(position, last)
            spans.append((record.end, last))
            self._spend(1)
            yield record
            if deep and record.holds_records:
                if len(spans) > _DEEPEST:
                    raise LoadError("nested too deep: shapes within shapes")
                spans.append((record.start, record.end))

    def _spend(self, effort: int) -> None:
        self._seen += effort
        if self._seen > _MOST_RECORDS:
            raise LoadError("more parts than any presentation has", hint="Save it anew.")

    def _record(self, position: int, last: int) -> _Record:
        version, kind, length = _HEADER.unpack_from(self._data, position)
        start = position + 8
        holds = version & 0xF == 0xF or kind in _CONTAINERS_IN_DISGUISE
        return _Record(kind, version >> 4, start, min(start + length, last), holds)


def _said(strings: list[str], kind: int) -> Iterator[_Text]:
    """Give the strings of a comment, which are its author, text and initials, or of footers."""
    if kind == -1 and len(strings) >= 2:
        strings = [f"{strings[0]}: {strings[1]}"]
    yield from (_Text(kind, text) for text in strings if text)


def _blocks(texts: tuple[_Text, ...]) -> Iterator[TextBlock]:
    """Write texts: titles first, which are often drawn last; "*" is where a number is put in."""
    for text in sorted(texts, key=lambda text: text.kind not in _TITLES):
        if text.text.strip() in ("", "*"):
            continue
        yield TextBlock("", "gap")
        if text.kind in _TITLES:
            yield TextBlock(" ".join(text.text.split()), "heading", 1)
        else:
            lines = [line for line in text.text.split("\n") if line.strip()]
            listed = text.kind in _BODIES and len(lines) > 1
            yield from (TextBlock(line, "item" if listed else "paragraph") for line in lines)


LOADER = Loader("ppt", 2, frozenset({".ppt", ".pps"}), _MEDIA_TYPE, load)
