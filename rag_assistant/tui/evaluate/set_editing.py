"""Making a question set of a database, and the page of a run: files that are kept at home."""

from collections.abc import Callable
from itertools import count
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.questions.addressing import QUESTIONS_SUFFIX
from rag_assistant.evaluation.running.kept_sets import MADE_HERE
from rag_assistant.evaluation.runs.store import RunStore

QUESTIONS = 20
"""Questions of a set: few enough to be read through, and for a run that one waits for."""


async def make_set(assistant: Assistant, database: str, tell: Callable[[str], object]) -> Path:
    """Make questions of a database without a model, and write them; give the new file.

    `tell` is given how far it is, from other threads too. Raises RagError.
    """
    # What makes questions loads much that nothing else here needs.
    from rag_assistant.evaluation.making.choosing import MakingProgress  # noqa: PLC0415
    from rag_assistant.evaluation.making.made import Wish, make_questions  # noqa: PLC0415
    from rag_assistant.evaluation.questions.writing import write_questions  # noqa: PLC0415

    def moved(progress: MakingProgress) -> None:
        tell(f"making question {progress.done} of {progress.total}…")

    made = await make_questions(assistant, database, Wish(QUESTIONS), moved)
    if not made.questions:
        raise QuestionSetError(
            f"No question can be made from {database}: it holds no sentence to ask about.",
            hint="o opens a file of your own questions.",
        )
    path = _free(assistant.library.home / MADE_HERE, database)
    write_questions(path, made.questions)
    return path


def write_page(home: Path, name: str, run: int) -> Path:
    """Write what a run found as a page; give its file. It blocks. Raises QuestionSetError."""
    from rag_assistant.evaluation.measuring.measured import report_of  # noqa: PLC0415
    from rag_assistant.evaluation.reports.writing import write_reports  # noqa: PLC0415

    folder = home / MADE_HERE
    folder.mkdir(mode=0o700, exist_ok=True)
    path = folder / f"{name}-run-{run}.html"
    (written,) = write_reports(report_of(RunStore(home).read(run)), [str(path)])
    return written


def _free(folder: Path, database: str) -> Path:
    folder.mkdir(mode=0o700, exist_ok=True)
    names = (database if number == 1 else f"{database}-{number}" for number in count(1))
    paths = (folder / f"{name}{QUESTIONS_SUFFIX}.jsonl" for name in names)
    return next(path for path in paths if not path.exists())
