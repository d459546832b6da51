"""In what two runs were made differently, apart from what is compared."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag_assistant.evaluation.runs.header import Header, IndexStamp

_DIGEST = 8
"""Characters of a digest that are enough to see that it is another."""


@dataclass(frozen=True, slots=True)
class Unlike:
    """Something that the two runs were not made with alike; "" where one has none of it."""

    what: str
    before: str
    now: str


def unlike(before: Header, now: Header) -> tuple[Unlike, ...]:
    """Give what differs: questions, settings, indexes, versions, the machine, in this order."""
    old, new = _facts(before), _facts(now)
    return tuple(
        Unlike(what, old.get(what, ""), new.get(what, ""))
        for what in dict.fromkeys((*old, *new))
        if old.get(what, "") != new.get(what, "")
    )


def _facts(header: Header) -> Mapping[str, str]:
    return dict((*_asked(header), *_made_with(header)))


def _asked(header: Header) -> Iterator[tuple[str, str]]:
    settings = header.settings
    yield "questions", f"{header.questions:,} of {header.set_name} ({header.set_digest[:_DIGEST]})"
    yield "stages", ", ".join(settings.stages)
    yield "databases chosen", ", ".join(settings.databases)
    yield "model", settings.model
    yield "helper model", settings.helper
    yield "judge", settings.judge
    yield "embedder", settings.embedder
    yield "reranker", settings.reranker
    yield "hits of a ranking", str(settings.depth)
    yield "questions at once", str(settings.at_once)
    yield "ranking of", settings.ranking


def _made_with(header: Header) -> Iterator[tuple[str, str]]:
    for stamp in header.indexes:
        yield f"index {stamp.database}", _state(stamp)
    yield from header.versions.items()
    yield "machine", header.machine


def _state(stamp: IndexStamp) -> str:
    return f"{stamp.entries:,} entries, {stamp.passages:,} passages ({stamp.digest[:_DIGEST]})"
