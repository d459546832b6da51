"""The options of `rag-assistant model` and its actions."""

import argparse

from rag_assistant.cli.egress_options import add_key
from rag_assistant.cli.shared_options import CommandAdder, add_json, positive

_GET = (
    "Fetch small models that run on this machine's processor, and use them: `small` finds"
    " passages by meaning and can order the best hits anew. It is said before what is fetched,"
    " from where, how large it is and under which licence; nothing of your documents is sent."
    " What was interrupted goes on where it was. HF_ENDPOINT names another hub."
)
_REMOVE = "Delete models that `get` fetched, and take them out of config.toml."


def add_model(command: CommandAdder) -> None:
    """Declare the command."""
    model = command("model", "model", "list models, choose one, test one, get small ones")
    actions = model.add_subparsers(prog=model.prog, dest="action", metavar="ACTION")

    def action(name: str, summary: str, description: str = "") -> argparse.ArgumentParser:
        return actions.add_parser(name, help=summary, description=description or summary)

    listing = action("list", "list models configured, found on this machine, or fetched")
    use = action("use", "write into config.toml which model answers")
    roles = use.add_mutually_exclusive_group()
    for role, does in (
        ("helper", "condenses entries"),
        ("embedder", "makes vectors"),
        ("reranker", "orders the best hits anew"),
    ):
        roles.add_argument(
            f"--{role}",
            dest="role",
            action="store_const",
            const=role,
            help=f"set the one that {does}",
        )
    use.set_defaults(role="model")
    test = action("test", "test what a model can do, and write it to config.toml")
    test.add_argument(
        "--write",
        action=argparse.BooleanOptionalAction,
        help="write what was found, or not; by default it asks",
    )
    for parser in (use, test):
        parser.add_argument("name", metavar="NAME", help="configured, or found on this machine")
        parser.add_argument(
            "--port", type=positive, help="needed if several local servers have such a model"
        )
    get = action("get", "fetch small models that run on this machine, and use them", _GET)
    get.add_argument("--yes", action="store_true", help="fetch without asking")
    get.add_argument(
        "--from",
        dest="folder",
        metavar="FOLDER",
        help="take the files from a folder, without a network",
    )
    remove = action("remove", "delete models that were fetched", _REMOVE)
    for parser in (get, remove):
        parser.add_argument("name", metavar="NAME", help="as `small`; `model list` lists them")
    for parser in (listing, test, get, remove):
        add_json(parser, default=argparse.SUPPRESS)
    add_key(actions)
    add_json(model)
