"""`rag-assistant embed`: give the passages of databases their vectors, as far as they lack them."""

from argparse import Namespace
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.sending import get_permission
from rag_assistant.cli.session import config_of, home_of, library_of, print_json, print_prose, say
from rag_assistant.cli.vectors import embedding_bar
from rag_assistant.egress.gate import Gate
from rag_assistant.library.embedding import EmbedReport, embed_database


def run_embed(options: Namespace) -> int:
    """Embed the named databases one after the other, up to the first that cannot be."""
    from rag_assistant.models.embedders import make_embedder

    databases = library_of(options).databases(options.names)
    embedder = make_embedder(options.embedder or "", config_of(options), home_of(options))
    reports: list[EmbedReport] = []
    for database in databases:
        passages = database.figures().passages
        if embedder.destination:
            get_permission(
                Gate(home_of(options), config_of(options)), [database.name], embedder.destination
            )
            say(
                f"The text of {database.name} ({passages} passages) goes to {embedder.destination}."
            )
        with embedding_bar(database.name) as listener:
            reports.append(embed_database(database, embedder, listener))
        if not options.json:
            _print_report(reports[-1])
        if reports[-1].failure or reports[-1].interrupted:
            break
    if options.json:
        print_json({"embedder": embedder.name, "databases": [_report_json(r) for r in reports]})
    return _end(reports[-1])


def _end(report: EmbedReport) -> int:
    """Say what ended the last run early, if anything did."""
    if report.failure:
        say(f"rag-assistant: {report.failure}")
        return Exit.FAILED
    if report.interrupted:
        say("Interrupted; what was made is kept. Run the same command again to go on.")
        return Exit.INTERRUPTED
    return Exit.DONE


def _report_json(report: EmbedReport) -> dict[str, Any]:
    return {
        "database": report.database,
        "model": report.kind.model,
        "dimension": report.kind.dimension,
        "embedded": report.embedded,
        "vectors": report.vectors,
        "passages": report.passages,
        "replaced": report.replaced,
        "error": str(report.failure) if report.failure else "",
        "interrupted": report.interrupted,
        "seconds": round(report.seconds, 3),
    }


def _print_report(report: EmbedReport) -> None:
    if report.replaced and report.vectors:
        say(f"  vectors of {report.replaced} were replaced")
    print_prose(
        f"{report.database}: {report.embedded} embedded, {report.vectors} of {report.passages}"
        f" passages have vectors of {report.kind} ({report.seconds:.2f} s)"
    )
