"""What any store promises of writing: ids stay, a reader sees all of a commit or nothing of it."""

from pathlib import Path

import pytest

from rag_assistant.errors import EntryNotFound, IndexDamaged, LibraryError
from rag_assistant.store.opening import kept_open
from rag_assistant.store.writing import Store
from rag_assistant.values.documents import Suspicion
from rag_assistant.values.ledger import FileChange, FileRecord, ReadEntry
from rag_assistant.values.scope import Scope
from tests.store.making import entry_of, file_of, hash_of, write


def ids(store: Store) -> dict[str, int]:
    """Give the id of each entry by its path and key."""
    with store.reading() as reader:
        return {f"{one.path}#{one.key}".rstrip("#"): one.id for one in reader.entries.names()}


def change(store: Store, *changes: FileChange) -> None:
    """Write changes as a run does, each over what is known of its path."""
    with store.writing() as writer:
        for one in changes:
            writer.write(one)
        writer.finish()


def known_as(store: Store, path: str) -> FileChange:
    """Give the deletion of a file that is there."""
    with store.reading() as reader:
        known = reader.ledger.file(path)
    assert known is not None
    return FileChange("delete", known.record, known)


def test_nothing_is_seen_before_it_is_committed(store: Store) -> None:
    """A search would show half of a file that is being written."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with store.writing() as writer:
        writer.write(FileChange("store", file_of("b.md"), None, [entry_of("The winch.")]))
        assert set(ids(store)) == {"a.md"}
        assert writer.ledger.file("b.md") is not None
        writer.commit()
        assert set(ids(store)) == {"a.md", "b.md"}


def test_what_is_not_committed_is_undone(store: Store) -> None:
    """A run that dies would leave parts of a file behind."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with pytest.raises(RuntimeError), store.writing() as writer:
        writer.write(FileChange("store", file_of("b.md"), None, [entry_of("The winch.")]))
        raise RuntimeError
    assert set(ids(store)) == {"a.md"}


def test_rolling_back_undoes_what_came_after_the_commit(store: Store) -> None:
    """Ctrl-C within a file would keep half of it."""
    with store.writing() as writer:
        writer.write(FileChange("store", file_of("a.md"), None, [entry_of("The crane.")]))
        writer.commit()
        writer.write(FileChange("store", file_of("b.md"), None, [entry_of("The winch.")]))
        writer.roll_back()
        writer.commit()
    assert set(ids(store)) == {"a.md"}


def test_a_reader_keeps_its_snapshot(store: Store) -> None:
    """Of one search, the hits would be of one state and their texts of another."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with store.reading() as reader:
        assert len(reader.entries.all()) == 1
        write(store, {"b.md": [entry_of("The winch.")]})
        assert len(reader.entries.all()) == 1
    assert len(ids(store)) == 2


def test_readers_that_share_what_is_open_see_what_is_written_between_them(store: Store) -> None:
    """A check of an answer would read what a database held before it was indexed again."""
    write(store, {"a.md": [entry_of("The crane.")]})
    with kept_open():
        assert set(ids(store)) == {"a.md"}
        write(store, {"b.md": [entry_of("The winch.")]})
        with store.reading() as one, store.reading() as other:
            assert len(one.entries.all()) == len(other.entries.all()) == 2
        with store.reading(Scope("any", ("b.md",))) as part:
            assert [each.path for each in part.entries.all()] == ["b.md"]
        assert set(ids(store)) == {"a.md", "b.md"}


def test_an_entry_keeps_its_id_when_its_text_changes(store: Store) -> None:
    """A citation written down would open another document, or none."""
    write(store, {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]})
    before = ids(store)
    write(store, {file_of("a.md", 2): [entry_of("The crane is new.")]})
    assert ids(store) == before
    with store.reading() as reader:
        assert reader.passages.text(before["a.md"]) == "The crane is new."
        assert reader.entries.previous_text(before["a.md"]) == (hash_of("The crane."), "The crane.")
        assert reader.entries.previous_text(before["b.md"]) is None
        told = reader.entries.previous_texts([*before.values(), 99])
        assert told == {before["a.md"]: (hash_of("The crane."), "The crane.")}


def test_records_of_a_file_are_entries_by_their_keys(store: Store) -> None:
    """A record put before the others would take the id of the first."""
    write(store, {"all.jsonl": [entry_of("one", key="1"), entry_of("two", key="2")]})
    before = ids(store)
    again = [entry_of("new", key="0"), entry_of("two", key="2")]
    write(store, {file_of("all.jsonl", 2): again})
    after = ids(store)
    assert after["all.jsonl#2"] == before["all.jsonl#2"]
    assert set(after) == {"all.jsonl#0", "all.jsonl#2"}
    assert after["all.jsonl#0"] not in before.values()


def test_an_id_is_never_given_out_again_and_comes_back_with_its_file(store: Store) -> None:
    """What was cited would be another document; a folder mounted late would have new ids."""
    write(store, {"a.md": [entry_of("The crane.")]})
    gone = ids(store)["a.md"]
    change(store, known_as(store, "a.md"))
    with store.reading() as reader, pytest.raises(EntryNotFound):
        reader.entries.get(gone)
    write(store, {"b.md": [entry_of("The winch.")]})
    assert ids(store)["b.md"] != gone
    write(store, {"a.md": [entry_of("The crane.")]})
    assert ids(store)["a.md"] == gone


def test_a_record_keeps_the_id_that_it_brings_along_if_it_is_free(store: Store) -> None:
    """Ids of another program would be lost, or one entry take another's place."""
    wanting = ReadEntry("t", "x", "text/plain", {}, 77, 3, hash_of("one"), entry_of("one").passages)
    other = ReadEntry("t", "y", "text/plain", {}, 77, 3, hash_of("two"), entry_of("two").passages)
    with store.writing() as writer:
        written = writer.write(FileChange("store", file_of("a.jsonl"), None, [wanting, other]))
        writer.finish()
    assert ids(store)["a.jsonl#x"] == 77
    assert written.renumbered == (77,)
    assert written.passages == 2


def test_a_moved_file_keeps_ids_and_text(store: Store) -> None:
    """Tidying up a folder would break every citation, or read all of it again."""
    write(store, {"old.md": [entry_of("The crane.")]})
    before = ids(store)["old.md"]
    with store.writing() as writer:
        known = writer.ledger.file("old.md")
        writer.write(FileChange("move", file_of("sub/new.md"), known))
        writer.finish()
    assert ids(store) == {"sub/new.md": before}
    with store.reading() as reader:
        entry = reader.entries.get(before)
        assert (entry.title, reader.passages.text(before)) == ("new", "The crane.")


def test_a_failure_keeps_the_last_good_text_and_a_skip_does_not(store: Store) -> None:
    """A file that is locked for a moment would be lost; one that is now ignored, still found."""
    write(store, {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]})
    with store.writing() as writer:
        for path, action, status in (("a.md", "fail", "failed"), ("b.md", "skip", "skipped")):
            file = FileRecord(path, 1, 2, 0, "", "", status, "because")  # type: ignore[arg-type]
            written = writer.write(FileChange(action, file, writer.ledger.file(path)))  # type: ignore[arg-type]
            assert written.file.reason.startswith("because")
        writer.finish()
    assert set(ids(store)) == {"a.md"}
    with store.reading() as reader:
        assert [line.path for line in reader.ledger.lines("failed")] == ["a.md"]
        assert [line.reason for line in reader.ledger.lines("skipped")] == ["because"]


def test_withheld_entries_are_as_if_they_were_not_there(store: Store) -> None:
    """A disk that is not mounted would be searched, or its entries deleted."""
    write(store, {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]})
    before = ids(store)
    with store.writing() as writer:
        known = writer.ledger.file("a.md")
        assert known is not None
        writer.withhold({known.id: "not mounted"})
        writer.finish()
    assert set(ids(store)) == {"b.md"}
    with store.reading() as reader, pytest.raises(EntryNotFound, match="withheld"):
        reader.entries.get(before["a.md"])
    with store.writing() as writer:
        writer.withhold({})
        writer.finish()
    assert ids(store) == before


def test_made_anew_it_keeps_ids_facts_and_leave(store: Store) -> None:
    """A new version of the program would break citations and forget what a person decided."""
    told = Suspicion("instructions", 0, 3, "orders a model")
    entry = ReadEntry("t", "", "text/plain", {}, None, 3, hash_of("one"), entry_of("one").passages,
                      (told,))  # fmt: skip
    write(store, {"a.md": [entry]})
    before = ids(store)
    store.allow(before["a.md"], start=0, allowed=True)
    with store.writing() as writer:
        writer.set_facts({"folder": "/notes", "odd": "no number"})
        writer.commit()
    with store.writing(anew=True, carry={"folder": str, "odd": lambda text: str(int(text))}) as new:
        assert new.notes
        assert dict(new.ledger.facts()).keys() & {"folder", "odd"} == {"folder"}
        new.write(FileChange("store", file_of("a.md"), new.ledger.file("a.md"), [entry]))
        new.finish()
    assert ids(store) == before
    with store.reading() as reader:
        assert reader.suspicions.counts().allowed == 1
    assert store.last_folder() == "/notes"
    assert store.check() == []


def test_there_is_nothing_to_read_of_what_is_not_there(store: Store, tmp_path: Path) -> None:
    """A program would show an empty database in place of one that is gone."""
    with pytest.raises((IndexDamaged, LibraryError)), store.reading():
        pass
    assert store.last_folder() == ""


def test_a_whole_database_is_told_from_a_damaged_one(store: Store) -> None:
    """Damage would be passed over, or a sound database be made anew."""
    write(store, {"a.md": [entry_of("The crane. The winch.", cut=10)]})
    store.settle()
    assert store.check() == []
    assert not store.is_damaged()
