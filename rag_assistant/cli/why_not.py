"""`rag-assistant why-not`: why a file is not found, at all or for a question."""

from argparse import Namespace
from dataclasses import asdict
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import print_json, print_prose, say, searching_library_of
from rag_assistant.library.contents import documents_at
from rag_assistant.library.library import Library
from rag_assistant.library.why_not import nowhere, path_accounts
from rag_assistant.library.why_not_found import NotFound, why_not_found
from rag_assistant.library.why_not_words import why_not_lines
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.json_shapes import hit_json
from rag_assistant.values.scope import Wanted


def run_why_not(options: Namespace) -> int:
    """Say what became of a path; that a file is not found is no failure."""
    library = searching_library_of(options)
    question = " ".join(options.question).strip()
    if question:
        asked = _asked(library, options)
        found = why_not_found(library, options.path, question, options.limit, asked)
    else:
        found = [NotFound(known, known.said) for known in path_accounts(library, options.path)]
    if options.json:
        accounts = [_json(one) for one in found]
        print_json({"path": options.path, "question": question, "databases": accounts})
        return Exit.DONE
    for one in found:
        for line in why_not_lines(one):
            print_prose(clean_line(line) if not line.startswith(" ") else f"  {clean_line(line)}")
    if not found:
        say(nowhere(options.path))
    return Exit.DONE


def _asked(library: Library, options: Namespace) -> tuple[Wanted, ...]:
    """Give what the question goes to, as for `ask`."""
    if options.paths:
        return documents_at(library, options.databases or (), options.paths)
    return tuple(options.databases or ())


def _json(found: NotFound) -> dict[str, Any]:
    account = found.account
    told = {
        "database": found.path.database,
        "path": found.path.path,
        "indexed": found.path.indexed,
        "said": why_not_lines(found),
        "reason": found.reason,
        "title": found.title,
        "entries": found.entries,
        "notes": list(found.notes),
    }
    if account is None:
        return {**told, "account": None}
    same = account.same_as
    return {
        **told,
        "account": {
            **asdict(account),
            "above": [hit_json(hit) for hit in account.above],
            "same_as": hit_json(same) if same else None,
        },
    }
