"""Kept conversations with bad bytes: mended when they are met, or by the command, never lost."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rag_assistant.history.store import ConversationStore
from tests.history.runs import run
from tests.history.test_store import keep

COUNT = 8


def change(path: Path, statement: str) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute(statement)


def bad_title(path: Path) -> None:
    change(path, "UPDATE conversations SET title = CAST(X'41ff' AS TEXT) WHERE id = 3")


def bad_answer(path: Path) -> None:
    change(path, "UPDATE exchanges SET answer = CAST(X'41ff' AS TEXT) WHERE conversation = 3")


def bad_names(path: Path) -> None:
    change(path, "UPDATE conversations SET databases = '[\"a' WHERE id = 3")


def bad_moment(path: Path) -> None:
    change(path, "UPDATE conversations SET updated = 'once' WHERE id = 3")


def bad_usage(path: Path) -> None:
    change(path, "UPDATE exchanges SET usage = '[1' WHERE conversation = 3")


def bad_evidence(path: Path) -> None:
    change(path, "UPDATE evidence SET found = '{' WHERE exchange = 3")


def bad_state(path: Path) -> None:
    change(path, "UPDATE exchanges SET state = 'ansvered' WHERE conversation = 3")


def lost_conversation(path: Path) -> None:
    change(path, "DELETE FROM conversations WHERE id = 3")


def lost_index(path: Path) -> None:
    change(path, "DELETE FROM exchanges_fts_data WHERE id > 10")


def lower_version(path: Path) -> None:
    change(path, "PRAGMA user_version = 2")


def odd_version(path: Path) -> None:
    change(path, "PRAGMA user_version = 50331651")


def lost_header(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    data = path.read_bytes()
    path.write_bytes(bytes(30) + data[30:])


HARMS = (
    bad_title, bad_answer, bad_names, bad_moment, bad_usage, bad_evidence, bad_state,
    lost_conversation, lost_index, lower_version, odd_version, lost_header,
)  # fmt: skip


@pytest.fixture
def full(store: ConversationStore) -> ConversationStore:
    for number in range(COUNT):
        keep(store, run(f"Question {number}?", f"Answer {number} of größer words."))
    return store


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_every_conversation_is_there_after_one_has_suffered(
    full: ConversationStore, harm: Callable[[Path], None]
) -> None:
    """A bad byte in one would hide all of them, or end in a traceback for ever."""
    harm(full.path)
    assert full.problems()
    assert {one.id for one in full.conversations()} | {3} == set(range(1, COUNT + 1))
    for number in range(1, COUNT + 1):
        if harm is not lost_conversation or number != 3:
            assert full.show(number).exchanges
    full.search("words")
    if full.problems():  # nothing that was done met it
        assert "set aside as" in full.repair()
    assert full.problems() == []
    assert {one.id for one in full.conversations()} == set(range(1, COUNT + 1))
    assert full.show(3).exchanges[0].question == "Question 2?"
    aside = [path for path in full.path.parent.glob("conversations.damaged-*")]
    assert len([path for path in aside if not path.name.endswith("-wal")]) == 1
    assert full.path.stat().st_mode & 0o077 == 0
    assert keep(full, run()) == COUNT + 1


def test_a_whole_file_is_called_whole(full: ConversationStore) -> None:
    """Nobody would believe the check."""
    assert full.problems() == []
    full.branch(2, 1)
    full.rename(3, "Another title")
    full.delete(4)
    assert full.problems() == []
