"""What an error of a cluster means for a person: one line with the next step."""

from collections.abc import Iterator
from contextlib import contextmanager

from rag_assistant.errors import LibraryError, RagError

FULL = "read-only / allow delete"


@contextmanager
def told_plainly(where: str) -> Iterator[None]:
    """Raise LibraryError for what a request to the cluster at `where` came to."""
    from opensearchpy.exceptions import (  # noqa: PLC0415 - heavy, and maybe absent
        ConnectionError as CannotConnect,
    )
    from opensearchpy.exceptions import (  # noqa: PLC0415
        OpenSearchException,
        SSLError,
        TransportError,
    )

    try:
        yield
    except RagError:
        raise
    except SSLError as error:
        raise LibraryError(
            f"The certificate of {where} is not trusted.",
            hint="Name the file of its authority as `ca_file` in [stores.NAME] of the config.",
        ) from error
    except CannotConnect as error:
        raise LibraryError(
            f"The store at {where} cannot be reached.",
            hint="Check its address and that it runs; then run the same command again.",
        ) from error
    except TransportError as error:
        raise _of_status(where, error.status_code, str(error)) from error
    except OpenSearchException as error:
        raise LibraryError(
            f"The store at {where} did not do what was asked: {str(error)[:200]}.",
            hint="Run the same command again; what is written is not lost.",
        ) from error


def _of_status(where: str, status: int | str, told: str) -> LibraryError:
    if status == 401:
        return LibraryError(
            f"{where} does not know this user or password.",
            hint="Set the variable that `password_env` in [stores.NAME] names.",
        )
    if status == 403 and FULL in told:
        return LibraryError(
            f"{where} takes nothing more: a disk of it is full.",
            hint="Make room there, lift its read-only block, and run the same command again.",
        )
    if status == 403:
        return LibraryError(
            f"This user may not do that on {where}.",
            hint="Ask its administrator for rights to read, or to write, the databases' indexes.",
        )
    if status in (429, 503):
        return LibraryError(
            f"{where} is too busy, or not all of it is there.",
            hint="Wait for the cluster to be green, and run the same command again.",
        )
    return LibraryError(
        f"The store at {where} answered {status}: {told[:200]}.",
        hint="Run the same command again; what is written is not lost.",
    )
