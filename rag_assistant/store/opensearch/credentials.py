"""Who asks: a user with a password, or an API key, from the environment or the system's keyring."""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from urllib.parse import urlsplit

from rag_assistant.config import StoreSettings
from rag_assistant.errors import ConfigError, ModelError


@dataclass(frozen=True)
class Credentials:
    """What a store knows somebody by; nothing of it is ever shown."""

    user: str = ""
    password: str = field(default="", repr=False)
    api_key: str = field(default="", repr=False)

    @property
    def headers(self) -> Mapping[str, str]:
        """What is in each request; a password may have letters of any script."""
        if self.api_key:
            return {"authorization": f"ApiKey {self.api_key}"}
        if not self.user:
            return {}
        told = b64encode(f"{self.user}:{self.password}".encode()).decode("ascii")
        return {"authorization": f"Basic {told}"}


def credentials_of(
    urls: Sequence[str], settings: StoreSettings, environ: Mapping[str, str]
) -> Credentials:
    """Look up what the settings of a store name.

    Raises ConfigError where it is not there, or cannot be what it is said to be.
    """
    where = place_of(urls[0])
    if settings.user and settings.api_key_env:
        raise ConfigError(
            f"The store at {where} has a user and an API key.",
            hint="Leave one of them out of its table [stores.NAME].",
        )
    what = f"password for {settings.user}" if settings.user else "API key"
    variable = settings.password_env if settings.user else settings.api_key_env
    secret = environ.get(variable, "").strip("\r\n") if variable else ""
    if settings.keyring and not secret:
        secret = _kept(where)
    if not secret and (settings.user or variable or settings.keyring):
        raise ConfigError(f"There is no {what} at {where}.", hint=_how_to_give(settings))
    if not secret.isprintable() or not (settings.user or (secret.isascii() and " " not in secret)):
        raise ConfigError(
            f"The {what} at {where} holds characters that none has.", hint="Copy it again."
        )
    return Credentials(settings.user, secret) if settings.user else Credentials(api_key=secret)


def _how_to_give(settings: StoreSettings) -> str:
    name = "password_env" if settings.user else "api_key_env"
    variable = settings.password_env or settings.api_key_env
    if settings.keyring:
        return "Put it into the keyring: `rag-assistant model key NAME`, NAME as in [stores.NAME]."
    return f"Set {variable}." if variable else f"Name its variable as {name} in [stores.NAME]."


def _kept(where: str) -> str:
    from rag_assistant.config.keyring_keys import stored_key  # noqa: PLC0415 - few keep keys there

    try:
        return stored_key(where).strip("\r\n")
    except ModelError as error:
        raise ConfigError(error.message, hint=error.hint) from error


def place_of(url: str) -> str:
    """Give the host of an address with its port, as the keyring lists what is for it."""
    return urlsplit(url).netloc.rpartition("@")[2]
