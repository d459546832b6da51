"""The runs that are kept, each in a folder of its own: what was asked, and what came back so far.

An outcome is written as soon as it is there, so that a run which was killed goes on where it was.
A folder holds `run.json` (the header), `questions.jsonl` and `outcomes.jsonl`.
"""

import shutil
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.runs.encoding import outcome_json, outcome_of, plain_json
from rag_assistant.evaluation.runs.header import Header
from rag_assistant.evaluation.runs.lines import line_of, lines_in, mend_end, value_in, whole_end
from rag_assistant.evaluation.runs.outcomes import Outcome, Stage, stage_of
from rag_assistant.files.moving import move
from rag_assistant.files.private_files import open_private, private_folder, write_private
from rag_assistant.history.decoding import value_of

if TYPE_CHECKING:
    from filelock import BaseFileLock

HEADER, QUESTIONS, OUTCOMES, LOCK = "run.json", "questions.jsonl", "outcomes.jsonl", "run.lock"

PAUSED = "The run was broken off and gone on with: the time that it took has the pauses in it"


@dataclass(frozen=True, slots=True)
class KeptRun:
    """A run with all that is known of it; `notes` say what of it could not be read."""

    header: Header
    questions: tuple[Question, ...]
    outcomes: tuple[Outcome, ...]
    notes: tuple[str, ...] = ()


@dataclass(slots=True)
class OpenRun:
    """A run that goes on: this process alone writes to it until it is closed."""

    folder: Path
    kept: KeptRun
    _lock: "BaseFileLock"
    _added: list[Outcome] = field(default_factory=list)
    _writing: Lock = field(default_factory=Lock)

    @property
    def header(self) -> Header:
        """What it is made with."""
        return self.kept.header

    def done(self) -> frozenset[tuple[str, Stage]]:
        """Give the questions that have an outcome, with the stage it is of."""
        return frozenset(
            (outcome.question_id, stage_of(outcome))
            for outcome in (*self.kept.outcomes, *self._added)
        )

    def add(self, outcome: Outcome) -> None:
        """Keep what came back for a question; from any thread.

        Raises QuestionSetError where it cannot be kept.
        """
        line = line_of(outcome_json(outcome))
        try:
            with self._writing, open_private(self.folder / OUTCOMES, "a") as file:
                file.write(line)
        except OSError as error:
            raise _cannot_be_kept(self.folder, error) from error
        self._added.append(outcome)

    def gone_on(self, header: Header) -> None:
        """Take over what must be known of going on with a run: the notes of `header`, and that the
        time it took is no time of work."""
        notes = dict.fromkeys((*self.header.notes, *header.notes, PAUSED))
        self.kept = replace(self.kept, header=replace(self.header, notes=tuple(notes)))

    def finish(self, at: float, notes: Sequence[str] = ()) -> None:
        """Say that all is done, with what a reader must know of it."""
        header = replace(self.header, ended=at, notes=tuple(notes))
        try:
            _write_header(self.folder, header)
        except OSError as error:
            raise _cannot_be_kept(self.folder, error) from error
        self.kept = replace(self.kept, header=header)

    def so_far(self) -> KeptRun:
        """Give it with all outcomes there are."""
        return replace(self.kept, outcomes=(*self.kept.outcomes, *self._added))

    def close(self) -> None:
        """Let others write to it."""
        self._lock.release()
        (self.folder / LOCK).unlink(missing_ok=True)


class RunStore:
    """The runs in a home directory, by number."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "evaluations"

    def numbers(self) -> list[int]:
        """List the numbers of the runs, the latest first."""
        if not self.folder.is_dir():
            return []
        found = (path.name for path in self.folder.iterdir() if (path / HEADER).is_file())
        return sorted((int(name) for name in found if name.isdecimal()), reverse=True)

    def headers(self) -> Iterator[Header]:
        """Give the runs, the latest first, as far as they can be read."""
        for number in self.numbers():
            try:
                yield self.header(number)
            except QuestionSetError:  # what `read` says of it, when it is asked for
                continue

    def header(self, number: int) -> Header:
        """Give what a run was made with. Raises QuestionSetError where there is no such run."""
        place = self.folder / str(number) / HEADER
        try:
            header = value_of(Header, value_in(place.read_bytes()))
        except FileNotFoundError as error:
            raise QuestionSetError(
                f"There is no run {number}.", hint="List them: `rag-assistant eval runs`."
            ) from error
        except (OSError, ValueError, RecursionError) as error:
            raise QuestionSetError(
                f"Run {number} cannot be read: {error}.",
                hint=f"Remove it: `rag-assistant eval runs --remove {number}`.",
            ) from error
        return replace(header, number=number)

    def read(self, number: int) -> KeptRun:
        """Give a run. Raises QuestionSetError where there is none that can be read."""
        header, folder = self.header(number), self.folder / str(number)
        try:
            asked = lines_in(folder / QUESTIONS)
            questions = tuple(value_of(Question, value_in(line)) for line in asked)
            written = lines_in(folder / OUTCOMES) if (folder / OUTCOMES).exists() else []
        except (OSError, ValueError, RecursionError) as error:
            raise QuestionSetError(
                f"The questions of run {number} cannot be read: {error}.",
                hint=f"Remove it: `rag-assistant eval runs --remove {number}`.",
            ) from error
        outcomes: dict[tuple[str, Stage], Outcome] = {}
        lost = 0
        for line in written:
            try:
                outcome = outcome_of(value_in(line))
            except (ValueError, RecursionError):  # NotUnderstood is a ValueError
                lost += 1
                continue
            outcomes[outcome.question_id, stage_of(outcome)] = outcome
        if header.ended is not None and not whole_end(folder / OUTCOMES):
            lost += 1  # nobody is writing it any more
        notes = (*_missing(header, len(questions)), *_notes(number, lost))
        return KeptRun(header, questions, tuple(outcomes.values()), notes)

    def problems(self, number: int) -> list[str]:
        """List what of a run cannot be read, each in one line; nothing when it is whole."""
        try:
            return list(self.read(number).notes)
        except QuestionSetError as error:
            return [error.message]

    def begin(self, header: Header, questions: Sequence[Question]) -> OpenRun:
        """Begin a run under the next number. Raises QuestionSetError where it cannot be kept."""
        number = max([0, *self.numbers()])
        try:
            private_folder(self.folder)
        except OSError as error:
            raise _cannot_be_kept(self.folder, error) from error
        while True:
            number += 1
            folder = self.folder / str(number)
            try:
                folder.mkdir(mode=0o700)
                lock = _acquired(folder)
                whole = replace(header, number=number)
                lines = (line_of(plain_json(question)) for question in questions)
                write_private(folder / QUESTIONS, "".join(lines))
                _write_header(folder, whole)
            except FileExistsError:
                continue
            except OSError as error:
                shutil.rmtree(folder, ignore_errors=True)  # there is no run, nor may one seem to be
                raise _cannot_be_kept(folder, error) from error
            return OpenRun(folder, KeptRun(whole, tuple(questions), ()), lock)

    def resume(self, number: int) -> OpenRun:
        """Go on with a run. Raises QuestionSetError where there is none, or another does that."""
        self.header(number)
        folder = self.folder / str(number)
        lock = _locked(folder)
        try:
            mend_end(folder / OUTCOMES)
            return OpenRun(folder, self.read(number), lock)
        except BaseException:
            lock.release()
            raise

    def unfinished(self, header: Header) -> Header | None:
        """Give the latest run of the same work where that was broken off.

        One that was broken off before another got done is not gone on with: it would pass for the
        newer of the two.
        """
        latest = next((one for one in self.headers() if one.same_work(header)), None)
        return latest if latest and latest.ended is None else None

    def of_set(self, path: Path) -> Iterator[Header]:
        """Give the runs of a question set, the latest first."""
        return (header for header in self.headers() if header.set_path == str(path.absolute()))

    def going_on(self, number: int) -> bool:
        """Whether a process is taking a run at this moment."""
        folder = self.folder / str(number)
        if not (folder / LOCK).exists():
            return False
        try:
            _acquired(folder).release()
        except TimeoutError:
            return True
        except OSError:  # a lock was left where nothing can be written, nor a run go on
            return False
        return False

    def remove(self, number: int) -> None:
        """Remove a run and all that is kept of it. Raises QuestionSetError."""
        folder = self.folder / str(number)
        if not folder.is_dir():
            self.header(number)
        lock = _locked(folder)
        lock.release()
        try:
            shutil.rmtree(folder)
        except OSError as error:
            raise QuestionSetError(
                f"Run {number} cannot be removed: {error.strerror or error}.",
                hint=f"Remove the folder {folder}.",
            ) from error


def _acquired(folder: Path) -> "BaseFileLock":
    """Take the lock of a run. Raises TimeoutError where another process has it, or OSError."""
    from filelock import FileLock  # noqa: PLC0415 - only writing needs it

    lock = FileLock(folder / LOCK, blocking=False, thread_local=False)
    lock.acquire()
    return lock


def _locked(folder: Path) -> "BaseFileLock":
    try:
        return _acquired(folder)
    except TimeoutError as error:
        raise QuestionSetError(
            f"Run {folder.name} is going on in another process.",
            hint="Wait for it, or begin another with --anew.",
        ) from error
    except OSError as error:
        raise QuestionSetError(
            f"Run {folder.name} cannot be changed: {error.strerror or error}.",
            hint=f"Make {folder} writable, or give another --home.",
        ) from error


def _write_header(folder: Path, header: Header) -> None:
    """Write it whole or not at all."""
    part = folder / f"{HEADER}.part"
    write_private(part, line_of(plain_json(header)))
    move(part, folder / HEADER)


def _missing(header: Header, questions: int) -> tuple[str, ...]:
    if questions == header.questions:
        return ()
    kept = f"{questions:,} of the {header.questions:,} questions"
    return (f"Only {kept} of run {header.number} can be read, and are counted",)


def _notes(number: int, lost: int) -> tuple[str, ...]:
    if not lost:
        return ()
    counts = "1 outcome counts" if lost == 1 else f"{lost} outcomes count"
    return (f"{counts} as not asked: the lines of run {number} cannot be read",)


def _cannot_be_kept(folder: Path, error: OSError) -> QuestionSetError:
    return QuestionSetError(
        f"The run cannot be kept in {folder}: {error.strerror or error}.",
        hint="Make room or give another --home; what is kept of it goes on when it is run again.",
    )
