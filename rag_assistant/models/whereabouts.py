"""Whether a model that answers on this machine runs on it, as far as its server says.

Servers on loopback may send everything on: Ollama's cloud models do, and so do gateways. What says
by its own interface that the model is here is here: Ollama (`/api/tags`, entries without `remote_*`
fields), llama.cpp (`/props`), LM Studio (`/api/v0/models`) and vLLM (`/version` and `owned_by`). A
server is only asked with GET, through no proxy and without a key, and what it says is bounded.
"""

import json
import threading
import time
from collections.abc import Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import urlsplit

from rag_assistant.egress.hosts import check_peer, host_of
from rag_assistant.errors import EgressError

Locality = Literal["here", "elsewhere", "unknown"]

ASKED_SECONDS = 1.5
"""How long a server may take for each thing that it is asked."""

REMEMBERED_SECONDS = 60.0
"""How long what a server said counts: a model of the same name may be another one later."""

_MOST_BYTES = 4 << 20
CLOUD_HOST = "ollama.com"
_CLOUD = ("-cloud", ":cloud")
"""Ends of names of models that Ollama runs in its cloud."""

_HERE_OWNERS = frozenset({"llamacpp", "vllm", "organization_owner"})
_VENDORS = frozenset(
    "openai anthropic google mistral mistralai cohere azure bedrock vertex_ai openrouter groq xai"
    " deepseek together_ai fireworks_ai perplexity".split()
)
_GATEWAY_HEADERS = ("x-litellm-", "x-portkey-", "x-openrouter-", "helicone-", "cf-aig-", "x-kong-")


@dataclass(frozen=True, slots=True)
class Whereabouts:
    """Where a model runs; `host` is the one elsewhere, as far as the server names it."""

    locality: Locality
    host: str = ""


HERE, UNKNOWN = Whereabouts("here"), Whereabouts("unknown")

_known: dict[tuple[str, str], tuple[float, Whereabouts]] = {}
_lock = threading.Lock()


def is_named_remote(model: str) -> bool:
    """Whether the name of a model says that it runs in the cloud of its server's maker."""
    return model.lower().endswith(_CLOUD)


def whereabouts(base_url: str, model: str) -> Whereabouts:
    """Say where the model of a server on this machine runs. It blocks: call it in a thread.

    A server that does not answer is taken for one that is here: nothing can be sent to it.
    """
    key = (base_url, model)
    with _lock:
        when, known = _known.get(key, (0.0, UNKNOWN))
    if when and time.monotonic() - when < REMEMBERED_SECONDS:
        return known
    try:
        found = _told(_Server(base_url), model)
    except EgressError:  # the name of this machine leads to another one
        return Whereabouts("elsewhere", host_of(base_url))
    except OSError:
        return HERE
    with _lock:
        _known[key] = (time.monotonic(), found)
    return found


class _Server:
    """A server that is asked what it is. Raises OSError where nothing answers."""

    def __init__(self, base_url: str) -> None:
        parts = urlsplit(base_url)
        self._host, self._port = parts.hostname or "", parts.port or 80
        self._speaks = parts.scheme == "http"
        self._root = parts.path.rstrip("/").removesuffix("/v1")
        self.headers: list[str] = []

    def get(self, path: str) -> Any:
        """Give the JSON at a path; None for an answer that is none, or is an error."""
        if not self._speaks:
            return None
        import http.client  # noqa: PLC0415 - e-mail and all: only where a server is asked

        connection = http.client.HTTPConnection(self._host, self._port, timeout=ASKED_SECONDS)
        with closing(connection):
            connection.connect()
            check_peer(self._host, connection.sock.getpeername())
            try:
                connection.request("GET", self._root + path, headers={"accept": "application/json"})
                response = connection.getresponse()
                self.headers += [name.lower() for name, _ in response.getheaders()]
                body = response.read(_MOST_BYTES + 1)
            except (http.client.HTTPException, OSError):
                return None
        if response.status != http.client.OK or len(body) > _MOST_BYTES:
            return None
        with suppress(ValueError, RecursionError):
            return json.loads(body)
        return None


def _told(server: _Server, model: str) -> Whereabouts:
    if is_named_remote(model):
        return Whereabouts("elsewhere", CLOUD_HOST)
    for row in _rows(server.get("/api/tags"), "models"):
        if model in (
            row.get("name"),
            row.get("model"),
            str(row.get("name")).removesuffix(":latest"),
        ):
            remote = row.get("remote_host") or row.get("remote_model")
            return Whereabouts("elsewhere", _host(row)) if remote else HERE
    props = server.get("/props")
    if isinstance(props, dict) and {"default_generation_settings", "model_path"} & props.keys():
        return HERE
    if any(row.get("id") == model and "arch" in row for row in _rows(server.get("/api/v0/models"))):
        return HERE
    return _by_owner(server, model)


def _by_owner(server: _Server, model: str) -> Whereabouts:
    """Judge by what OpenAI's list of models says, and by the marks that gateways leave."""
    rows = list(_rows(server.get("/v1/models")))
    owners = {str(row.get("owned_by")).lower() for row in rows if row.get("id") == model}
    if any(header.startswith(_GATEWAY_HEADERS) for header in server.headers):
        return Whereabouts("elsewhere")
    if owners & _HERE_OWNERS:
        return HERE
    return Whereabouts("elsewhere", min(owners & _VENDORS)) if owners & _VENDORS else UNKNOWN


def _rows(listed: Any, key: str = "data") -> Iterator[Mapping[str, Any]]:
    rows = listed.get(key) if isinstance(listed, dict) else None
    yield from (row for row in rows if isinstance(row, dict)) if isinstance(rows, list) else ()


def _host(row: Mapping[str, Any]) -> str:
    """Give the host that an entry of Ollama's list names; untrusted, as all of it."""
    named = str(row.get("remote_host") or "")
    host = host_of(named) or host_of(f"//{named}")
    return host if host.isprintable() and len(host) <= 100 else ""
