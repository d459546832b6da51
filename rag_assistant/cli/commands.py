"""The commands and their options. The code of each is named here, and imported when it is used."""

import argparse
import re
from collections.abc import Callable, Mapping
from typing import Any

from rag_assistant.cli.api_options import add_api
from rag_assistant.cli.egress_options import add_dry_run, add_egress, add_policy
from rag_assistant.cli.eval_options import add_eval
from rag_assistant.cli.history_options import add_history
from rag_assistant.cli.mcp_options import add_mcp
from rag_assistant.cli.model_options import add_model
from rag_assistant.cli.why_not_options import add_why_not

CommandAdder = Callable[..., argparse.ArgumentParser]

LARGEST = 2**63 - 1
"""The largest whole number that SQLite holds."""


def _add_index(command: CommandAdder) -> None:
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
    rules.add_argument("--max-size", type=_size, metavar="SIZE", help="such as 50M or 2G")
    rules.add_argument("--fields", metavar="MAP", help="fields of records: title=name,text=body")
    rules.add_argument(
        "--default-rules", action="store_true", help="forget the rules kept from earlier runs"
    )
    forms = index.add_mutually_exclusive_group()
    _add_json(forms)
    forms.add_argument("--events", action="store_true", help="print progress as JSON lines")


def _add_connect(command: CommandAdder) -> None:
    connect = command("connect", "elsewhere", "list a database of a store elsewhere with your own")
    connect.add_argument("store", metavar="URL", help="its address, or a table [stores.NAME]")
    connect.add_argument("name", metavar="NAME", help="what the database is called there")
    connect.add_argument("--as", dest="own", metavar="NAME", help="what it is to be called here")
    _add_json(connect)


def _add_embed(command: CommandAdder) -> None:
    embed = command("embed", "embed", "build a database's missing vectors, for semantic search")
    embed.add_argument("names", nargs="+", metavar="NAME", help="a database")
    embed.add_argument("--embedder", metavar="NAME", help="an embedder from the configuration")
    _add_json(embed)


def _add_databases_command(command: CommandAdder) -> None:
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
        if action == "note":
            added.add_argument("text", nargs="?", help='what models are told; "" for what was made')
        if action == "repair":
            added.add_argument("--folder", help="needed if the database no longer says which")
        if action in ("suspicious", "allow"):
            added.add_argument("--entry", type=_positive, metavar="ID", help="only this entry")
        if action == "allow":
            added.add_argument(
                "--at", type=_natural, metavar="OFFSET", help="only the place at this character"
            )
            added.add_argument(
                "--withdraw", action="store_true", help="hide it from the model again"
            )
        _add_json(added, default=argparse.SUPPRESS)
    add_policy(actions, _add_json)
    _add_json(databases)


def _add_search(command: CommandAdder) -> None:
    search = command("search", "search", "search without a model")
    search.add_argument("query", nargs="+", metavar="QUERY", help="any text")
    _add_databases(search)
    search.add_argument("--explain", action="store_true", help="show what each score is made of")
    search.add_argument(
        "--no-rerank", action="store_true", help="keep the search's own order, without the reranker"
    )
    search.add_argument("-n", "--limit", type=_positive, default=10, help="entries shown")
    _add_json(search)


def _add_get(command: CommandAdder) -> None:
    get = command("get", "get", "print an entry or part of it")
    get.add_argument("id", type=_natural, metavar="ID")
    get.add_argument("-d", "--database", metavar="NAME", help="needed if there are several")
    get.add_argument("--start", type=_natural, default=0, help="first character (from 0)")
    get.add_argument("--end", type=_natural, help="character after the last")
    get.add_argument("--at", type=_natural, metavar="OFFSET", help="the passage at this character")
    get.add_argument("--around", type=_natural, metavar="N", help="with N passages on either side")
    get.add_argument(
        "--outline", action="store_true", help="its facts, and its parts with their places"
    )
    _add_json(get)


def _add_why_not(command: CommandAdder) -> None:
    def shared(why: argparse.ArgumentParser) -> None:
        _add_databases(why)
        why.add_argument("-n", "--limit", type=_positive, default=10, help="as for search")
        _add_json(why)

    add_why_not(command, shared=shared)


def _add_ask(command: CommandAdder) -> None:
    ask = command("ask", "ask", "answer a question with citations")
    kept = ask.add_mutually_exclusive_group()
    kept.add_argument(
        "--continue",
        dest="conversation",
        metavar="ID[:N]",
        help="continue a kept conversation (from question N: as a branch)",
    )
    kept.add_argument("--replay", metavar="ID[:N]", help="replay a kept run, without a model")
    _add_question(ask)


def _add_eval(command: CommandAdder) -> None:
    add_eval(
        command,
        add_json=_add_json,
        add_databases=_add_databases,
        numbers={"positive": _positive, "natural": _natural},
    )


def _add_question(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("question", nargs="*", metavar="QUESTION")
    _add_databases(parser)
    parser.add_argument(
        "--path",
        action="append",
        dest="paths",
        default=[],
        metavar="PART",
        help="only documents whose path contains this, as path: in a search; repeatable",
    )
    parser.add_argument("-m", "--model", help="a name from the configuration, or a model id")
    parser.add_argument(
        "--image",
        dest="images",
        action="append",
        default=[],
        metavar="FILE",
        help="a PNG, JPEG, GIF or WebP to send with the question; repeatable",
    )
    parser.add_argument(
        "--allow",
        action="append",
        default=[],
        metavar="TOOL",
        help="a tool that may run without asking; repeatable",
    )
    parser.add_argument(
        "--no-tools",
        action="store_true",
        help="turn all tools off, those of the databases too: nothing is searched or read",
    )
    add_dry_run(parser)
    parser.add_argument(
        "--no-history", action="store_true", help="do not keep this question and its answer"
    )
    forms = parser.add_mutually_exclusive_group()
    _add_json(forms)
    forms.add_argument("--events", action="store_true", help="print the run's events as JSON lines")


def _add_history(command: CommandAdder) -> None:
    numbers = {"positive": _positive, "natural": _natural}
    add_history(command, add_json=_add_json, add_question=_add_question, numbers=numbers)


def _add_model(command: CommandAdder) -> None:
    add_model(command, add_json=_add_json, positive=_positive)


def _add_serve(command: CommandAdder) -> None:
    serve = command("serve", "serve", "open the interface in a browser on this machine")
    serve.add_argument("--port", type=_natural, default=8765, help="0 picks a free port")
    serve.add_argument("--host", default="127.0.0.1", help="a loopback address; others are refused")
    serve.add_argument("--open", action="store_true", help="open the browser as well")


def _add_api(command: CommandAdder) -> None:
    add_api(command, _add_json, _natural)


def _add_mcp(command: CommandAdder) -> None:
    add_mcp(command, _add_json, _natural)


def _add_egress(command: CommandAdder) -> None:
    add_egress(command, _add_json)


def _add_doctor(command: CommandAdder) -> None:
    _add_json(
        command(
            "doctor",
            "doctor",
            "show what is installed, indexed and configured, and what to do next",
        )
    )


def _add_config(command: CommandAdder) -> None:
    _add_json(command("config", "doctor", "show the current settings and where they are kept"))


def _add_completion(command: CommandAdder) -> None:
    completion = command("completion", "completion", "print what lets a shell complete commands")
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))


def _add_uninstall(command: CommandAdder) -> None:
    uninstall = command(
        "uninstall",
        "uninstall",
        "say what is kept and where, and delete it if you agree",
    )
    uninstall.add_argument(
        "--yes", action="store_true", help="delete it without asking; documents always stay"
    )
    _add_json(uninstall)


COMMANDS: Mapping[str, Callable[[CommandAdder], None]] = {
    "index": _add_index,
    "connect": _add_connect,
    "embed": _add_embed,
    "databases": _add_databases_command,
    "search": _add_search,
    "get": _add_get,
    "why-not": _add_why_not,
    "ask": _add_ask,
    "eval": _add_eval,
    "history": _add_history,
    "model": _add_model,
    "serve": _add_serve,
    "api": _add_api,
    "mcp": _add_mcp,
    "egress": _add_egress,
    "doctor": _add_doctor,
    "config": _add_config,
    "completion": _add_completion,
    "uninstall": _add_uninstall,
}


def _add_json(parser: Any, **more: Any) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON object", **more)


def _add_databases(parser: argparse.ArgumentParser, default: str = "all") -> None:
    parser.add_argument(
        "-d",
        "--database",
        action="append",
        dest="databases",
        metavar="NAME",
        help=f"a database to use; repeatable; by default {default}",
    )


def _size(written: str) -> int:
    """Read a number of bytes, such as 50M; K, M and G are powers of 1,024."""
    size = re.fullmatch(r"(\d+(?:\.\d+)?)([KMG]?)B?", written.strip().upper())
    number = float(size[1]) * 1024 ** " KMG".index(size[2] or " ") if size else 0
    if not 1 <= number <= LARGEST:
        raise argparse.ArgumentTypeError(
            f"{written!r} is no size: give one such as 500K, 50M or 2G"
        )
    return int(number)


def _natural(written: str) -> int:
    try:
        number = int(written)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{written!r} is no whole number") from None
    if number < 0:
        raise argparse.ArgumentTypeError(f"{number} is negative")
    if number > LARGEST:
        raise argparse.ArgumentTypeError(f"it must be at most {LARGEST}")
    return number


def _positive(written: str) -> int:
    number = _natural(written)
    if number == 0:
        raise argparse.ArgumentTypeError("it must be at least 1")
    return number
