"""Seeing to it, as a connection is made, that one to this machine leads to no other."""

from collections.abc import Mapping
from typing import Any

import httpx2

from rag_assistant.egress.hosts import check_peer
from rag_assistant.errors import EgressError


def watch_peer(request: httpx2.Request) -> None:
    """Let a request of a client be given up where its host is this machine by name alone.

    It is a client's hook of requests. EgressError comes out of the request, which is not sent.
    """
    host = request.url.host

    def connected(name: str, info: Mapping[str, Any]) -> None:
        if name == "connection.connect_tcp.complete":
            connection = info["return_value"]
            try:
                check_peer(host, connection.get_extra_info("server_addr"))
            except EgressError:
                connection.close()
                raise

    request.extensions["trace"] = connected
