"""Documents of Pages, Numbers and Keynote: their texts, tables, slides and notes where the archives
of 2013 and later are in them, else the preview as PDF that older ones hold.
"""

from collections.abc import Iterator
from pathlib import PurePosixPath

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import pdf
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.office.iwork_archive import IworkObject, objects_of
from rag_assistant.ingest.parsing.office.iwork_text import (
    STORAGES,
    TABLE,
    TABLE_FRAME,
    Objects,
    reference,
    storage_blocks,
    table_blocks,
)
from rag_assistant.ingest.parsing.text_builder import TextBlock, TextBuilder
from rag_assistant.ingest.parsing.zip_container import ZipContainer
from rag_assistant.values.documents import Document

_MEDIA_TYPES = {
    ".pages": "application/vnd.apple.pages",
    ".numbers": "application/vnd.apple.numbers",
    ".key": "application/vnd.apple.keynote",
}
INDEX = "index.zip"
"""The archives of a document that is a folder, or of one that was zipped as such."""

_PREVIEWS = ("QuickLook/Preview.pdf", "preview.pdf")
_HINT = "Open it in its program and export it as PDF, or in the format of Office."
_ROOT = 1
_SHOW, _SLIDE_NODE, _SLIDES = 2, 4, frozenset({5, 6})
_DEEPEST = 50


def load(source: LoadInput) -> list[Document]:
    """Read a document. Raises LoadError with what would help where neither text nor preview is."""
    path = PurePosixPath(source.path)
    in_folder = path.name.lower() == INDEX
    suffix = (path.parent if in_folder else path).suffix.lower()
    container = ZipContainer(source.data)
    names = {name.rsplit("/", 1)[-1].lower() for name in container.names()}
    if names & {".iwpv2", ".iwph"}:
        raise LoadError("password-protected", hint="Save a copy without a password.")
    objects = objects_of(ZipContainer(container.read(INDEX)) if INDEX in container else container)
    builder = TextBuilder(source.most)
    if suffix == ".key":
        _write_slides(objects, builder)
    else:
        _write_document(objects, builder)
    if builder.empty:  # what leads to the texts is not as it is known
        builder.write(_under(objects, list(objects), set()))
    if builder.empty:
        return _preview(container, source)
    metadata = {"title": path.parent.stem} if in_folder else {}
    by_heading = suffix != ".numbers"  # there it is the name of a sheet
    return [builder.document(_MEDIA_TYPES[suffix], metadata, titled_by_heading=by_heading)]


def _preview(container: ZipContainer, source: LoadInput) -> list[Document]:
    for name in _PREVIEWS:
        if name in container:
            return list(pdf.load(LoadInput(source.path, container.read(name), most=source.most)))
    raise LoadError("no text that can be read in it", hint=_HINT)


def _write_document(objects: Objects, builder: TextBuilder) -> None:
    """Write sheets under their names, or the one text with what hangs on it."""
    root = objects.get(_ROOT)
    sheets = [sheet.number(1) for sheet in root.read().inner(1)] if root else []
    seen: set[int] = set()
    for number, id_ in enumerate(sheets, 1):
        sheet = objects.get(id_)
        if sheet is None or sheet.kind != _SHOW:  # a sheet of Numbers is of the same number
            continue
        builder.page(number)
        builder.write([TextBlock(sheet.read().text(1), "heading", 1)])
        builder.write(_under(objects, [one.number(1) for one in sheet.read().inner(2)], seen))
    if root and not seen:
        builder.write(_under(objects, [_ROOT], seen))


def _write_slides(objects: Objects, builder: TextBuilder) -> None:
    """Write the slides in the order of the show, each with its notes."""
    seen: set[int] = set()
    for number, slide in enumerate(_slides(objects), 1):
        found = slide.read()
        builder.page(number)
        title = list(_under(objects, [reference(found, 5)], seen, slide.file))
        words = " ".join(block.text for block in title)
        builder.write([TextBlock(words, "heading", 1)])
        note = reference(found, 27)
        rest = [reference(found, 6), *(id_ for id_ in slide.refers_to if id_ != note)]
        builder.write(_plain(_under(objects, rest, seen, slide.file)))
        builder.write(_plain(_under(objects, [note], seen, slide.file)))


def _plain(blocks: Iterator[TextBlock]) -> Iterator[TextBlock]:
    """Take the headings out: the styles of a slide are its looks, not its outline."""
    for block in blocks:
        yield TextBlock(block.text) if block.kind == "heading" else block


def _slides(objects: Objects) -> Iterator[IworkObject]:
    root = objects.get(_ROOT)
    show = objects.get(reference(root.read(), 2)) if root else None
    nodes = [
        one.number(1) for tree in (show.read().inner(3) if show else ()) for one in tree.inner(2)
    ]
    for id_ in nodes:
        node = objects.get(id_)
        slide = objects.get(reference(node.read(), 2)) if node else None
        if slide and slide.kind in _SLIDES:
            yield slide


def _under(objects: Objects, ids: list[int], seen: set[int], file: str = "") -> Iterator[TextBlock]:
    """Give the texts and tables that objects refer to, each once; within a file if one is named."""
    waiting = [(id_, 0) for id_ in reversed(ids)]
    while waiting:
        id_, depth = waiting.pop()
        found = objects.get(id_)
        if found is None or id_ in seen or depth > _DEEPEST or (file and found.file != file):
            continue
        seen.add(id_)
        if found.kind in STORAGES:
            yield from storage_blocks(objects, found)
        elif found.kind == TABLE:
            yield from table_blocks(objects, found)
            continue  # its cells have been read
        elif found.kind == TABLE_FRAME:
            waiting.append((reference(found.read(), 2), depth + 1))
        waiting.extend((inner, depth + 1) for inner in reversed(found.refers_to))


LOADER = Loader("iwork", 1, frozenset(_MEDIA_TYPES), "application/vnd.apple", load, magic=b"PK")
