"""The tables of documents, sheets and pages of the web: files of each format made of known content,
what is read of them, and whether a search finds a value by its row and its heads.
"""

import random
from collections.abc import Callable, Iterator
from pathlib import Path

from rag_assistant.ingest.loaders import loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.values.documents import Document
from scripts.benchmarks.ingest.known_files.markup import (
    as_csv,
    as_html,
    as_markdown,
    as_rtf,
    html_body,
)
from scripts.benchmarks.ingest.known_files.packed import as_docx, as_odt
from scripts.benchmarks.ingest.known_files.texts import KnownText, around
from scripts.benchmarks.ingest.pdf_tables.comparing import Score, score
from scripts.benchmarks.ingest.pdf_tables.contents import known

_MOST = 10**8
_SEARCHED = 40
_FRESH = 9_000


_WRITERS: dict[str, tuple[Callable[[KnownText], bytes], bool]] = {
    "html": (as_html, True),
    "docx": (as_docx, True),
    "odt": (as_odt, True),
    "md": (as_markdown, False),
    "csv": (as_csv, False),
    "rtf": (as_rtf, False),
}
"""By suffix: what writes a file, and whether its format has heads over several columns."""


def read_file(name: str, data: bytes) -> Document:
    """Read a file by the loader of its suffix."""
    loader = loader_for(name, data)
    if loader is None:
        raise ValueError(f"no loader reads {name}")
    (document,) = loader.load(LoadInput(name, data, {}, _MOST))
    return document


def by_format() -> Iterator[tuple[str, Score]]:
    """Compare what is read of files of each format with what they say."""
    for suffix, (write, spans) in _WRITERS.items():
        whole = Score()
        for table in known({"a": "", "b": "", "c": ""}, seed=_FRESH):
            if spans or len(table.heads) == 1:
                document = read_file(f"a.{suffix}", write(around(table)))
                whole.add(score(table, document.tables))
        yield suffix, whole


def values_of(document: Document) -> Iterator[tuple[str, str, str]]:
    """Give label, heads and words of the values whose label no other table of a document has."""
    labels = [
        {cell.text for cell in table.cells if cell.row >= table.heads and not cell.column}
        for table in document.tables
    ]
    for table in document.tables:
        for cell in table.cells:
            label = (table.label_of(cell.row) or ("",))[-1]
            if (
                cell.row >= table.heads
                and cell.column
                and sum(label in all_ for all_ in labels) == 1
            ):
                yield label, " ".join(table.heads_of(cell.column)), cell.text


def is_numbered(label: str) -> bool:
    """Say whether a label has a number in it, as those of parcels have."""
    return any(map(str.isdecimal, label))


def in_first_passage(scratch: Path) -> dict[bool, tuple[int, int]]:
    """Count the values whose row is in the first passage found by name, row and heads.

    Each of the pages has tables of all contents. Gives how many were found and how many sought; by
    whether their labels are numbered ("Graz 25" among other towns and numbers) or words.
    """
    folder = scratch / "searched"
    folder.mkdir(exist_ok=True)
    rng = random.Random(5)
    asked: list[tuple[str, str, str, str]] = []
    for number in range(_SEARCHED):
        name = f"{rng.choice('BDFGKLMNPRST')}{rng.choice('aeiou')}{rng.choice('lmnr')}da{number}"
        tables = known({"a": ""}, seed=_FRESH + 100 * number)
        parts = (f"<h2>Part {at}</h2>" + html_body(around(one)) for at, one in enumerate(tables))
        page = f"<title>Report of {name}</title><h1>{name}</h1>{''.join(parts)}"
        (folder / f"{name}.html").write_text(page, encoding="utf-8")
        cells = [*values_of(read_file("a.html", page.encode()))]
        for numbered in (False, True):
            some = [cell for cell in cells if is_numbered(cell[0]) == numbered]
            asked += [(name, *cell) for cell in rng.sample(some, min(5, len(some)))]
    library = Library(scratch / "searched-home")
    library.index(folder)
    database = library.database("searched")
    counts = {False: (0, 0), True: (0, 0)}
    for name, label, heads, value in asked:
        lines = _first_passage(database, f"{name} {label} {heads}").split("\n")
        numbered = is_numbered(label)
        found, sought = counts[numbered]
        here = any(label in line and value in line for line in lines)
        counts[numbered] = found + here, sought + 1
    return counts


def _first_passage(database: Database, question: str) -> str:
    hits = search_databases([database], question, 1).hits
    places = [(hit.entry_id, hit.location.start) for hit in hits]
    return "".join(passage.text for passage in database.passages_at(places) if passage)
