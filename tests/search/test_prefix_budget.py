"""Beginnings of words: they find what begins so, and never read half of the index for it."""

import sqlite3
from collections.abc import Iterator

import pytest

from rag_assistant.search.query import plan_query, posting_budget
from rag_assistant.store.sqlite.ledger import FileRecord
from rag_assistant.store.sqlite.schema import create_tables
from rag_assistant.store.sqlite.writer import IndexWriter
from rag_assistant.values.documents import ReadEntry

PASSAGES = 6_000


@pytest.fixture(scope="module")
def index() -> Iterator[sqlite3.Connection]:
    """6,000 passages that all hold "committee" and "the"; every tenth a word of its own."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    create_tables(connection)
    writer = IndexWriter(connection)
    entries = []
    for number in range(PASSAGES):
        own = f"commuter{'abcdefghij'[number % 10]} community" if number % 10 == 0 else "plain"
        text = f"The committee of the harbour {own}."
        rows = ((0, len(text), None, 1, None, text),)
        entries.append(
            ReadEntry("Notes", f"{number}", "text/plain", {}, None, len(text), f"{number}", rows)
        )
    writer.store(FileRecord("notes.jsonl", 0, 0, 0, "", "", "indexed"), None, entries)
    writer.commit()
    yield connection
    connection.close()


def postings(connection: sqlite3.Connection, match: str) -> int:
    """Count what an expression reads."""
    query = "SELECT count(*) FROM passages_fts WHERE passages_fts MATCH ?"
    return int(connection.execute(query, (match,)).fetchone()[0])


@pytest.mark.parametrize(("text", "typing"), [("comm*", False), ("plain comm", True)])
def test_a_frequent_beginning_stands_for_the_words_there_is_room_for(
    index: sqlite3.Connection, text: str, typing: bool
) -> None:
    """A short prefix would read all passages, a second of it in a large database."""
    query = plan_query(index, text, typing=typing)
    assert '"comm" *' not in query.match
    assert 0 < postings(index, query.match) <= posting_budget(PASSAGES, typing=typing) + 1_000
    assert "commun" in query.match or "plain" in query.match


def test_a_rare_beginning_finds_all_words_that_begin_so(index: sqlite3.Connection) -> None:
    """A prefix would find the words that happened to be read, and not the others."""
    assert postings(index, plan_query(index, "commu*").match) == PASSAGES // 10


def test_a_stop_word_after_other_words_is_at_its_end(index: sqlite3.Connection) -> None:
    """Typing "from the harbour to" would search for every word that begins with "to"."""
    assert "*" not in plan_query(index, "plain harbour the", typing=True).match
    assert "*" in plan_query(index, "plain harbour comx", typing=True).match
    assert "*" in plan_query(index, "whe", typing=True).match


@pytest.mark.parametrize("text", ["\u0301" * 40, "\u0301\u0301", "harbour \u0301\u0302"])
def test_marks_without_letters_begin_no_word(index: sqlite3.Connection, text: str) -> None:
    """A loose accent is nothing to FTS5, and every word begins with nothing."""
    for typing in (True, False):
        query = plan_query(index, text, typing=typing)
        assert "*" not in query.match


def test_many_beginnings_share_the_budget(index: sqlite3.Connection) -> None:
    """Forty prefixes would read the index forty times."""
    query = plan_query(index, "com* co* comm* commi* commit* ha* har* harb* pl* pla* no* not*")
    words = [word for word in query.match.replace("(", "").replace(")", "").split(" OR ") if word]
    assert sum(postings(index, word) for word in words) <= 2 * posting_budget(PASSAGES)
    assert postings(index, query.match) > 0


@pytest.mark.parametrize("phrases", ['"committee" ', '"The committee" "the COMMITTEE" ', '"漢" '])
def test_a_phrase_said_again_is_read_once(index: sqlite3.Connection, phrases: str) -> None:
    """A frequent word in quotes thirty times over would take seconds."""
    once = plan_query(index, phrases.split('"')[1].join('""'))
    again = plan_query(index, phrases * 10)
    assert again.match.lower() == once.match.lower()
    assert again.phrases == once.phrases


def test_phrases_that_differ_are_all_demanded(index: sqlite3.Connection) -> None:
    """The second of two phrases would be left out, and passages without it shown."""
    query = plan_query(index, '"the committee" "harbour" "committee of"')
    assert len(query.phrases) == 3
    assert postings(index, query.match) == PASSAGES
