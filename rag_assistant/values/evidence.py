"""What an answer rests on: evidence, citations, and the answer that carries them."""

from dataclasses import dataclass

from rag_assistant.values.coverage import Coverage
from rag_assistant.values.evidence_items import EvidenceItem, QuoteMatch, QuoteState
from rag_assistant.values.messages import Usage
from rag_assistant.values.support import Sentence, Support
from rag_assistant.values.voice import Voice

__all__ = [
    "Answer",
    "Citation",
    "Disagreement",
    "Evidence",
    "EvidenceItem",
    "ModelUsage",
    "PartRead",
    "QuoteMatch",
    "QuoteState",
    "Refusal",
    "Retrieved",
    "Sent",
    "Side",
    "Signal",
    "StageRank",
    "Voice",
]


DRAFT = "What the model wrote, which the documents do not bear out"
"""What the draft of an answer that was withheld is."""

TOOK_OVER = "took over"
"""How the note ends that says who condensed entries in the helper's place."""


@dataclass(frozen=True, slots=True)
class StageRank:
    """How high an entry stood by one stage of ranking, from 1."""

    stage: str
    rank: int


@dataclass(frozen=True, slots=True)
class Retrieved:
    """Why an entry was read: the search that found it, and its ranks there, that of all first."""

    entry_id: int
    keyword: str
    ranks: tuple[StageRank, ...]


@dataclass(frozen=True, slots=True)
class PartRead:
    """A part of an entry that may be read next: the character that it begins at, and its name."""

    at: int
    part: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a search showed, or the RetrievalAgent found for one query in entries of one database.

    `confidence` runs from 1 to 10, and is 0 where nobody judged it, as of what a search shows.
    `notes` say what a reader must know: parts of entries that were left out, or that another helper
    had to take over. `retrieved` says why entries were read, of those that a search had found. Of a
    single entry that was read in part only, `parts` are its main parts, each with where it begins.
    """

    database: str
    query: str
    items: tuple[EvidenceItem, ...]
    confidence: int
    entries_read: tuple[int, ...] = ()
    notes: tuple[str, ...] = ()
    usage: Usage = Usage()
    retrieved: tuple[Retrieved, ...] = ()
    parts: tuple[PartRead, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """A claim's link to the words it rests on; `marker` is its number in the answer's text."""

    marker: int
    item: EvidenceItem

    @property
    def path(self) -> str:
        """The file that is cited, below its folder."""
        return self.item.path

    @property
    def quote(self) -> str:
        """The words that are cited."""
        return self.item.quote


@dataclass(frozen=True, slots=True)
class ModelUsage:
    """What a run used of one model.

    `role` is "main" (it answered), "helper" (it condensed entries), "tool" (a tool asked it),
    "fallback" (it took over) or "judge" (it gave the answer a second reading). `cost` is in the
    currency of its prices, None where it has none.
    """

    model: str
    role: str
    usage: Usage
    cost: float | None = None


@dataclass(frozen=True, slots=True)
class Sent:
    """What a run sent to another machine: requests, the entries in them, characters of text.

    `masked` counts the secrets that were taken out before.
    """

    host: str
    requests: int = 0
    entries: int = 0
    characters: int = 0
    masked: int = 0

    @property
    def words(self) -> str:
        """Say it in a line."""
        parts = [
            f"{self.requests:,} request{'' if self.requests == 1 else 's'}",
            f"{self.entries:,} document{'' if self.entries == 1 else 's'}",
            f"{self.characters:,} characters",
        ]
        if self.masked:
            parts.append(f"{self.masked:,} secret{'' if self.masked == 1 else 's'} masked")
        return f"sent to {self.host}: {', '.join(parts)}"


@dataclass(frozen=True, slots=True)
class Side:
    """What one source says where sources disagree: its `value`, as it stands in its `sentence`.

    `dated` is the day that the source is of, ISO 8601, empty where that is not known.
    """

    item: EvidenceItem
    value: str
    sentence: str
    dated: str = ""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Sources that state different values of the same thing, the newest first.

    `about` is what they state, with "…" for the value; `kind` is "number", "date" or "name".
    """

    about: str
    kind: str
    sides: tuple[Side, ...]

    @property
    def words(self) -> str:
        """Say it in one line, each value with its source and the day that this is of."""
        sides = " or ".join(
            f"{side.value} ({', '.join(filter(None, (side.item.path, side.dated)))})"
            for side in self.sides
        )
        return f"The sources disagree on “{self.about}”: {sides}."


@dataclass(frozen=True, slots=True)
class Signal:
    """Something that speaks for an answer: its `value` from 0 to 1, and what that does to the odds.

    `share` is the change of the logarithm of the odds against an answer with an average value.
    """

    name: str
    value: float
    share: float


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why an answer was not given, and what a person can do.

    `searched` says what was looked for, `nearest` is what comes nearest to the question, and each
    line of `widen` is a next step. `citations` are those of the answer's draft. `by_model` says
    that the model refused itself; its words and citations are then the answer's.
    """

    reason: str
    searched: tuple[str, ...] = ()
    nearest: tuple[EvidenceItem, ...] = ()
    widen: tuple[str, ...] = ()
    citations: tuple[Citation, ...] = ()
    by_model: bool = False


WELL_SUPPORTED = 10
"""Confidence from which an answer is called well supported: true words of the wrong document get
9 at times, and never 10 (`claims.confidence.CERTAIN`)."""

_CONFIDENCE = ((WELL_SUPPORTED, "well"), (7, "fairly"), (4, "partly"), (0, "weakly"))


@dataclass(frozen=True, slots=True)
class Answer:
    """The outcome of one run. `answered`: it cites a source, or says what a tool counted.

    `model` wrote the text. When that is not the model that was asked, `fallback` names that one and
    says what was wrong with it. `usage` and `cost` are of all models together; the cost is that of
    the models that have prices, None when none has. `sent` says what left this machine for it.
    `sentences` says of each sentence of the text what it rests on, and `objections` what was found
    wrong with the answer when it was checked, one line each. `confidence` is the likelihood in
    tenths that it is right, 0 where that was not judged, by the `signals`. Where there is a
    `refusal`, `text` says so in words and `draft` is what the model had written, whether it refused
    itself or was withheld.

    What the built-in model quotes has a `voice`, with which `text` begins, and the `chance`, from 0
    to 1, that the first quote is right; `confidence` is that in tenths. In the voice of the nearest
    passages there is a `refusal`, since nothing is claimed to answer; they stay, with citations.
    """

    question: str
    text: str
    citations: tuple[Citation, ...]
    evidence: tuple[Evidence, ...]
    coverage: Coverage
    model: str
    usage: Usage
    elapsed_ms: int
    usage_by_model: tuple[ModelUsage, ...] = ()
    cost: float | None = None
    fallback: str = ""
    sent: tuple[Sent, ...] = ()
    sentences: tuple[Sentence, ...] = ()
    objections: tuple[str, ...] = ()
    disagreements: tuple[Disagreement, ...] = ()
    confidence: int = 0
    signals: tuple[Signal, ...] = ()
    refusal: Refusal | None = None
    draft: str = ""
    voice: Voice | None = None
    chance: float | None = None

    @property
    def confidence_words(self) -> str:
        """Say how well the answer is supported, with the number; "" where that was not judged, or
        the voice tells.
        """
        if not self.confidence or self.refusal or self.chance is not None:
            return ""
        word = next(word for least, word in _CONFIDENCE if self.confidence >= least)
        return f"{word} supported, {self.confidence} of 10"

    @property
    def answered(self) -> bool:
        """Whether the documents held the answer, as far as citations or what was counted show."""
        return bool(self.citations or self._is_counted) and self.refusal is None

    @property
    def unsupported(self) -> bool:
        """Whether it is refused, or was searched for and cites nothing that was found."""
        bare = not (self.citations or self._is_counted)
        return self.refusal is not None or (bare and self.coverage.searches > 0)

    @property
    def _is_counted(self) -> bool:
        """Whether a number of it is one that a tool counted."""
        return bool(self.coverage.tallies) and any(
            one.support is Support.COMPUTED for one in self.sentences
        )
