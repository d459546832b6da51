"""What an error of a cluster means for a person: one line with the next step."""

from collections.abc import Iterator
from contextlib import contextmanager

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.store.opensearch.address import Address

_FULL = ("read-only / allow delete", "read-only-allow-delete")
"""What the engine says of an index that it closed to writing as a disk is full."""


@contextmanager
def told_plainly(address: Address) -> Iterator[None]:
    """Raise LibraryError for what a request to the cluster at an address came to."""
    from opensearchpy.exceptions import (  # noqa: PLC0415 - heavy, and maybe absent
        ConnectionError as CannotConnect,
    )
    from opensearchpy.exceptions import (  # noqa: PLC0415
        ConnectionTimeout,
        OpenSearchException,
        SSLError,
        TransportError,
    )

    where = address.where
    try:
        yield
    except RagError:
        raise
    except SSLError as error:
        raise _of_certificate(where, str(error)) from error
    except ConnectionTimeout as error:
        raise LibraryError(
            f"The store at {where} is there, but gives no answer in time.",
            hint="It is overloaded, or a node of it hangs: look there, and run the same again.",
        ) from error
    except CannotConnect as error:
        raise LibraryError(
            f"The store at {where} cannot be reached.",
            hint="Check its address, http or https, and that it runs; then run the same again.",
        ) from error
    except TransportError as error:
        raise of_status(address, error.status_code, str(error)) from error
    except OpenSearchException as error:
        raise LibraryError(
            f"The store at {where} did not do what was asked: {str(error)[:200]}.",
            hint="Run the same command again; what is written is not lost.",
        ) from error


def is_full(told: str) -> bool:
    """Whether the engine takes nothing more as a disk of it is full."""
    return any(words in told for words in _FULL)


def full(address: Address) -> LibraryError:
    """Say so."""
    return LibraryError(
        f"{address.where} takes nothing more: a disk of it is full.",
        hint="Make room there, lift its read-only block, and run the same command again.",
    )


def is_red(address: Address) -> LibraryError:
    """Say that a part of what is kept is on no node that runs."""
    return LibraryError(
        f"A part of what {address.where} keeps is on no node that runs (it is red).",
        hint="Start the node that is missing there, and run the same command again.",
    )


def _of_certificate(where: str, told: str) -> LibraryError:
    if "CERTIFICATE_VERIFY_FAILED" not in told:
        return LibraryError(
            f"The store at {where} speaks no TLS that is understood here.",
            hint="Check its address, http or https.",
        )
    if "doesn't match" in told or "mismatch" in told or "not valid for" in told:
        return LibraryError(
            f"The certificate of {where} is of another host.",
            hint="Use the name that is in the certificate as its address.",
        )
    if "has expired" in told:
        return LibraryError(
            f"The certificate of {where} has expired.", hint="Ask its administrator for a new one."
        )
    return LibraryError(
        f"The certificate of {where} is not trusted.",
        hint="Name the file of its authority as `ca_file` in [stores.NAME] of the config.",
    )


def of_status(address: Address, status: int | str, told: str) -> LibraryError:
    """Say what an answer of a cluster means, by its status and what it told."""
    where, own = address.where, address.credentials
    if status == 401 and not (own.user or own.api_key):
        return LibraryError(
            f"{where} asks for a user and a password, or an API key.",
            hint="Write user and password_env, or api_key_env, into its table [stores.NAME].",
        )
    if status == 401:
        return LibraryError(
            f"{where} does not know this {'user or password' if own.user else 'API key'}.",
            hint="Correct the variable that [stores.NAME] names, or what the keyring holds.",
        )
    if is_full(told):
        return full(address)
    if status == 403:
        return LibraryError(
            f"This {'user' if own.user else 'key'} may not do that on {where}.",
            hint=f"Ask its administrator for rights to read, or to write, {address.prefix}-*.",
        )
    if status in (429, 503):
        return LibraryError(
            f"{where} was too busy all the time, or not all of it is there.",
            hint="Wait for the cluster to be green, and run the same command again.",
        )
    return LibraryError(
        f"The store at {where} answered {status}: {told[:200]}.",
        hint="Run the same command again; what is written is not lost.",
    )
