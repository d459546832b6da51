"""Why a search found nothing, where its filters let nothing through, and what there is instead."""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence

from rag_assistant.search.database_search import DatabaseSearch
from rag_assistant.store.reading import StoreReader
from rag_assistant.values.search_plan import UNKNOWN_LANGUAGE, Filter

NAMED = 5
"""Authors or languages that are named, those of most entries first."""

LONGEST = 60
"""Characters of a name that are shown."""

_Asking = Callable[[Callable[[DatabaseSearch], Mapping[str, int]]], Iterable[Mapping[str, int]]]

_THERE: Mapping[str, tuple[str, Callable[[StoreReader], Mapping[str, int]]]] = {
    "author": ("authors", lambda reader: reader.entries.authors()),
    "lang": ("languages", lambda reader: reader.entries.languages()),
}


def written(filters: Iterable[Filter]) -> str:
    """Write filters as a person types them."""
    return " ".join(f"{'-' * one.negated}{one.name}:{one.value}" for one in filters)


def notes_on_filters(filters: Sequence[Filter], ask: _Asking) -> list[str]:
    """Say which filters let no entry through in any database, or that all of them together do not.

    Of authors and languages the most frequent are named. `ask` takes a step in each database.
    """
    if not filters:
        return []
    groups = [*dict.fromkeys((one.name, one.negated) for one in filters)]
    notes: list[str] = []
    for name, negated in groups:
        same = [one for one in filters if (one.name, one.negated) == (name, negated)]
        if not _lets_through(same, ask):
            notes.append(f"no document has {written(same)}{_instead(name, ask)}")
    if not notes and not _lets_through(filters, ask):
        notes.append(f"no document has {written(filters)} together")
    return notes


def _lets_through(filters: Sequence[Filter], ask: _Asking) -> bool:
    def count(search: DatabaseSearch) -> Mapping[str, int]:
        return {"": search.reader.candidates.lets_any_through(filters)}

    return any(found[""] for found in ask(count))


def _instead(name: str, ask: _Asking) -> str:
    """Name what a filter could ask for instead."""
    if name not in _THERE:
        return ""
    what, read = _THERE[name]
    counted: Counter[str] = Counter()
    for found in ask(lambda search: read(search.reader)):
        counted.update(found)
    from rag_assistant.injection.detector import why_suspicious  # noqa: PLC0415 - it is rarely asked

    # Documents say who wrote them: a name that gives orders would be read by a model here.
    harmless = [one for one, _ in counted.most_common() if not why_suspicious(one)]
    names = [one[:LONGEST] or UNKNOWN_LANGUAGE for one in harmless[:NAMED]]
    more = f", and {len(counted) - len(names)} more" if len(counted) > len(names) else ""
    return f" ({what} there are: {', '.join(names)}{more})" if names else f" (no {what} are known)"
