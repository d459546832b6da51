"""Files of other formats under the suffixes of Office before 2007, read as what they are."""

import re
from typing import TYPE_CHECKING

from rag_assistant.documents import Document
from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import HEAD, looks_binary
from rag_assistant.ingest.parsing.ole import MAGIC, OleFile

if TYPE_CHECKING:
    from rag_assistant.ingest.loaders.protocol import LoadInput

_NEW_SUFFIXES = {b"word/": ".docx", b"xl/": ".xlsx", b"ppt/": ".pptx", b"content.xml": ".odt"}
_BEGINNINGS = {MAGIC: ".doc", b"{\\rtf": ".rtf", b"%PDF-": ".pdf"}
# How programs begin a web page that is saved as a mail.
_BEGINNINGS |= {b"MIME-Version:": ".eml", b"From: <Saved by": ".eml"}
_OLD_SUFFIXES = {"WordDocument": ".doc", "PowerPoint Document": ".ppt", "Workbook": ".xls"}
_OLD_SUFFIXES |= {"Book": ".xls", "__properties_version1.0": ".msg"}
_MARKUP = re.compile(rb"(?i)\s*<(?:!doctype|html|head|body|table|meta|\?xml|div|p\b|!--)")
_OFFICE_XML = re.compile(rb"urn:schemas-microsoft-com:office:spreadsheet|/office/word/2003/wordml")


def by_stream(ole: OleFile, source: "LoadInput", suffix: str) -> list[Document]:
    """Read a container whose suffix lies by the streams that it has."""
    for stream, meant in _OLD_SUFFIXES.items():
        if meant != suffix and stream in ole:
            return _read_as(meant, source)
    raise LoadError(f"not a {suffix} file: it holds no such document", hint="Check its suffix.")


def by_content(source: "LoadInput", suffix: str) -> list[Document]:
    """Read a file that is not of its suffix's form: Office, RTF, PDF, a web page, mail or text.

    Raises LoadError when it is none of them.
    """
    data = source.data
    head = data[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith(b"PK\x03\x04"):
        for mark, meant in _NEW_SUFFIXES.items():
            if mark in data:
                return _read_as(meant, source)
    for mark, meant in _BEGINNINGS.items():
        if head.startswith(mark):
            return _read_as(meant, source)
    if _OFFICE_XML.search(head):
        raise LoadError("XML of Office 2003", hint="Save it in a newer format.")
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if _MARKUP.match(head.replace(b"\0", b"") if utf_16 else head):
        return _read_as(".html", source)
    if data and (utf_16 or not looks_binary(data)):
        return _read_as(".txt", source)
    raise LoadError(f"not a {suffix} file, nor text", hint="Check its suffix.")


def _read_as(suffix: str, source: "LoadInput") -> list[Document]:
    from rag_assistant.ingest import loaders  # noqa: PLC0415  which import this module

    loader = loaders.loader_for(f"file{suffix}", b"")
    if loader is None:
        raise LoadError(f"it is a {suffix} file under another suffix", hint=f"Rename it {suffix}.")
    return list(loader.load(source))
