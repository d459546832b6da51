"""Listening on this machine alone, and telling who asks under a false name.

A page of another site can make a browser send requests here, and a name of another site can be made
to mean this machine (DNS rebinding): both give themselves away by Origin and Host.
"""

import secrets
import socket
from collections.abc import Iterable, Mapping
from ipaddress import ip_address

from rag_assistant.errors import RagError

THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")

NOT_BY_THIS_NAME = "This server answers only to 127.0.0.1, localhost and [::1]."
NOT_FROM_THERE = "Another site's page may not use this server."


def loopback(host: str) -> str:
    """Give the address to listen on. Raises RagError where others could reach it."""
    if host == "localhost":
        return "127.0.0.1"
    try:
        if ip_address(host.strip("[]")).is_loopback:
            return host.strip("[]")
    except ValueError:  # a name: what it means may change
        pass
    raise RagError(
        f"{host} is not of this machine alone: whoever reaches it could read your documents.",
        hint="Leave --host out; from another machine use ssh -L 8765:127.0.0.1:8765 to reach it.",
    )


def bound(host: str, port: int) -> socket.socket:
    """Take a port. Raises RagError where it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        return socket.create_server((host, port), family=family)
    except (OSError, OverflowError) as error:
        why = error.strerror if isinstance(error, OSError) else "there is no such port"
        raise RagError(
            f"Port {port} of {host} cannot be used ({why}).",
            hint="Choose another with --port, or any free one with --port 0.",
        ) from error


class ServerNames:
    """The names under which the server at `host` and `port` may be asked."""

    def __init__(self, host: str, port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        self.origin = f"http://{name}:{port}"
        self._hosts = frozenset(
            each if port == 80 else f"{each}:{port}" for each in (*THIS_MACHINE, name)
        )

    def refusal(
        self, headers: Mapping[str, str], *, must_be_ours: bool, origins: Iterable[str] = ()
    ) -> str:
        """Say why a request is refused, "" if it is not.

        An origin that is named must be our own or one of `origins`; where it `must_be_ours`, there
        has to be one.
        """
        host, origin = headers.get("host", ""), headers.get("origin")
        if host.lower() not in self._hosts:
            return NOT_BY_THIS_NAME
        if origin is None:
            return NOT_FROM_THERE if must_be_ours else ""
        return "" if origin in (f"http://{host}", *origins) else NOT_FROM_THERE


def is_same(shown: str, secret: str) -> bool:
    """Compare in a time that tells nothing of the secret."""
    return secrets.compare_digest(shown.encode("utf-8", "replace"), secret.encode())
