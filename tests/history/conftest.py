"""Stores in homes of their own."""

from pathlib import Path

import pytest

from rag_assistant.history.store import ConversationStore


@pytest.fixture
def store(tmp_path: Path) -> ConversationStore:
    """A store without conversations, for which every entry has the same version."""
    return ConversationStore(tmp_path / "home" / "conversations.db", lambda *_: "version-1")
