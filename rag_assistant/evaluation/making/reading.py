"""Reading documents to make questions of, and only so much of each as is needed."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from random import Random

from rag_assistant.documents import Entry, EntryText, Passage
from rag_assistant.evaluation.making.english import tokens_of
from rag_assistant.evaluation.making.languages import ENGLISH, UNSPACED, language_of
from rag_assistant.evaluation.making.prose import Sentence, good_sentences, unmarked_prose
from rag_assistant.evaluation.questions.values import document_id
from rag_assistant.library.database import Database
from rag_assistant.suspicion.detector import why_suspicious
from rag_assistant.terms import words_in

_READ_WHOLE = 120_000
"""Characters of a document that is read whole; of longer ones, some places with neighbours."""

_PLACES, _NEIGHBOURS = 40, 1
_NO_PROSE_TYPES = ("text/csv", "text/tab-separated-values", "application/json", "image/")
_LONGEST_TOPIC = 6
_NUMBERING = re.compile(
    r"^(?:(?:\d+|[A-Z])(?:\.\d+)*[.:)]?\s+|(?:Chapter|Section|Part)\s+\d+[.:]?\s*)"
)
_NO_TOPIC = re.compile(r"[\"“”|<>{}\[\]/\\@?!]|\.\w{2,4}$|\w-\w+-\w|\w_\w")
_REPLY = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)
_INNER = re.compile(r"(?<=[a-z,] )(?=[^\W\d_])(?![a-zß-öø-ÿ])[\w'’-]+")
_DULL_TOPIC = re.compile(
    r"(?:introduction|summary|overview|contents|abstract|background|conclusions?|methods?|results?"
    r"|discussion|notes?|minutes|index|appendix|preface|readme|references|general|other|actions"
    r"|aims?)\W*$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A document as far as it was read: its sentences to ask about, and the text they are from."""

    entry: Entry
    language: str
    passages: Sequence[Passage]
    sentences: tuple[Sentence, ...]
    names: "Names"

    def words_near(self, sentence: Sentence) -> str:
        """Give what a search finds a sentence by: its passage, with the headings and the title."""
        for passage in self.passages:
            here = passage.location
            if here.start <= sentence.place < here.end:
                return f"{self.entry.title} {here.heading or ''} {passage.text}"
        return sentence.plain

    def topic(self, sentence: Sentence) -> str:
        """Name what a sentence stands under in a few words, "" where its heading does not say."""
        return self._plain(sentence.heading) or self.title

    @property
    def title(self) -> str:
        """The title in a few words, "" where it does not say what the document is about."""
        named_by_file = self.entry.title == PurePosixPath(self.entry.path).stem
        return "" if named_by_file else self._plain(self.entry.title)

    def _plain(self, name: str) -> str:
        """Give a heading or title as it may stand in a question, "" where it may not."""
        bare = _NUMBERING.sub("", _REPLY.sub("", " ".join(name.split()))).strip(" .:")
        bare = bare.replace(": ", " ")
        words = bare.split()
        if not 1 <= len(words) <= _LONGEST_TOPIC or _DULL_TOPIC.match(bare):
            return ""
        if _kind(words[0]) not in ("word", "det", "num") or _NO_TOPIC.search(bare):
            return ""
        if why_suspicious(bare):
            return ""
        is_name = self.names.has(words[0]) or not words[0][1:].islower()
        return bare if is_name else bare[0].lower() + bare[1:]


@dataclass(slots=True)
class Names:
    """What the documents that were read write small, and large within a sentence."""

    small: set[str] = field(default_factory=set)
    large: set[str] = field(default_factory=set)

    def learn(self, text: str) -> None:
        """Take in another text."""
        self.small.update(word for word in words_in(text) if word.islower())
        self.large.update(_INNER.findall(text))

    def has(self, word: str) -> bool:
        """Whether the first word of a sentence or heading is a name: it is never written small."""
        if word.lower() in self.small or _kind(word) != "word":
            return False
        inside = any(letter.isupper() or letter.isdigit() for letter in word[1:])
        return inside or word in self.large


def read_document(database: Database, entry: Entry, rng: Random, names: Names) -> ReadDocument:
    """Read an entry as far as questions need it, without anything that looks suspicious.

    It blocks. Raises RagError where the database cannot be read.
    """
    passages = list(_passages(database, entry, rng))
    text = "\n".join(passage.text for passage in passages)
    language = language_of(text)
    sentences: list[Sentence] = []
    if language and language != UNSPACED:
        for passage in passages:
            sentences += good_sentences(entry.id, passage)
    if not sentences and language == ENGLISH and len(passages) == 1:
        sentences += unmarked_prose(entry.id, passages[0])
    spoken = [one for one in sentences if language_of(one.plain) in (language, "")]
    names.learn(text)
    return ReadDocument(entry, language, passages, tuple(spoken), names)


def _kind(word: str) -> str:
    tokens = tokens_of(word)
    return tokens[0].kind if tokens else "mark"


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
