"""Passages by what they hold and by what places them: BM25 over weighed fields (BM25F).

    sum over terms t of idf(t) * f * (k1 + 1) / (f + k1)
    f = text / (1 - b + b * length / mean length) + HEADING * heading + place

(Robertson, Zaragoza and Taylor 2004, doi 10.1145/1031171.1031181.) text and heading count t in the
passage's own. place is the greatest weight of what holds t of the entry: title, first lines, path,
authors. It is no count, so that a path that repeats the title, or many names, add nothing.
"""

from collections.abc import Mapping, Sequence

from rag_assistant.text.term_counts import term_id
from rag_assistant.values.term_records import EntryTerms, PassageRecord

K1, B = 1.2, 0.5

HEADING, TITLE, LEAD, PATH, AUTHORS = 1.0, 1.0, 0.4, 0.3, 0.3
"""Weights beside a word of the text. Chosen on the tuning questions of COVID-QA, the demo folders
and the reports; there a LEAD of 0 loses .07 and more of the reports' quotes, one of 1 .045 of those
of the demo folders, and TITLE makes no difference from .5 to 2."""


def placed_scores(
    weights: Mapping[str, float],
    records: Sequence[PassageRecord],
    entries: Mapping[int, EntryTerms],
    mean_length: float,
) -> list[float]:
    """Score passages, given with the terms of their entries by id; mean length is in words.

    One that has no term in text, heading or title scores 0, whatever else places its entry.
    """
    by_number = {term_id(term): weight for term, weight in weights.items()}
    places: dict[int, Mapping[int, float]] = {}
    scores: list[float] = []
    for record in records:
        placing = places.get(record.entry_id)
        if placing is None:
            placing = _place(by_number, entries.get(record.entry_id))
            places[record.entry_id] = placing
        norm = 1 - B + B * record.length / mean_length
        held, heading = record.terms, record.heading
        score, own = 0.0, False
        for term, weight in by_number.items():
            place = placing.get(term, 0.0)
            f = held.get(term, 0) / norm
            if heading and term in heading:
                f += HEADING * heading.count(term)
            own = own or f > 0 or place == TITLE
            if f or place:
                f += place
                score += weight * f * (K1 + 1) / (f + K1)
        scores.append(score if own else 0.0)
    return scores


def _place(wanted: Mapping[int, float], entry: EntryTerms | None) -> Mapping[int, float]:
    """Give the weights of the terms that place an entry."""
    if entry is None:
        return {}
    fields = ((entry.title, TITLE), (entry.lead, LEAD), (entry.path, PATH))
    place: dict[int, float] = {}
    for terms, weight in (*fields, (entry.authors, AUTHORS)):
        for term in wanted.keys() & terms:
            place[term] = max(weight, place.get(term, 0.0))
    return place
