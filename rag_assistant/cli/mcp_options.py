"""The options of `mcp`: serving other programs, and what they may be handed."""

from typing import Any

PORT = 8766
"""Where the server over HTTP listens unless another port is named."""


def add_mcp(command: Any, add_json: Any, natural: Any) -> None:
    """Declare `mcp`."""
    mcp = command(
        "mcp",
        "mcp",
        "let other programs search and ask your documents (Model Context Protocol)",
        epilog="Tools of other programs for the models here are set up in config.toml: [mcp.NAME].",
    )
    _add_serving(mcp, natural)
    mcp.add_argument(
        "--client", default="", metavar="NAME", help="who asks over the pipes of this process"
    )
    actions = mcp.add_subparsers(prog=mcp.prog, dest="action", metavar="ACTION")
    for action, summary in (
        ("config", "print the settings by which a program finds this server"),
        ("clients", "list the programs that asked, and what each is allowed"),
        ("allow", "let a program have a database that is to stay on this machine"),
        ("forbid", "take back what a program was allowed"),
        ("token", "print the token by which a program shows who it is over HTTP"),
        ("skill", "print the skill that teaches a coding agent when and how to ask"),
    ):
        added = actions.add_parser(action, help=summary, description=summary)
        if action in ("config", "allow", "forbid", "token"):
            many = "?" if action in ("config", "token") else None
            added.add_argument("name", nargs=many, metavar="CLIENT", help="such as claude-code")
        if action == "allow":
            added.add_argument(
                "-d",
                "--database",
                action="append",
                dest="databases",
                metavar="NAME",
                help="a database; repeatable; by default each that is local now",
            )
        if action == "config":
            _add_serving(added, natural)
        if action == "clients":
            add_json(added)
        if action == "token":
            added.add_argument(
                "--new", action="store_true", help="first make all tokens of before worthless"
            )


def _add_serving(parser: Any, natural: Any) -> None:
    parser.add_argument(
        "--http", action="store_true", help="over HTTP on this machine, not over pipes"
    )
    parser.add_argument(
        "--port",
        type=natural,
        default=PORT,
        help=f"with --http; {PORT} by default, 0: any free one",
    )
