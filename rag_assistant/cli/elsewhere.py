"""`connect` and `index --store`: databases that are kept in a store elsewhere."""

from argparse import Namespace
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.sending import get_permission
from rag_assistant.cli.session import home_of, library_of, print_json, say
from rag_assistant.egress.gate import Gate
from rag_assistant.library.elsewhere import host_of_link, link_of


def run_connect(options: Namespace) -> int:
    """List a database of a store elsewhere beside those that are here."""
    library, own = library_of(options), options.own or options.name
    database = library.connect(own, link_of(library.home, options.store, options.name))
    figures = database.figures()
    if options.json:
        print_json({"database": own, "entries": figures.entries, "folder": figures.folder})
    else:
        say(f"{own}: {figures.entries} entries of {figures.folder}. Ask it like your own.")
    return Exit.DONE


def keep_elsewhere(options: Namespace) -> bool:
    """Let the database of a folder be kept in the store that the options name.

    Tells whether that is new of it. Raises EgressError where the person does not allow it.
    """
    library = library_of(options)
    name = options.name or library.name_of(Path(options.folder))
    options.name = name
    link = link_of(home_of(options), options.store, name, is_owner=True)
    if host := host_of_link(link):
        get_permission(Gate(library.home), [name], host)
    return library.keep_elsewhere(name, link)
