"""What a file is that bears a suffix of Office before 2007 and is of another format."""

import re

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import HEAD, looks_binary
from rag_assistant.ingest.parsing.office.ole import MAGIC, OleFile

_NEW_SUFFIXES = {b"word/": ".docx", b"xl/": ".xlsx", b"ppt/": ".pptx", b"content.xml": ".odt"}
_BEGINNINGS = {MAGIC: ".doc", b"{\\rtf": ".rtf", b"%PDF-": ".pdf"}
# How programs begin a web page that is saved as a mail.
_BEGINNINGS |= {b"MIME-Version:": ".eml", b"From: <Saved by": ".eml"}
_OLD_SUFFIXES = {"WordDocument": ".doc", "PowerPoint Document": ".ppt", "Workbook": ".xls"}
_OLD_SUFFIXES |= {"Book": ".xls", "__properties_version1.0": ".msg"}
_MARKUP = re.compile(rb"(?i)\s*<(?:!doctype|html|head|body|table|meta|\?xml|div|p\b|!--)")
_OFFICE_XML = re.compile(rb"urn:schemas-microsoft-com:office:spreadsheet|/office/word/2003/wordml")


def suffix_by_stream(ole: OleFile, suffix: str) -> str:
    """Give the suffix that a container under another one is meant for, by the streams it has.

    Raises LoadError when it has none that is known.
    """
    for stream, meant in _OLD_SUFFIXES.items():
        if meant != suffix and stream in ole:
            return meant
    raise LoadError(f"not a {suffix} file: it holds no such document", hint="Check its suffix.")


def suffix_by_content(data: bytes, suffix: str) -> str:
    """Give the suffix of what is not of its own's form: Office, RTF, PDF, a web page, mail or text.

    Raises LoadError when it is none of them.
    """
    head = data[:HEAD].removeprefix(b"\xef\xbb\xbf").lstrip()
    if data.startswith(b"PK\x03\x04"):
        for mark, meant in _NEW_SUFFIXES.items():
            if mark in data:
                return meant
    for mark, meant in _BEGINNINGS.items():
        if head.startswith(mark):
            return meant
    if _OFFICE_XML.search(head):
        return ".xml"
    utf_16 = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    if _MARKUP.match(head.replace(b"\0", b"") if utf_16 else head):
        return ".html"
    if data and (utf_16 or not looks_binary(data)):
        return ".txt"
    raise LoadError(f"not a {suffix} file, nor text", hint="Check its suffix.")
