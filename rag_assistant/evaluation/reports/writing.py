"""Writing a report into files, each in the form that its name says."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from json import dumps
from pathlib import Path

from rag_assistant.errors import QuestionSetError
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.reports.as_json import report_json
from rag_assistant.evaluation.reports.markdown import report_markdown
from rag_assistant.evaluation.reports.page import report_page
from rag_assistant.evaluation.runs.trec_runs import write_run

FORMS: Mapping[str, Callable[[Report], str]] = {
    ".html": report_page,
    ".htm": report_page,
    ".md": report_markdown,
    ".json": lambda report: dumps(report_json(report), ensure_ascii=False),
}
TREC = (".trec", ".run")


def check_outputs(
    paths: Sequence[str], *, trec: Collection[str | None] = (), ranked: bool = True
) -> None:
    """Find out before any work that a report could not be written. Raises QuestionSetError.

    Those in `trec` are rankings whatever they are called; `ranked` says that there will be some.
    """
    for written in paths:
        path = Path(written)
        if written not in trec and path.suffix.lower() not in (*FORMS, *TREC):
            raise QuestionSetError(
                f"{written} has no ending that says what to write.",
                hint="Name it .html, .md, .json or .trec.",
            )
        if not ranked and (written in trec or path.suffix.lower() in TREC):
            raise _without_ranking(written)
        if not path.absolute().parent.is_dir() or path.is_dir():
            raise QuestionSetError(f"{written} cannot be written there.", hint="Give another path.")


def write_reports(
    report: Report, paths: Sequence[str], *, trec: Collection[str | None] = ()
) -> Iterator[Path]:
    """Write the report to each path, and give it. Raises QuestionSetError."""
    for written in paths:
        path = Path(written)
        try:
            if written in trec or path.suffix.lower() in TREC:
                searches = [one.search for one in report.asked if one.search]
                if not searches:
                    raise _without_ranking(written)
                write_run(path, searches)
            else:
                text = FORMS[path.suffix.lower()](report)
                path.write_text(text, encoding="utf-8", errors="surrogateescape")
        except OSError as error:
            raise QuestionSetError(
                f"{written} cannot be written: {error.strerror or error}.",
                hint="Give another path.",
            ) from error
        yield path


def _without_ranking(written: str) -> QuestionSetError:
    return QuestionSetError(
        f"{written} is not written: the run has no ranking.", hint="Use --mode search or all."
    )
