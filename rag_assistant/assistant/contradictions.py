"""Where the sources of an answer contradict one another, so that nobody picks one silently."""

from collections.abc import Iterable
from dataclasses import replace

from rag_assistant.agents.disagreements import Dates, disagreements
from rag_assistant.assistant.survey import Survey
from rag_assistant.errors import RagError
from rag_assistant.evidence import Answer, Disagreement, EvidenceItem
from rag_assistant.version_names import document_date


def with_disagreements(answer: Answer, found: Survey) -> Answer:
    """Add what cited words and the rest of the evidence contradict one another in.

    One that has nothing to do with what is cited is left out. It reads the databases.
    """
    cited = [citation.item for citation in answer.citations]
    if not cited:
        return answer
    items = [*cited, *(item for evidence in answer.evidence for item in evidence.items)]
    told = disagreements(items, dates_of(items, found))
    return replace(answer, disagreements=tuple(one for one in told if _is_cited(one, cited)))


def dates_of(items: Iterable[EvidenceItem], found: Survey) -> Dates:
    """Give the days that entries are of; one that cannot be looked up has none."""
    databases = {database.name: database for database in found.databases}
    dates: dict[tuple[str, int], str] = {}
    for key in dict.fromkeys((item.database, item.entry_id) for item in items):
        if database := databases.get(key[0]):
            try:
                entry = database.entry(key[1])
            except RagError:  # gone since; the quote has its own state for that
                continue
            dates[key] = document_date(entry.path, entry.metadata, entry.changed)[0]
    return dates


def _is_cited(disagreement: Disagreement, cited: list[EvidenceItem]) -> bool:
    """Whether one of the sides is what the answer rests on."""
    sources = {(item.database, item.entry_id, item.quote) for item in cited}
    sides = (side.item for side in disagreement.sides)
    return any((item.database, item.entry_id, item.quote) in sources for item in sides)
