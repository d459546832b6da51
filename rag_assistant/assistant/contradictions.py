"""Where the sources of an answer contradict one another, so that nobody picks one silently."""

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace

from rag_assistant.agents.disagreements import Dates, disagreements
from rag_assistant.assistant.survey import Survey
from rag_assistant.errors import EntryNotFound, RagError
from rag_assistant.evidence import Answer, EvidenceItem
from rag_assistant.version_names import document_date

READ, TOKENS = 12, 3_000
"""Entries that are looked through again, and about how much of each."""


def with_disagreements(answer: Answer, found: Survey) -> Answer:
    """Add what contradicts the cited words: the rest of the evidence, or of the entries read.

    What has nothing to do with what is cited is left out. It reads the databases.
    """
    cited = [citation.item for citation in answer.citations]
    if not cited:
        return answer
    items = [*cited, *(item for evidence in answer.evidence for item in evidence.items)]
    try:
        items += _read_besides(answer, found)
        told = disagreements(items, dates_of(items, found), cited)
    except RagError as error:
        unchecked = f"Whether the sources contradict one another could not be checked: {error}"
        return replace(answer, objections=(*answer.objections, unchecked))
    return replace(answer, disagreements=told)


def _read_besides(answer: Answer, found: Survey) -> list[EvidenceItem]:
    """Give the passages of the entries that were read; a quote may stop short of the other value.

    What was kept from the models is not among them.
    """
    databases = {database.name: database for database in found.databases}
    items: list[EvidenceItem] = []
    for read in answer.coverage.read[:READ]:
        if read.database not in databases:
            continue
        with suppress(EntryNotFound):  # gone since it was read
            database = databases[read.database]
            text = database.read_for(read.entry_id, answer.question, TOKENS)
            (text,) = database.for_prompt([text])
            items += (
                EvidenceItem(
                    read.database,
                    read.entry_id,
                    text.entry.title,
                    text.entry.path,
                    passage.text,
                    passage.location,
                    verified=True,  # they are the source's own words
                    text_hash=text.entry.text_hash,
                )
                for passage in text.passages
            )
    return items


def dates_of(items: Iterable[EvidenceItem], found: Survey) -> Dates:
    """Give the days that entries are of; one that cannot be looked up has none."""
    databases = {database.name: database for database in found.databases}
    dates: dict[tuple[str, int], str] = {}
    for key in dict.fromkeys((item.database, item.entry_id) for item in items):
        if database := databases.get(key[0]):
            try:
                entry = database.entry(key[1])
            except EntryNotFound:  # gone since; the quote has its own state for that
                continue
            dates[key] = document_date(entry.path, entry.metadata, entry.changed)[0]
    return dates
