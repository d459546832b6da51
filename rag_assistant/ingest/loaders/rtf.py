"""RTF: paragraphs, table rows and headings of the body, then its notes and what stands in its
margins, in the code pages of its fonts. Pictures are skipped unread; light, with no dependency.

The format: "Rich Text Format (RTF) Specification, version 1.9.1", Microsoft, 2008.
"""

import re

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.flow import Flow, written
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content
from rag_assistant.ingest.parsing.office.ole import code_page
from rag_assistant.values.documents import Document

_BEGINNING = b"{\\rtf"
_DEEPEST = 1_000
_TOKEN = re.compile(
    rb"(?P<text>[^\\{}\r\n\0]+)"
    rb"|(?P<hex>(?:\\'[0-9a-fA-F]{2})+)"
    rb"|\\(?P<word>[a-zA-Z]{1,40})(?P<number>-?\d{1,10})? ?"
    rb"|(?P<brace>[{}])"
    rb"|\\(?P<sign>[^a-zA-Z])",
    re.DOTALL,
)
_IN_SKIPPED = re.compile(rb"[{}]|\\(?:bin(\d{1,10}) ?|.)", re.DOTALL)
_FONT = re.compile(rb"\\(f|fcharset|cpg)(\d{1,6})(?!\d)")
_STYLE = re.compile(rb"(?i)\{\\s(\d{1,5})(?!\d)(?:[^{}]|\{[^{}]*+\})*?\bheading (\d)\b")
_CODE_PAGES = {0: "cp1252", 2: "cp1252", 77: "mac_roman", 78: "cp932", 79: "cp949"}
_CODE_PAGES |= {80: "gb18030", 81: "cp950", 128: "cp932", 129: "cp949", 130: "johab"}
_CODE_PAGES |= {134: "gb18030", 136: "cp950", 161: "cp1253", 162: "cp1254", 163: "cp1258"}
_CODE_PAGES |= {177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874"}
_CODE_PAGES |= {238: "cp1250", 254: "cp437", 255: "cp850"}
_CHARACTER_SETS = {"ansi": "cp1252", "mac": "mac_roman", "pc": "cp437", "pca": "cp850"}
_CHARACTERS = {"tab": "\t", "line": "\n", "emdash": "—", "endash": "–", "lquote": "‘"}
_CHARACTERS |= {"rquote": "’", "ldblquote": "“", "rdblquote": "”", "bullet": "•"}
_CHARACTERS |= {"enspace": " ", "emspace": " ", "qmspace": " "}
_SIGNS = {"~": " ", "_": "-", "\t": "\t", "\\": "\\", "{": "{", "}": "}"}
_SKIPPED = frozenset(
    """
    colortbl fonttbl stylesheet pict nonshppict sp listtable filetbl revtbl rsidtbl xmlnstbl
    list listoverride listlevel fldinst xe tc txe rxe nonesttables objdata pntxta pntxtb falt
    ftnsep ftnsepc template
    """.split()
)
_READ_THOUGH_STARRED = frozenset("shpinst shptxt do dptxbxtext mmath momath".split())
_FLOWS = {"footnote": "notes", "annotation": "notes", "title": "title", "author": "author"}
_FLOWS |= {"subject": "subject", "keywords": "keywords", "info": "other", "creatim": "created"}
_FLOWS |= {"revtim": "modified", "printim": "other", "buptim": "other", "operator": "other"}
_FLOWS |= {"company": "other", "doccomm": "other", "manager": "other", "category": "other"}
_FLOWS |= {f"{place}{which}": "margins" for place in ("header", "footer") for which in " lrf"}
_FLOWS |= {"header": "margins", "footer": "margins"}
_DATE_WORDS = frozenset("yr mo dy hr min".split())
_PARAGRAPH_ENDS = frozenset("par sect page column".split())


def load(source: LoadInput) -> list[Document]:
    """Read an RTF file; the title is the one it names, else its first heading.

    Raises ReadAs for a file of another format under this suffix.
    """
    if _BEGINNING not in source.data[:1024]:
        raise ReadAs(suffix_by_content(source.data, ".rtf"))
    return [read(source.data)]


def read(data: bytes) -> Document:
    """Read the bytes of an RTF text. Raises LoadError when they are none, or nested too deep."""
    start = data[:1024].find(_BEGINNING)
    if start < 0:
        raise LoadError("not RTF: it does not begin with {\\rtf")
    reader = _Reader(data)
    reader.run(start)
    flows = reader.flows
    blocks = flows["body"].close() + flows["notes"].close()
    blocks += list(dict.fromkeys(flows["margins"].close()))
    metadata = dict(reader.dates)
    for name in ("title", "author", "subject", "keywords"):
        metadata[name] = " ".join(block.text for block in flows[name].close())
    return written(blocks, "application/rtf", metadata)


class _Reader:
    """Where a reading stands. What a group may change is kept on `stack` while it is open."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.flows = {name: Flow() for name in ("body", *_FLOWS.values())}
        self.dates: dict[str, str] = {}
        self._moment: dict[str, int] = {}
        self._name, self._fallback, self._hidden = "body", 1, False
        self._level, self._in_cell = 0, False
        self._default = self._encoding = "cp1252"
        self._fonts: dict[int, str] = {}
        self._levels: dict[int, int] = {}
        self._stack: list[tuple[tuple[str, int, bool, str], tuple[int, bool]]] = []
        self._fresh = False  # nothing yet in the group that was opened
        self._starred = False
        self._passed_over = 0  # characters still to drop: they stand for a \u that was read

    def run(self, position: int) -> None:
        """Read from `position` to the end of the group that begins there."""
        while found := _TOKEN.search(self.data, position):
            position = found.end()
            kind = found.lastgroup
            fresh, self._fresh = self._fresh, False
            if kind == "text":
                self._bytes(found[0])
            elif kind == "hex":
                self._bytes(bytes.fromhex(found[0].replace(b"\\'", b"").decode("ascii")))
            elif kind == "brace":
                self._brace(found[0])
                if not self._stack:
                    break
            elif kind == "sign":
                self._sign(found[0][1:].decode("latin-1"), fresh=fresh)
            else:
                number = int(found["number"]) if found["number"] else None
                position = self._word(found["word"].decode("ascii"), number, position)

    def _brace(self, brace: bytes) -> None:
        self._passed_over = 0
        self._starred = False
        if brace == b"{":
            self._fresh = True
            paragraph = (self._level, self._in_cell)
            state = (self._name, self._fallback, self._hidden, self._encoding)
            self._stack.append((state, paragraph))
            if len(self._stack) > _DEEPEST:
                raise LoadError("nested too deep: groups within groups")
            return
        before = self._name
        state, paragraph = self._stack.pop()
        self._name, self._fallback, self._hidden, self._encoding = state
        if before == self._name:
            # A paragraph ends after its group as often as within it: it keeps what it is.
            return
        self._level, self._in_cell = paragraph
        if before in {"created", "modified"} and self._moment:
            self.dates[before] = _moment(self._moment)
        self._moment = {}
        self.flows[before].end_paragraph()

    def _bytes(self, data: bytes) -> None:
        dropped = min(self._passed_over, len(data))
        self._passed_over -= dropped
        if not self._hidden and dropped < len(data):
            self.flows[self._name].add_bytes(data[dropped:], self._encoding)

    def _character(self, text: str) -> None:
        if self._passed_over:
            self._passed_over -= 1
        elif not self._hidden:
            self.flows[self._name].add(text)

    def _sign(self, sign: str, *, fresh: bool) -> None:
        if sign == "*":
            self._starred = fresh  # elsewhere it is a mistake, and no reason to skip the group
        elif sign in "\r\n":
            self.flows[self._name].end_paragraph(self._level, in_cell=self._in_cell)
        elif sign in _SIGNS:
            self._character(_SIGNS[sign])

    def _word(self, word: str, number: int | None, position: int) -> int:
        """Obey a control word; give where to read on."""
        starred, self._starred = self._starred, False
        if word == "bin":
            return position + max(number or 0, 0)
        if word in _CHARACTERS:
            self._character(_CHARACTERS[word])
        elif word == "u":
            self._unicode(number or 0)
        elif word in _FLOWS and (word != "title" or self._name == "other"):
            self._name = _FLOWS[word]
            self._level, self._in_cell = 0, False
        elif word in _SKIPPED or (starred and word.lower() not in _READ_THOUGH_STARRED):
            return self._skipped(word, position)
        elif word in _DATE_WORDS:
            self._moment[word] = number or 0
        elif not self._of_tables(word):
            self._of_characters(word, number)
            self._of_paragraphs(word, number)
        return position

    def _unicode(self, code: int) -> None:
        code %= 0x10000
        if 0xF020 <= code <= 0xF0FF:  # a symbol font's own place for its characters
            code -= 0xF000
        self._passed_over = 0
        self._character(chr(code))
        self._passed_over = self._fallback

    def _of_tables(self, word: str) -> bool:
        flow = self.flows[self._name]
        if word in _PARAGRAPH_ENDS:
            flow.end_paragraph(self._level, in_cell=self._in_cell)
        elif word in {"cell", "nestcell"}:
            flow.end_cell()
        elif word == "row":
            flow.end_row()
        elif word in {"listtext", "pntext"}:
            flow.item = True
        else:
            return False
        return True

    def _of_characters(self, word: str, number: int | None) -> None:
        if word == "f":
            self._encoding = self._fonts.get(number or 0, self._default)
        elif word == "plain":
            self._encoding, self._hidden = self._default, False
        elif word in {"v", "deleted"}:
            self._hidden = number != 0
        elif word == "uc":
            self._fallback = min(max(number or 0, 0), 100)
        elif word in _CHARACTER_SETS:
            self._default = self._encoding = _CHARACTER_SETS[word]
        elif word == "ansicpg":
            self._default = self._encoding = code_page(number or 0, self._default)

    def _of_paragraphs(self, word: str, number: int | None) -> None:
        if word == "pard":
            self._level, self._in_cell = 0, False
        elif word == "intbl":
            self._in_cell = True
        elif word == "s":
            self._level = self._levels.get(number or 0, 0)
        elif word == "outlinelevel":
            self._level = number + 1 if number is not None and 0 <= number < 9 else 0

    def _skipped(self, word: str, start: int) -> int:
        """Pass over the group that is open; give where its closing brace is."""
        depth, position, end = 1, start, len(self.data)
        while depth and (found := _IN_SKIPPED.search(self.data, position)):
            position = found.end()
            depth += (found[0] == b"{") - (found[0] == b"}")
            if found[1]:
                position += int(found[1])
            end = found.start()
        if word == "fonttbl":
            self._fonts |= _fonts(self.data[start:end], self._default)
        elif word == "stylesheet":
            found_styles = _STYLE.finditer(self.data[start:end])
            self._levels |= {int(found[1]): int(found[2]) for found in found_styles}
        return len(self.data) if depth else end


def _fonts(table: bytes, default: str) -> dict[int, str]:
    fonts: dict[int, str] = {}
    font = 0
    for found in _FONT.finditer(table):
        number = int(found[2])
        if found[1] == b"f":
            font = number
            fonts[font] = default
        elif found[1] == b"cpg":
            fonts[font] = code_page(number, default)
        else:
            fonts[font] = _CODE_PAGES.get(number, default)
    return fonts


def _moment(parts: dict[str, int]) -> str:
    """Give a date of the \\info group in ISO 8601."""
    if not 1700 <= parts.get("yr", 0) <= 9999:  # 1601 is how programs write "never"
        return ""
    day = f"{parts['yr']:04}-{parts.get('mo', 1):02}-{parts.get('dy', 1):02}"
    return f"{day}T{parts.get('hr', 0):02}:{parts.get('min', 0):02}:00"


LOADER = Loader("rtf", 4, frozenset({".rtf"}), "application/rtf", load)
