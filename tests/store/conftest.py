"""Every test of the store runs on each engine."""

from pathlib import Path

import pytest

from rag_assistant.store.writing import Store
from tests.store.engines import ENGINES


@pytest.fixture(params=ENGINES)
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Store:
    """An empty database of each engine."""
    return ENGINES[request.param](tmp_path / "notes.db")
