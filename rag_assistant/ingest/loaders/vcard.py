"""Contacts (.vcf, vCard 2.1 to 4.0, RFC 6350): each card is an entry with its name, numbers and
addresses as a person reads them. Pictures, sounds and keys are left out.
"""

from collections.abc import Iterator

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, or_text
from rag_assistant.ingest.parsing.records.content_lines import PropertyLine, content_lines
from rag_assistant.ingest.parsing.records.entry_records import EntryRecord, documents_of
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "text/vcard"
_LABELS = {
    "NICKNAME": "Nickname",
    "ORG": "Organisation",
    "TITLE": "Position",
    "ROLE": "Role",
    "TEL": "Phone",
    "EMAIL": "E-mail",
    "ADR": "Address",
    "BDAY": "Born",
    "ANNIVERSARY": "Anniversary",
    "URL": "Web",
    "IMPP": "Messages",
    "CATEGORIES": "Categories",
    "RELATED": "Related",
    "NOTE": "",
}

_LONGEST_NAME = 200  # characters, of a card that has no name


def load(source: LoadInput) -> list[Document]:
    """Read the cards of a file. What holds none is read as text."""
    return or_text(documents_of(source.data, source.most, _MEDIA_TYPE, "card", _cards))


def _cards(text: str) -> Iterator[EntryRecord]:
    lines: list[PropertyLine] = []
    for line in content_lines(text):
        if line.name == "BEGIN":
            lines = []
        elif line.name == "END":
            yield _card(lines)
            lines = []
        else:
            lines.append(line)


def _card(lines: list[PropertyLine]) -> EntryRecord:
    name = key = ""
    full: list[str] = []
    fields: list[tuple[str, str]] = []
    for line in lines:
        if line.name == "FN":
            name = name or line.text
        elif line.name == "N":  # family, given, further, before and after the name
            full = line.parts
        elif line.name == "UID":
            key = line.text
        elif line.name in _LABELS:
            fields.append(_field(line))
    name = (
        name
        or " ".join([*full[1:], *full[:1]])
        or next((said[:_LONGEST_NAME] for _, said in fields), "")
    )
    return EntryRecord(key, " ".join(name.split()), tuple(fields))


def _field(line: PropertyLine) -> tuple[str, str]:
    label = _LABELS[line.name]
    value = ", ".join(line.parts) if line.name in ("ADR", "ORG") else line.text
    if not label:
        return "", value
    kinds = f" ({line.types})" if line.types else ""
    return label + kinds, " ".join(value.split())


LOADER = Loader("vcard", 1, frozenset({".vcf", ".vcard"}), _MEDIA_TYPE, load, plain=True)
