"""What a request carries out of the databases, told by whoever makes it, for the gate to judge."""

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from rag_assistant.values.evidence import Sent

if TYPE_CHECKING:  # what finds secrets takes a while to load: only what leaves needs it
    from rag_assistant.egress.entry_secrets import EntrySecrets
    from rag_assistant.egress.masking import MaskedBody, Masker

Purpose = Literal[
    "",
    "answer",
    "evidence",
    "embedding",
    "rerank",
    "tool",
    "questions",
    "judge",
    "test",
    "download",
    "handed out",
]
"""What a request is made for: of questions and judge, an evaluation; of download, a model that is
fetched, for which nothing of a person leaves; what is handed out goes to a client, another program
that asked for it; "" where nobody said."""

Entries = tuple[tuple[str, int], ...]
"""Entries by database and id."""


def _masker() -> "Masker":
    from rag_assistant.egress.masking import Masker  # noqa: PLC0415

    return Masker()


def _entry_secrets() -> "EntrySecrets":
    from rag_assistant.egress.entry_secrets import EntrySecrets  # noqa: PLC0415

    return EntrySecrets()


@dataclass(slots=True)
class RunLog:
    """What one run has sent so far, and the numbers of the secrets that were masked in it.

    `secrets` are those of the entries that it carries, each read as a whole.
    """

    masker: "Masker" = field(default_factory=_masker)
    secrets: "EntrySecrets" = field(default_factory=_entry_secrets)
    sent: list[Sent] = field(default_factory=list)
    entries: dict[str, set[tuple[str, int]]] = field(default_factory=dict)

    def add(self, host: str, masked: "MaskedBody", entries: Entries) -> None:
        """Count a request to a host."""
        known = self.entries.setdefault(host, set())
        known.update(entries)
        before = next((sent for sent in self.sent if sent.host == host), Sent(host))
        after = replace(
            before,
            requests=before.requests + 1,
            characters=before.characters + masked.characters,
            entries=len(known),
            masked=self.masker.count,
        )
        self.sent = [*(sent for sent in self.sent if sent.host != host), after]

    def note(self) -> str:
        """Say how many secrets were masked; nothing where there were none."""
        count = self.masker.count
        if not self.sent or not count:
            return ""
        return f"{count} secret{' was' if count == 1 else 's were'} masked before anything left."


@dataclass(frozen=True, slots=True)
class Provenance:
    """What a request is for, and whose text it may hold.

    `databases` are all whose words may be in it, `entries` those that are known to be. Requests of
    one run share a `log`.
    """

    purpose: Purpose
    databases: tuple[str, ...] = ()
    entries: Entries = ()
    log: RunLog = field(default_factory=RunLog)

    def of(self, purpose: Purpose, entries: Iterable[tuple[str, int]] = ()) -> "Provenance":
        """Give the same for another request of the run, with more entries in it."""
        both = tuple(dict.fromkeys([*self.entries, *entries]))
        return replace(self, purpose=purpose, entries=both)


_CARRIED: ContextVar[Provenance | None] = ContextVar("carried", default=None)


def carried() -> Provenance | None:
    """Give what requests made here carry, as far as somebody said so."""
    return _CARRIED.get()


@contextmanager
def carrying(provenance: Provenance) -> Iterator[Provenance]:
    """Say what requests made within carry. Never across a `yield` of an asynchronous generator,
    whose consumer would be within as well."""
    token = _CARRIED.set(provenance)
    try:
        yield provenance
    finally:
        _CARRIED.reset(token)


def carrying_more(
    purpose: Purpose, databases: Iterable[str], entries: Iterable[tuple[str, int]] = ()
) -> Provenance:
    """Give what is carried already with more in it, for `carrying`."""
    before = carried() or Provenance(purpose)
    names = tuple(dict.fromkeys([*before.databases, *databases]))
    return replace(before.of(purpose, entries), databases=names)
