"""Keys in the system's keyring, one for each host, so that none goes to a host it is not meant for.

Needs the extra `keyring`, which is imported when a key is looked up or put there and never before.
"""

from typing import Any

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import ModelError

SERVICE = "rag-assistant"
"""What the keyring lists the keys under; the user is the host, with its port where it has one."""


def stored_key(host: str) -> str:
    """Give the key of a host, empty where there is none. Raises ModelError."""
    return _asked(lambda keyring: keyring.get_password(SERVICE, host)) or ""


def store_key(host: str, key: str) -> None:
    """Put the key of a host into the keyring, over the one before. Raises ModelError."""
    _asked(lambda keyring: keyring.set_password(SERVICE, host, key))


def forget_key(host: str) -> bool:
    """Take the key of a host out of the keyring; tells whether there was one. Raises ModelError."""
    if not stored_key(host):
        return False
    _asked(lambda keyring: keyring.delete_password(SERVICE, host))
    return True


def _asked(ask: Any) -> Any:
    try:
        import keyring  # noqa: PLC0415 - an extra, and 100 ms
    except ImportError:
        raise ModelError(
            "Keys in the system's keyring need the extra keyring, which is not installed.",
            hint=f"Set the key in the environment, or run `{how_to_add('keyring')}`.",
        ) from None
    try:
        return ask(keyring)
    except Exception as error:  # noqa: BLE001 - each system's keyring has errors of its own
        # Only its kind: the words of an error may quote what was to be stored.
        raise ModelError(
            f"The system's keyring cannot be used ({type(error).__name__}).",
            hint="Unlock it, or set the key in the environment.",
        ) from None
