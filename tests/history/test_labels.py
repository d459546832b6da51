"""Citations that a person holds for wrong: kept, exported, copied with a branch, taken back."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.errors import HistoryError
from rag_assistant.history.export import conversation_json, conversation_markdown
from rag_assistant.history.recording import Follows
from rag_assistant.history.schema import STEPS, upgrade
from rag_assistant.history.store import ConversationStore
from tests.history.runs import run
from tests.history.test_store import keep


def _wrong(store: ConversationStore, conversation: int) -> list[bool]:
    (exchange,) = store.show(conversation).exchanges
    return [kept.wrong for kept in exchange.citations]


def test_a_citation_is_marked_wrong_and_taken_back(store: ConversationStore) -> None:
    """If it fails, what a person found out about an answer is lost."""
    conversation = keep(store, run())
    place = Follows(conversation, 1)
    assert _wrong(store, conversation) == [False]
    assert store.labelled() == []
    store.label(place, 1, wrong=True)
    store.label(place, 1, wrong=True)
    assert _wrong(store, conversation) == [True]
    assert [kept.summary.id for kept in store.labelled()] == [conversation]
    store.label(place, 1, wrong=False)
    store.label(place, 1, wrong=False)
    assert _wrong(store, conversation) == [False]


def test_it_goes_along_with_exports_and_branches(store: ConversationStore) -> None:
    """If it fails, a copy of a conversation vouches for what was found to be wrong."""
    conversation = keep(store, run())
    store.label(Follows(conversation, 1), 1, wrong=True)
    assert _wrong(store, store.branch(conversation, 1)) == [True]
    kept = store.show(conversation)
    (exchange,) = conversation_json(kept)["exchanges"]
    assert exchange["citations"][0]["wrong"] is True
    assert "MARKED WRONG" in conversation_markdown(kept, lambda _: "line 3")
    store.delete(conversation)
    assert len(store.labelled()) == 1


def test_what_is_not_there_cannot_be_marked(store: ConversationStore) -> None:
    """If it fails, a mark is accepted that nobody ever sees again."""
    conversation = keep(store, run())
    for place, marker in ((Follows(conversation, 1), 9), (Follows(conversation, 2), 1)):
        with pytest.raises(HistoryError):
            store.label(place, marker, wrong=True)
    assert store.labelled() == []


def test_an_older_file_is_upgraded_and_read_where_it_cannot_be(tmp_path: Path) -> None:
    """If it fails, conversations kept before there were marks cannot be read any more."""
    path = tmp_path / "old" / "conversations.db"
    path.parent.mkdir()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        upgrade(connection, STEPS[:2])
        connection.execute("PRAGMA journal_mode = DELETE")
    store = ConversationStore(path)
    conversation = keep(store, run())
    store.label(Follows(conversation, 1), 1, wrong=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("DROP TABLE wrong_citations")
    assert _wrong(store, conversation) == [False]
    assert store.labelled() == []
