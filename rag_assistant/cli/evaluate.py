"""`rag-assistant eval`: measure search and answers on a set of questions."""

import asyncio
import shutil
import sys
from argparse import Namespace
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import assistant_of, print_json, print_text, say
from rag_assistant.errors import RagError
from rag_assistant.evaluation.evaluate import evaluate
from rag_assistant.evaluation.report import Report, report_json, report_table, write_run
from rag_assistant.evaluation.runner import Progress


def run_eval(options: Namespace) -> int:
    """Evaluate; lines that cannot be read are told and the rest is measured."""
    if options.run and options.mode == "answer":
        raise RagError("--run writes a ranking.", hint="Use --mode search or all with it.")
    report = asyncio.run(_evaluate(options))
    if sys.stderr.isatty():
        print("\r\x1b[K", end="", file=sys.stderr, flush=True)
    if options.run and report.search:
        try:
            write_run(Path(options.run), report.search.outcomes)
        except OSError as error:
            raise RagError(
                f"{options.run} cannot be written: {error.strerror or error}.",
                hint="Give another path.",
            ) from error
        say(f"The ranking is in {options.run}.")
    if options.json:
        print_json(report_json(report))
    else:
        print_text(report_table(report, shutil.get_terminal_size().columns))
    return Exit.DONE


async def _evaluate(options: Namespace) -> Report:
    assistant = assistant_of(options)
    try:
        return await evaluate(
            assistant,
            Path(options.questions),
            databases=options.databases or (),
            mode=options.mode,
            on_progress=_show,
        )
    finally:
        await assistant.aclose()


def _show(progress: Progress) -> None:
    if sys.stderr.isatty():
        line = f"\r\x1b[K{progress.stage} {progress.done}/{progress.total}"
        print(line, end="", file=sys.stderr, flush=True)
