"""The formats that can be read. A new one is a file beside this and its line in `LOADERS`."""

from pathlib import PurePosixPath

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.encoding import is_strict_text
from rag_assistant.ingest.loaders import (
    asciidoc,
    bibtex,
    calendar_file,
    code,
    doc,
    docx,
    email,
    emlx,
    epub,
    fb2,
    html,
    image,
    iwork,
    json_file,
    json_lines,
    latex,
    markdown,
    mbox,
    mhtml,
    msg,
    notebook,
    opendocument,
    org,
    pdf,
    pixi,
    ppt,
    pptx,
    python,
    restructured_text,
    ris,
    rtf,
    subtitles,
    table,
    text,
    vcard,
    xls,
    xlsx,
    xml_file,
)
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, ReadAs
from rag_assistant.ingest.parsing.markup.hidden_marks import resolved
from rag_assistant.ingest.parsing.tables.captions_above import with_captions_above
from rag_assistant.ingest.parsing.unread_formats import what_reads
from rag_assistant.ingest.walking.skips import ZIPPED_BOOK, is_package_index
from rag_assistant.values.documents import Document

LOADERS: tuple[Loader, ...] = (
    markdown.LOADER,
    image.LOADER,
    json_file.LOADER,
    json_lines.LOADER,
    notebook.LOADER,
    pixi.LOADER,
    subtitles.LOADER,
    table.LOADER,
    python.LOADER,
    code.LOADER,
    text.LOADER,
    html.LOADER,
    pdf.LOADER,
    email.LOADER,
    docx.LOADER,
    pptx.LOADER,
    xlsx.LOADER,
    opendocument.LOADER,
    epub.LOADER,
    rtf.LOADER,
    doc.LOADER,
    ppt.LOADER,
    xls.LOADER,
    msg.LOADER,
    mbox.LOADER,
    emlx.LOADER,
    mhtml.LOADER,
    xml_file.LOADER,
    fb2.LOADER,
    latex.LOADER,
    org.LOADER,
    asciidoc.LOADER,
    restructured_text.LOADER,
    vcard.LOADER,
    calendar_file.LOADER,
    bibtex.LOADER,
    ris.LOADER,
    iwork.LOADER,
)
"""In order: the first that knows a file's suffix reads it."""

_BY_SUFFIX = {suffix: loader for loader in reversed(LOADERS) for suffix in loader.suffixes}

# Formats that are written in plain characters, but not for people: as text they would be noise.
_NO_PROSE = frozenset(".ps .eps .svg .pem .key .crt .b64 .uu .map".split())


def loader_for(path: str, head: bytes) -> Loader | None:
    """Choose the loader of a file by its suffix; of an unknown one, plain text if it is text.

    `head` is the first bytes of the file (`encoding.HEAD` of them suffice) or all of them. None
    means that nothing here reads the file: `why_none` gives the words for the ledger.
    """
    suffix = _suffix(path)
    loader = _BY_SUFFIX.get(suffix)
    if loader and not head.startswith(loader.magic):
        loader = None
    if loader is None and suffix not in _NO_PROSE and is_strict_text(head):
        return text.LOADER
    return loader


def stamp(loader: Loader) -> str:
    """Name a loader with its version, for the ledger."""
    return f"{loader.name} {loader.version}"


def stamps_for(path: str) -> tuple[str, ...]:
    """Give the stamps that a ledger line of this path may bear if it was read by today's loaders.

    A file of unknown suffix was read as plain text or, with an empty stamp, by none; one that does
    not begin as its suffix says, as plain text or by none, with `stamp_of_skip`.
    """
    known = _BY_SUFFIX.get(_suffix(path))
    if known is None:
        return (stamp(text.LOADER), "")
    return (stamp(known), stamp(text.LOADER)) if known.magic else (stamp(known),)


def stamp_of_skip(path: str) -> str:
    """Give the stamp of a file that has no loader: which one of its suffix did not know it."""
    known = _BY_SUFFIX.get(_suffix(path))
    return stamp(known) if known else ""


def known_by_name(path: str) -> bool:
    """Say whether the name alone tells that a loader reads a file."""
    known = _BY_SUFFIX.get(_suffix(path))
    return known is not None and not known.magic


def reads_plainly(path: str) -> bool:
    """Say whether a file of this name is read by a plain loader (see `Loader`)."""
    known = _BY_SUFFIX.get(_suffix(path))
    return known is not None and known.plain


def holds_files(path: str) -> bool:
    """Say whether a file of this name may hold others, which its documents have attached."""
    known = _BY_SUFFIX.get(_suffix(path))
    return known is not None and known.holds_files


def why_none(path: str) -> str:
    """Say why a file has no loader, in words for the ledger."""
    suffix = _suffix(path)
    if not suffix:
        return "no suffix, and not plain text"
    what = what_reads(suffix)
    return f"no loader for {suffix} files" + (f" ({what})" if what else "")


def load(loader: Loader, source: LoadInput) -> list[Document]:
    """Read one file. Raises LoadError, and nothing else: a file must never stop a folder."""
    try:
        read = _documents(loader, source)
        documents = [with_captions_above(resolved(document)) for document in read]
    except LoadError:
        raise
    except RecursionError:
        raise LoadError("nested too deep", hint="Flatten it, or leave it out.") from None
    except MemoryError:
        raise LoadError("needs too much memory", hint="Split it into smaller files.") from None
    except Exception as error:
        said = " ".join(str(error).split())[:200]
        raise LoadError(
            f"the {loader.name} loader failed: {type(error).__name__}: {said}",
            hint="Please report this with the file, if you may share it.",
        ) from error
    if not any(document.text.strip() for document in documents):
        raise NothingToRead("no text in it")
    return documents


def _documents(loader: Loader, source: LoadInput) -> list[Document]:
    """Let a loader read a file, or the one that it hands it on to, and so on, each once."""
    asked: set[str] = set()
    while loader.name not in asked:
        try:
            return list(loader.load(source))
        except ReadAs as other:
            asked.add(loader.name)
            loader = _BY_SUFFIX[other.suffix]
    raise LoadError("neither of its suffix's format nor of another", hint="Check its suffix.")


def _suffix(path: str) -> str:
    pure = PurePosixPath(path.lower())
    if pure.name.endswith(ZIPPED_BOOK):
        return ZIPPED_BOOK
    return pure.parent.suffix if is_package_index(path) else pure.suffix
