"""Where a model is reached: host, model id and key, checked before anything is sent.

What an endpoint says about itself is untrusted text; `Endpoint.detail` gives it as one short line
in which the key never appears.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from rag_assistant.egress.hosts import host_of, is_loopback
from rag_assistant.errors import ModelError
from rag_assistant.models.key_filter import without_key
from rag_assistant.models.whereabouts import CLOUD_HOST, is_named_remote, whereabouts
from rag_assistant.text.safe_text import clean_line

__all__ = [
    "DETAIL_CHARACTERS",
    "KEY_ENV",
    "OPENAI_HOST",
    "Endpoint",
    "Reached",
    "host_of",
    "is_loopback",
    "shown_host",
]

OPENAI_HOST = "api.openai.com"
KEY_ENV = "OPENAI_API_KEY"
"""Where the key of OPENAI_HOST is looked for when the settings name no variable."""

DETAIL_CHARACTERS = 200
"""How much of an endpoint's own words is shown."""

_IN_KEYRING = "the keyring"


class Reached(Protocol):
    """The settings that say where a model is, whatever it is for."""

    @property
    def model(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def api_key_env(self) -> str: ...
    @property
    def keyring(self) -> bool: ...
    @property
    def local(self) -> bool: ...


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address. `host` carries the port when the address names one.

    `loopback` says that the address is this machine's, `local` that the person vouches that the
    model behind it runs here.
    """

    host: str
    model: str
    key_env: str
    key: str = field(default="", repr=False)
    loopback: bool = False
    address: str = ""
    local: bool = False

    @property
    def sent_to(self) -> str:
        """The host that requests end up at; empty when it is certain that they stay here.

        A host of loopback means that nobody can tell. It may ask the server, and blocks: call it in
        a thread.
        """
        if not self.loopback:
            return self.host
        if self.local:
            return ""
        found = whereabouts(self.address, self.model)
        if found.locality == "elsewhere":
            return f"{found.host or 'another machine'} (by way of {self.host})"
        return "" if found.locality == "here" else self.host

    @classmethod
    def of(cls, settings: Reached, environ: Mapping[str, str]) -> "Endpoint":
        """Check the settings and take the key from the environment, or else from the keyring.

        Raises ModelError when the address is no web address, when the key that the settings name
        is not there for an endpoint on another machine, and when it cannot be a key.
        """
        host = shown_host(settings.base_url)
        loopback = is_loopback(host_of(settings.base_url))
        env = settings.api_key_env or (KEY_ENV if host_of(settings.base_url) == OPENAI_HOST else "")
        # Keys are pasted, often with the line's end; a header with a line end in it would fail
        # with a message that quotes the key.
        key = environ.get(env, "").strip() if env else ""
        if settings.keyring and not key:
            key = _kept_key(host)
            env = _IN_KEYRING
        elif env and not key and not loopback:
            raise ModelError(
                f"There is no key for {host}: {env} is not set.",
                hint=f"Set {env} to your key.",
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ModelError(
                f"The key in {env} holds characters that no key has.", hint="Copy it again."
            )
        parts = urlsplit(settings.base_url)
        address = f"{parts.scheme}://{host}{parts.path.rstrip('/')}"  # without credentials
        if settings.local and not loopback:
            raise ModelError(
                f"{host} is another machine: local = true is for addresses such as 127.0.0.1.",
                hint="Take it out of config.toml; where text may go: `databases egress NAME any`.",
            )
        env = env or "api_key_env"
        return cls(host, settings.model, env, key, loopback, address, settings.local)

    def detail(self, body: object) -> str:
        """Give what an endpoint said of a failure, as one line of at most 200 characters."""
        # Before cutting, which could leave half of the key.
        line = clean_line(without_key(_message(body), self.key))
        if len(line) > DETAIL_CHARACTERS:
            line = line[: DETAIL_CHARACTERS - 1].rstrip() + "…"
        return line


def apparent_host(settings: Reached) -> str:
    """Give the host that text seems to go to, without asking anybody; empty for this machine.

    For showing: `Endpoint.sent_to` decides.
    """
    if is_named_remote(settings.model):
        return CLOUD_HOST
    host = host_of(settings.base_url)
    return "" if is_loopback(host) else host


def _kept_key(host: str) -> str:
    from rag_assistant.config.keyring_keys import stored_key  # noqa: PLC0415 - few keep keys there

    key = stored_key(host).strip()
    if not key:
        raise ModelError(
            f"There is no key for {host} in the keyring.",
            hint="Put it there: `rag-assistant model key NAME`.",
        )
    return key


def shown_host(base_url: str) -> str:
    """Give the host of an address, with its port where it names one. Raises ModelError for none."""
    try:
        parts = urlsplit(base_url)
        host, port = parts.hostname or "", parts.port
    except ValueError:
        host, port = "", None
    plain = base_url.isprintable() and " " not in base_url
    if not (host and plain) or parts.scheme not in ("http", "https"):
        shown = clean_line(base_url.rpartition("@")[2])  # what stands before an @ is a password
        raise ModelError(
            f"{shown!r} is not the address of a model server.",
            hint="Write base_url as http://HOST:PORT/v1.",
        )
    shown = f"[{host}]" if ":" in host else clean_line(host)
    return f"{shown}:{port}" if port else shown


def _message(body: object) -> str:
    """Find the words in an error body, whose form differs from server to server."""
    if isinstance(body, str):
        return "" if body.lstrip().startswith("<") else body  # a web page says nothing in a line
    if isinstance(body, Mapping):
        for key in ("error", "message", "detail", "msg", "code"):
            if body.get(key):
                return _message(body[key])
    if isinstance(body, list) and body:
        return _message(body[0])
    return ""
