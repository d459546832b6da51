"""`rag-assistant get`: an entry's text, or a span of it, as it is indexed."""

import sys
from argparse import Namespace

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import library_of, print_json
from rag_assistant.errors import LibraryError
from rag_assistant.json_shapes import text_json
from rag_assistant.safe_text import clean


def run_get(options: Namespace) -> int:
    """Print an entry: made safe on a terminal, to the letter into a pipe."""
    library = library_of(options)
    databases = library.databases([options.database] if options.database else None)
    if len(databases) > 1:
        names = ", ".join(database.name for database in databases)
        raise LibraryError("Which database?", hint=f"Give one with -d: {names}.")
    database = databases[0]
    entry = database.entry(options.id)
    text = database.text(options.id, options.start, options.end)
    if options.json:
        print_json(text_json(database.name, entry, text, min(options.start, entry.length)))
    elif sys.stdout.isatty():
        print(clean(text))
    else:
        sys.stdout.write(text)
    return Exit.DONE
