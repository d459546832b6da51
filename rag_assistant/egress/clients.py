"""Clients: other programs that ask this one, by the Model Context Protocol or over HTTP.

A client may send on what it is handed, so what it is handed is on the record of what leaves, with
secrets masked. It is offered no database that is to stay on this machine (egress `local`), unless
the person allowed it that database. Who connects a client has said yes to the others.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from rag_assistant.egress.gate import Destination, Gate
from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.egress.own_fields import OwnFields
from rag_assistant.egress.provenance import Provenance
from rag_assistant.errors import EgressError, RagError

Way = Literal["MCP", "HTTP"]
"""How a client asks."""

UNNAMED = "unnamed"
"""What a client is called that does not say its name."""

_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,59}")
_ODD = re.compile(r"[^a-z0-9._-]+")
_LABEL = re.compile(r"(?P<way>MCP|HTTP) client (?P<name>[a-z0-9._-]+)")


@dataclass(frozen=True, slots=True)
class Client:
    """A client by its name: small letters, digits, dots, hyphens and underscores."""

    way: Way
    name: str

    @property
    def label(self) -> str:
        """What it stands under where hosts do, on record and in leave; no host has a space."""
        return f"{self.way} client {self.name}"


def client_called(way: Way, said: str) -> Client:
    """Give a client by what it says it is called: "Claude Desktop" is claude-desktop."""
    name = _ODD.sub("-", said.casefold()).strip("-._")[:60].strip("-._")
    return Client(way, name or UNNAMED)


def client_named(way: Way, written: str) -> Client:
    """Give a client by the name that a person wrote. Raises RagError where it cannot be one."""
    if not _NAME.fullmatch(written):
        raise RagError(
            f"{written[:60]!r} is no name of a client.",
            hint="It has small letters, digits, dots and hyphens, as claude-code. "
            "Those that asked before: `rag-assistant mcp clients`.",
        )
    return Client(way, written)


def known_clients(ledger: EgressLedger, way: Way) -> dict[Client, list[str]]:
    """Give the clients that were handed something or are allowed something, each with the
    databases that it is allowed."""
    allowed = ledger.allowed()
    found: dict[Client, list[str]] = {}
    for label in ledger.hosts():
        if (match := _LABEL.fullmatch(label)) and match["way"] == way:
            names = sorted(database for database, host in allowed if host == label)
            found[Client(way, match["name"])] = names
    return found


def offered(gate: Gate, client: Client, databases: Sequence[str]) -> list[str]:
    """Give those databases that a client may be handed text of, in their order.

    It blocks. Raises ConfigError, EgressError.
    """
    policies = gate.policies(databases)
    if "local" not in policies.values():
        return list(databases)
    allowed = gate.ledger.allowed() if gate.ledger else set()
    return [
        name for name in databases if policies[name] != "local" or (name, client.label) in allowed
    ]


def hand_out(
    gate: Gate, client: Client, what: str, body: Any, carried: Provenance, own: OwnFields
) -> Any:
    """Give the JSON that a client asked for, without secrets, once it is on record.

    `what` names what it asked for, and stands where a model does; `own` are the fields of the
    shape itself. It blocks. Raises EgressError where it may not have the text of a database that is
    carried, or nothing can be recorded.
    """
    held_back = set(carried.databases) - set(offered(gate, client, carried.databases))
    if held_back:
        name = min(held_back)
        raise EgressError(
            f"The text of {name} stays on this machine (egress local), and may not go to the "
            f"{client.label}.",
            hint=how_to_allow(client, name),
        )
    to = Destination(client.label, "", what, stays=False)
    return gate.recorded(to, body, carried, own).body


def how_to_allow(client: Client, database: str) -> str:
    """Say by which command a person lets a client have a database that is `local`."""
    command = {"MCP": "mcp", "HTTP": "api"}[client.way]
    return f"To allow it: `rag-assistant {command} allow {client.name} -d {database}`."
