"""The statement of what an answer saw."""

from rag_assistant.history.decoding import value_of
from rag_assistant.values.coverage import (
    Coverage,
    DatabaseLeftOut,
    DatabaseSeen,
    EntryRead,
    SearchMade,
    coverage_details,
    coverage_statement,
)
from rag_assistant.values.json_shapes import coverage_json
from rag_assistant.values.scope import Scope

WHOLE = Coverage(
    ("staff",),
    1_204,
    3,
    1,
    2,
    (DatabaseSeen("staff", 1_204, 3, 5, "2026-11-20T08:15:00+00:00", unfinished=True),),
    (SearchMade("staff", "annual leave", 8),),
    (EntryRead("staff", 7, "Annual leave"), EntryRead("staff", 9, "Sick leave")),
    ("2 steps",),
    (DatabaseLeftOut("archive", "The database 'archive' is damaged. Index its folder again."),),
    (Scope("staff", ("leave/",)),),
    2,
)


def test_the_statement_says_what_was_not_seen() -> None:
    """A person would take what was not read, not searched or out of scope for not there."""
    said = coverage_statement(WHOLE)
    assert "staff (1,204 documents, 3 files could not be read, indexing is not finished)" in said
    assert "in the chosen documents: 1 search, 2 documents read." in said
    assert "Beside it: 2 calls of other tools." in said
    assert "Limit reached: 2 steps." in said
    assert "Left out: archive." in said


def test_an_ordinary_statement_is_one_short_sentence() -> None:
    """Every answer would drag along words that say nothing."""
    plain = Coverage(("staff",), 1, 0, 2, 1)
    assert coverage_statement(plain) == "Searched staff (1 document): 2 searches, 1 document read."
    many = Coverage(tuple("abcd"), 9, 0, 1)
    assert coverage_statement(many).startswith("Searched 4 databases (9 documents):")


def test_the_details_name_every_part() -> None:
    """Which search was made, which entry was read, and why one was left out could not be seen."""
    told = dict.fromkeys(kind for kind, _ in coverage_details(WHOLE))
    assert list(told) == ["database", "left out", "scope", "search", "read", "limit"]
    said = "\n".join(text for _, text in coverage_details(WHOLE))
    assert "5 paths skipped" in said
    assert "indexed 2026-11-20 08:15 UTC" in said
    assert "“annual leave”: 8 documents" in said
    assert "staff 7: Annual leave" in said
    assert "staff: only leave/" in said


def test_the_json_keeps_its_keys_and_reads_back() -> None:
    """Scripts would break, and kept answers lose what they had seen."""
    made = coverage_json(WHOLE)
    old = {"databases", "entries_indexed", "entries_failed", "searches", "entries_read"}
    assert old < made.keys()
    assert made["statement"] == coverage_statement(WHOLE)
    assert value_of(Coverage, made) == WHOLE
    assert value_of(Coverage, {key: made[key] for key in old}) == Coverage(
        ("staff",), 1_204, 3, 1, 2
    )


def test_an_answer_without_a_search_says_so() -> None:
    """A greeting would seem to rest on the documents."""
    said = coverage_statement(Coverage(("staff",), 3))
    assert said == "Nothing was searched of staff (3 documents)."
