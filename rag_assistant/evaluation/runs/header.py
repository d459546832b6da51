"""What a run of a question set was made with: enough to make it again, and to tell two apart."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from rag_assistant.evaluation.questions.values import BadLine
from rag_assistant.evaluation.runs.outcomes import Stage

Mode = Literal["search", "retrieve", "answer", "all"]


@dataclass(frozen=True, slots=True)
class Settings:
    """What a run was asked for, as far as it bears on the figures.

    `stages` are those that were taken of the mode. `model` answers, `helper` condenses entries and
    `judge` judges answers, "" for none; `depth` is how many hits of a ranking are kept. `ranking`
    names the TREC run whose ranking is judged in the place of a search. `seed` is that of the
    resampling in the report.
    """

    mode: Mode
    stages: tuple[Stage, ...]
    databases: tuple[str, ...] = ()
    model: str = ""
    helper: str = ""
    judge: str = ""
    embedder: str = ""
    reranker: str = ""
    depth: int = 100
    at_once: int = 1
    seed: int = 0
    ranking: str = ""


@dataclass(frozen=True, slots=True)
class IndexStamp:
    """The state of a database: `digest` changes whenever an entry's path or text does."""

    database: str
    folder: str
    entries: int
    passages: int
    digest: str


@dataclass(frozen=True, slots=True)
class Header:
    """A run: of what, with what, when (seconds since 1970; `ended` is None until all is done).

    `number` is what a person calls it by. `set_digest` is that of the questions as they were read.
    """

    number: int
    set_path: str
    set_name: str
    set_digest: str
    questions: int
    started: float
    settings: Settings
    indexes: tuple[IndexStamp, ...] = ()
    versions: Mapping[str, str] = field(default_factory=dict)
    machine: str = ""
    ended: float | None = None
    bad_lines: tuple[BadLine, ...] = ()
    notes: tuple[str, ...] = ()

    def same_work(self, other: "Header") -> bool:
        """Whether two runs ask the same questions of the same texts in the same way."""
        return self._of_the_work() == other._of_the_work()

    def _of_the_work(self) -> "Header":
        return replace(self, number=0, started=0, ended=None, set_path="", notes=())
