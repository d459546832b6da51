"""What is known of entries must be kept with them, change with them, and go with them."""

from dataclasses import replace

from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import ReadEntry
from rag_assistant.values.outline import EntryFacts, OutlineItem, ThreadMail
from rag_assistant.values.scope import Scope
from tests.store.making import entry_of, write

FACTS = EntryFacts(
    "presentation", 3, 120, ("Ann Ng", "Bo"), "de", "2024-01-05", "2024-02-01T10:00:00Z",
    (OutlineItem("slide", "Boats", 1, 0, 3, 1), OutlineItem("heading", "Größe", 2, 3, 5)),
)  # fmt: skip


def test_facts_are_read_as_they_were_written(store: Store) -> None:
    """The outline would lead elsewhere, or a filter find another author's work."""
    write(store, {"a.txt": [replace(entry_of("one two"), facts=FACTS)], "b.txt": [entry_of("x")]})
    with store.reading() as reader:
        assert reader.entries.facts(1) == FACTS
        assert reader.entries.facts(2) == EntryFacts()
        assert reader.entries.facts(99) == EntryFacts()
        assert reader.entries.facts_of([1, 99]) == {1: FACTS, 99: EntryFacts()}
        assert reader.entries.authors() == {"Ann Ng": 1, "Bo": 1}
        assert reader.entries.languages() == {"": 1, "de": 1}
    assert store.check() == []
    with store.reading(Scope("x", ("b.txt",))) as reader:
        assert reader.entries.facts(1) == EntryFacts()
        assert reader.entries.languages() == {"": 1}


def test_facts_change_with_their_file_also_where_the_text_does_not(store: Store) -> None:
    """A document would bear the author that it had when it was first read."""
    write(store, {"a.txt": [replace(entry_of("one two"), facts=FACTS)]})
    now = replace(FACTS, authors=("Cy",), outline=())
    write(store, {"a.txt": [replace(entry_of("one two"), facts=now)]})
    with store.reading() as reader:
        assert reader.entries.facts(1) == now
    write(store, {"a.txt": [replace(entry_of("other"), facts=FACTS)]})
    with store.reading() as reader:
        assert reader.entries.facts(1) == FACTS
    write(store, {"a.txt": []})
    with store.reading() as reader:
        assert reader.entries.authors() == {}
    assert store.check() == []


def test_the_mails_of_a_thread_are_listed_by_time(store: Store) -> None:
    """A reader would meet an answer without the question, or mails of another thread."""

    def mail(number: int, thread: str, sent: str, kind: str = "e-mail") -> list[ReadEntry]:
        facts = EntryFacts(kind, authors=("Ann",), created=sent)
        made = entry_of(f"text {number}", f"Mail {number}")
        return [replace(made, metadata={"thread": thread} if thread else {}, facts=facts)]

    files = {
        "1.eml": mail(1, "<a@x>", "2024-03-02T10:00:00+00:00"),
        "2.eml": mail(2, "<a@x>", "2024-03-01T10:00:00+00:00"),
        "3.eml": mail(3, "<b@x>", "2024-03-01T10:00:00+00:00"),
        "4.eml": mail(4, "", "2024-03-01"),
        "5.txt": mail(5, "<a@x>", "2024-03-01", "text"),
    }
    write(store, files)
    with store.reading() as reader:
        assert reader.entries.thread(1) == (
            ThreadMail(2, "Mail 2", "Ann", "2024-03-01T10:00:00+00:00"),
            ThreadMail(1, "Mail 1", "Ann", "2024-03-02T10:00:00+00:00"),
        )
        assert reader.entries.thread(3) == ()
        assert reader.entries.thread(4) == ()
