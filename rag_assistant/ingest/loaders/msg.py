"""Messages of Outlook (.msg): the header lines a person reads, the body as plain text, web page or
RTF, whichever the message has, and the names of what is attached, messages among them.

The format: MS-OXMSG "Outlook Item (.msg) File Format" and MS-OXRTFCP "Rich Text Format (RTF)
Compression Algorithm", Microsoft; property ids from MS-OXPROPS.
"""

import re
import struct
from collections.abc import Iterator, Sequence

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import html, rtf
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.attachments import SIGNATURES, attachment_line
from rag_assistant.ingest.parsing.flow import clean
from rag_assistant.ingest.parsing.mail_tables import may_show_more, shows_more
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.mislabelled import suffix_by_content, suffix_by_stream
from rag_assistant.ingest.parsing.office.ole import MAGIC, OleFile, code_page, moment, opened
from rag_assistant.text.quoting import quotes_in
from rag_assistant.values.documents import AttachedFile, Document, Heading
from rag_assistant.values.tables import DocumentTable

_MEDIA_TYPE = "application/vnd.ms-outlook"
_MOST_READ = 500  # recipients, and attachments; of others only the number is given
_LONGEST_HEADER = 4_000  # characters
_LONGEST_TITLE = 200
_BLANK_LINES = re.compile(r"[ \t]*+\n(?:[ \t]*+\n)++")
_LARGEST_RTF = 20_000_000  # bytes, unpacked
_SUBJECT, _SENT_NAME, _SENDER_NAME, _TO, _CC = 0x0037, 0x0042, 0x0C1A, 0x0E04, 0x0E03
_SENDER_ADDRESSES = (0x5D02, 0x5D01, 0x0065, 0x0C1F)
_MESSAGE_ID, _BODY, _HTML, _RTF = 0x1035, 0x1000, 0x1013, 0x1009
_DATES = (0x0039, 0x0E06, 0x3007)  # when it was submitted, delivered, created
_CODE_PAGES = (0x3FFD, 0x66C3)
_INTERNET_CODE_PAGE = 0x3FDE
_RECIPIENT_KIND, _NAME, _ADDRESSES = 0x0C15, 0x3001, (0x39FE, 0x3003)
_REFERENCES, _REPLY_TO, _CONTENT_ID = 0x1039, 0x1042, 0x3712
_FILE_NAMES, _FILE_TYPE, _FILE_DATA = (0x3707, 0x3704, 0x3001), 0x370E, 0x3701
# Of a contact.
_DETAILS = {0x3A17: "Title", 0x3A16: "Company", 0x3A18: "Department", 0x3A15: "Address"}
_DETAILS |= {0x3A08: "Phone", 0x3A09: "Home phone", 0x3A1C: "Mobile phone", 0x3A24: "Fax"}
# What every compressed RTF may refer to before its own beginning (MS-OXRTFCP, 2.1.2.1).
_RTF_BEFORE = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern \fscript "
    rb"\fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def load(source: LoadInput) -> list[Document]:
    """Read a message; the title is its subject. Raises ReadAs for a file of another format."""
    if not source.data.startswith(MAGIC):
        raise ReadAs(suffix_by_content(source.data, ".msg"))
    with opened(source.data) as ole:
        if "__properties_version1.0" not in ole:
            raise ReadAs(suffix_by_stream(ole, ".msg"))
        message = _Properties(ole, "", header=32)
        headers = _headers(ole, message)
        blocks = ["\n".join(f"{name}: {value}" for name, value in headers.items() if value)]
        details = ((label, message.text(number)) for number, label in _DETAILS.items())
        blocks.append(
            "\n".join(f"{label}: {_on_a_line(value)}" for label, value in details if value)
        )
        body, tables = _body(message)
        start = sum(len(block) + 2 for block in blocks if block.strip())
        blocks.append(body)
        attached: list[AttachedFile] = []
        blocks.append("\n".join(_attachments(ole, attached)))
    metadata = {name.lower(): headers[name] for name in ("From", "To", "Date")}
    metadata |= {"message_id": message.text(_MESSAGE_ID), "in_reply_to": message.text(_REPLY_TO)}
    references = message.text(_REFERENCES)[:_LONGEST_HEADER].split()
    thread = [*references, metadata["in_reply_to"], metadata["message_id"]]
    metadata["thread"] = next(filter(None, thread), "")
    text = "\n\n".join(block for block in blocks if block.strip())
    return [
        Document(
            text,
            _MEDIA_TYPE,
            title=headers["Subject"],
            headings=tuple(
                Heading(quote.start, 1, quote.title[:_LONGEST_TITLE], quote.end)
                for quote in quotes_in(text, len(blocks[0]))
            ),
            metadata=tidy(metadata),
            attached=tuple(attached),
            tables=tuple(table.moved(start) for table in tables),
        )
    ]


class _Properties:
    """The properties of a message, recipient or attachment: texts, bytes and numbers."""

    def __init__(self, ole: OleFile, storage: str, header: int, encoding: str = "") -> None:
        self._ole = ole
        self._storage = storage
        self._numbers: dict[int, int] = {}
        data = ole.read(f"{storage}__properties_version1.0")
        # Each entry is of type, id, flags and value (MS-OXMSG, 2.4.2.1).
        for position in range(header, len(data) - 15, 16):
            _kind, number, value = struct.unpack_from("<HHxxxxQ", data, position)
            self._numbers[number] = value
        pages = (self.number(number) for number in _CODE_PAGES)
        named = next((page for page in pages if page), 0)
        self.encoding = encoding or (code_page(named) if named else "")

    def number(self, number: int) -> int:
        """Give a property that is a number of 32 bits, 0 if it is absent."""
        return self._numbers.get(number, 0) & 0xFFFFFFFF

    def time(self, number: int) -> str:
        """Give a time in ISO 8601, "" if it is absent."""
        return moment(self._numbers.get(number, 0))

    def data(self, number: int) -> bytes:
        """Give a property that is bytes."""
        return self._ole.read(f"{self._storage}__substg1.0_{number:04X}0102")

    def text(self, *numbers: int) -> str:
        """Give the first of the properties that is a text with words in it."""
        for number in numbers:
            name = f"{self._storage}__substg1.0_{number:04X}"
            text = self._ole.read(f"{name}001F").decode("utf-16-le", "replace")
            if not text and (data := self._ole.read(f"{name}001E").rstrip(b"\0")):
                text = data.decode(self.encoding, "replace") if self.encoding else _guessed(data)
            if text := clean(text):
                return text
        return ""

    def within(self, storage: str) -> "_Properties":
        """Give the properties of a recipient or attachment of this message."""
        return _Properties(self._ole, f"{storage}/", header=8, encoding=self.encoding)


def _guessed(data: bytes) -> str:
    try:
        return decode(data).text
    except LoadError:
        return data.decode("cp1252", "replace")


def _headers(ole: OleFile, message: _Properties) -> dict[str, str]:
    name = message.text(_SENT_NAME, _SENDER_NAME)
    address = next((a for a in map(message.text, _SENDER_ADDRESSES) if "@" in a), "")
    recipients: dict[int, list[str]] = {1: [], 2: []}
    storages = _storages(ole, "__recip_version1.0_")
    for storage in storages[:_MOST_READ]:
        one = message.within(storage)
        where = next((a for a in map(one.text, _ADDRESSES) if "@" in a), "")
        person = _person(one.text(_NAME), where)
        recipients.setdefault(one.number(_RECIPIENT_KIND), []).append(person)
    values = {
        "From": _person(name, address),
        "To": ", ".join(filter(None, recipients[1])) or message.text(_TO),
        "Cc": ", ".join(filter(None, recipients[2])) or message.text(_CC),
        "Date": next(filter(None, map(message.time, _DATES)), ""),
        "Subject": message.text(_SUBJECT),
    }
    return {key: " ".join(value[:_LONGEST_HEADER].split()) for key, value in values.items()}


def _on_a_line(value: str) -> str:
    return ", ".join(filter(None, map(str.strip, value.split("\n"))))


def _person(name: str, address: str) -> str:
    name = name.strip("'\" ")
    if not address or name.lower() == address.lower():
        return name
    return f"{name} <{address}>" if name else address


def _storages(ole: OleFile, prefix: str) -> list[str]:
    found = dict.fromkeys(path[0] for path in ole.names if len(path) > 1)
    return sorted(name for name in found if name.startswith(prefix))


def _body(message: _Properties) -> tuple[str, Sequence[DocumentTable]]:
    """Give the text of a message and the tables in it; plain, if its page shows no more."""
    plain = _BLANK_LINES.sub("\n\n", message.text(_BODY))
    data = message.data(_HTML) or message.text(_HTML).encode()
    try:
        if data and (not plain or may_show_more(data, plain)):
            number = message.number(_INTERNET_CODE_PAGE)
            page = html.read(data, code_page(number) if number else "")
            if not plain or shows_more(page.text, page.tables, plain):
                return page.text, page.tables
        if not plain and (packed := message.data(_RTF)):
            return rtf.read(unpacked_rtf(packed)).text, ()
    except LoadError as error:
        if not plain:
            return f"[The body of this message cannot be read: {error.message}]", ()
    return plain, ()


def _attachments(ole: OleFile, attached_files: list[AttachedFile]) -> Iterator[str]:
    """Give a line for each attachment, and add those that may be read to `attached_files`."""
    message = _Properties(ole, "", header=32)
    storages = _storages(ole, "__attach_version1.0_")
    for storage in storages[:_MOST_READ]:
        attached = message.within(storage)
        name = attached.text(*_FILE_NAMES)
        inner = f"{storage}/__substg1.0_{_FILE_DATA:04X}000D/"
        if f"{inner}__properties_version1.0" in ole:
            subject = _Properties(ole, inner, header=24).text(_SUBJECT)
            yield f"Attached message: {subject or name or 'without a subject'}"
            continue
        data, kind = attached.data(_FILE_DATA), attached.text(_FILE_TYPE)
        drawn = kind.startswith("image/") and attached.text(_CONTENT_ID)
        if data and kind not in SIGNATURES and not drawn:
            attached_files.append(AttachedFile(name or "unnamed", data))
        yield attachment_line(name, kind, len(data))
    if len(storages) > _MOST_READ:
        yield f"And {len(storages) - _MOST_READ} more attachments"


def unpacked_rtf(data: bytes) -> bytes:
    """Unpack compressed RTF (MS-OXRTFCP, 2.2). Raises LoadError when it is none, or too large."""
    if len(data) < 16:
        raise LoadError("broken RTF: cut short")
    size, kind = struct.unpack_from("<4xI4s", data)
    if kind == b"MELA":
        return data[16:]
    if kind != b"LZFu":
        raise LoadError("broken RTF: of an unknown compression")
    if size > _LARGEST_RTF:
        raise LoadError("too large: its RTF unpacks to more than 20 MB")
    written = bytearray(_RTF_BEFORE)
    position = 16
    while position < len(data) and len(written) - len(_RTF_BEFORE) < size:
        flags = data[position]
        position += 1
        for bit in range(8):
            step = 2 if flags >> bit & 1 else 1
            unit = data[position : position + step]
            position += step
            if step == 1:
                written += unit
            elif not _repeat(written, unit):
                position = len(data)
                break
    return bytes(written[len(_RTF_BEFORE) :])


def _repeat(written: bytearray, unit: bytes) -> bool:
    """Repeat what was written within the last 4096 bytes; False at the mark of the end."""
    if len(unit) < 2:
        return False
    place, count = unit[0] << 4 | unit[1] >> 4, (unit[1] & 15) + 2
    back = (len(written) - place) % 4096
    if not 0 < back <= len(written):
        return False
    for _ in range(count):
        written.append(written[-back])
    return True


LOADER = Loader("msg", 3, frozenset({".msg"}), _MEDIA_TYPE, load, holds_files=True)
