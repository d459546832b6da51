"""`rag-assistant eval init`: a question set from the person's own folder, to be looked through."""

import asyncio
import shlex
import sys
from argparse import Namespace
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.assistant.egress_check import SEND
from rag_assistant.cli.main import Exit
from rag_assistant.cli.sending import get_permission
from rag_assistant.cli.session import assistant_of, print_json, print_prose, say
from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.making.choosing import MakingProgress, OnProgress
from rag_assistant.evaluation.making.made import Made, Wish, make_questions
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.questions.writing import write_questions

_SHOWN = 5
"""Questions that are shown as examples."""


def run_eval_init(options: Namespace) -> int:
    """Make the questions and write them; a file that is there stays, unless it is forced."""
    name: str = options.database
    path = Path(options.output or f"{name}.questions.jsonl").expanduser()
    if path.exists() and not options.force:
        raise QuestionSetError(
            f"{path} exists already.", hint="Give another file with -o, or add --force."
        )
    made = asyncio.run(_make(options))
    for note in made.notes:
        say(note)
    if not made.questions:
        raise QuestionSetError(
            f"No question can be made of {name}: it has no sentences that are found in one place"
            " only.",
            hint="Write your own: one JSON object a line, with id, question and relevant.",
        )
    write_questions(path, made.questions, replacing=options.force)
    _tell(path, name, made.questions, as_json=options.json)
    return Exit.DONE


async def _make(options: Namespace) -> Made:
    assistant = assistant_of(options, mcp=False)
    try:
        if options.model:
            await asyncio.to_thread(_see_that_it_may_leave, assistant, options)
        wish = Wish(options.count, options.seed, options.model or "")
        with _bar() as show:
            return await make_questions(assistant, options.database, wish, show)
    finally:
        await assistant.aclose()


def _see_that_it_may_leave(assistant: Assistant, options: Namespace) -> None:
    """Ask for permission once, before the work begins; --allow gives it for this run alone. Raises
    EgressError."""
    assistant.library.database(options.database)
    host = assistant.models.destination(options.model)
    if not host:
        return
    asked = assistant.gate.verdicts([options.database], host)
    if SEND in options.allow and "ask" in asked.values():
        assistant.gate.allow([options.database], host, lasting=False)
    get_permission(assistant.gate, [options.database], host)


def _tell(path: Path, name: str, questions: Sequence[Question], *, as_json: bool) -> None:
    """Say where the questions are, of what kinds, and what to do next."""
    kinds = Counter(question.kind for question in questions)
    if as_json:
        told = {"path": str(path), "database": name, "questions": len(questions), "kinds": kinds}
        print_json(told)
        return
    listed = ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
    print_prose(f"{path}: {len(questions)} questions ({listed}), for example:")
    for question in questions[:_SHOWN]:
        print_prose(f"  {question.text}")
    say("Look through the file and change or delete what you like: each line is a question.")
    say(f"Then: rag-assistant eval {shlex.quote(str(path))} -d {name}")


@contextmanager
def _bar() -> Iterator[OnProgress]:
    """Draw a bar on standard error when that is a terminal."""
    if not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn
    from rich.progress import Progress as Bar

    columns = (TextColumn("making questions"), BarColumn(), MofNCompleteColumn())
    with Bar(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("making questions", total=None)

        def show(progress: MakingProgress) -> None:
            bar.update(task, total=progress.total, completed=progress.done)

        yield show
