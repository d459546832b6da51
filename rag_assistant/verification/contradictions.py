"""Where the sources of an answer contradict one another, so that nobody picks one silently."""

from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace

from rag_assistant.claims.disagreements import Cited, Source, source_of
from rag_assistant.errors import EntryNotFound, RagError
from rag_assistant.library.survey import SearchedDatabases
from rag_assistant.text.version_names import document_date
from rag_assistant.tools.run_cache import RunCache
from rag_assistant.values.documents import Entry, EntryText
from rag_assistant.values.evidence import Answer, EvidenceItem

READ, TOKENS = 12, 3_000
"""Entries that are looked through again, and about how much of each."""


def with_disagreements(answer: Answer, found: SearchedDatabases, run_cache: RunCache) -> Answer:
    """Add what contradicts the cited words: the rest of the evidence, or of the entries read.

    What has nothing to do with what is cited is left out. It reads of the databases what is
    not in the run's cache.
    """
    if not answer.citations:
        return answer
    items = [citation.item for citation in answer.citations]
    sources = _Sources(found, run_cache)
    try:
        cited = Cited(items, {source_of(item): sources.date(source_of(item)) for item in items})
        found_before = (item for evidence in answer.evidence for item in evidence.items)
        # Passages come with their entries below.
        others = [*dict.fromkeys(item for item in found_before if not item.is_passage)]
        for entry in run_cache.entries_read(answer.coverage.read)[:READ]:
            if cited.may_differ(entry):
                others += sources.passages(entry, answer.question)
        dates = {source_of(item): sources.date(source_of(item)) for item in others}
        told = cited.disagreements(others, dates)
    except RagError as error:
        unchecked = f"Whether the sources contradict one another could not be checked: {error}"
        return replace(answer, objections=(*answer.objections, unchecked))
    return replace(answer, disagreements=told)


class _Sources:
    """The entries of a run: as it has read them, and what is wanting from the databases."""

    def __init__(self, found: SearchedDatabases, run_cache: RunCache) -> None:
        self._databases = {database.name: database for database in found.databases}
        self._run_cache = run_cache
        self._dates: dict[Source, str] = {}

    def date(self, source: Source) -> str:
        """Give the day that an entry is of, "" where that cannot be looked up."""
        if source not in self._dates:
            entry = self._entry(source)
            dated = document_date(entry.path, entry.metadata, entry.changed)[0] if entry else ""
            self._dates[source] = dated
        return self._dates[source]

    def _entry(self, source: Source) -> Entry | None:
        for read in self._run_cache.readings(*source):
            return read.text.entry
        if database := self._databases.get(source[0]):
            with suppress(EntryNotFound):  # gone since; the quote has its own state for that
                return database.entry(source[1])
        return None

    def passages(self, source: Source, question: str) -> Iterator[EvidenceItem]:
        """Give the passages of an entry; a quote may stop short of the other value.

        What was kept from the models is not among them.
        """
        text = self._text(source, question)
        if text is None:
            return
        for passage in text.passages:
            yield EvidenceItem(
                *source,
                text.entry.title,
                text.entry.path,
                passage.text,
                passage.location,
                verified=True,  # they are the source's own words
                text_hash=text.entry.text_hash,
            )

    def _text(self, source: Source, question: str) -> EntryText | None:
        """Give what the run has read of an entry where that is all of it, or else more.

        Of one that a search showed in part, and nobody read, it is that part.
        """
        readings = self._run_cache.readings(*source)
        if readings and all(one.found for one in readings):
            passages = dict.fromkeys(p for one in readings for p in one.text.passages)
            return replace(readings[0].text, passages=tuple(passages))
        whole = next((read.text for read in readings if not read.text.omitted), None)
        database = self._databases.get(source[0])
        if whole or not database:
            return whole
        part = next((read.text for read in readings if read.words == question), None)
        with suppress(EntryNotFound):  # gone since it was read
            more = database.read_more(part, TOKENS) if part else None
            text = more or database.read_for(source[1], question, TOKENS)
            return database.for_prompt([text])[0]
        return None
