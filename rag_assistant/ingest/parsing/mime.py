"""The headers of MIME messages (RFC 5322, 2045 and 2047), of mail and of saved web pages. They are
decoded here and cut short, because the standard library's newer policy needs gigabytes for a
hostile one.
"""

import re
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode

if TYPE_CHECKING:
    from email.message import Message

_LONGEST_HEADER = 4_000  # characters; longer ones are lists of recipients, or attacks
_HEADER_LINE = re.compile(rb"\A(?:From [^\n]*\n)?[!-9;-~]+[ \t]*:")
_BETWEEN_CODED = re.compile(r"(=\?[^?\s]+\?[bBqQ]\?[^?\s]*\?=)\s+(?==\?)")


def begins_with_headers(data: bytes) -> bool:
    """Say whether bytes begin with the line of a header, as every message does."""
    return _HEADER_LINE.match(data[:_LONGEST_HEADER]) is not None


def parsed(data: bytes) -> "Message":
    """Parse a message with its parts. Raises LoadError when its headers are damaged."""
    from email.parser import BytesParser  # noqa: PLC0415  14 ms, and most folders hold no mail
    from email.policy import compat32  # noqa: PLC0415

    try:
        return BytesParser(policy=compat32).parsebytes(data)
    except (ValueError, LookupError):  # what a parameter of a header names is no encoding
        raise LoadError("its headers are damaged") from None


def sent_at(written: str) -> str:
    """Give the date in ISO 8601, or as it was written when it is no date."""
    from email.utils import parsedate_to_datetime  # noqa: PLC0415  as above

    try:
        return parsedate_to_datetime(written).isoformat()
    except (ValueError, TypeError, IndexError, OverflowError):
        return written


def charset_of(part: "Message") -> str:
    """Give the encoding that a part names; "" where it names none."""
    try:
        return part.get_content_charset() or ""
    except (LookupError, ValueError, TypeError):  # RFC 2231 parameters gone wrong
        return ""


def header(message: "Message", name: str) -> str:
    """Give the first header of a name, decoded; "" where there is none."""
    for key, value in message.raw_items():
        if key.lower() == name.lower():
            return decoded_words(str(value))
    return ""


def decoded_words(value: str) -> str:
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
