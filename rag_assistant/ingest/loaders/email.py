"""E-mail (.eml, RFC 5322 and MIME): the header lines a person reads, then the message, then the
names of what is attached. Headers are decoded here and cut short, because the standard library's
newer policy needs gigabytes for a hostile one.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.attachments import attachment_line
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from email.message import Message

_LONGEST_HEADER = 4_000  # characters; longer ones are lists of recipients, or attacks
_DEEPEST = 100
_SHOWN = ("From", "To", "Cc", "Date", "Subject")
_HEADER_LINE = re.compile(rb"\A(?:From [^\n]*\n)?[!-9;-~]+[ \t]*:")
_BETWEEN_CODED = re.compile(r"(=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=)\s+(?==\?)")


def load(source: LoadInput) -> list[Document]:
    """Read a message and those within it; the title is its subject."""
    return [read(source.data)]


def read(data: bytes) -> Document:
    """Read the bytes of a message. Raises LoadError when they are none, or nested too deep."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not _HEADER_LINE.match(data[:_LONGEST_HEADER]):
        raise LoadError("not an e-mail: it does not begin with header lines")
    try:
        message = _parsed(data)
        blocks = list(_blocks(message))
    except RecursionError:
        raise LoadError("nested too deep: parts within parts") from None
    return Document(
        "\n\n".join(block for block in blocks if block.strip()),
        "message/rfc822",
        title=_header(message, "Subject"),
        metadata=_metadata(message),
    )


def _parsed(data: bytes) -> "Message":
    from email.parser import BytesParser  # noqa: PLC0415  14 ms, and most folders hold no mail
    from email.policy import compat32  # noqa: PLC0415

    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except (ValueError, LookupError):  # what a parameter of a header names is no encoding
        raise LoadError("its headers are damaged") from None


def _metadata(message: "Message") -> dict[str, str]:
    values = {
        "from": _header(message, "From"),
        "to": _header(message, "To"),
        "date": _date(_header(message, "Date")),
        "message_id": _header(message, "Message-ID"),
    }
    return {name: value for name, value in values.items() if value}


def _date(written: str) -> str:
    """Give the date in ISO 8601, or as it was written when it is no date."""
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  as above

    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return written


def _blocks(message: "Message") -> Iterator[str]:
    """Give the texts of a message in order: headers, body, and a line for each attachment."""
    attachments: list[str] = []
    waiting: list[tuple[Message, int]] = [(message, 0)]
    yield _header_lines(message)
    while waiting:
        part, depth = waiting.pop()
        if depth > _DEEPEST:
            raise LoadError("nested too deep: parts within parts")
        kind = part.get_content_type()
        # Of a part that has none this would decode the text, and fail for some names of encodings.
        inner = part.get_payload() if part.is_multipart() else None
        if isinstance(inner, list):
            parts = _messages(inner)
            if kind == "message/rfc822":
                yield "\n\n".join(_header_lines(attached) for attached in parts)
            if kind == "multipart/alternative":
                parts = _best_alternative(parts)
            waiting.extend((child, depth + 1) for child in reversed(parts))
        elif _is_attached(part):
            attachments.append(_attachment(part))
        else:
            yield _text(part)
    yield "\n".join(attachments)


def _messages(parts: "list[Message | str]") -> "list[Message]":
    return [part for part in parts if not isinstance(part, str)]


def _best_alternative(parts: "list[Message]") -> "list[Message]":
    """Choose plain text that is not blank, else the last, richest form (RFC 2046, 5.1.4)."""
    for part in parts:
        if part.get_content_type() == "text/plain" and _text(part).strip():
            return [part]
    return parts[-1:]


def _is_attached(part: "Message") -> bool:
    shown = part.get_content_type() in {"text/plain", "text/html"}
    return not shown or part.get_content_disposition() == "attachment"


def _text(part: "Message") -> str:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or not data.strip():
        return ""
    charset = _charset(part)
    try:
        if part.get_content_type() == "text/html":
            return html.read(data, charset).text
        return decode(data, charset).text.strip("\n")
    except LoadError as error:
        return f"[A part of this message cannot be read: {error.message}]"


def _charset(part: "Message") -> str:
    try:
        return part.get_content_charset() or ""
    except (LookupError, ValueError, TypeError):  # RFC 2231 parameters gone wrong
        return ""


def _attachment(part: "Message") -> str:
    try:
        name = _decoded(part.get_filename() or "")
    except (LookupError, ValueError, TypeError):
        name = ""
    data = part.get_payload(decode=True)
    size = len(data) if isinstance(data, bytes) else 0
    return attachment_line(name, part.get_content_type(), size)


def _header_lines(message: "Message") -> str:
    values = ((name, _header(message, name)) for name in _SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in values if value)


def _header(message: "Message", name: str) -> str:
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return _decoded(str(value))
    return ""


def _decoded(value: str) -> str:
    """Decode a header's coded words (RFC 2047) and its bytes that should not be there."""
    from email.errors import MessageError  # noqa: PLC0415  as above
    from email.header import decode_header  # noqa: PLC0415

    data = value[:_LONGEST_HEADER].encode("utf-8", "surrogateescape")
    value = " ".join(_text_of(data, "").split())
    try:
        pieces = decode_header(_BETWEEN_CODED.sub(r"\1", value))
    except (MessageError, ValueError):  # broken base64
        return value
    return " ".join("".join(_piece(*piece) for piece in pieces).split())


def _piece(piece: bytes | str, charset: str | None) -> str:
    if isinstance(piece, str):
        return piece
    # The standard library gives what stands between coded words in this encoding.
    return _text_of(piece, charset) if charset else piece.decode("raw-unicode-escape", "replace")


def _text_of(data: bytes, charset: str) -> str:
    try:
        return decode(data, charset).text
    except LoadError:
        return data.decode("latin-1")


LOADER = Loader("e-mail", 1, frozenset({".eml"}), "message/rfc822", load)
