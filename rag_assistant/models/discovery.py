"""Model servers that run on this machine, found without configuration.

Looks at 127.0.0.1 and no other host, through no proxy and without a key, at the ports that such
servers usually have. What a server says is untrusted: it is bounded in time and size, and a name
that could steer a terminal is left out.
"""

import asyncio
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.errors import ModelError
from rag_assistant.text.safe_text import clean_line

if TYPE_CHECKING:
    import httpx2

CONNECT_SECONDS = 0.3
WHOLE_SECONDS = 0.35
"""How long looking takes at most, unless the caller has more time."""
MOST_BYTES = 4 << 20
"""Of a list of models; ten thousand names take one."""
LONGEST_NAME = 200
PORTS_ENV = "RAG_ASSISTANT_LOCAL_PORTS"
"""An environment variable with other ports to look at, such as 11500,9000; none when empty."""


@dataclass(frozen=True, slots=True)
class ServerKind:
    """A kind of server: its usual port, and what its models are `owned_by`."""

    name: str
    port: int
    owner: str


KINDS = (
    ServerKind("Ollama", 11434, "library"),
    ServerKind("LM Studio", 1234, "organization_owner"),
    ServerKind("llama.cpp", 8080, "llamacpp"),
    ServerKind("vLLM", 8000, "vllm"),
)


@dataclass(frozen=True, slots=True)
class LocalServer:
    """What answers at a port of this machine.

    `kind` is a name of `KINDS`, or "a model server". `models` are the names to choose from, and
    `left_out` counts further ones that cannot be shown. `problem` says, where it is no model server
    or tells no models, why; it is empty otherwise.
    """

    port: int
    kind: str
    models: tuple[str, ...] = ()
    left_out: int = 0
    problem: str = ""

    @property
    def base_url(self) -> str:
        """The address to configure."""
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def host(self) -> str:
        """Host and port, as messages name them."""
        return f"127.0.0.1:{self.port}"


def ports_of(environ: Mapping[str, str]) -> tuple[int, ...]:
    """Give the ports to look at. Raises ModelError when the environment names something else."""
    written = environ.get(PORTS_ENV)
    if written is None:
        return tuple(kind.port for kind in KINDS)
    ports = [part.strip() for part in written.split(",") if part.strip()]
    if not all(port.isdecimal() and 0 < int(port) < 65_536 for port in ports):
        raise ModelError(
            f"{PORTS_ENV} is {clean_line(written)!r}.", hint="Write ports, such as 11434,8000."
        )
    return tuple(dict.fromkeys(map(int, ports)))


async def discover(
    ports: Sequence[int], *, seconds: float = WHOLE_SECONDS
) -> tuple[LocalServer, ...]:
    """Look at all ports at the same time; give what answers, in the order of the ports.

    It takes `seconds` at most, however a server behaves.
    """
    if not ports:
        return ()
    import httpx2  # noqa: PLC0415 - 40 ms, and only who looks needs it

    timeout = httpx2.Timeout(seconds, connect=min(CONNECT_SECONDS, seconds))
    client = httpx2.AsyncClient(
        timeout=timeout,
        trust_env=False,  # no proxy, no .netrc
        headers={"accept-encoding": "identity"},
        follow_redirects=False,  # which could lead to another host
        verify=False,  # nothing here is encrypted, and reading certificates takes 50 ms
    )
    async with client:
        looked = await asyncio.gather(*(_look(client, port, seconds) for port in ports))
    return tuple(server for server in looked if server)


async def _look(client: "httpx2.AsyncClient", port: int, seconds: float) -> LocalServer | None:
    """Ask one port for its models; None where nothing listens."""
    import httpx2  # noqa: PLC0415 - see discover

    kind = next((known.name for known in KINDS if known.port == port), "a model server")
    try:
        async with asyncio.timeout(seconds):
            return _read(port, kind, await _list(client, port))
    except (httpx2.ConnectError, httpx2.ConnectTimeout):
        return None
    except (TimeoutError, httpx2.TimeoutException):
        problem = f"it did not list its models within {seconds:g} seconds"
    except (httpx2.HTTPError, httpx2.InvalidURL):
        problem = "it does not answer as a web server does"
    except _NoList as error:
        problem = str(error)
    return LocalServer(port, kind, problem=problem)


class _NoList(Exception):
    """What answered is no list of models."""


async def _list(client: "httpx2.AsyncClient", port: int) -> object:
    body = bytearray()
    async with client.stream("GET", f"http://127.0.0.1:{port}/v1/models") as response:
        if response.status_code in (401, 403):
            raise _NoList(f"it wants a key ({response.status_code})")
        if response.status_code != 200:
            raise _NoList(f"it is no model server: /v1/models gives {response.status_code}")
        async for piece in response.aiter_bytes():
            body += piece
            if len(body) > MOST_BYTES:
                raise _NoList(f"its list of models is longer than {MOST_BYTES >> 20} MB")
    try:
        return json.loads(body)
    except (ValueError, RecursionError):
        raise _NoList("it is no model server: /v1/models is not JSON") from None


def _read(port: int, kind: str, listed: object) -> LocalServer:
    """Read a list of models as OpenAI's API has it: {"data": [{"id": …, "owned_by": …}]}."""
    rows = listed.get("data", ()) if isinstance(listed, dict) else ()
    rows = [] if rows is None else rows  # Ollama's null, where there is no model yet
    if not isinstance(rows, list):
        raise _NoList("it is no model server: /v1/models is no list of models")
    entries = [row for row in rows if isinstance(row, dict) and isinstance(row.get("id"), str)]
    names = dict.fromkeys(row["id"] for row in entries)
    shown = tuple(name for name in names if can_be_shown(name))
    owners = {str(row.get("owned_by")) for row in entries}
    told = next((known.name for known in KINDS if known.owner in owners), kind)
    return LocalServer(port, told, shown, len(names) - len(shown) + len(rows) - len(entries))


def can_be_shown(name: str) -> bool:
    """Whether a name is shown as it is: the server would not know it by a cleaned one."""
    return 0 < len(name) <= LONGEST_NAME and name == clean_line(name)
