"""Where a model is reached: host, model id and key, checked before anything is sent.

What an endpoint says about itself is untrusted text; `Endpoint.detail` gives it as one short line
in which the key never appears.
"""

import ipaddress
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Protocol
from urllib.parse import urlsplit

from rag_assistant.errors import ModelError
from rag_assistant.safe_text import clean_line

OPENAI_HOST = "api.openai.com"
KEY_ENV = "OPENAI_API_KEY"
"""Where the key of OPENAI_HOST is looked for when the settings name no variable."""

DETAIL_CHARACTERS = 200
"""How much of an endpoint's own words is shown."""


def host_of(base_url: str) -> str:
    """Give the host name of an address, without port or credentials; empty when it has none."""
    try:
        return urlsplit(base_url).hostname or ""
    except ValueError:
        return ""


def is_loopback(host: str) -> bool:
    """Whether a host name means this machine."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


class Reached(Protocol):
    """The settings that say where a model is, whatever it is for."""

    @property
    def model(self) -> str: ...
    @property
    def base_url(self) -> str: ...
    @property
    def api_key_env(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Endpoint:
    """One model at one address. `host` carries the port when the address names one."""

    host: str
    model: str
    key_env: str
    key: str = field(default="", repr=False)
    loopback: bool = False

    @classmethod
    def of(cls, settings: Reached, environ: Mapping[str, str]) -> "Endpoint":
        """Check the settings and take the key from the environment.

        Raises ModelError when the address is no web address, when the key that the settings name
        is not there for an endpoint on another machine, and when it cannot be a key.
        """
        host = _netloc(settings.base_url)
        loopback = is_loopback(host_of(settings.base_url))
        env = settings.api_key_env or (KEY_ENV if host_of(settings.base_url) == OPENAI_HOST else "")
        # Keys are pasted, often with the line's end; a header with a line end in it would fail
        # with a message that quotes the key.
        key = environ.get(env, "").strip() if env else ""
        if env and not key and not loopback:
            raise ModelError(
                f"There is no key for {host}: {env} is not set.",
                hint=f"Set {env} to your key.",
            )
        if not (key.isascii() and key.isprintable()) or " " in key:
            raise ModelError(
                f"The key in {env} holds characters that no key has.", hint="Copy it again."
            )
        return cls(host, settings.model, env or "api_key_env", key, loopback)

    def detail(self, body: object) -> str:
        """Give what an endpoint said of a failure, as one line of at most 200 characters."""
        text = _message(body)
        if self.key:
            text = text.replace(self.key, "[key]")  # before cutting, which could leave half of it
        line = clean_line(text)
        if len(line) > DETAIL_CHARACTERS:
            line = line[: DETAIL_CHARACTERS - 1].rstrip() + "…"
        return line


def _netloc(base_url: str) -> str:
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
