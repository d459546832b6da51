"""What of a database is hidden from models: suspicious spans, unless the person allows them.

For people everything stays as it is; models are told that something is missing, and not its words.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from rag_assistant.store.reading import StoreReader
from rag_assistant.values.documents import (
    HIDDEN,
    EntryText,
    HiddenSpan,
    Hit,
    Passage,
    Suspicion,
)


def hidden_spans(
    reader: StoreReader, entry_ids: Collection[int]
) -> dict[int, tuple[Suspicion, ...]]:
    """Give the spans of entries' texts that models may not read, by id, in order."""
    found = reader.suspicions.of_entries(entry_ids)
    hidden = {
        entry_id: tuple(one for one in there if one.place == "text" and not one.allowed)
        for entry_id, there in found.items()
    }
    return {entry_id: there for entry_id, there in hidden.items() if there}


def without_hidden(text: EntryText, spans: Sequence[Suspicion]) -> EntryText:
    """Give an entry's passages without what models may not read, and where that was."""
    if not spans:
        return text
    from rag_assistant.injection.cutting import parts  # noqa: PLC0415 - most searches need it not

    kept: list[Passage] = []
    out: list[HiddenSpan] = []
    for passage in text.passages:
        here = passage.location.start
        for low, high, why in parts(passage.text, here, spans):
            if why is None:
                kept.append(_part(passage, low, high))
            else:
                out.append(HiddenSpan(here + low, here + high, why.kind, why.reason))
    return replace(text, passages=tuple(kept), hidden=tuple(out)) if out else text


def has_hidden(hit: Hit) -> bool:
    """Whether models may not read something of a hit's snippet."""
    return any(
        one.start < hit.location.end and one.end > hit.location.start for one in _hidden_in(hit)
    )


def snippet_for_models(hit: Hit) -> str:
    """Give the snippet of a hit with a line in place of what models may not read of it."""
    return _with_marks(hit.snippet, hit.location.start, _hidden_in(hit)).strip("\n")


def passage_for_models(hit: Hit, passage: Passage) -> str:
    """Give the text of the passage that a hit is from, with a line in place of such words."""
    return _with_marks(passage.text, passage.location.start, _hidden_in(hit))


def text_for_models(reader: StoreReader, entry_id: int) -> str:
    """Give the text of an entry with a line in place of what is hidden from models."""
    spans = hidden_spans(reader, [entry_id]).get(entry_id, ())
    if not spans:
        return reader.passages.text(entry_id)
    return passages_for_models(reader.passages.of_entry(entry_id), spans)


def passages_for_models(passages: Iterable[Passage], spans: Sequence[Suspicion]) -> str:
    """Give passages that follow one another as a text, with a line in place of what is hidden."""
    return "".join(_with_marks(one.text, one.location.start, spans) for one in passages)


def hidden_characters(reader: StoreReader) -> int:
    """Count the characters of all entries that are hidden from models."""
    from rag_assistant.injection.cutting import parts  # noqa: PLC0415

    counted = 0
    for entry_id in reader.suspicions.entries():
        spans = hidden_spans(reader, [entry_id]).get(entry_id, ())
        for passage in reader.passages.of_entry(entry_id) if spans else ():
            for low, high, why in parts(passage.text, passage.location.start, spans):
                if why is not None:
                    counted += high - low
    return counted


def _with_marks(text: str, start: int, spans: Sequence[Suspicion]) -> str:
    from rag_assistant.injection.cutting import with_marks  # noqa: PLC0415

    return with_marks(text, start, spans)


def _hidden_in(hit: Hit) -> list[Suspicion]:
    return [one for one in hit.suspicions if one.place == "text" and not one.allowed]


def reasons_of(hidden: Iterable[HiddenSpan]) -> str:
    """Say why places are hidden from models: "2 that read like instructions to an assistant"."""
    counted = Counter(
        one.reason.removeprefix("hidden: ") if one.kind == HIDDEN else "" for one in hidden
    )
    return ", ".join(
        f"{number} {reason}" if reason else f"{number} {_READS}{'' if number > 1 else 's'} {_LIKE}"
        for reason, number in counted.items()
    )


_READS, _LIKE = "that read", "like instructions to an assistant"


def _part(passage: Passage, low: int, high: int) -> Passage:
    """Give a part of a passage, by characters of its text, with its place in the entry."""
    return replace(passage, location=passage.place(low, high), text=passage.text[low:high])
