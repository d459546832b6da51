"""Questions about a database as a whole to begin with, where its sentences bear too few.

Each is answered by a list of documents, which is short and not empty: those that mention a word of
several titles, the e-mails of one sender, what is newest.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from email.utils import parseaddr
from itertools import islice

from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.library.document_filter import DatedEntry, filtered_documents
from rag_assistant.library.opening_questions import opening_questions
from rag_assistant.store.reading import StoreReader
from rag_assistant.text.english import kind_of
from rag_assistant.text.mail_subjects import without_reply
from rag_assistant.text.months import MONTHS
from rag_assistant.text.terms import content_terms, words_in
from rag_assistant.values.search_plan import Phrase

MOST_ENTRIES = 2_000
"""Entries of a database that are listed for this; a larger one has sentences enough."""

_LEAST, _MOST, _SHARE = 2, 20, 0.5
"""Documents in a list that is worth asking for, and the most of all documents that it may be."""

_LOOKED_UP = 10
"""Words of titles that are looked up in texts."""

_WORD = re.compile(r"(?=.{6,20}$)(?:\w?[^\W\d_A-Z]+|[A-Z]+)")
_SENDER = re.compile(r"[^\W\d_][\w'’.-]*(?: [^\W\d_][\w'’.-]*){1,3}")
_OF_ANY = frozenset(
    "meeting meetings minutes report reports letter letters note notes page pages part chapter"
    " section draft version document documents file files copy annex appendix table list form"
    " test title summary overview introduction various general".split()
    + MONTHS
)
"""Words of titles that say nothing of what a document is about."""

Listed = Sequence[DatedEntry]


def questions_to_begin_with(databases: Iterable[Database], count: int) -> tuple[str, ...]:
    """Make up to `count` questions: of what the first databases say, then about them as a whole.

    It blocks: call it in a thread.
    """
    made: list[str] = []
    given: list[Database] = []
    for database in databases:
        given.append(database)
        made += [one.question for one in opening_questions(database, count - len(made))]
        if len(made) == count:
            return tuple(made)
    for database in given:
        if len(made) < count:
            made += folder_openings(database, count - len(made))
    return tuple(dict.fromkeys(made))


def folder_openings(database: Database, count: int) -> tuple[str, ...]:
    """Make up to `count` questions about a database as a whole, which its lists answer.

    It blocks: call it in a thread.
    """
    with database.reading() as reader:
        if reader.ledger.figures().entries > MOST_ENTRIES:
            return ()
        listed = filtered_documents(reader, "").documents
        made = (
            question
            for way in (_of_a_word, _of_a_sender, _of_what_is_new)
            for question in islice(way(reader, listed), 1)
        )
        return tuple(islice(made, count))


def _of_a_word(reader: StoreReader, listed: Listed) -> Iterator[str]:
    """Ask for the documents that mention a word: of several titles, and of few texts beside."""
    titles: defaultdict[str, list[str]] = defaultdict(list)
    for title in dict.fromkeys(without_reply(one.entry.title) for one in listed):
        for term, word in content_terms(title).items():
            if _WORD.fullmatch(word) and kind_of(word) == "word" and word.lower() not in _OF_ANY:
                titles[term].append(word)
    found: list[tuple[float, str]] = []
    several = [words for words in titles.values() if len(words) >= _LEAST]
    for words in sorted(several, key=len, reverse=True)[:_LOOKED_UP]:
        word = min(words, key=lambda one: not one.islower())  # written small where it once is
        phrase = Phrase(tuple(words_in(word)))
        holders = len(reader.candidates.entries_with((phrase,), _MOST + 1))
        if _is_short(holders, listed):
            found.append((len(words) / holders, word))
    if found:
        yield f"Which documents mention “{max(found)[1]}”?"


def _of_a_sender(reader: StoreReader, listed: Listed) -> Iterator[str]:
    facts = reader.entries.facts_of([one.entry.id for one in listed])
    senders = Counter(
        parseaddr(author)[0]
        for one in facts.values()
        if one.kind == "e-mail"
        for author in one.authors[:1]
    )
    for name, mails in senders.most_common():
        if _is_short(mails, listed) and _SENDER.fullmatch(name) and not why_suspicious(name):
            yield f"List all e-mails from {name}."


def _of_what_is_new(_: StoreReader, listed: Listed) -> Iterator[str]:
    """Ask for what is of the last months, where most is older."""
    months = Counter(one.date[:7] for one in listed if len(one.date) >= 7)
    newer = 0
    for month in sorted(months, reverse=True):
        newer += months[month]
        if _is_short(newer, listed):
            year, number = month.split("-")
            yield f"What is new since {MONTHS[int(number) - 1].capitalize()} {year}?"


def _is_short(documents: int, listed: Listed) -> bool:
    return _LEAST <= documents <= min(_MOST, _SHARE * len(listed))
