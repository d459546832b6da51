"""The options of `index`, `embed` and `databases`: what is indexed, and housekeeping."""

import argparse

from rag_assistant.cli.egress_options import add_policy
from rag_assistant.cli.shared_options import CommandAdder, add_json, natural, positive, size


def add_index(command: CommandAdder) -> None:
    """Declare `index`."""
    index = command("index", "index", "index a folder, or update its index")
    index.add_argument("folder", metavar="FOLDER")
    index.add_argument("--name", help="the database's name; by default the folder's")
    index.add_argument("--dry-run", action="store_true", help="show what would be done, and stop")
    index.add_argument(
        "--watch", action="store_true", help="keep running and follow changes to the folder"
    )
    index.add_argument(
        "--prune", action="store_true", help="remove entries even if most files are gone"
    )
    index.add_argument(
        "--store", metavar="URL", help="keep it in a store elsewhere: an address, or [stores.NAME]"
    )
    index.add_argument("--retry", action="store_true", help="retry files that failed")
    index.add_argument(
        "--no-embed", action="store_true", help="build no vectors even if an embedder is configured"
    )
    rules = index.add_argument_group("what is read (kept for later runs)")
    rules.add_argument("--include", action="append", metavar="GLOB", help="only files that match")
    rules.add_argument("--exclude", action="append", metavar="GLOB", help="skip files that match")
    rules.add_argument("--hidden", action="store_true", help="include hidden files and folders")
    rules.add_argument("--follow-links", choices=("never", "inside", "anywhere"))
    rules.add_argument("--max-size", type=size, metavar="SIZE", help="such as 50M or 2G")
    rules.add_argument("--fields", metavar="MAP", help="fields of records: title=name,text=body")
    rules.add_argument(
        "--default-rules", action="store_true", help="forget the rules kept from earlier runs"
    )
    forms = index.add_mutually_exclusive_group()
    add_json(forms)
    forms.add_argument("--events", action="store_true", help="print progress as JSON lines")


def add_connect(command: CommandAdder) -> None:
    """Declare `connect`."""
    connect = command("connect", "elsewhere", "list a database of a store elsewhere with your own")
    connect.add_argument("store", metavar="URL", help="its address, or a table [stores.NAME]")
    connect.add_argument("name", metavar="NAME", help="what the database is called there")
    connect.add_argument("--as", dest="own", metavar="NAME", help="what it is to be called here")
    add_json(connect)


def add_embed(command: CommandAdder) -> None:
    """Declare `embed`."""
    embed = command("embed", "embed", "build a database's missing vectors, for semantic search")
    embed.add_argument("names", nargs="+", metavar="NAME", help="a database")
    embed.add_argument("--embedder", metavar="NAME", help="an embedder from the configuration")
    add_json(embed)


def add_databases_command(command: CommandAdder) -> None:
    """Declare `databases` and its actions."""
    databases = command(
        "databases", "databases", "list, check, repair, rename and remove databases"
    )
    actions = databases.add_subparsers(prog=databases.prog, dest="action", metavar="ACTION")
    for action, summary, names in (
        ("list", "list all databases", ()),
        ("info", "say what is indexed and what could not be read", ("name",)),
        ("check", "check that a database, or all that is kept, is whole", ()),
        ("repair", "make what is damaged anew of what can be read; ids stay", ("name",)),
        ("rename", "rename a database", ("name", "new_name")),
        ("copy", "copy a database to a store elsewhere, or to this machine; ids stay", ("name",)),
        ("remove", "delete a database (never its folder)", ("name",)),
        ("suspicious", "list what looks as if it were written for a model, and why", ("name",)),
        ("allow", "let models read what is suspicious", ("name",)),
        ("note", "say in your words what a database holds, for models to choose by", ("name",)),
    ):
        added = actions.add_parser(action, help=summary, description=summary)
        for name in names:
            added.add_argument(name, metavar=name.upper())
        if action == "check":
            added.add_argument("name", nargs="?", metavar="NAME", help="by default every file")
        if action == "copy":
            added.add_argument(
                "--to", required=True, metavar="STORE",
                help="an address, a table [stores.NAME], or `here` for this machine",
            )  # fmt: skip
            added.add_argument("--as", dest="own", metavar="NAME", help="by default NAME-copy")
        if action == "note":
            added.add_argument("text", nargs="?", help='what models are told; "" for what was made')
        if action == "repair":
            added.add_argument("--folder", help="needed if the database no longer says which")
        if action in ("suspicious", "allow"):
            added.add_argument("--entry", type=positive, metavar="ID", help="only this entry")
        if action == "allow":
            added.add_argument(
                "--at", type=natural, metavar="OFFSET", help="only the place at this character"
            )
            added.add_argument(
                "--withdraw", action="store_true", help="hide it from the model again"
            )
        add_json(added, default=argparse.SUPPRESS)
    add_policy(actions)
    add_json(databases)
