"""What a store keeps of the words of passages: it is theirs at any time, whatever was written."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Literal

import pytest

from rag_assistant.errors import IndexOutdated, RagError
from rag_assistant.store.sqlite import term_remaking, term_writing
from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.text.term_counts import term_id
from rag_assistant.text.terms import terms_by_word
from rag_assistant.values.ledger import FileChange, ReadEntry
from rag_assistant.values.scope import Scope
from tests.store.making import entry_of, file_of, write

FIRST = {
    file_of("crane.md", 1): [entry_of("The crane lifts the crane's hook.", "Crane of June")],
    file_of("notes/winch.md", 1): [entry_of("A winch is greased in May. " * 9, "Winch", cut=60)],
}


def number(word: str) -> int:
    """Give the number of a word's term."""
    return term_id(terms_by_word(word)[word])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A database with two entries."""
    path = tmp_path / "f.db"
    write(SqliteStore(path), FIRST)
    return path


def frequency(path: Path, word: str) -> int:
    """Count the passages that hold a word."""
    term = terms_by_word(word)[word]
    with SqliteStore(path).reading() as reader:
        return reader.vocabulary.frequencies({term: word}).get(term, 0)


def test_a_passage_is_known_by_its_terms(path: Path) -> None:
    """Ranking would count words that are not there, or none."""
    with SqliteStore(path).reading() as reader:
        (crane, winch) = (one.id for one in reader.entries.all())
        (record,) = reader.records.of_entry(crane)
        assert record.terms[number("crane")] == 2
        assert record.terms[number("hook")] == record.terms[number("lifting")] == 1
        assert number("the") not in record.terms
        assert record.length == 7
        assert reader.records.passages([record.id]) == {record.id: record}
        placed = reader.records.entries([crane, winch])
        assert list(placed[crane].title) == [number("crane"), number("june")]
        assert not placed[crane].lead, "a single passage says it itself"
        assert number("notes") in placed[winch].path
        assert number("greased") in placed[winch].lead
        totals = reader.records.totals()
        assert totals.passages == sum(reader.passages.count(one) for one in (crane, winch))


Change = tuple[Literal["store", "move", "delete"], str, list[ReadEntry]]

CHANGES: list[Change] = [
    ("store", "crane.md", [entry_of("Nothing but a gantry.", "Gantry")]),
    ("delete", "crane.md", []),
    ("move", "gantry/of/may.md", []),
    ("store", "new.md", [entry_of("A crane and a new gantry. " * 40, "New", cut=80)]),
]


@pytest.mark.parametrize("few", [0, 10_000], ids=["all anew", "one by one"])
@pytest.mark.parametrize("change", CHANGES)
def test_terms_are_in_step_with_what_is_written(
    path: Path,
    change: Change,
    few: int,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A word would stay as rare as it was, and a document be found by words that it had."""
    monkeypatch.setattr(term_writing, "FEW", few)
    store = SqliteStore(path)
    with store.writing() as writer:
        action, name, entries = change
        known = None if name == "new.md" else writer.ledger.file("crane.md")
        writer.write(FileChange(action, file_of(name, 2), known, entries))
        writer.commit()
        assert store.check() == []
        writer.finish()
    assert store.check() == []


def test_what_is_rolled_back_is_not_counted(path: Path) -> None:
    """A file that could not be written would make its words common."""
    store = SqliteStore(path)
    with store.writing() as writer:
        writer.write(FileChange("store", file_of("x.md", 2), None, [entry_of("A crane.", "X")]))
        writer.roll_back()
        writer.finish()
    assert frequency(path, "crane") == 1
    assert store.check() == []


def test_while_very_many_are_written_words_are_known(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All that a first run has brought would be unknown, and "corrected", until it ends."""
    monkeypatch.setattr(term_writing, "FEW", 0)
    store = SqliteStore(path)
    with store.writing() as writer:
        writer.write(FileChange("store", file_of("x.md", 2), None, [entry_of("A derrick.", "X")]))
        writer.commit()
        assert frequency(path, "derrick") == 1
        with store.reading() as reader:
            assert dict(reader.vocabulary.beginning_with("derr", 5)) == {"derrick": 1}
    # Cut off before its end; the next run counts.
    assert store.check() == []
    with store.writing() as writer:
        writer.finish()
    assert frequency(path, "derrick") == 1
    assert store.check() == []


ABSENT = {
    "a table is lost": "DROP TABLE passage_terms",
    "all are lost": "DROP TABLE terms; DROP TABLE term_grams; DROP TABLE term_totals",
    "another version": "INSERT INTO meta VALUES ('terms', '0'); DELETE FROM passage_terms",
}


@pytest.mark.parametrize("change", ABSENT.values(), ids=ABSENT.keys())
def test_terms_that_are_absent_or_of_another_version_are_made_anew(
    path: Path, change: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All documents would be read again; or a search rank by the terms of another version."""
    monkeypatch.setattr(term_remaking, "TOGETHER", 2)
    store = SqliteStore(path)
    with store.reading() as reader:
        before = [reader.records.of_entry(1), reader.records.of_entry(2)]
        entries = reader.records.entries([1, 2])
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(change)
    with pytest.raises(IndexOutdated, match="index FOLDER"), store.reading():
        pass
    assert store.check()
    with store.writing() as writer:
        assert writer.notes == ("the words of its passages were counted anew",)
        writer.finish()
    with store.reading() as reader:
        assert [reader.records.of_entry(1), reader.records.of_entry(2)] == before
        assert reader.records.entries([1, 2]) == entries
    assert frequency(path, "winch") == len(before[1])
    assert store.check() == []
    with store.writing() as writer:
        assert writer.notes == ()


def test_terms_that_cannot_be_made_anew_leave_all_as_it_was(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Tables that are half filled would pass for whole."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript("DROP TABLE terms")
    with monkeypatch.context() as patched:
        patched.setattr(term_remaking, "TOGETHER", "few")  # no number: the first reading fails
        with pytest.raises(RagError), SqliteStore(path).writing():
            pass
    with pytest.raises(IndexOutdated), SqliteStore(path).reading():
        pass
    with SqliteStore(path).writing() as writer:
        writer.finish()
    assert SqliteStore(path).check() == []


DAMAGES = {
    "a term is lost": "UPDATE passage_terms SET terms = zeroblob(9) WHERE passage_id = 1",
    "a passage is lost": "DELETE FROM passage_terms WHERE passage_id = 1",
    "an entry is lost": "DELETE FROM entry_terms",
    "an entry is cut": "UPDATE entry_terms SET terms = x'09000000'",
    "a count is off": "UPDATE terms SET passages = passages + 1 WHERE term = 'crane'",
    "a term is gone": "DELETE FROM terms WHERE term = 'crane'",
    "a total is off": "UPDATE term_totals SET passages = 0",
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES.keys())
def test_a_check_finds_terms_that_are_not_those_of_the_texts(path: Path, damage: str) -> None:
    """`databases check` would call a database whole that ranks by other words."""
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(damage)
        connection.commit()
    assert SqliteStore(path).check()


def test_out_of_scope_there_are_no_terms(path: Path) -> None:
    """What a scope leaves out would be ranked."""
    with SqliteStore(path).reading() as reader:
        ids = [one.id for entry in (1, 2) for one in reader.records.of_entry(entry)]
    with SqliteStore(path).reading(Scope("f", ("crane.md",))) as reader:
        assert list(reader.records.passages(ids)) == ids[:1]
        assert list(reader.records.entries([1, 2])) == [1]
        assert reader.vocabulary.passages() == 1
