"""Whether something listens where a model should be: a connection is opened and closed again.

Nothing is sent, so it asks no key and loads no model, and only the configured host is spoken to.
"""

import asyncio
import contextlib
import socket
from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlsplit

from rag_assistant.models.endpoint import host_of, is_loopback

REACH_SECONDS = 2.0
"""How long a host may take to take a connection."""

_PROXIES = ("http_proxy", "https_proxy", "all_proxy")


@dataclass(frozen=True, slots=True)
class EndpointAddress:
    """Where an endpoint listens, and how messages name it."""

    host: str
    port: int
    local: bool

    @property
    def shown(self) -> str:
        """Host and port; the port alone is not said of other machines."""
        return f"{self.host}:{self.port}" if self.local else self.host


def place_of(base_url: str, environ: Mapping[str, str]) -> EndpointAddress | None:
    """Give where an address leads; None where only a proxy could tell, or it is no address."""
    try:
        parts = urlsplit(base_url)
        port = parts.port or (443 if parts.scheme == "https" else 80)
    except ValueError:
        return None
    host = host_of(base_url)
    local = is_loopback(host)
    is_proxied = any(environ.get(name) or environ.get(name.upper()) for name in _PROXIES)
    if not host or (is_proxied and not local):
        return None
    return EndpointAddress(host, port, local)


async def reach(place: EndpointAddress, seconds: float = REACH_SECONDS) -> str:
    """Give, in a word or two, why nothing can be reached there; nothing when it can be."""
    try:
        async with asyncio.timeout(seconds):
            _, writer = await asyncio.open_connection(place.host, place.port)
    except TimeoutError:
        return f"no answer in {seconds:g} s"
    except ConnectionRefusedError:
        return "refused"
    except socket.gaierror:
        return "host not found"
    except OSError as error:
        # Several addresses of one name fail together, in one error without a reason of its own.
        return "refused" if error.errno is None else "not reached"
    writer.close()
    with contextlib.suppress(OSError):
        await writer.wait_closed()
    return ""
