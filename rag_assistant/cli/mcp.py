"""`rag-assistant mcp`: serve other programs by the Model Context Protocol, and say what they may.

The other way round, tools of other programs for the models here, is `[mcp.NAME]` of config.toml.
"""

import asyncio
import shutil
import sys
from argparse import Namespace
from collections.abc import Callable
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path

from rag_assistant.cli import clients
from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, print_text, say
from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.client_tokens import new_secret, token_of
from rag_assistant.egress.clients import Client, client_named
from rag_assistant.errors import RagError


def run_mcp(options: Namespace) -> int:
    """Serve, or do what the action says."""
    actions: dict[str | None, Callable[[Namespace], int]] = {
        None: _serve,
        "config": _print_settings,
        "clients": lambda given: clients.tell_clients(given, "MCP"),
        "allow": lambda given: clients.allow(given, "MCP"),
        "forbid": lambda given: clients.forbid(given, "MCP"),
        "token": _print_token,
        "skill": _print_skill,
    }
    return actions[options.action](options)


def _print_skill(_: Namespace) -> int:
    print_text((files("rag_assistant.mcp_server") / "SKILL.md").read_text("utf-8").rstrip())
    return Exit.DONE


def _serve(options: Namespace) -> int:
    if find_spec("mcp") is None:
        raise RagError(
            "Serving other programs needs the extra 'mcp'.", hint=f"Run `{how_to_add('mcp')}`."
        )
    config_of(options)  # what is wrong with it is said here and not in every reply
    home = home_of(options)
    if options.client:
        client_named("MCP", options.client)
    if not options.http:
        from rag_assistant.mcp_server.stdio import serve_pipes

        if sys.stdin.isatty():
            say("This speaks to a program, not to you: `rag-assistant mcp config CLIENT`.")
        asyncio.run(serve_pipes(home, options.client))
        return Exit.DONE
    if options.client:
        raise RagError(
            "Over HTTP a client is known by its token, not by --client.",
            hint="Leave it out; `rag-assistant mcp token NAME` gives the token.",
        )
    from rag_assistant.mcp_server.http import serve_http

    asyncio.run(serve_http(home, options.port, _tell))
    return Exit.DONE


def _tell(address: str) -> None:
    print(address, flush=True)
    port = address.rpartition(":")[2].partition("/")[0]
    say(f"Settings with a token: rag-assistant mcp config CLIENT --http --port {port}")
    say("Ctrl-C ends.")


def _print_settings(options: Namespace) -> int:
    from rag_assistant.mcp_server.settings import PROGRAMS, WayIn, program_named, settings_for

    if not options.name:
        for one in PROGRAMS.values():
            print_text(f"{one.name:<16}{one.title}: {one.place}")
        return Exit.DONE
    program = program_named(options.name)
    home = home_of(options)
    if options.http:
        url = f"http://127.0.0.1:{options.port}/mcp"
        client = Client("MCP", "other" if program.name == "json" else program.name)
        reached = WayIn(url=url, token=token_of(home, client))
    else:
        named = [] if program.name == "json" else ["--client", program.name]
        reached = WayIn(command=[*_program(home), "mcp", *named])
    print_text(settings_for(options.name, reached))
    say(f"For {program.title}, in {program.place}.")
    if options.http:
        say(f"Keep the token to yourself. Run the server: rag-assistant mcp --http"
            f" --port {options.port}")  # fmt: skip
    return Exit.DONE


def _program(home: Path) -> list[str]:
    """Give the command that starts this copy on this home, whatever environment a client has."""
    beside = shutil.which("rag-assistant", path=str(Path(sys.executable).parent))
    start = [beside] if beside else [sys.executable, "-m", "rag_assistant"]
    return [*start, "--home", str(home)]


def _print_token(options: Namespace) -> int:
    home = home_of(options)
    if options.new:
        new_secret(home)
        say("All tokens of before are worthless now.")
    elif not options.name:
        raise RagError("Whose token?", hint="Name the client: `rag-assistant mcp token NAME`.")
    if options.name:
        print_text(token_of(home, client_named("MCP", options.name)))
    return Exit.DONE
