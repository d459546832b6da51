"""`rag-assistant search`: the best entries for any text, with snippets and places."""

import time
from argparse import Namespace

from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import print_json, print_text, say, searching_library_of
from rag_assistant.json_shapes import search_json
from rag_assistant.library.database import merge_hits
from rag_assistant.safe_text import clean_line


def run_search(options: Namespace) -> int:
    """Search; finding nothing is no failure."""
    started = time.perf_counter()
    query = " ".join(options.query)
    databases = searching_library_of(options).databases(options.databases)
    results = [database.search(query, options.limit) for database in databases]
    hits = merge_hits(results, options.limit)
    elapsed_ms = round((time.perf_counter() - started) * 1000, 1)
    notes = list(dict.fromkeys(note for result in results for note in result.notes))
    if options.json:
        names = [database.name for database in databases]
        found = search_json(query, names, hits)
        print_json({**found, "notes": notes, "elapsed_ms": elapsed_ms})
        return Exit.DONE
    for note in notes:
        say(f"Note: {note}.")
    for hit in hits:
        place = describe(hit.location)
        print_text(f"{hit.rank}. {clean_line(hit.title)}  [{hit.database} {hit.entry_id}]")
        print_text(f"   {clean_line(hit.path)}" + (f"  {clean_line(place)}" if place else ""))
        print_text(f"   {clean_line(hit.snippet)}")
        if options.explain:
            shares = ", ".join(f"{name} {share:+.3f}" for name, share in hit.explanation.items())
            print_text(f"   score {hit.score:.3f} = {shares}")
    if not hits:
        say("Nothing found. Try other words, or fewer.")
    return Exit.DONE
