"""Archives of mail (.mbox, RFC 4155): a document for each message, known by its Message-ID and read
as a single mail is. A line "From ..." within a body begins no message.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import email
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.room import Room, span, with_left_out
from rag_assistant.values.documents import Document

_LONGEST_KEY = 200
# A separator is the first line or follows a blank one, and header lines follow it.
_SEPARATOR = re.compile(
    rb"(?:\A|(?<=\n\n)|(?<=\n\r\n))From (?P<rest>[^\r\n]{0,1000})\r?\n"
    rb"(?=[!-9;-~]{1,100}[ \t]*:|>From |\r?\n)"
)
_DATED = re.compile(rb"\d\d?:\d\d(?::\d\d)?\b.{0,30}\b(?:19|20)\d\d\b|\b(?:19|20)\d\d\b.*:\d\d")
_QUOTED = re.compile(rb"^>(>*From )", re.MULTILINE)


def load(source: LoadInput) -> list[Document]:
    """Read the messages one by one. One that cannot be read says so in its text.

    Raises LoadError for what is no archive.
    """
    data = source.data.removeprefix(b"\xef\xbb\xbf").lstrip(b"\r\n")
    if not data.startswith(b"From "):
        raise LoadError('not a mail archive: it does not begin with a line "From ..."')
    keys, threads = Counter[str](), _Threads()
    documents: list[Document] = []
    room = Room(source.most)
    messages = enumerate(_messages(data), 1)
    for number, message in messages:
        document = _read(message)
        if not room.takes(len(document.text)):
            last = number + sum(1 for _ in messages)
            documents[-1] = with_left_out(documents[-1], span("message", number, last))
            break
        key = document.metadata.get("message_id", "")[:_LONGEST_KEY] or str(number)
        keys[key] += 1
        if keys[key] > 1:  # the same message, in the archive again
            key = f"{key} ({keys[key]})"
        metadata = {**document.metadata, "message": str(number)} | threads.of(document.metadata)
        documents.append(replace(document, key=key, metadata=metadata))
    return documents


class _Threads:
    """The threads of the messages so far: an answer may name only the one before it."""

    def __init__(self) -> None:
        self._of: dict[str, str] = {}

    def of(self, metadata: Mapping[str, str]) -> dict[str, str]:
        """Give the thread of a message, as the first of the thread is known."""
        thread = metadata.get("thread", "")
        thread = self._of.get(metadata.get("in_reply_to", ""), self._of.get(thread, thread))
        self._of[metadata.get("message_id", "")] = thread
        return {"thread": thread} if thread else {}


def _messages(data: bytes) -> Iterator[bytes]:
    """Cut an archive at its separators.

    Those of a few programs have no date; then the first has none, and none is asked for.
    """
    start = 0
    dated = bool(_DATED.search(data[: data.find(b"\n") % 1000]))
    for found in _SEPARATOR.finditer(data, 1):
        if dated and not _DATED.search(found["rest"]):
            continue
        yield data[start : found.start()]
        start = found.start()
    yield data[start:]


def _read(message: bytes) -> Document:
    # The separator has the form of no header, and archives quote the lines that look like it.
    _, _, rest = message.partition(b"\n")
    rest = _QUOTED.sub(rb"\1", rest).rstrip(b"\r\n")
    if rest.startswith((b"\n", b"\r\n")):
        rest = b"MIME-Version: 1.0\n" + rest  # it has no headers, and a mail must
    try:
        return email.read(rest)
    except LoadError as error:
        return Document(f"[This message cannot be read: {error.message}]", "message/rfc822")


LOADER = Loader("mbox", 4, frozenset({".mbox"}), "message/rfc822", load, holds_files=True)
