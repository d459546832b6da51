"""Options of what serves: other programs (`api`, `mcp`), which are handed texts, and browsers."""

import argparse
from typing import Any

from rag_assistant.cli.shared_options import CommandAdder, add_json, natural

API_PORT = 8767
MCP_PORT = 8766
PAGE_PORT = 8765
"""Where each server listens unless another port is named."""


def add_serve(command: CommandAdder) -> None:
    """Declare `serve`."""
    serve = command("serve", "serve", "open the interface in a browser on this machine")
    serve.add_argument("--port", type=natural, default=PAGE_PORT, help="0 picks a free port")
    _add_host(serve)
    serve.add_argument("--open", action="store_true", help="open the browser as well")


def add_api(command: CommandAdder) -> None:
    """Declare `api`."""
    api = command(
        "api",
        "api",
        "let other programs search and ask your documents over HTTP, as a model of chats too",
    )
    api.add_argument(
        "--port", type=natural, default=API_PORT, help=f"{API_PORT} by default; 0: any free one"
    )
    _add_host(api)
    api.add_argument(
        "--origin",
        action="append",
        dest="origins",
        default=[],
        metavar="URL",
        help="a page whose script may ask, such as http://localhost:3000; repeatable",
    )
    actions = api.add_subparsers(prog=api.prog, dest="action", metavar="ACTION")
    token = _add_clients(actions, "open-webui")
    token.add_argument(
        "name",
        nargs="?",
        default="default",
        metavar="CLIENT",
        help="a name of your choice for the program, such as open-webui; default if none",
    )


def add_mcp(command: CommandAdder) -> None:
    """Declare `mcp`."""
    mcp = command(
        "mcp",
        "mcp",
        "let other programs search and ask your documents (Model Context Protocol)",
        epilog="Tools of other programs for the models here are set up in config.toml: [mcp.NAME].",
    )
    _add_way(mcp)
    mcp.add_argument(
        "--client", default="", metavar="NAME", help="who asks over the pipes of this process"
    )
    actions = mcp.add_subparsers(prog=mcp.prog, dest="action", metavar="ACTION")
    config = _action(actions, "config", "print the settings by which a program finds this server")
    token = _add_clients(actions, "claude-code")
    for named in (config, token):
        named.add_argument("name", nargs="?", metavar="CLIENT", help="such as claude-code")
    _add_way(config)
    _action(actions, "skill", "print the skill that teaches a coding agent when and how to ask")


def _action(actions: Any, name: str, summary: str) -> argparse.ArgumentParser:
    added: argparse.ArgumentParser = actions.add_parser(name, help=summary, description=summary)
    return added


def _add_clients(actions: Any, such_as: str) -> argparse.ArgumentParser:
    """Declare what says which programs may be handed what; give the parser of `token`."""
    clients = _action(actions, "clients", "list the programs that asked, and what each is allowed")
    add_json(clients)
    allow = _action(
        actions, "allow", "let a program have a database that is to stay on this machine"
    )
    forbid = _action(actions, "forbid", "take back what a program was allowed")
    for named in (allow, forbid):
        named.add_argument("name", metavar="CLIENT", help=f"such as {such_as}")
    allow.add_argument(
        "-d",
        "--database",
        action="append",
        dest="databases",
        metavar="NAME",
        help="a database; repeatable; by default each that is local now",
    )
    token = _action(
        actions, "token", "print the token by which a program shows who it is over HTTP"
    )
    token.add_argument(
        "--new", action="store_true", help="first make all tokens of before worthless"
    )
    return token


def _add_host(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--host", default="127.0.0.1", help="a loopback address; others are refused"
    )


def _add_way(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--http", action="store_true", help="over HTTP on this machine, not over pipes"
    )
    parser.add_argument(
        "--port",
        type=natural,
        default=MCP_PORT,
        help=f"with --http; {MCP_PORT} by default, 0: any free one",
    )
