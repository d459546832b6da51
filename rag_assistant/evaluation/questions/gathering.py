"""The questions of one file as they come out of it, and what has to be said of its lines."""

from collections.abc import Mapping

from rag_assistant.evaluation.questions.fields import KEYS, Unfit, question_of, unknown_keys
from rag_assistant.evaluation.questions.values import BadLine, Question, QuestionSet

MOST_BAD_LINES = 1_000
"""Bad lines that are told one by one; the next one counts the rest."""

_MOST_REASON = 300
_MOST_KEYS = 20
_LONGEST_KEY = 60
_NEAR = 60
"""Of 100, how alike a key must be to be offered for an unknown one (rapidfuzz's ratio)."""


class BadLines:
    """The lines that could not be used, the first of them in full and the rest counted."""

    def __init__(self) -> None:
        self._told: list[BadLine] = []
        self._more = 0
        self._last: BadLine | None = None

    def add(self, file: str, line: int, reason: str) -> None:
        """Note that a line is left out."""
        self._last = BadLine(file, line, reason[:_MOST_REASON])
        if len(self._told) < MOST_BAD_LINES:
            self._told.append(self._last)
        else:
            self._more += 1

    def all(self) -> tuple[BadLine, ...]:
        """Give them in the order in which they were met."""
        if not self._last or not self._more:
            return tuple(self._told)
        rest = f"the last of {self._more:,} more that cannot be used: {self._last.reason}"
        last = BadLine(self._last.file, self._last.line, rest[:_MOST_REASON])
        return (*self._told, last)


class QuestionCollector:
    """Takes the questions of the file called `file`, each with the line that it begins on."""

    def __init__(self, file: str) -> None:
        self.file = file
        self.bad = BadLines()
        self.notes: list[str] = []
        self._questions: dict[str, Question] = {}
        self._lines: dict[str, int] = {}
        self._unknown: dict[str, int] = {}

    def take(self, line: int, values: object) -> None:
        """Take the values of a question's keys, or note why they are none."""
        if not isinstance(values, Mapping):
            self.leave_out(line, "not an object of keys and values")
            return
        if len(self._unknown) < _MOST_KEYS:
            for key in unknown_keys(values)[:_MOST_KEYS]:
                self._unknown.setdefault(str(key)[:_LONGEST_KEY], line)
        try:
            question = question_of(values)
        except Unfit as reason:
            self.leave_out(line, str(reason))
            return
        if question.id in self._questions:
            other = self._lines[question.id]
            same = "the same question" if "id" not in values else f"the id {question.id!r}"
            self.leave_out(line, f"{same} is taken already, by line {other}")
            return
        self._questions[question.id] = question
        self._lines[question.id] = line

    def leave_out(self, line: int, reason: str) -> None:
        """Note that a line cannot be used."""
        self.bad.add(self.file, line, reason)

    def found(self) -> QuestionSet:
        """Give what was taken."""
        notes = (*self.notes, *map(self._told, self._unknown))
        return QuestionSet(tuple(self._questions.values()), self.bad.all(), notes)

    def _told(self, key: str) -> str:
        line = f"{self.file}, line {self._unknown[key]}"
        return f"{line}: the key {key!r} is unknown and left out{nearest_key(key)}"


def nearest_key(key: str) -> str:
    """Say which key may be meant by an unknown one, in words that go behind it; "" for none."""
    from rapidfuzz import process  # noqa: PLC0415 - only a mistake needs it

    near = process.extractOne(key.casefold(), KEYS, score_cutoff=_NEAR)
    return f" (did you mean {near[0]!r}?)" if near else ""
