"""The documents that a run writes: what of a file, an entry and a passage stands in which field."""

import re
from base64 import b64encode
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from rag_assistant.store.folding import author_words, folded
from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.opensearch.ledger import file_body
from rag_assistant.store.opensearch.mapping import TEXTS
from rag_assistant.store.record_making import RecordMaker, lead_of
from rag_assistant.text.terms import terms_of_words, variants_of, words_in
from rag_assistant.values.documents import DATE_KEYS
from rag_assistant.values.ledger import FileRecord, PassageRow, ReadEntry
from rag_assistant.values.outline import THREAD, facts_json

_YEAR = re.compile(r"[12]\d{3}")


def about(file: FileRecord, title: str, entry: ReadEntry) -> dict[str, str]:
    """Give what filters ask about an entry."""
    return {
        "path": file.path,
        "folded_path": folded(file.path),
        "folded_title": folded(title),
        "media_type": entry.media_type.lower(),
        "authors": author_words(" ".join(entry.facts.authors)),
        "language": entry.facts.language,
        "date": _date(file, entry),
    }


def _date(file: FileRecord, entry: ReadEntry) -> str:
    for key in DATE_KEYS:
        if _YEAR.match(str(entry.metadata.get(key, ""))):
            return str(entry.metadata[key])
    changed = datetime.fromtimestamp(file.mtime_ns // 10**9, UTC)
    return changed.strftime("%Y-%m-%dT%H:%M:%S")


def file_document(file_id: int, file: FileRecord, changed: int | None = None) -> Json:
    """Make the document of a line of the ledger; `changed` in which generation its time was."""
    return {
        "kind": "file",
        "file_id": file_id,
        "path": file.path,
        "status": file.status,
        "partial": file.status == "indexed" and bool(file.reason),
        **({} if changed is None else {"changed": changed}),
        "body": file_body(file),
    }


def entry_document(
    ids: tuple[int, int], file: FileRecord, title: str, entry: ReadEntry, records: RecordMaker
) -> Json:
    """Make the document of an entry; `ids` are its own and its file's."""
    entry_id, file_id = ids
    lead = lead_of([row[5] for row in entry.passages[:2]])
    named = (entry_id, title, file.path, ", ".join(entry.facts.authors), lead)
    body: dict[str, Any] = {
        "title": title,
        "titled_by_name": not entry.title,
        "media_type": entry.media_type,
        "length": entry.length,
        "text_hash": entry.text_hash,
        "metadata": dict(entry.metadata),
        "mtime_ns": file.mtime_ns,
        "facts": facts_json(entry.facts),
        "suspicions": [
            [one.place, one.kind, one.start, one.end, one.reason] for one in entry.suspicions
        ],
        "lead": lead,
    }
    thread = str(entry.metadata.get(THREAD, "")) if entry.facts.kind == "e-mail" else ""
    return {
        "kind": "entry",
        "entry_id": entry_id,
        "file_id": file_id,
        "key": entry.key,
        "hash": file.hash,
        "names": list(entry.facts.authors),
        **({"thread": thread} if thread else {}),
        **about(file, title, entry),
        "suspicious": bool(entry.suspicions),
        "passages": len(entry.passages),
        "record": _written(records.of_entries([named])[0]),
        "body": body,
    }


def passage_documents(of: Json, title: str, rows: Sequence[PassageRow], first: int) -> list[Json]:
    """Make the documents of passages, numbered from `first`, of the document of their entry.

    Each has what a search needs of the entry: it is not looked up besides. They lack their terms.
    """
    shared = {
        name: of[name]
        for name in ("file_id", "entry_id", "key", "path", "folded_path", "folded_title",
                     "media_type", "authors", "language", "date", "suspicious")
    }  # fmt: skip
    shared["entry_record"] = of["record"]
    made: list[Json] = []
    for place, (start, end, page, line, heading, text, sections) in enumerate(rows):
        body = {
            "title": title, "heading": heading, "text": text,
            "variants": variants_of(title, heading, text), "page": page, "line": line,
            "sections": [list(one) for one in sections], "media_type": of["body"]["media_type"],
        }  # fmt: skip
        document = {"kind": "passage", **shared, "passage_id": first + place, "start": start,
                    "end": end, "body": body}  # fmt: skip
        made.append(document)
    return made


def add_terms(passages: Sequence[Json], records: RecordMaker) -> set[str]:
    """Give documents of passages the terms of their texts, and their records; give all terms.

    Words that were not met before are looked up together: many passages take little more than one.
    """
    texts = [
        (one["passage_id"], one["entry_id"], one["body"]["title"], one["body"]["heading"] or "",
         one["body"]["text"], one["body"]["variants"])
        for one in passages
    ]  # fmt: skip
    for one, (blob, words, heading_words) in zip(passages, records.of_passages(texts), strict=True):
        one |= {"record": _written(blob), "words": words, "heading_words": heading_words}
    cut = [[words_in(one["body"][name] or "") for name in TEXTS] for one in passages]
    terms = terms_of_words({word for parts in cut for part in parts for word in part})
    for one, parts in zip(passages, cut, strict=True):
        for name, part in zip(TEXTS, parts, strict=True):
            one[name] = " ".join([terms[word] for word in part])
        one["terms"] = list({terms[word] for part in parts for word in part})
    return set(terms.values())


def _written(blob: bytes) -> str:
    return b64encode(blob).decode("ascii")
