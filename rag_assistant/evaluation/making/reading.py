"""Reading documents to make questions of, and only so much of each as is needed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from random import Random

from rag_assistant.evaluation.questions.values import document_id
from rag_assistant.injection.detector import why_suspicious
from rag_assistant.library.database import Database
from rag_assistant.library.passage_facts import Fact, facts_of, unmarked_prose
from rag_assistant.text.english import kind_of
from rag_assistant.text.languages import ENGLISH, UNSPACED, language_of
from rag_assistant.text.mail_subjects import without_reply
from rag_assistant.text.written_names import Names
from rag_assistant.values.documents import Entry, EntryText, Passage

_READ_WHOLE = 120_000
"""Characters of a document that is read whole; of longer ones, some places with neighbours."""

_PLACES, _NEIGHBOURS = 40, 1
_NO_PROSE_TYPES = ("text/csv", "text/tab-separated-values", "application/json", "image/")
_LONGEST_TOPIC = 6
_NUMBERING = re.compile(
    r"^(?:(?:\d+|[A-Z])(?:\.\d+)*[.:)]?\s+|(?:Chapter|Section|Part)\s+\d+[.:]?\s*)"
)
_NO_TOPIC = re.compile(r"[\"“”|<>{}\[\]/\\@?!]|\.\w{2,4}$|\w-\w+-\w|\w_\w")
_DULL_TOPIC = re.compile(
    r"(?:introduction|summary|overview|contents|abstract|background|conclusions?|methods?|results?"
    r"|discussion|notes?|minutes|index|appendix|preface|readme|references|general|other|actions"
    r"|aims?)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as far as it was read: its facts to ask about, and the text they are from."""

    entry: Entry
    language: str
    passages: Sequence[Passage]
    facts: tuple[Fact, ...]
    names: Names

    def words_near(self, fact: Fact) -> str:
        """Give what a search finds a fact by: its passage, with the headings and the title."""
        for passage in self.passages:
            here = passage.location
            if here.start <= fact.place < here.end:
                return f"{self.entry.title} {here.heading or ''} {passage.text}"
        return fact.plain

    def topic(self, fact: Fact) -> str:
        """Name what a fact stands under in a few words, "" where its heading does not say."""
        return self._plain(fact.heading) or self.title

    @property
    def title(self) -> str:
        """The title in a few words, "" where it does not say what the document is about."""
        named_by_file = self.entry.title == PurePosixPath(self.entry.path).stem
        return "" if named_by_file else self._plain(self.entry.title)

    def _plain(self, name: str) -> str:
        """Give a heading or title as it may stand in a question, "" where it may not."""
        bare = _NUMBERING.sub("", without_reply(" ".join(name.split()))).strip(" .:")
        words = bare.replace(": ", " ").split()
        if not 1 <= len(words) <= _LONGEST_TOPIC or _DULL_TOPIC.match(bare):
            return ""
        if kind_of(words[0]) not in ("word", "det", "num") or _NO_TOPIC.search(bare):
            return ""
        return "" if why_suspicious(bare) else self.names.lowered(" ".join(words))


def read_document(database: Database, entry: Entry, rng: Random, names: Names) -> ReadDocument:
    """Read an entry as far as questions need it, without anything that looks suspicious.

    It blocks. Raises RagError where the database cannot be read.
    """
    passages = list(_passages(database, entry, rng))
    text = "\n".join(passage.text for passage in passages)
    language = language_of(text)
    facts: list[Fact] = []
    if language and language not in UNSPACED:
        for passage in passages:
            facts += facts_of(entry.id, passage)
    if not facts and language == ENGLISH and len(passages) == 1:
        facts += unmarked_prose(entry.id, passages[0])
    spoken = [
        one for one in facts if one.kind != "sentence" or language_of(one.plain) in (language, "")
    ]
    names.learn(text)
    return ReadDocument(entry, language, passages, tuple(spoken), names)


def _passages(database: Database, entry: Entry, rng: Random) -> Iterator[Passage]:
    """Read passages of an entry; nothing of one whose names or metadata look suspicious."""
    if entry.media_type.startswith(_NO_PROSE_TYPES):
        return
    suspicions = [row.suspicion for row in database.suspicions(entry.id)]
    if any(one.place != "text" for one in suspicions):
        return
    if entry.length <= _READ_WHOLE:
        read = [EntryText(entry, tuple(database.passages(entry.id)))]
    else:
        places = sorted(rng.randrange(entry.length) for _ in range(_PLACES))
        read = [database.read_around(entry.id, place, _NEIGHBOURS) for place in places]
    seen: set[int] = set()
    for text in database.for_prompt(read):
        for passage in text.passages:
            here = passage.location
            clear = not any(one.start < here.end and one.end > here.start for one in suspicions)
            if clear and here.start not in seen:
                seen.add(here.start)
                yield passage


def name_of(entry: Entry, keys: Counter[str]) -> str:
    """Give the name that judgements know an entry by; "" for a record that has no name of its own.

    `keys` counts the keys of all records: one that several have names none of them.
    """
    if not entry.key:
        return document_id(entry.path)
    return document_id(entry.key) if keys[entry.key] == 1 else ""
