"""Where a store is, and how it is spoken to."""

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.config import StoreSettings
from rag_assistant.store.opensearch.credentials import Credentials, credentials_of


@dataclass(frozen=True)
class Address:
    """Where a store is, and how it is spoken to. `prefix` begins the names of all its indexes."""

    urls: tuple[str, ...]
    credentials: Credentials = Credentials()
    ca_file: str = ""
    verify: bool = True
    prefix: str = "rag"
    shards: int = 1
    replicas: int = 1

    @classmethod
    def of(cls, urls: Sequence[str], settings: StoreSettings) -> "Address":
        """Make one of settings; what the store knows us by is looked up.

        Raises ConfigError where it is not there.
        """
        return cls(
            tuple(urls), credentials_of(urls, settings, os.environ),
            settings.ca_file and str(Path(settings.ca_file).expanduser()), settings.verify,
            settings.prefix, settings.shards, settings.replicas,
        )  # fmt: skip

    @property
    def where(self) -> str:
        """Name it for a person."""
        return self.urls[0]
