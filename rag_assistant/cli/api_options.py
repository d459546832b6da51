"""The options of `api`: serving other programs over HTTP, and what they may be handed."""

from typing import Any

PORT = 8767
"""Where the server listens unless another port is named."""


def add_api(command: Any, add_json: Any, natural: Any) -> None:
    """Declare `api`."""
    api = command(
        "api",
        "api",
        "let other programs search and ask your documents over HTTP, as a model of chats too",
    )
    api.add_argument(
        "--port", type=natural, default=PORT, help=f"{PORT} by default; 0: any free one"
    )
    api.add_argument("--host", default="127.0.0.1", help="a loopback address; others are refused")
    api.add_argument(
        "--origin",
        action="append",
        dest="origins",
        default=[],
        metavar="URL",
        help="a page whose script may ask, such as http://localhost:3000; repeatable",
    )
    actions = api.add_subparsers(prog=api.prog, dest="action", metavar="ACTION")
    for action, summary in (
        ("token", "print the token by which a program shows who it is"),
        ("clients", "list the programs that asked, and what each is allowed"),
        ("allow", "let a program have a database that is to stay on this machine"),
        ("forbid", "take back what a program was allowed"),
    ):
        added = actions.add_parser(action, help=summary, description=summary)
        if action in ("allow", "forbid"):
            added.add_argument("name", metavar="CLIENT", help="such as open-webui")
        if action == "allow":
            added.add_argument(
                "-d",
                "--database",
                action="append",
                dest="databases",
                metavar="NAME",
                help="a database; repeatable; by default each that is local now",
            )
        if action == "clients":
            add_json(added)
        if action == "token":
            added.add_argument(
                "name",
                nargs="?",
                default="default",
                metavar="CLIENT",
                help="a name of your choice for the program, such as open-webui; default if none",
            )
            added.add_argument(
                "--new", action="store_true", help="first make all tokens of before worthless"
            )
