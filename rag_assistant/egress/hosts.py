"""Which hosts are this machine: decided by address, and seen to when a connection is made."""

import ipaddress
from urllib.parse import urlsplit

from rag_assistant.errors import EgressError


def host_of(base_url: str) -> str:
    """Give the host name of an address, without port or credentials; empty when it has none."""
    try:
        return urlsplit(base_url).hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name means this machine: 127.0.0.0/8, ::1, or a name that is kept for it.

    What such a name leads to is looked at again when a connection is made; see `check_peer`. Any
    other name is another machine, whatever it leads to now: it may lead elsewhere a moment later.
    """
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


IF_LOCAL = "If it does, write local = true into the table of its endpoint in config.toml."


def is_unsure(host: str) -> bool:
    """Whether a host that text would be sent to is a server on this machine that may send it on.

    What is certain to stay has no such host at all; see `Endpoint.sent_to`.
    """
    return is_loopback(host_of(f"//{host}"))


def check_peer(host: str, peer: object) -> None:
    """See that a connection made to this machine, by its name, leads to no other.

    `peer` is the address at its other end, as sockets give it. Raises EgressError, before anything
    is sent.
    """
    if not is_loopback(host):
        return
    address = str(peer[0]) if isinstance(peer, tuple) and peer else ""
    if not (address and is_loopback(address.partition("%")[0])):
        raise EgressError(
            f"{host} is not this machine: the name leads to {address or 'no known address'}.",
            hint="Nothing was sent. Mend the name, or write 127.0.0.1 into the address.",
        )
