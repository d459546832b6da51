"""E-mail (.eml, RFC 5322 and MIME): the header lines a person reads, then the message, then the
names of what is attached.
"""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.attachments import attachment_line
from rag_assistant.ingest.parsing.mime import (
    begins_with_headers,
    charset_of,
    decoded_words,
    header,
    parsed,
    sent_at,
)
from rag_assistant.values.documents import Document

if TYPE_CHECKING:
    from email.message import Message

_DEEPEST = 100
_SHOWN = ("From", "To", "Cc", "Date", "Subject")


def load(source: LoadInput) -> list[Document]:
    """Read a message and those within it; the title is its subject."""
    return [read(source.data)]


def read(data: bytes) -> Document:
    """Read the bytes of a message. Raises LoadError when they are none, or nested too deep."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not begins_with_headers(data):
        raise LoadError("not an e-mail: it does not begin with header lines")
    try:
        message = parsed(data)
        blocks = list(_blocks(message))
    except RecursionError:
        raise LoadError("nested too deep: parts within parts") from None
    return Document(
        "\n\n".join(block for block in blocks if block.strip()),
        "message/rfc822",
        title=header(message, "Subject"),
        metadata=_metadata(message),
    )


def _metadata(message: "Message") -> dict[str, str]:
    values = {
        "from": header(message, "From"),
        "to": header(message, "To"),
        "date": sent_at(header(message, "Date")),
        "message_id": header(message, "Message-ID"),
    }
    return {name: value for name, value in values.items() if value}


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
    charset = charset_of(part)
    try:
        if part.get_content_type() == "text/html":
            return html.read(data, charset).text
        return decode(data, charset).text.strip("\n")
    except LoadError as error:
        return f"[A part of this message cannot be read: {error.message}]"


def _attachment(part: "Message") -> str:
    try:
        name = decoded_words(part.get_filename() or "")
    except (LookupError, ValueError, TypeError):
        name = ""
    data = part.get_payload(decode=True)
    size = len(data) if isinstance(data, bytes) else 0
    return attachment_line(name, part.get_content_type(), size)


def _header_lines(message: "Message") -> str:
    values = ((name, header(message, name)) for name in _SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in values if value)


LOADER = Loader("e-mail", 1, frozenset({".eml"}), "message/rfc822", load)
