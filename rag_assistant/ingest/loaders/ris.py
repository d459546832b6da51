"""References of RIS (.ris), which most catalogues export: each is an entry with its title, authors
and date, then its other fields and its abstract.
"""

import re
from collections.abc import Iterator

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, or_text
from rag_assistant.ingest.parsing.markup.outlined_text import lines_of
from rag_assistant.ingest.parsing.records.entry_records import EntryRecord, documents_of
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/x-research-info-systems"
_TAG = re.compile(r"([A-Z][A-Z0-9])  ?-(?: (.*))?\Z")
_TITLES, _AUTHORS = ("TI", "T1", "CT", "BT"), ("AU", "A1", "A2", "ED")
_DATES, _ABSTRACTS = ("DA", "PY", "Y1", "Y2"), ("AB", "N2")
_KEYS = ("ID", "AN", "DO", "UR")
_LABELS = {
    "AU": "Authors",
    "A1": "Authors",
    "A2": "Editors",
    "ED": "Editors",
    "JO": "Journal",
    "JF": "Journal",
    "T2": "In",
    "PY": "Year",
    "Y1": "Year",
    "VL": "Volume",
    "IS": "Issue",
    "SP": "First page",
    "EP": "Last page",
    "PB": "Publisher",
    "CY": "Place",
    "SN": "ISSN or ISBN",
    "DO": "DOI",
    "UR": "Web",
    "KW": "Keywords",
    "LA": "Language",
    "N1": "Notes",
}


def load(source: LoadInput) -> list[Document]:
    """Read the references of a file. What holds none is read as text."""
    return or_text(documents_of(source.data, source.most, _MEDIA_TYPE, "reference", _references))


def _references(text: str) -> Iterator[EntryRecord]:
    values: dict[str, list[str]] = {}
    last: list[str] = []
    for _, line in lines_of(text):
        found = _TAG.match(line.rstrip())
        if found is None:
            if last and line.strip():  # the rest of a long value
                last[-1] = f"{last[-1]} {line.strip()}"
            continue
        if found[1] in ("TY", "ER") and len(values) > 1:
            yield _reference(values)
            values, last = {}, []
        if found[1] != "ER":
            last = values.setdefault(found[1], [])
            last.append((found[2] or "").strip())
    if len(values) > 1:
        yield _reference(values)


def _reference(values: dict[str, list[str]]) -> EntryRecord:
    def first(names: tuple[str, ...]) -> str:
        return next((said for name in names for said in values.get(name, ()) if said), "")

    people = "; ".join(said for name in _AUTHORS[:2] for said in values.get(name, ()))
    fields: dict[str, list[str]] = {}
    for tag, said in values.items():
        if tag in _LABELS:
            fields.setdefault(_LABELS[tag], []).extend(filter(None, said))
    shown = [(label, "; ".join(dict.fromkeys(said))) for label, said in fields.items()]
    date = "-".join(part for part in first(_DATES).split("/")[:3] if part.isdecimal())
    metadata = {"author": people, "date": date, "type": first(("TY",)), "url": first(("UR",))}
    return EntryRecord(first(_KEYS), first(_TITLES), (*shown, ("", first(_ABSTRACTS))), metadata)


LOADER = Loader("ris", 1, frozenset({".ris"}), _MEDIA_TYPE, load, plain=True)
