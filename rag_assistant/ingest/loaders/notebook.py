"""Jupyter notebooks (nbformat 3 and 4, https://nbformat.readthedocs.io): the cells in order, code
with the text it printed, and the headings of the Markdown between. A page is a cell, by its number;
functions and classes of Python cells stand under the heading before them.
"""

import re
from collections.abc import Iterator
from dataclasses import replace

from rag_assistant.errors import LoadError
from rag_assistant.ingest.encoding import decode
from rag_assistant.ingest.loaders import markdown
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.code.python import python_definitions
from rag_assistant.ingest.parsing.records.json_values import (
    Json,
    NotJson,
    Object,
    parse,
    scalar,
    storable,
)
from rag_assistant.ingest.room import span
from rag_assistant.values.documents import Document, Heading, PageStart

_MEDIA_TYPE = "application/x-ipynb+json"
_LONGEST_OUTPUT = 5_000  # characters; more is data or a log of training
_OF_CODE = 7  # Markdown has six levels of headings
_DEFINES = re.compile(r"^[ \t]*(?:def|class|async)\b", re.MULTILINE)
_COMMAND = re.compile(r"^([ \t]*)([%!?].*)", re.MULTILINE)
_AROUND_PYTHON = ("%%time", "%%capture", "%%prun")  # and %%timeit
_ANSI = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|[@-Z\\-_])")
_UTF8_MARK = b"\xef\xbb\xbf"


def load(source: LoadInput) -> list[Document]:
    """Read a notebook; the title is its first heading. Raises LoadError for other JSON."""
    try:
        notebook = parse(decode(source.data).text)
    except NotJson as error:
        raise LoadError(
            f"not a notebook: it is not JSON ({error})", hint="Open it in Jupyter and save it anew."
        ) from None
    cells = _cells(notebook)
    if not isinstance(notebook, Object) or cells is None:
        raise LoadError("not a notebook: it has no cells")
    texts: list[str] = []
    headings: list[Heading] = []
    pages: list[PageStart] = []
    metadata = _metadata(notebook)
    is_python = metadata.get("programming_language", "python").lower().startswith("python")
    length, left_out = 0, ""
    for number, cell in enumerate(cells, 1):
        text, found = _read(cell, is_python)
        if not text:
            continue
        if texts and length + len(text) > source.most:
            left_out = span("cell", number, len(cells))
            break
        pages.append(PageStart(length, number))
        headings += [_moved(heading, length) for heading in found]
        texts.append(text)
        length += len(text) + 2
    return [
        Document(
            "\n\n".join(texts),
            _MEDIA_TYPE,
            title=next((one.title for one in headings if one.level < _OF_CODE), ""),
            headings=tuple(headings),
            pages=tuple(pages),
            metadata=metadata,
            left_out=left_out,
        )
    ]


def _cells(notebook: Json) -> list[Object] | None:
    """Give the cells: of the notebook, or before nbformat 4 of its worksheets."""
    if not isinstance(notebook, Object):
        return None
    lists = [notebook.get("cells")]
    sheets = notebook.get("worksheets")
    if isinstance(sheets, list):
        lists += [sheet.get("cells") for sheet in sheets if isinstance(sheet, Object)]
    lists = [cells for cells in lists if isinstance(cells, list)]
    if not lists:
        return None
    return [cell for cells in lists for cell in _objects(cells)]


def _objects(value: Json) -> list[Object]:
    elements = value if isinstance(value, list) else []
    return [element for element in elements if isinstance(element, Object)]


def _moved(heading: Heading, by: int) -> Heading:
    end = None if heading.end is None else heading.end + by
    return replace(heading, start=heading.start + by, end=end)


def _read(cell: Object, is_python: bool) -> tuple[str, tuple[Heading, ...]]:
    """Give the text of a cell and the headings in it, with their offsets there."""
    kind = scalar(cell.get("cell_type"))
    source = _joined(cell.get("source") if cell.get("source") is not None else cell.get("input"))
    if kind == "heading":  # a kind of its own before nbformat 4
        level = scalar(cell.get("level"))
        source = f"{'#' * (int(level) if level in set('123456') else 1)} {source}"
    if kind in {"markdown", "heading"}:
        # Through its loader, for the headings; the mark keeps its guess of encodings out of it.
        (document,) = markdown.load(LoadInput("", _UTF8_MARK + source.encode()))
        lead = len(document.text) - len(document.text.lstrip("\n"))
        found = [replace(h, start=max(h.start - lead, 0)) for h in document.headings]
        return document.text.strip("\n").rstrip(), tuple(found)
    code = source.strip("\n").rstrip()
    outputs = [text for output in _objects(cell.get("outputs")) if (text := _output(output))]
    defines = is_python and kind == "code" and _DEFINES.search(code)
    defined = _definitions(code) if defines else ()
    return "\n\n".join(part for part in (code, *outputs) if part), defined


def _definitions(code: str) -> tuple[Heading, ...]:
    """Find the definitions of a Python cell, below all headings of Markdown.

    Commands of Jupyter's own are taken for numbers of the same length.
    """
    if code.startswith("%%") and not code.startswith(_AROUND_PYTHON):
        return ()
    plain = _COMMAND.sub(lambda line: f"{line[1]}{'0':{len(line[2])}}", code)
    return python_definitions(plain, level=_OF_CODE).headings


def _output(output: Object) -> str:
    """Give what an output says in plain text, at most so much of it."""
    kind = scalar(output.get("output_type"))
    if kind in {"error", "pyerr"}:
        lines = output.get("traceback")
        text = "\n".join(map(scalar, lines)) if isinstance(lines, list) else ""
        text = text or f"{scalar(output.get('ename'))}: {scalar(output.get('evalue'))}"
    else:
        data = output.get("data")
        plain = data.get("text/plain") if isinstance(data, Object) else None
        text = _joined(output.get("text") if plain is None else plain)
    text = _ANSI.sub("", text).replace("\r\n", "\n")
    # A progress bar is written over itself: what stands there at the end was after the last return.
    text = "\n".join(line.rstrip("\r").rpartition("\r")[2].rstrip() for line in text.split("\n"))
    text = text.strip("\n")
    if not text.strip():
        return ""
    more = len(text) - _LONGEST_OUTPUT
    note = f"\n[{more:,} more characters of output are left out]" if more > 0 else ""
    return f"Output:\n{text[:_LONGEST_OUTPUT]}{note}"


def _joined(value: Json) -> str:
    """Join a text that is one string or a list of its lines."""
    lines: Iterator[str] = map(scalar, value) if isinstance(value, list) else iter([scalar(value)])
    return storable("".join(lines))


def _metadata(notebook: Object) -> dict[str, str]:
    info = notebook.get("metadata")
    if not isinstance(info, Object):
        return {}
    language = ""
    for place, name in (("language_info", "name"), ("kernelspec", "language")):
        inner = info.get(place)
        if not language and isinstance(inner, Object):
            language = scalar(inner.get(name))
    authors = [scalar(author.get("name")) for author in _objects(info.get("authors"))]
    values = {"programming_language": language, "author": ", ".join(filter(None, authors))}
    return {name: " ".join(value.split())[:1000] for name, value in values.items() if value}


LOADER = Loader("notebook", 3, frozenset({".ipynb"}), _MEDIA_TYPE, load)
