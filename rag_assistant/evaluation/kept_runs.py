"""The last two runs of each question set, kept in the home directory; the sets that are known."""

import json
import os
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any

from rag_assistant.errors import QuestionSetError, RagError
from rag_assistant.evaluation.evaluate import QUESTIONS_SUFFIX
from rag_assistant.evaluation.report import Report, report_json
from rag_assistant.evaluation.verdicts import Verdict, verdicts_of
from rag_assistant.library.library import Library

VERSION = 1


@dataclass(frozen=True, slots=True)
class Run:
    """A run that is kept: when it ended (seconds since 1970), and what it says."""

    at: float
    mode: str
    verdicts: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class KeptRuns:
    """The last run of a question set and the one before, as far as there are any."""

    last: Run | None = None
    before: Run | None = None


def kept_runs(home: Path, questions: Path) -> KeptRuns:
    """Read what is kept of a question set; nothing where the file is not to be understood."""
    try:
        return KeptRuns(*map(_run, _read(_place(home, questions))["runs"][:2]))
    except (OSError, ValueError, LookupError, TypeError):
        return KeptRuns()


def keep_run(home: Path, questions: Path, report: Report) -> KeptRuns:
    """Keep a run as the last one. Raises QuestionSetError where that cannot be written."""
    place = _place(home, questions)
    try:
        runs = _read(place)["runs"][:1]
    except (OSError, ValueError, LookupError, TypeError):
        runs = []
    said = {"at": time.time(), **report_json(report)}
    kept = {"version": VERSION, "path": str(questions.absolute()), "runs": [said, *runs]}
    try:
        _write(place, json.dumps(kept))
    except OSError as error:
        raise QuestionSetError(
            f"The run cannot be kept in {place.parent} ({error.strerror}).",
            hint="Its figures are shown, and gone with the screen.",
        ) from error
    return kept_runs(home, questions)


def known_sets(library: Library) -> tuple[Path, ...]:
    """Give the question sets that lie beside or in the indexed folders, or were run before."""
    found: dict[Path, None] = {}
    for path in (*_beside_folders(library), *_run_before(library.home)):
        if path.exists():
            found.setdefault(path)
    return tuple(found)


def _beside_folders(library: Library) -> Iterator[Path]:
    for name in library.names():
        try:
            folder = Path(library.database(name).folder())
        except RagError:  # a damaged database is told of elsewhere
            continue
        yield folder.parent / f"{folder.name}{QUESTIONS_SUFFIX}.jsonl"
        yield folder / "questions.jsonl"


def _run_before(home: Path) -> Iterator[Path]:
    for kept in sorted((home / "evaluations").glob("*.json")):
        try:
            yield Path(_read(kept)["path"])
        except (OSError, ValueError, LookupError, TypeError):
            continue


def _place(home: Path, questions: Path) -> Path:
    whole = str(questions.absolute())
    return home / "evaluations" / f"{sha256(os.fsencode(whole)).hexdigest()[:16]}.json"


def _read(place: Path) -> Mapping[str, Any]:
    kept = json.loads(place.read_text(encoding="utf-8"))
    if kept["version"] != VERSION:
        raise ValueError("of another version")
    found: Mapping[str, Any] = kept
    return found


def _run(said: Mapping[str, Any]) -> Run:
    return Run(float(said["at"]), str(said["mode"]), verdicts_of(said))


def _write(place: Path, text: str) -> None:
    """Write a file whole or not at all."""
    place.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=place.parent, suffix=".part")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
        Path(name).replace(place)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise
