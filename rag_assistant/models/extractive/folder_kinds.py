"""Kinds of documents as people name them, and the filter that tells each by its file."""

import re
from dataclasses import dataclass, replace

DOCUMENTS = "documents"

_TYPES = {
    r"pdf (?:files?|documents?)|pdfs?": ("pdf", "PDF files"),
    r"e-?mail messages?|e-?mails?|mails": ("email", "e-mails"),
    r"word (?:files?|documents?)": ("word", "Word documents"),
    r"spreadsheets?|excel (?:files?|sheets?)": ("spreadsheet", "spreadsheets"),
    r"presentations?|slide decks?|powerpoint files?": ("presentation", "presentations"),
    r"web pages?|html (?:files?|pages?)": ("html", "web pages"),
    r"text files?": ("text", "text files"),
    r"markdown (?:files?|documents?)": ("markdown", "Markdown files"),
    r"image files?|images?|photos?": ("image", "images"),
}
"""By the words for it: the value of `type:`, and what the answer calls it."""

_SUFFIXES = "csv json xml docx xlsx pptx odt rtf txt md epub eml ics html tex".split()

_NAMES = {
    r"minutes": ("minutes", "minutes"),
    r"letters?": ("letter", "letters"),
    r"reports?": ("report", "reports"),
    r"invoices?": ("invoice", "invoices"),
    r"contracts?": ("contract", "contracts"),
    r"notices?": ("notice", "notices"),
    r"agendas?": ("agenda", "agendas"),
    r"receipts?": ("receipt", "receipts"),
    r"quotations?": ("quotation", "quotations"),
    r"proposals?": ("proposal", "proposals"),
    r"manuals?": ("manual", "manuals"),
    r"guides?": ("guide", "guides"),
    r"budgets?": ("budget", "budgets"),
    r"newsletters?": ("newsletter", "newsletters"),
    r"transcripts?": ("transcript", "transcripts"),
    r"certificates?": ("certificate", "certificates"),
    r"bulletins?": ("bulletin", "bulletins"),
    r"policy|policies": ("polic", "policies"),
    r"notes": ("notes", "notes"),
}
"""Kinds that only the names of files and folders tell: what those hold, and the plural."""

_LOOSE = {"pages": "page", "papers": "paper", "texts": "text", "articles": "article"}
"""What people call any documents where none is named so."""

_ANY = r"documents?|files?|docs"


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """A kind: what the answer calls it, and the filter; "" for documents of any kind.

    One that has a `name` is told by paths alone, so that a folder may have none. Where it is
    `loose`, people mean any document by the word then.
    """

    called: str
    filter: str = ""
    name: str = ""
    loose: bool = False


_ALL = "|".join([*_TYPES, rf"(?:{'|'.join(_SUFFIXES)}) files?", _ANY, *_NAMES, *_LOOSE])
KIND = rf"(?:(?:sets?|copies) of )?(?P<kind>{_ALL})(?![\w'’-])"
"""A pattern of them all; "minutes" too, which may be of time."""


def kind_of(words: str) -> DocumentKind:
    """Give the kind that words matched by `KIND` name."""
    lower = " ".join(words.lower().split())
    if re.fullmatch(_ANY, lower):
        return DocumentKind(DOCUMENTS)
    if lower in _LOOSE:
        return DocumentKind(lower, name=_LOOSE[lower], loose=True)
    for pattern, (value, called) in _TYPES.items():
        if re.fullmatch(pattern, lower):
            return DocumentKind(called, f"type:{value}")
    for pattern, (part, called) in _NAMES.items():
        if re.fullmatch(pattern, lower):
            return DocumentKind(called, name=part)
    suffix = lower.split()[0]
    return DocumentKind(f"{suffix.upper()} files", f"type:{suffix}")


def in_folders(kind: DocumentKind) -> DocumentKind:
    """Give a kind as the documents of the folders that are called so."""
    return replace(kind, filter=f"path:{kind.called}/")


def in_paths(kind: DocumentKind) -> DocumentKind:
    """Give a kind as the documents whose path has its name; a mail about them is none."""
    return replace(kind, filter=f"path:{kind.name} -type:email")
