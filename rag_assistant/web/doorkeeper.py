"""Who is let in: only a browser on this machine that was given the address with its secret.

A page of another site can make a browser send requests here, and a name of another site can be made
to mean this machine; neither knows the secret, and both give themselves away by Origin and Host.
"""

import secrets
from collections.abc import Mapping
from ipaddress import ip_address

from rag_assistant.errors import RagError

THIS_MACHINE = ("127.0.0.1", "localhost", "[::1]")
TOKEN = "token"

NOT_BY_THIS_NAME = "This server answers only to 127.0.0.1, localhost and [::1]."
NOT_FROM_THERE = "Another site's page may not use this server."
NOT_WITHOUT_TOKEN = "Open the whole address that `rag-assistant serve` printed, with its token."


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


class Doorkeeper:
    """Holds the secrets of one server at `port`."""

    def __init__(self, host: str, port: int) -> None:
        name = f"[{host}]" if ":" in host else host
        self._names = frozenset(
            each if port == 80 else f"{each}:{port}" for each in (*THIS_MACHINE, name)
        )
        self._token = secrets.token_urlsafe(32)
        self._pass = secrets.token_urlsafe(32)
        self.address = f"http://{name}:{port}/?{TOKEN}={self._token}"
        # Cookies are told apart by name and not by port, and several servers may run.
        self.cookie = f"rag-assistant-{port}"

    @property
    def cookie_value(self) -> str:
        """What a browser that came with the token is given to show from then on."""
        return self._pass

    def refusal(
        self, headers: Mapping[str, str], cookies: Mapping[str, str], token: str, *, linked: bool
    ) -> str:
        """Say why a request is refused, "" if it is not. A WebSocket is `linked`: it must have an
        origin.
        """
        host, origin = headers.get("Host", ""), headers.get("Origin")
        if host.lower() not in self._names:
            return NOT_BY_THIS_NAME
        if origin != f"http://{host}" and (linked or origin is not None):
            return NOT_FROM_THERE
        known = _is_same(cookies.get(self.cookie, ""), self._pass) or (
            not linked and _is_same(token, self._token)
        )
        return "" if known else NOT_WITHOUT_TOKEN


def _is_same(shown: str, secret: str) -> bool:
    """Compare in a time that tells nothing of the secret."""
    return secrets.compare_digest(shown.encode("utf-8", "replace"), secret.encode())
