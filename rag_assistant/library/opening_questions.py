"""Questions to begin with, made of what the documents of a database say, without a model.

A question is offered only where its words lead to the document that answers it, and where none asks
the same already: a list of questions answers nothing.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.library.fact_questions import MAY_FIT, AskedOf, question_of
from rag_assistant.library.hidden import hidden_spans, without_hidden
from rag_assistant.library.passage_facts import plain_sentences
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.terms import content_terms, words_in
from rag_assistant.text.written_names import Names
from rag_assistant.values.documents import EntryText, Suspicion
from rag_assistant.values.search_plan import Phrase

MOST_ENTRIES = 60
"""Entries that are looked at, far apart where there are more."""

_WINDOWS = ((0, 2_000), (2_000, 10_000))
"""The characters of each entry that are looked at: more of them where the first tell too little."""

_ENOUGH = 2
"""Entries with questions, for each question that is wanted, before no other is looked at."""

_HOLDERS = 3
"""Entries that may have the words of a question together."""


@dataclass(frozen=True, slots=True)
class OpeningQuestion:
    """A question, what it asks of, and the entry that answers it with the words of its `quote`."""

    question: str
    of: AskedOf
    entry_id: int
    quote: str


def opening_questions(database: Database, count: int = 3) -> tuple[OpeningQuestion, ...]:
    """Make up to `count` questions that the database answers, of different kinds and entries.

    It blocks: call it in a thread.
    """
    made: list[OpeningQuestion] = []
    chosen: list[OpeningQuestion] = []
    with database.reading() as reader:
        ids = _apart([one.id for one in reader.entries.names()])
        hidden = hidden_spans(reader, ids)
        for window in _WINDOWS:
            made += _made(reader, ids, hidden, window, _ENOUGH * count)
            chosen = _chosen(reader, made, count)
            if len(chosen) == count:
                break
    return tuple(chosen)


Hidden = Mapping[int, Sequence[Suspicion]]


def _made(
    reader: StoreReader, ids: Sequence[int], hidden: Hidden, window: tuple[int, int], most: int
) -> Iterator[OpeningQuestion]:
    """Make the questions of a part of entries, until so many of these had any."""
    for entry_id in ids:
        passages = tuple(reader.passages.of_entry(entry_id, *window))
        if spans := hidden.get(entry_id):
            text = EntryText(reader.entries.get(entry_id), passages)
            passages = without_hidden(text, spans).passages
        found = list(_questions_of(entry_id, "".join(passage.text for passage in passages)))
        yield from found
        most -= bool(found)
        if not most:
            return


def _apart(ids: Sequence[int]) -> list[int]:
    """Take entries from all over a database, in an order in which the first are far apart."""
    most = min(MOST_ENTRIES, len(ids))
    spread = [ids[place * len(ids) // most] for place in range(most)]
    step = next((n for n in (7, 11, 13, 17) if most % n), 1)
    return [spread[place * step % most] for place in range(most)]


def _questions_of(entry_id: int, text: str) -> Iterator[OpeningQuestion]:
    """Make the questions that the sentences of a text bear."""
    learned: list[Names] = []

    def names() -> Names:
        if not learned:  # most texts bear no question, and need no names
            learned.append(Names())
            learned[0].learn(text)
        return learned[0]

    for sentence in plain_sentences(text, MAY_FIT):
        made = question_of(sentence.plain, names)
        if made and not why_suspicious(made.text):
            yield OpeningQuestion(made.text, made.of, entry_id, sentence.quote)


def _chosen(
    reader: StoreReader, made: Sequence[OpeningQuestion], count: int
) -> list[OpeningQuestion]:
    """Choose questions that lead to their entry: of other kinds and entries before of the same."""
    chosen: list[OpeningQuestion] = []
    left = list({one.question: one for one in reversed(made)}.values())[::-1]
    while left and len(chosen) < count:
        kinds = [one.of for one in chosen]
        entries = [one.entry_id for one in chosen]
        best = min(left, key=lambda one: (entries.count(one.entry_id), kinds.count(one.of)))
        left.remove(best)
        if _leads_to_it(reader, best):
            chosen.append(best)
    return chosen


def _leads_to_it(reader: StoreReader, made: OpeningQuestion) -> bool:
    """Whether the words of a question stand together where its answer is, and in few others."""
    asked = tuple(words_in(made.question))
    if reader.candidates.entries_with((Phrase(asked, column="text"),), 1):
        return False
    said = content_terms(made.quote)
    words = [word for term, word in content_terms(made.question).items() if term in said]
    phrases = tuple(Phrase((part,)) for word in words for part in words_in(word))
    found = reader.candidates.entries_with(phrases, _HOLDERS + 1) if phrases else ()
    # One word alone leads to whatever has it.
    return made.entry_id in found and len(found) <= (_HOLDERS if len(words) > 1 else 1)
