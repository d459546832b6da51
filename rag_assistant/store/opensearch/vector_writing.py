"""Writing vectors into the documents of their passages, whoever writes the database meanwhile.

A document that a run ends or replaces at the same moment only loses or keeps its vector by that:
what no longer holds the words that a vector was made of is left out, and asked for again.
"""

import json
from base64 import b64encode
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING
from uuid import uuid4

from rag_assistant.store.links import Sending
from rag_assistant.store.opensearch.cluster import BulkLine, Json, hits_of
from rag_assistant.store.opensearch.state import States
from rag_assistant.store.opensearch.vectors import WORDS, kind_in, with_vector, words_of
from rag_assistant.store.opensearch.view import View, is_any, none_of
from rag_assistant.store.vector_blobs import blobs_of, words_mark
from rag_assistant.values.embeddings import PassageWords, VectorKind

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

OF_VECTOR = ("vector", "signs", "embedded", "words_mark")
"""Fields of a passage that has one."""

AT_ONCE = 500
"""Passages that are looked at together for vectors that were kept."""


def add_vectors(
    states: States,
    view: View,
    kind: VectorKind,
    made: tuple[Sequence[PassageWords], "Mapping[int, NDArray[np.float32]]"],
    sending: Sending | None,
) -> int:
    """Write the vectors that were made of passages, by their ids; give how many were written.

    Readers see those of another kind until these are there.
    """
    passages, vectors = made
    told = view.state["vectors"]
    is_new = kind_in(told) != kind
    mark = uuid4().hex if is_new else told["mark"]
    blobs = blobs_of([vectors.get(passage.id) for passage in passages], kind.dimension)
    wanted = {passage.id: (passage, blob) for passage, blob in zip(passages, blobs, strict=True)}
    found = view.by_ids("passage", "passage_id", list(wanted), ["born", *WORDS])
    lines: list[BulkLine] = []
    for one in found:
        passage, blob = wanted[one["passage_id"]]
        now = words_of(one)
        if (now.title, now.heading, now.text) == (passage.title, passage.heading, passage.text):
            lines.append(_line(one, _fields(blob, mark, words_mark(*_words(one)))))
    if sending and lines:
        entries = sorted({one["entry_id"] for one in found})
        sending(sum(len(line.document) for line in lines), entries)
    _write(view, lines)
    if is_new:
        named = {"model": kind.model, "dimension": kind.dimension, "mark": mark}
        states.change(view.name, lambda state: state.update(vectors=named))
    return len(lines)


def restore_vectors(view: View, kept_in: str, renew: Callable[[], None]) -> None:
    """Give passages of a database that was made anew the vectors that its last index has.

    `renew` is called now and then.
    """
    told = view.state["vectors"]
    if not told or "error" in view.cluster.asked("GET", f"/{kept_in}", ignore=404):
        return
    lacking = _lacking(view, told)
    while some := list(islice(lacking, AT_ONCE)):
        renew()
        marked = [(words_mark(*_words(one)).hex(), one) for one in some]
        marks = is_any("words_mark", sorted({mark for mark, _ in marked}))
        query = {"bool": {"filter": [with_vector(told), marks]}}
        body = {"query": query, "_source": list(OF_VECTOR), "collapse": {"field": "words_mark"}}
        hits = hits_of(view.cluster.found(kept_in, {**body, "size": AT_ONCE}))
        kept = {hit["_source"]["words_mark"]: hit["_source"] for hit in hits}
        _write(view, [_line(one, kept[mark]) for mark, one in marked if mark in kept])


def without_vector(one: Json) -> None:
    """Take the vector out of the document of a passage, whose words are others now."""
    for name in OF_VECTOR:
        one.pop(name, None)


def _lacking(view: View, told: Json) -> Iterator[Json]:
    query = view.of_kind("passage", none_of([with_vector(told)]))
    return view.all_of(query, ["passage_id", "born", *WORDS], "passage_id")


def _words(one: Json) -> tuple[str, str | None, str]:
    body = one["body"]
    return body["title"], body["heading"], body["text"]


def _fields(blob: bytes, mark: str, mark_of_words: bytes) -> Json:
    from rag_assistant.store.opensearch.vector_scripts import signs_of  # noqa: PLC0415

    return {
        "vector": _written(blob),
        "signs": _written(signs_of(blob)),
        "embedded": mark,
        "words_mark": mark_of_words.hex(),
    }


def _line(one: Json, fields: Json) -> BulkLine:
    head = {
        "_id": f"passage:{one['passage_id']}:{one['born']}", "routing": str(one["entry_id"]),
        "retry_on_conflict": 5,
    }  # fmt: skip
    return BulkLine(json.dumps({"update": head}), json.dumps({"doc": fields}))


def _write(view: View, lines: Sequence[BulkLine]) -> None:
    if lines:
        view.cluster.write(view.index, lines)
        view.cluster.asked("POST", f"/{view.index}/_refresh")


def _written(blob: bytes) -> str:
    return b64encode(blob).decode("ascii")
