"""Mails as Apple Mail keeps them (.emlx): a line with the number of bytes of the message, the
message, and a property list of its flags, which is left out.
"""

import re

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import email
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.values.documents import Document

_COUNT = re.compile(rb"\s{0,20}(\d{1,12})[ \t]*\r?\n")
_FLAGS = b"<?xml version="


def load(source: LoadInput) -> list[Document]:
    """Read the message. Raises LoadError for what is none.

    Where the count cannot be true, the message ends where the flags begin.
    """
    data = source.data.removeprefix(b"\xef\xbb\xbf")
    count = _COUNT.match(data)
    if count is None:
        raise LoadError("not a mail of Apple Mail: its first line is no number of bytes")
    end = count.end() + int(count[1])
    if not data[end : end + 100].lstrip().startswith(_FLAGS):
        flags = data.rfind(_FLAGS, count.end())
        end = len(data) if flags < 0 else flags
    return [email.read(data[count.end() : end])]


LOADER = Loader("emlx", 3, frozenset({".emlx"}), "message/rfc822", load, holds_files=True)
