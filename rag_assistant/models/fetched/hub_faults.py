"""Every way that fetching a model can fail, in words: one line, and the next step."""

import socket
import ssl

from rag_assistant.errors import ModelError
from rag_assistant.models.faults import causes_of

ELSEWHERE = "name a mirror in HF_ENDPOINT, or give the files by --from FOLDER"
AGAIN = "Run the same command again: it goes on where it was."


class BrokenFetch(ModelError):
    """What was fetched ended early; another try gets on from there.

    `wait` is how many seconds the hub wants to be left alone, None where it does not say.
    """

    def __init__(self, message: str, wait: float | None = None) -> None:
        super().__init__(message, hint=AGAIN)
        self.wait = wait


def unreachable(host: str, error: BaseException) -> ModelError:
    """No connection, or one that ended early."""
    causes = list(causes_of(error))
    reasons = (
        (socket.gaierror, "the host was not found"),
        (ssl.SSLCertVerificationError, "its certificate is none that this machine trusts"),
        (ssl.SSLError, "it made no secure connection"),
        (ConnectionRefusedError, "the connection was refused"),
    )
    for kind, reason in reasons:
        if any(isinstance(cause, kind) for cause in causes):
            return ModelError(
                f"{host} cannot be reached: {reason}.",
                hint=f"Check the network and the proxy, {ELSEWHERE}.",
            )
    return BrokenFetch(f"The connection to {host} broke off.")


def silent(host: str, seconds: float, *, connecting: bool) -> ModelError:
    """Nothing came."""
    if connecting:
        return ModelError(
            f"{host} took no connection within {seconds:g} seconds.",
            hint=f"Check the network and the proxy, {ELSEWHERE}.",
        )
    return BrokenFetch(f"{host} sent nothing for {seconds:g} seconds.")


def too_slow(host: str, came: int, seconds: float) -> ModelError:
    """So little comes that nobody would wait for the end."""
    return ModelError(f"{host} sent {came:,} bytes in {seconds:g} seconds: too slow.", hint=AGAIN)


def refused(host: str, status: int, what: str, wait: float | None = None) -> ModelError:
    """An answer that is not what was asked for."""
    if status == 404:
        return ModelError(
            f"{host} has no {what} (404).",
            hint=f"It may have been taken away: look for a newer rag-assistant, or {ELSEWHERE}.",
        )
    if status == 429 or status >= 500:
        return BrokenFetch(f"{host} does not give {what} now ({status}).", wait)
    return ModelError(f"{host} does not give {what} ({status}).", hint=f"To go on, {ELSEWHERE}.")


def unusable_listing(host: str, repository: str) -> ModelError:
    """An answer that lists no files."""
    return ModelError(
        f"{host} sent no list of the files of {repository}.",
        hint=f"Check HF_ENDPOINT and the proxy: a page may stand before it. Or {ELSEWHERE}.",
    )


def wrong(host: str, file: str, what: str) -> ModelError:
    """A file that came is not the one that was to come."""
    return ModelError(
        f"{file} from {host} is not what it should be: {what}. It was thrown away.",
        hint=f"Run the same command again; if it stays, {ELSEWHERE}.",
    )
