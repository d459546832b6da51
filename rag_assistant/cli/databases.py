"""`rag-assistant databases`: what there is, what could not be read, and housekeeping."""

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from rag_assistant.cli.copying import copy
from rag_assistant.cli.database_table import draw_list, unread
from rag_assistant.cli.drawn import (
    DrawnWords,
    bold,
    draw,
    is_drawn,
    quiet,
)
from rag_assistant.cli.ledger_words import STATE_STYLES, cause_and_mend
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import (
    library_of,
    print_json,
    print_prose,
    print_text,
    say,
    searching_library_of,
)
from rag_assistant.cli.suspicious import (
    allow_suspicious,
    counts_json,
    counts_line,
    hidden_line,
    list_suspicious,
)
from rag_assistant.cli.whole_files import check, repair
from rag_assistant.errors import RagError
from rag_assistant.library.about import about
from rag_assistant.library.contents import languages_of
from rag_assistant.library.database import Database
from rag_assistant.library.library import Library
from rag_assistant.text.languages import language_name
from rag_assistant.values.embeddings import EmbeddingCoverage
from rag_assistant.values.ledger import SharedReason, by_reason

_NAME_WIDTH = 12
"""Columns of the names of what is told of a database."""


def run_databases(options: Namespace) -> int:
    """List databases, or do one thing with one of them."""
    action = options.action or "list"
    library = _searching(options) if action in ("list", "info") else library_of(options)
    return {
        "list": _list,
        "info": _info,
        "check": check,
        "repair": repair,
        "rename": _rename,
        "egress": _egress,
        "copy": copy,
        "remove": _remove,
        "suspicious": list_suspicious,
        "allow": allow_suspicious,
        "note": _note,
    }[action](library, options)


def _searching(options: Namespace) -> Library:
    """Open the library as a search does, but also where its embedder cannot be used."""
    try:
        library = searching_library_of(options)
        _ = library.embedder and library.embedder.name  # a local model that is gone shows here
        return library
    except RagError as error:
        say(f"No search uses vectors: {error}")
        return library_of(options)


def _list(library: Library, options: Namespace) -> int:
    rows = [_row(library, name) for name in library.names()]
    if options.json:
        print_json({"databases": rows})
        return Exit.DONE
    if not rows:
        say("There is no database yet. Index a folder: rag-assistant index FOLDER")
    if is_drawn():
        draw_list(rows)
        return Exit.DONE
    width = max((len(row["name"]) for row in rows), default=0)
    for row in rows:
        if "error" in row:
            print_text(f"{row['name']:<{width}}  {row['error']}")
            continue
        lacking = "".join(f", {told}" for told in unread(row))
        print_text(f"{row['name']:<{width}}  {row['entries']} entries{lacking}  {row['folder']}")
    return Exit.DONE


def _row(library: Library, name: str) -> dict[str, Any]:
    try:
        database = library.database(name)
        return {"name": name, **asdict(database.figures()), **_vectors_json(database)}
    except RagError as error:
        return {"name": name, "error": str(error)}


def _info(library: Library, options: Namespace) -> int:
    database = library.database(options.name)
    figures = database.figures()
    failed, skipped = database.ledger("failed"), database.ledger("skipped")
    withheld = database.ledger("withheld")
    partial = database.ledger("partial")
    if options.json:
        print_json(
            {
                "name": database.name,
                **asdict(figures),
                **_vectors_json(database),
                "egress": _policy_or_fault(library, database.name),
                "suspicions": counts_json(database.suspicion_counts()),
                "hidden_from_models": database.hidden_share(),
                "languages": languages_of(database),
                "bytes": database.path.stat().st_size,
                "failed_files": [asdict(line) for line in failed],
                "partial_files": [asdict(line) for line in partial],
                "skipped_files": [asdict(line) for line in skipped],
                "withheld_files": [asdict(line) for line in withheld],
            }
        )
        return Exit.DONE
    draw(bold(database.name), f": {figures.entries} entries, {figures.passages} passages")
    _draw_fact("folder", f"{figures.folder}")
    unfinished = " (a later run was interrupted, or is going on)" if figures.unfinished else ""
    _draw_fact("indexed", f"{figures.indexed_at or 'not to the end yet'}{unfinished}")
    if link := database.link():
        _draw_fact("store", f"{link.urls[0]} ({link.database})")
    else:
        _draw_fact("file", f"{database.path} ({database.path.stat().st_size / 1e6:.1f} MB)")
    _draw_fact("languages", f"{_languages_line(database)}")
    _draw_fact("vectors", f"{_vectors_line(database)}")
    _draw_fact("egress", f"{_policy_or_fault(library, database.name)}")
    suspicious = [counts_line(database.suspicion_counts()), hidden_line(database.hidden_share())]
    _draw_fact("suspicious", f"{'; '.join(filter(None, suspicious))}{_where(database)}")
    for word, lines in (
        ("withheld", withheld),
        ("failed", failed),
        ("partly read", partial),
        ("skipped", skipped),
    ):
        for shared in by_reason(lines):
            _draw_reason(word, shared)
    if withheld:
        say("Withheld is not found by a search. Let it be read again, and index the folder.")
    return Exit.DONE


def _draw_fact(name: str, told: str) -> None:
    draw(quiet(f"{name:<{_NAME_WIDTH}}"), told, hang=_NAME_WIDTH)


def _draw_reason(word: str, shared: SharedReason) -> None:
    """Tell what keeps files from being searched, and all of these files."""
    styled, inner = DrawnWords(f"{word:<{_NAME_WIDTH}}", STATE_STYLES[word]), _NAME_WIDTH + 2
    reason, mend = cause_and_mend(shared.reason) if is_drawn() else (shared.reason, "")
    if len(shared.paths) == 1:
        draw(styled, f"{shared.paths[0]}: {reason}", hang=inner)
    else:
        draw(styled, f"{len(shared.paths):,} files: {reason}", hang=inner)
    if mend:
        draw(f"→ {mend}", indent=inner, hang=inner + 2)
    for line in shared.lines if len(shared.paths) > 1 else ():
        own = f": {line.reason}" if line.reason != shared.reason else ""
        draw(quiet(line.path), own, indent=inner, hang=inner + 2)


def _languages_line(database: Database) -> str:
    counted = languages_of(database).most_common()
    named = [f"{language_name(code)} {count}" for code, count in counted if code]
    untold = [f"not told {count}" for code, count in counted if not code]
    return ", ".join(named + untold) or "none"


def _where(database: Database) -> str:
    counted = database.suspicion_counts()
    return f": rag-assistant databases suspicious {database.name}" if counted.places else ""


def _vectors_json(database: Database) -> dict[str, Any]:
    found = database.coverage()
    return {
        "vectors": found.vectors,
        "vectors_missing": found.passages - found.vectors,
        "vectors_model": found.kind.model if found.kind else "",
        "vectors_dimension": found.kind.dimension if found.kind else 0,
        "vectors_used": not _unused(database, found),
    }


def _vectors_line(database: Database) -> str:
    found = database.coverage()
    counts = f"{found.vectors} of {found.passages} passages"
    why = _unused(database, found)
    use = f"no search uses them: {why}" if why else "a search uses them"
    return f"{counts}, by {found.kind}; {use}" if found.kind else f"none: {why}"


def _unused(database: Database, found: EmbeddingCoverage) -> str:
    """Say why a search uses no vectors of a database, with the next step; empty when it does."""
    if database.embedder is None:
        return "no embedder is configured"
    name = database.embedder.name
    if found.kind and found.vectors and found.kind.model == name:
        return ""
    which = "the embedder is" if found.vectors else "make them by"
    return f"{which} {name}: rag-assistant embed {database.name}"


def _rename(library: Library, options: Namespace) -> int:
    library.rename(options.name, options.new_name)
    if options.json:
        print_json({"renamed": options.name, "name": options.new_name})
    else:
        print_prose(f"{options.name} is now {options.new_name}")
    return Exit.DONE


def _note(library: Library, options: Namespace) -> int:
    """Say what models are told of a database, or change it."""
    if options.text is not None:
        library.note(options.name, options.text)
    told = about(library.database(options.name)).text
    if options.json:
        print_json({"name": options.name, "about": told})
    else:
        print_prose(told)
    return Exit.DONE


def _policy(library: Library, name: str) -> str:
    from rag_assistant.egress.gate import Gate

    return Gate(library.home).policy(name)


def _policy_or_fault(library: Library, name: str) -> str:
    try:
        return _policy(library, name)
    except RagError as error:
        return f"nothing may be sent: {error}"


def _egress(library: Library, options: Namespace) -> int:
    """Say where the text of a database may go, or change it."""
    from rag_assistant.egress.ledger import EgressLedger
    from rag_assistant.egress.policies import set_policy

    name = library.database(options.name).name
    if options.policy:
        set_policy(library.home, name, options.policy)
    policy = _policy(library, name)
    hosts = sorted(host for known, host in EgressLedger(library.home).allowed() if known == name)
    if options.json:
        print_json({"name": name, "egress": policy, "allowed": hosts if policy == "ask" else []})
        return Exit.DONE
    print_prose(f"{name}: egress {policy}, {_MEANINGS[policy]}")
    if policy == "ask" and hosts:
        print_prose(f"allowed so far: {', '.join(hosts)}")
    return Exit.DONE


_MEANINGS = {
    "local": "its text goes to models on this machine only",
    "ask": "its text goes to another machine when you said yes, once for each host",
    "any": "its text may go to any model that is asked",
}


def _remove(library: Library, options: Namespace) -> int:
    library.remove(options.name)
    if options.json:
        print_json({"removed": options.name})
    else:
        print_prose(f"{options.name}: removed (its folder is untouched)")
    return Exit.DONE
