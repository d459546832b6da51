"""`rag-assistant search`: the best entries for any text, with snippets and places."""

import time
from argparse import Namespace
from collections.abc import Sequence

from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import print_json, print_text, say, searching_library_of
from rag_assistant.errors import with_stop
from rag_assistant.library.database import Database
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.text.safe_text import clean_line


def run_search(options: Namespace) -> int:
    """Search; finding nothing is no failure."""
    started = time.perf_counter()
    query = " ".join(options.query)
    databases, missing = open_databases(searching_library_of(options), options.databases)
    found = search_databases(databases, query, options.limit, rerank=not options.no_rerank)
    elapsed_ms = round((time.perf_counter() - started) * 1000, 1)
    notes = [*missing, *found.notes]
    if options.json:
        from rag_assistant.values.json_shapes import search_json

        shown = search_json(query, found.databases, found.hits)
        print_json(
            {
                **shown,
                "notes": notes,
                "reranked_by": found.reranked_by,
                "sent_to": found.sent_to,
                "elapsed_ms": elapsed_ms,
            }
        )
        return Exit.DONE
    if found.sent_to:
        say(f"The question and the best passages went to {found.sent_to} to be reranked.")
    for note in notes:
        say(f"Note: {with_stop(note)}")
    for hit in found.hits:
        place = describe(hit.location)
        print_text(f"{hit.rank}. {clean_line(hit.title)}  [{hit.database} {hit.entry_id}]")
        print_text(f"   {clean_line(hit.path)}" + (f"  {clean_line(place)}" if place else ""))
        print_text(f"   {clean_line(hit.snippet)}")
        for one in hit.suspicions:
            state = "models may read it" if one.allowed else "hidden from the model"
            print_text(f"   ! {state}: {clean_line(one.reason)}")
        for version in hit.versions:
            print_text(f"   also: {clean_line(version.words)}")
        if options.explain:
            shares = ", ".join(f"{name} {share:+.3f}" for name, share in hit.explanation.items())
            print_text(f"   score {hit.score:.3f} = {shares}")
    if options.explain and found.by_meaning:
        _say_estimates(databases)
    if not found.hits:
        say("Nothing found. Try other words, or fewer.")
        _say_unread(databases)
    return Exit.DONE


def _say_estimates(databases: Sequence[Database]) -> None:
    """Say in which databases not every vector was compared."""
    for database in databases:
        coverage = database.coverage()
        if coverage.is_estimated:
            say(
                f"Of the {coverage.vectors:,} vectors of {database.name}, those whose signs are"
                " likest the question's were compared with it: a near passage may be missing."
            )


def _say_unread(databases: Sequence[Database]) -> None:
    """Say which databases hold files that could not be searched, or not as a whole."""
    for database in databases:
        figures = database.figures()
        if unread := figures.failed + figures.partial + figures.withheld:
            files = "1 file was" if unread == 1 else f"{unread:,} files were"
            say(
                f"Of {database.name}, {files} not searched, or only in part: "
                f"rag-assistant databases info {database.name}"
            )
