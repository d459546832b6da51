"""A keyring of the tests: a real backend of the package `keyring`, kept in a file."""

import json
import os
from pathlib import Path

from keyring.backend import KeyringBackend
from keyring.errors import KeyringLocked

FILE = "TESTS_KEYRING"
"""The variable with the file's path; `locked` stands for one that cannot be opened."""


class FileKeyring(KeyringBackend):
    """Keeps passwords in clear, for tests alone."""

    priority = 1

    def _all(self) -> dict[str, str]:
        path = Path(os.environ[FILE])
        if path.name == "locked":
            raise KeyringLocked("locked, with sk-secret-0123456789 in its words")
        kept: dict[str, str] = json.loads(path.read_text()) if path.exists() else {}
        return kept

    def _put(self, kept: dict[str, str]) -> None:
        Path(os.environ[FILE]).write_text(json.dumps(kept))

    def get_password(self, service: str, username: str) -> str | None:
        return self._all().get(f"{service} {username}")

    def set_password(self, service: str, username: str, password: str) -> None:
        self._put({**self._all(), f"{service} {username}": password})

    def delete_password(self, service: str, username: str) -> None:
        kept = self._all()
        del kept[f"{service} {username}"]
        self._put(kept)
