"""What stands in the index of a database: documents of six kinds, and what they are found by.

`file`, `entry`, `passage`, `version` and `former` are written by a run, which is their generation
(`born`), and end with one (`died`); `term` has a word of the vocabulary. What is only read stands
in `body`, which is not indexed. Words are indexed as our own terms, so that any engine matches the
same.
"""

from collections.abc import Mapping
from hashlib import blake2b
from typing import Any

VERSION = 3
"""Raised with every change to the fields, and to what they hold of the same files."""

LONGEST_TERM = 99
"""Letters of a term of the vocabulary."""

_KEYWORD = {"type": "keyword", "ignore_above": 8_000}
_NUMBER = {"type": "long"}
_ONLY_FOUND = {"type": "keyword", "doc_values": False, "ignore_above": 8_000}
_ONLY_READ = {"type": "keyword", "index": False, "doc_values": False}
_ONLY_COUNTED = {"type": "binary", "doc_values": True}
_ONLY_SUMMED = {"type": "long", "index": False}
_TERMS = {"type": "text", "analyzer": "whitespace", "norms": False, "index_options": "positions"}

TEXTS = ("title", "heading", "text", "variants")
"""Fields of a passage in which phrases are looked for: their terms, with their places."""

ABOUT = ("path", "folded_path", "folded_title", "media_type", "authors", "language")
"""Fields of an entry that filters ask about, beside its date; its passages have them, too: nothing
is joined."""

_FIELDS: Mapping[str, Any] = {
    "kind": _ONLY_FOUND,
    "born": _NUMBER,
    "died": _NUMBER,
    "file_id": _NUMBER,
    "entry_id": _NUMBER,
    "passage_id": _NUMBER,
    "start": _NUMBER,
    "end": _NUMBER,
    "words": _ONLY_SUMMED,
    "heading_words": _ONLY_SUMMED,
    "passages": _ONLY_SUMMED,
    "suspicious": {"type": "boolean"},
    "partial": {"type": "boolean"},
    "status": _ONLY_FOUND,
    "hash": _ONLY_FOUND,
    "key": _ONLY_FOUND,
    "thread": _ONLY_FOUND,
    "changed": _NUMBER,
    "sketched": _NUMBER,
    "sketch_keys": _NUMBER,
    "family": _NUMBER,
    "place": _NUMBER,
    "names": _ONLY_READ,
    **dict.fromkeys(ABOUT, _ONLY_FOUND),
    "date": _KEYWORD,
    "term": _KEYWORD,
    "number": _ONLY_SUMMED,
    "grams": _ONLY_FOUND,
    "terms": _ONLY_FOUND,
    **dict.fromkeys(TEXTS, _TERMS),
    "embedded": _KEYWORD,
    "words_mark": _KEYWORD,
    "vector": _ONLY_COUNTED,
    "signs": _ONLY_COUNTED,
    "record": _ONLY_READ,
    "entry_record": _ONLY_READ,
    "body": {"type": "object", "enabled": False},
}


def index_body(shards: int, replicas: int) -> dict[str, Any]:
    """Give what an index of a database is made with."""
    return {
        "settings": {
            "number_of_shards": shards,
            "number_of_replicas": replicas,
            "refresh_interval": "-1",  # a commit refreshes itself
            "replication": {"type": "SEGMENT"},  # copies take over what is indexed once
        },
        "mappings": {"dynamic": "strict", "_meta": {"version": VERSION}, "properties": _FIELDS},
    }


STATE_BODY: Mapping[str, Any] = {
    "settings": {"number_of_shards": 1},
    "mappings": {
        "dynamic": "strict",
        "properties": {"name": _KEYWORD, "state": {"type": "object", "enabled": False}},
    },
}
"""Of the index that has one document for each database: its state."""


def index_name(prefix: str, name: str, token: int) -> str:
    """Give the name of an index of a database, which is no other one's."""
    return f"{alias_name(prefix, name)}-{token}"


def alias_name(prefix: str, name: str) -> str:
    """Give what other programs find a database by: a name that the engine takes for any name."""
    mark = blake2b(name.encode("utf-8", "surrogatepass"), digest_size=6).hexdigest()
    plain = "".join(letter for letter in name.lower() if letter.isascii() and letter.isalnum())
    return f"{prefix}-{plain[:40]}-{mark}"
