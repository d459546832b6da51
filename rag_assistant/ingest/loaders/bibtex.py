"""References of BibTeX and BibLaTeX (.bib): each is an entry, known by its citation key, with its
title, authors and date, then its other fields and its abstract, in which TeX's commands are read.
"""

import re
from collections.abc import Iterator, Mapping

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput, or_text
from rag_assistant.ingest.parsing.markup.tex_characters import plain
from rag_assistant.ingest.parsing.records.entry_records import EntryRecord, documents_of
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "application/x-bibtex"
_ENTRY = re.compile(r"^[ \t]*@[ \t]*([A-Za-z]{1,40})[ \t]*[{(]", re.MULTILINE)
_KEY = re.compile(r"\s*([^,\s{}()=\"]{1,300})\s*,")
_FIELD = re.compile(r"([A-Za-z][\w:.+-]{0,60})\s*=\s*")
_BARE = re.compile(r"[^\s,#{}\"]+")
_JOIN = re.compile(r"\s*#\s*")
_BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
_QUOTE = re.compile(r"\\.|[{}\"]", re.DOTALL)
_AND = re.compile(r"\s+and\s+")
_MONTHS = {
    name: f"{number:02}"
    for number, name in enumerate("jan feb mar apr may jun jul aug sep oct nov dec".split(), 1)
}
_NO_ENTRY = frozenset({"comment", "preamble", "string"})
_UNSHOWN = frozenset({"title", "abstract", "file", "author", "timestamp", "owner", "bdsk-file-1"})


def load(source: LoadInput) -> list[Document]:
    """Read the references of a file. What holds none is read as text."""
    return or_text(documents_of(source.data, source.most, _MEDIA_TYPE, "reference", _references))


def _references(text: str) -> Iterator[EntryRecord]:
    """Give the references. One ends where the next begins, so that a lost brace costs only one."""
    macros: dict[str, str] = {}
    found = _ENTRY.search(text)
    while found:
        following = _ENTRY.search(text, found.end())
        inner = text[found.end() : following.start() if following else len(text)]
        kind = found[1].lower()
        if kind == "string":
            macros.update(_fields(inner, macros))
        elif kind not in _NO_ENTRY and (key := _KEY.match(inner)):
            yield _reference(kind, key[1], _fields(inner[key.end() :], macros))
        found = following


def _reference(kind: str, key: str, values: Mapping[str, str]) -> EntryRecord:
    said = {name: plain(value) for name, value in values.items()}
    people = "; ".join(_AND.split(said.get("author") or said.get("editor", "")))
    title = ": ".join(filter(None, (said.get("title"), said.get("subtitle"))))
    fields = [("Authors", people if "author" in said else "")]
    fields += [(name.capitalize(), said[name]) for name in said if name not in _UNSHOWN]
    fields += [("Key", key), ("", said.get("abstract", ""))]
    metadata = {"author": people, "date": _date(said), "type": kind, "url": said.get("url", "")}
    return EntryRecord(key, title, tuple(fields), metadata)


def _date(said: Mapping[str, str]) -> str:
    if date := said.get("date", ""):
        return date.split("/")[0]
    year, month = said.get("year", ""), said.get("month", "").lower()
    number = _MONTHS.get(month[:3], f"{int(month):02}" if month.isdecimal() else "")
    return f"{year}-{number}" if number and re.fullmatch(r"\d{4}", year) else year


def _fields(inner: str, macros: Mapping[str, str]) -> dict[str, str]:
    """Read `name = value` pairs; the first of a name counts. The rest is passed over."""
    values: dict[str, str] = {}
    found = _FIELD.search(inner)
    while found:
        parts: list[str] = []
        at = found.end()
        while True:
            part, at = _value(inner, at, macros)
            parts.append(part)
            join = _JOIN.match(inner, at)
            if join is None:
                break
            at = join.end()
        values.setdefault(found[1].lower(), "".join(parts))
        found = _FIELD.search(inner, max(at, found.end()))
    return values


def _value(inner: str, at: int, macros: Mapping[str, str]) -> tuple[str, int]:
    """Read one part of a value; give it, and where it ends."""
    sign = inner[at : at + 1]
    if sign not in ("{", '"'):
        bare = _BARE.match(inner, at)
        word = bare[0] if bare else ""
        return macros.get(word.lower(), word), bare.end() if bare else at
    depth = 0
    for found in (_BRACE if sign == "{" else _QUOTE).finditer(inner, at + (sign == '"')):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            depth -= 1
            if sign == "{" and not depth:
                return inner[at + 1 : found.start()], found.end()
        elif found[0] == '"' and not depth:
            return inner[at + 1 : found.start()], found.end()
    return inner[at + 1 :], len(inner)


LOADER = Loader("bibtex", 1, frozenset({".bib"}), _MEDIA_TYPE, load, plain=True)
