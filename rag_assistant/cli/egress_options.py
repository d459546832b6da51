"""The options of what concerns leaving this machine: policies, the record, keys, dry runs."""

import argparse
from typing import Any

from rag_assistant.cli.shared_options import CommandAdder, add_json

POLICIES = ("local", "ask", "any")


def add_egress(command: CommandAdder) -> None:
    """Declare `egress`."""
    egress = command("egress", "egress", "show what was sent to other machines, by day and host")
    egress.add_argument("--since", metavar="TIME", help="a date, or a span such as 24h, 7d or 2w")
    add_json(egress)


def add_policy(actions: Any) -> None:
    """Declare `databases egress`."""
    summary = "say where the text of a database may go, or change it"
    policy = actions.add_parser("egress", help=summary, description=summary)
    policy.add_argument("name", metavar="NAME")
    policy.add_argument(
        "policy",
        nargs="?",
        choices=POLICIES,
        help="to models on this machine only; to others after asking once; anywhere",
    )
    add_json(policy, default=argparse.SUPPRESS)


def add_key(actions: Any) -> None:
    """Declare `model key`."""
    summary = "put the key of a model's host, or a store's password, into the system's keyring"
    key = actions.add_parser(
        "key", help=summary, description=f"{summary}; it is read from the terminal, or a pipe"
    )
    key.add_argument(
        "name", metavar="NAME", help="a model, embedder, reranker or store of the file"
    )
    key.add_argument("--forget", action="store_true", help="take it out again")


def add_dry_run(parser: argparse.ArgumentParser) -> None:
    """Declare `--dry-run` of a question."""
    parser.add_argument(
        "--dry-run", action="store_true", help="print what would be sent to whom, and send nothing"
    )
