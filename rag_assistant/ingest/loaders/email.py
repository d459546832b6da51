"""E-mail (.eml, RFC 5322 and MIME): the header lines a person reads, then the message, then the
names of what is attached. What it quotes of the mail that it answers is under the line that says
so, and what is attached goes with it as files. Tables of its page are tables.
"""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import html
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.attachments import SIGNATURES, attachment_line
from rag_assistant.ingest.parsing.mail_tables import may_show_more, shows_more
from rag_assistant.ingest.parsing.mime import (
    begins_with_headers,
    charset_of,
    decoded_words,
    header,
    parsed,
    sent_at,
)
from rag_assistant.text.quoting import quotes_in
from rag_assistant.values.documents import AttachedFile, Document, Heading
from rag_assistant.values.tables import DocumentTable

if TYPE_CHECKING:
    from email.message import Message

_DEEPEST = 100
_LONGEST_TITLE = 200
_ID = re.compile(r"<[^<>\s]{1,250}>")
_SHOWN = ("From", "To", "Cc", "Date", "Subject")


class _Block(NamedTuple):
    """A part of a message's text, with the tables in it."""

    text: str
    tables: tuple[DocumentTable, ...] = ()


def load(source: LoadInput) -> list[Document]:
    """Read a message and those within it; the title is its subject."""
    return [read(source.data)]


def read(data: bytes) -> Document:
    """Read the bytes of a message. Raises LoadError when they are none, or nested too deep."""
    data = data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not begins_with_headers(data):
        raise LoadError("not an e-mail: it does not begin with header lines")
    attached: list[AttachedFile] = []
    try:
        message = parsed(data)
        header_lines, *parts = _blocks(message, attached)
    except RecursionError:
        raise LoadError("nested too deep: parts within parts") from None
    text, tables = _joined([header_lines, *parts])
    return Document(
        text,
        "message/rfc822",
        title=header(message, "Subject"),
        headings=tuple(
            Heading(quote.start, 1, quote.title[:_LONGEST_TITLE], quote.end)
            for quote in quotes_in(text, len(header_lines.text))
        ),
        metadata=_metadata(message),
        attached=tuple(attached),
        tables=tables,
    )


def _joined(blocks: list[_Block]) -> tuple[str, tuple[DocumentTable, ...]]:
    """Put blocks together, a blank line between, with the tables where they then stand."""
    texts: list[str] = []
    tables: list[DocumentTable] = []
    start = 0
    for block in blocks:
        if block.text.strip():
            tables.extend(table.moved(start) for table in block.tables)
            texts.append(block.text)
            start += len(block.text) + 2
    return "\n\n".join(texts), tuple(tables)


def _metadata(message: "Message") -> dict[str, str]:
    own, before = header(message, "Message-ID"), header(message, "In-Reply-To")
    answered = _ID.findall(before)
    thread = [*_ID.findall(header(message, "References")), *answered, own]
    values = {
        "from": header(message, "From"),
        "to": header(message, "To"),
        "date": sent_at(header(message, "Date")),
        "message_id": own,
        "in_reply_to": answered[0] if answered else "",
        "thread": thread[0],
    }
    return {name: value for name, value in values.items() if value}


def _blocks(message: "Message", attached: list[AttachedFile]) -> Iterator[_Block]:
    """Give the blocks of a message in order: headers, body, and a line for each attachment.

    The attachments that may be read are added to `attached`.
    """
    lines: list[str] = []
    waiting: list[tuple[Message, int]] = [(message, 0)]
    yield _Block(_header_lines(message))
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
                yield _Block("\n\n".join(_header_lines(forwarded) for forwarded in parts))
            if kind == "multipart/alternative":
                parts = _best_alternative(parts)
            waiting.extend((child, depth + 1) for child in reversed(parts))
        elif _is_attached(part):
            lines.append(_attachment(part, attached))
        else:
            yield _block(part)
    yield _Block("\n".join(lines))


def _messages(parts: "list[Message | str]") -> "list[Message]":
    return [part for part in parts if not isinstance(part, str)]


def _best_alternative(parts: "list[Message]") -> "list[Message]":
    """Choose plain text that is not blank, else the last, richest form (RFC 2046, 5.1.4).

    The page goes before a plain text that says the same without its tables.
    """
    for part in parts:
        if part.get_content_type() == "text/plain" and (plain := _block(part).text).strip():
            pages = (one for one in parts[-1].walk() if one.get_content_type() == "text/html")
            page = next(pages, None)
            return [page if page is not None and _shows_more(page, plain) else part]
    return parts[-1:]


def _shows_more(part: "Message", plain: str) -> bool:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or not may_show_more(data, plain):
        return False
    page = _block(part)
    return shows_more(page.text, page.tables, plain)


def _is_attached(part: "Message") -> bool:
    shown = part.get_content_type() in {"text/plain", "text/html"}
    return not shown or part.get_content_disposition() == "attachment"


def _block(part: "Message") -> _Block:
    data = part.get_payload(decode=True)
    if not isinstance(data, bytes) or not data.strip():
        return _Block("")
    charset = charset_of(part)
    try:
        if part.get_content_type() == "text/html":
            page = html.read(data, charset)
            return _Block(page.text, page.tables)
        return _Block(decode(data, charset).text.strip("\n"))
    except LoadError as error:
        return _Block(f"[A part of this message cannot be read: {error.message}]")


def _attachment(part: "Message", attached: list[AttachedFile]) -> str:
    """Give the line that names an attachment, and add it to those to be read, if it may be."""
    from mimetypes import guess_extension  # noqa: PLC0415  as few folders hold mail

    try:
        name = decoded_words(part.get_filename() or "")
    except (LookupError, ValueError, TypeError):
        name = ""
    data = part.get_payload(decode=True)
    kind, content = part.get_content_type(), data if isinstance(data, bytes) else b""
    named = name or f"unnamed{guess_extension(kind) or ''}"
    if content and kind not in SIGNATURES and not _is_drawn(part):
        attached.append(AttachedFile(named, content))
    return attachment_line(name, kind, len(content))


def _is_drawn(part: "Message") -> bool:
    """Say whether a part is a picture within the text, such as the logo below a name."""
    shown = part.get_content_disposition() != "attachment" or bool(part.get("Content-ID"))
    return part.get_content_maintype() == "image" and shown


def _header_lines(message: "Message") -> str:
    values = ((name, header(message, name)) for name in _SHOWN)
    return "\n".join(f"{name}: {value}" for name, value in values if value)


LOADER = Loader("e-mail", 3, frozenset({".eml"}), "message/rfc822", load, holds_files=True)
