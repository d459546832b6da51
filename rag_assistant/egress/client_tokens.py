"""The token by which a client on this machine shows over HTTP who it is.

It is the client's name with a code of it (HMAC-SHA256, RFC 2104) by a secret of the home, so that
none has to be kept: `mcp-client.KEY`. A new secret makes all tokens of before worthless.
"""

import hmac
import secrets
from base64 import urlsafe_b64encode
from contextlib import suppress
from pathlib import Path

from rag_assistant.egress.clients import Client, Way
from rag_assistant.errors import RagError
from rag_assistant.files.private_files import open_private, private_folder

FILE_NAME = "clients.secret"


def token_of(home: Path, client: Client) -> str:
    """Give the token of a client; the home's secret is made if there is none. Raises RagError."""
    return f"{client.name}.{_code(_secret(home), client)}"


def client_by(home: Path, way: Way, token: str) -> Client | None:
    """Give the client that a token is of; None for no token of this home and way."""
    name, _, code = token.rpartition(".")
    client = Client(way, name)
    shown, right = code.encode("utf-8", "replace"), _code(_secret(home), client).encode()
    return client if secrets.compare_digest(shown, right) else None


def new_secret(home: Path) -> None:
    """Make all tokens worthless that were given out until now. Raises RagError."""
    try:
        (home / FILE_NAME).unlink(missing_ok=True)
    except OSError as error:
        raise _unusable(home, error) from error
    _secret(home)


def _secret(home: Path) -> str:
    path = home / FILE_NAME
    try:
        private_folder(home)
        with suppress(FileExistsError), open_private(path, "x") as stream:
            stream.write(secrets.token_urlsafe(32))
        found = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeError) as error:
        raise _unusable(home, error) from error
    if not found:  # another process is just writing it, or it was emptied
        raise _unusable(home, "it is empty")
    return found


def _unusable(home: Path, error: object) -> RagError:
    return RagError(
        f"The secret of the tokens, {home / FILE_NAME}, cannot be used: {error}.",
        hint="Check the rights of its folder, or remove the file: a new one is made.",
    )


def _code(secret: str, client: Client) -> str:
    named = f"{client.way} {client.name}".encode("utf-8", "surrogatepass")
    code = hmac.digest(secret.encode(), named, "sha256")
    return urlsafe_b64encode(code).rstrip(b"=").decode()
