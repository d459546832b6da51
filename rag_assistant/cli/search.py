"""`rag-assistant search`: the best entries for any text, with snippets and places."""

import time
from argparse import Namespace
from collections.abc import Iterable, Sequence

from rag_assistant.cli.drawn import (
    WARN,
    DrawnWords,
    FileOf,
    Part,
    bold,
    draw,
    is_drawn,
    quiet,
)
from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import file_finder, print_json, say, searching_library_of
from rag_assistant.errors import with_stop
from rag_assistant.library.database import Database
from rag_assistant.library.searching import open_databases, search_databases
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.documents import Hit


def run_search(options: Namespace) -> int:
    """Search; finding nothing is no failure."""
    started = time.perf_counter()
    query = " ".join(options.query)
    library = searching_library_of(options)
    databases, missing = open_databases(library, options.databases)
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
    file_of = file_finder(library)
    for hit in found.hits:
        _print_hit(hit, query, file_of)
        if options.explain:
            shares = ", ".join(f"{name} {share:+.3f}" for name, share in hit.explanation.items())
            draw(quiet(f"score {hit.score:.3f} = {shares}"), indent=3)
    if options.explain and found.by_meaning:
        _say_estimates(databases)
    if not found.hits:
        say("Nothing found. Try other words, or fewer.")
        _say_unread(databases)
    return Exit.DONE


def _print_hit(hit: Hit, query: str, file_of: FileOf) -> None:
    if hit.rank > 1 and is_drawn():
        draw()
    draw(f"{hit.rank}. ", bold(hit.title), quiet(f"  [{hit.database} {hit.entry_id}]"), hang=3)
    place = describe(hit.location)
    behind = quiet(f"  {place}" if place else "")
    draw(quiet(hit.path, file_of(hit.database, hit.path)), behind, indent=3)
    draw(*_shown(hit, query), indent=3)
    for one in hit.suspicions:
        state = "models may read it" if one.allowed else "hidden from the model"
        draw(DrawnWords(f"! {state}: {one.reason}", WARN), indent=3, hang=5)
    for version in hit.versions:
        draw(quiet(f"also: {version.words}"), indent=3, hang=5)


def _shown(hit: Hit, query: str) -> Iterable[Part]:
    """Give the snippet of a hit: in a pipe as the document has it, in one line."""
    if not is_drawn():
        return (clean_line(hit.snippet),)
    from rag_assistant.cli.drawn_snippet import drawn_snippet

    return drawn_snippet(hit.snippet, hit.path, query)


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
