"""What clients may be handed, by the person's word: the same for each way in which they ask."""

from argparse import Namespace
from collections.abc import Sequence
from pathlib import Path

from rag_assistant.cli.main import Exit
from rag_assistant.cli.session import config_of, home_of, library_of, print_json, print_prose, say
from rag_assistant.egress.clients import Client, Way, client_named, known_clients
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.errors import RagError


def allow(options: Namespace, way: Way) -> int:
    """Let a client have databases that are `local`."""
    client = client_named(way, options.name)
    library, gate = library_of(options), Gate(home_of(options), config_of(options))
    named = [library.database(name).name for name in options.databases or ()]
    policies = gate.policies(named or library.names())
    kept = [name for name, policy in policies.items() if policy == "local"]
    if open_ones := [name for name in named if name not in kept]:
        say(f"Every client may have {', '.join(open_ones)}: egress is not local.")
    if not kept and not named:
        raise RagError(
            "No database is to stay on this machine: every client may have all of them.",
            hint="To keep one back: `rag-assistant databases egress NAME local`.",
        )
    if kept:
        EgressLedger(home_of(options)).allow(kept, client.label)
        say(f"The {client.label} may have {', '.join(kept)} from now on, and may send it on.")
        say(f"To take it back: rag-assistant {_COMMAND[way]} forbid {client.name}")
    return Exit.DONE


def forbid(options: Namespace, way: Way) -> int:
    """Take back what a client was allowed."""
    client = client_named(way, options.name)
    names = EgressLedger(home_of(options)).forget_host(client.label)
    if not names:
        say(f"The {client.label} was allowed nothing beyond what every client may have.")
        return Exit.DONE
    say(f"The {client.label} may not have {', '.join(names)} any more.")
    return Exit.DONE


def tell_clients(options: Namespace, way: Way) -> int:
    """List the clients that were handed something or are allowed something."""
    home = home_of(options)
    ledger = EgressLedger(home)
    found = known_clients(ledger, way)
    if options.json:
        print_json({"clients": [_json(one, names, ledger) for one, names in found.items()]})
        return Exit.DONE
    for client, names in found.items():
        told = _json(client, names, ledger)
        requests, entries = told["requests"], told["entries"]
        asked = f"{requests:,} request{'' if requests == 1 else 's'}, {entries:,} entries"
        allowed = f"; allowed {', '.join(names)}" if names else ""
        print_prose(f"{client.name}  {asked}{allowed}")
    if not found:
        say("No program has asked yet.")
    say(_offered(options, home))
    return Exit.DONE


_COMMAND: dict[Way, str] = {"MCP": "mcp", "HTTP": "api"}


def _json(client: Client, names: Sequence[str], ledger: EgressLedger) -> dict[str, object]:
    days = [day for day in ledger.by_day_and_host() if day.host == client.label]
    return {
        "name": client.name,
        "allowed": list(names),
        "requests": sum(day.requests for day in days),
        "entries": sum(day.entries for day in days),
        "last_day": max((day.day for day in days), default=""),
    }


def _offered(options: Namespace, home: Path) -> str:
    names = library_of(options).names()
    policies = Gate(home, config_of(options)).policies(names)
    given = [name for name in names if policies[name] != "local"]
    kept = [name for name in names if policies[name] == "local"]
    said = f"Every client may have: {', '.join(given) or 'nothing'}."
    return f"{said} Kept back (egress local): {', '.join(kept) or 'nothing'}."
