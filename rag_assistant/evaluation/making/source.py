"""The documents that questions are made of: what they are called, and what questions they bear.

A draft becomes a question only where all documents that may answer it can be named.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random

from rag_assistant.errors import LibraryError
from rag_assistant.evaluation.making.drafts import QuestionDraft, drafts_of
from rag_assistant.evaluation.making.pointing import Pointing
from rag_assistant.evaluation.making.reading import name_of, read_document
from rag_assistant.evaluation.making.wording import LONGEST_RUN, longest_run
from rag_assistant.library.database import Database
from rag_assistant.text.languages import ENGLISH, UNSPACED, language_name
from rag_assistant.text.written_names import Names, named_in
from rag_assistant.values.documents import Entry

UNANSWERABLE_SHARE = 0.2
"""Of the questions, how many cannot be answered."""

_MOST_AWAY = 6
"""Documents that are taken away for one question: where more may answer it, it is left."""

_NEAR_MISSES = 4
"""Names that are tried in the place of one."""

_LONGEST_HALF = 14
"""Words of a question that another one is put to."""


@dataclass(frozen=True, slots=True)
class SelectedDraft:
    """A draft with the names of its documents, and of those that are taken away for it.

    One that is not `answerable` and has nothing taken away asks for what no document says.
    """

    draft: QuestionDraft
    relevant: tuple[str, ...]
    without: tuple[str, ...] = ()
    answerable: bool = True


@dataclass(slots=True)
class SourceDatabase:
    """A database with what is known of its entries, and the drafts of those that were read."""

    database: Database
    pointing: Pointing
    entries: dict[int, Entry]
    names: dict[int, str]
    known: Names = field(default_factory=Names)
    languages: Counter[str] = field(default_factory=Counter)
    open: dict[int, Iterator[QuestionDraft]] = field(default_factory=dict)

    @classmethod
    def of(cls, database: Database) -> "SourceDatabase":
        """List what there is in a database. Raises LibraryError where that is nothing."""
        listed = database.entries()
        if not listed:
            raise LibraryError(
                f"The database {database.name!r} is empty, there is nothing to ask about.",
                hint=f"See why: `rag-assistant databases info {database.name}`.",
            )
        keys = Counter(entry.key for entry in listed if entry.key)
        entries = {entry.id: entry for entry in listed}
        names = {entry.id: name_of(entry, keys) for entry in listed}
        return cls(database, Pointing(database), entries, names)

    def begin(self, entry: Entry, rng: Random) -> None:
        """Read an entry, unless another version of its document is newer, and begin its drafts."""
        versions = self.database.entry(entry.id).versions
        if not self.names[entry.id] or any(one.relation == "newer" for one in versions):
            return
        document = read_document(self.database, entry, rng, self.known)
        self.languages[document.language] += 1
        if document.facts:
            self.open[entry.id] = drafts_of(document, self.pointing, rng)

    def answerable(self, draft: QuestionDraft) -> SelectedDraft | None:
        """Give a draft with the names of all documents that hold its fact; None where another one
        may say the same in other words."""
        if any(self.pointing.also_saying(draft.plain, one, draft.holders) for one in draft.answers):
            return None
        names = [self.names[entry] for entry in draft.holders]
        return SelectedDraft(draft, tuple(dict.fromkeys(names))) if all(names) else None

    def is_half(self, draft: QuestionDraft) -> bool:
        """Whether another question may be put to a draft: it is short and asks for one thing."""
        short = len(draft.question.split()) <= _LONGEST_HALF and draft.kind != "keywords"
        return short and bool(draft.answers and self.answerable(draft))

    def of_two(self, one: QuestionDraft, other: QuestionDraft) -> SelectedDraft | None:
        """Put two questions of two documents into one; None where they are of one, too long, or
        repeat a long run of a sentence together."""
        halves = [self.answerable(one), self.answerable(other)]
        if not self.is_half(other) or set(one.holders) & set(other.holders):
            return None
        second = other.question[0].lower() + other.question[1:]
        draft = replace(
            one,
            question=f"{one.question.removesuffix('?')}, and {second}",
            answers=(),
            facts=(*one.facts, *other.facts),
            holders=(*one.holders, *other.holders),
            kind="two-documents",
        )
        if any(longest_run(draft.question, quote) > LONGEST_RUN for quote in draft.quotes):
            return None  # the "and" between the two may go on where a sentence does
        names = [name for half in halves if half for name in half.relevant]
        return SelectedDraft(draft, tuple(dict.fromkeys(names)))

    def near_miss(self, draft: QuestionDraft, rng: Random) -> SelectedDraft | None:
        """Ask a draft of another person, place, product, month or year that stands nowhere beside
        what is asked; None where it names none."""
        for kind, name in named_in(draft.plain):
            alike = self.known.alike.get(kind, set()) - {name}
            if kind.startswith("behind"):
                alike = {one for one in alike if self.known.has(one.split()[0])}
            if kind.startswith("behind") and not self.known.has(name.split()[0]):
                continue
            others = sorted(alike)
            rng.shuffle(others)
            for other in others[:_NEAR_MISSES]:
                if name not in draft.question or name in " ".join(draft.answers):
                    break
                if self.pointing.is_apart(other, draft.plain.replace(name, " ")):
                    asked = re.sub(rf"\b{re.escape(name)}\b", other, draft.question)
                    return SelectedDraft(replace(draft, question=asked), (), answerable=False)
        return None

    def taken_away(self, draft: QuestionDraft) -> SelectedDraft | None:
        """Give a draft without the documents that may answer it, their versions among them; None
        where that cannot be told, or these are many."""
        if not draft.answers:
            return None
        also = self.pointing.also_saying(draft.plain, draft.answers[0], draft.holders)
        away = dict.fromkeys([*draft.holders, *also])
        for entry in tuple(away):
            away |= dict.fromkeys(one.entry_id for one in self.database.entry(entry).versions)
        names = [self.names[entry] for entry in away]
        if not all(names) or len(names) > _MOST_AWAY:
            return None
        held = [self.names[entry] for entry in draft.holders]
        return SelectedDraft(
            draft, tuple(dict.fromkeys(held)), tuple(sorted(set(names))), answerable=False
        )

    def notes(self, chosen: Sequence[SelectedDraft], wanted: int) -> tuple[str, ...]:
        """Say what was left out for its language, and what there are fewer of than were wanted."""
        notes: list[str] = []
        if left := sum(self.languages[code] for code in UNSPACED):
            notes.append(f"{_documents(left)} in a script without spaces: no questions of them")
        for code, number in sorted(self.languages.items()):
            if code not in ("", ENGLISH, *UNSPACED):
                name = language_name(code)
                notes.append(f"{_documents(number)} in {name}: asked about by words, no sentences")
        if len(chosen) < wanted:
            notes.append(
                f"{len(chosen)} of {wanted} questions: there is no more that can be asked about"
                " and is found in one place only"
            )
        due = round(wanted * UNANSWERABLE_SHARE) > 0
        if due and chosen and all(one.answerable for one in chosen):
            notes.append("none that cannot be answered: no sentence states a value to ask for")
        return tuple(notes)


def _documents(count: int) -> str:
    return f"{count} document{'' if count == 1 else 's'}"
