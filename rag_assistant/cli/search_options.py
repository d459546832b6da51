"""The options of `search`, `get` and `why-not`: finding and reading without a model."""

from rag_assistant.cli.shared_options import (
    CommandAdder,
    add_databases,
    add_json,
    natural,
    positive,
)


def add_search(command: CommandAdder) -> None:
    """Declare `search`."""
    search = command("search", "search", "search without a model")
    search.add_argument("query", nargs="+", metavar="QUERY", help="any text")
    add_databases(search)
    search.add_argument("--explain", action="store_true", help="show what each score is made of")
    search.add_argument(
        "--no-rerank", action="store_true", help="keep the search's own order, without the reranker"
    )
    search.add_argument("-n", "--limit", type=positive, default=10, help="entries shown")
    add_json(search)


def add_get(command: CommandAdder) -> None:
    """Declare `get`."""
    get = command("get", "get", "print an entry or part of it")
    get.add_argument("id", type=natural, metavar="ID")
    get.add_argument("-d", "--database", metavar="NAME", help="needed if there are several")
    get.add_argument("--start", type=natural, default=0, help="first character (from 0)")
    get.add_argument("--end", type=natural, help="character after the last")
    get.add_argument("--at", type=natural, metavar="OFFSET", help="the passage at this character")
    get.add_argument("--around", type=natural, metavar="N", help="with N passages on either side")
    get.add_argument(
        "--outline", action="store_true", help="its facts, and its parts with their places"
    )
    add_json(get)


def add_why_not(command: CommandAdder) -> None:
    """Declare `why-not`."""
    why = command("why-not", "why_not", "say why a file is not found, at all or for a question")
    why.set_defaults(function="run_why_not")
    why.add_argument("path", metavar="PATH", help="a file, by its path or as the database has it")
    why.add_argument("question", nargs="*", metavar="QUESTION", help="what it should come up for")
    why.add_argument(
        "--path",
        action="append",
        dest="paths",
        default=[],
        metavar="PART",
        help="as the question was limited: to documents whose path holds this; repeatable",
    )
    add_databases(why)
    why.add_argument("-n", "--limit", type=positive, default=10, help="as for search")
    add_json(why)
