"""A database on the cluster of the run, of a name that no other test uses."""

from pathlib import Path

import pytest

from rag_assistant.store.writing import Store
from tests.store.opensearch.cluster import store_on_cluster


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A path that names a database of this test."""
    return tmp_path / "notes.db"


@pytest.fixture
def store(place: Path) -> Store:
    """That database, empty."""
    return store_on_cluster(place)
