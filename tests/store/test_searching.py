"""What any store promises of search: plans are kept to, in scope, and order is what it says."""

from collections.abc import Iterator

import numpy as np
import pytest

from rag_assistant.store.reading import StoreReader
from rag_assistant.store.writing import Store
from rag_assistant.values.embeddings import VectorKind
from rag_assistant.values.ledger import FileRecord, ReadEntry
from rag_assistant.values.scope import Scope
from rag_assistant.values.search_plan import Filter, Phrase, Plan
from tests.store.making import entry_of, file_of, hash_of, write

NANOSECONDS = 10**9
DAY = 86_400 * NANOSECONDS


def word(text: str) -> Phrase:
    """Give a phrase of some words."""
    return Phrase(tuple(text.split()))


def dated(text: str, day: str, title: str = "") -> ReadEntry:
    """Make an entry that says of what day it is."""
    rows = entry_of(text).passages
    return ReadEntry(
        title, "", "text/markdown", {"date": day}, None, len(text), hash_of(text), rows
    )


@pytest.fixture
def filled(store: Store) -> Store:
    """A few documents of a harbour."""
    files: dict[FileRecord, list[ReadEntry]] = {
        file_of("crane.md", DAY): [dated("The crane lifts forty tonnes.", "2024-05-01", "Crane")],
        file_of("notes/hoist.md", DAY): [dated("A hoist and a crane.", "2025-02-03", "Hoist")],
        file_of("notes/winch.txt", 3 * DAY): [entry_of("The winch lifts crates.", "Winch")],
        file_of("long.txt", 2 * DAY): [entry_of("crane paint " * 40, "Long", cut=48)],
    }
    write(store, files)
    return store


@pytest.fixture
def reader(filled: Store) -> Iterator[StoreReader]:
    """A reader of all of it."""
    with filled.reading() as opened:
        yield opened


def paths(reader: StoreReader, plan: Plan, limit: int = 10) -> list[str]:
    """Give the paths of what a plan finds, as they come."""
    if plan.has_words:
        found = reader.candidates.best(plan, limit)
    else:
        found = reader.candidates.newest(plan, limit)
    return [reader.entries.get(one.entry_id).path for one in found]


def test_any_of_some_words_finds(reader: StoreReader) -> None:
    """A question would find only what holds every word of it."""
    plan = Plan((word("winch"), word("forty")))
    assert set(paths(reader, plan)) == {"crane.md", "notes/winch.txt"}


def test_words_are_compared_by_their_stems(reader: StoreReader) -> None:
    """ "lifting cranes" would not find the crane that lifts."""
    assert set(paths(reader, Plan((word("lifting"),)))) == {"crane.md", "notes/winch.txt"}


def test_what_is_required_and_what_is_excluded_holds(reader: StoreReader) -> None:
    """A phrase in quotes, or a word with a minus, would be a wish only."""
    crane, lifts = word("crane"), word("lifts forty")
    assert paths(reader, Plan((word("winch"),), ((lifts,),))) == ["crane.md"]
    found = paths(reader, Plan((crane,), (), ((word("hoist"),), (word("paint"),))))
    assert found == ["crane.md"]
    assert paths(reader, Plan((), ((word("forty lifts"),),))) == []


def test_beginnings_and_columns(reader: StoreReader) -> None:
    """A half-typed word would find nothing; `title:` would look through the text."""
    assert paths(reader, Plan((Phrase(("tonn",), begun=True),))) == ["crane.md"]
    assert paths(reader, Plan((), ((Phrase(("crane",), column="title"),),))) == ["crane.md"]
    assert "crane.md" not in paths(reader, Plan((Phrase(("hoist",), column="text"),)))


@pytest.mark.parametrize(
    ("filters", "expected"),
    [
        ((Filter("path", "notes/"),), {"notes/hoist.md", "notes/winch.txt"}),
        ((Filter("path", "*.MD"),), {"crane.md", "notes/hoist.md"}),
        ((Filter("path", "crane"), Filter("path", "winch")), {"crane.md", "notes/winch.txt"}),
        ((Filter("path", "notes", negated=True),), {"crane.md", "long.txt"}),
        ((Filter("type", "md"),), {"crane.md", "notes/hoist.md"}),
        ((Filter("title", "oist"),), {"notes/hoist.md"}),
        ((Filter("title", "HOIST"),), {"notes/hoist.md"}),
        ((Filter("after", "2024-05-01"), Filter("before", "2025")), {"crane.md"}),
        ((Filter("before", "1971"),), {"notes/winch.txt", "long.txt"}),
    ],
)
def test_filters_choose_entries(
    reader: StoreReader, filters: tuple[Filter, ...], expected: set[str]
) -> None:
    """A filter would let through what it should not, with words or without."""
    assert set(paths(reader, Plan(filters=filters))) == expected
    every = Plan(tuple(map(word, ("crane", "winch"))), filters=filters)
    assert set(paths(reader, every)) == expected
    let_through = reader.candidates.let_through(filters)
    assert {reader.entries.get(one).path for one in let_through} == expected
    assert let_through == sorted(let_through)
    assert reader.candidates.lets_any_through(filters)
    assert not reader.candidates.lets_any_through((*filters, Filter("before", "1900")))


def test_without_words_the_newest_come_first(reader: StoreReader) -> None:
    """A list by filters would be in any order."""
    listed = ["notes/hoist.md", "crane.md", "notes/winch.txt", "long.txt"]
    assert paths(reader, Plan(filters=(Filter("path", "*"),))) == listed
    assert paths(reader, Plan(excluded=((word("crane"),),))) == ["notes/winch.txt"]


def test_what_no_passage_holds_is_not_found_after_it_was_looked_for(reader: StoreReader) -> None:
    """What was remembered of one phrase would hide what another one finds."""
    absent, crane = (word("forty hoists"),), (word("crane"),)
    assert not reader.candidates.hold(absent)
    assert reader.candidates.hold(crane)
    assert paths(reader, Plan(required=(absent,))) == []
    assert set(paths(reader, Plan(required=(crane,)))) == {"crane.md", "notes/hoist.md", "long.txt"}


def test_candidates_are_entries_with_their_best_passages(reader: StoreReader) -> None:
    """A long document would take all places, or win by its length."""
    found = reader.candidates.best(Plan((word("crane"),)), 10)
    assert len({one.entry_id for one in found}) == len(found) == 3
    for one in found:
        assert 0 < len(one.passages) == len(one.scores) <= 3
        assert list(one.scores) == sorted(one.scores, reverse=True)
        assert min(one.scores) > 0
    firsts = [one.scores[0] for one in found]
    assert firsts == sorted(firsts, reverse=True)
    (long,) = [one for one in found if reader.entries.get(one.entry_id).path == "long.txt"]
    assert long.others == reader.passages.count(long.entry_id) - 3
    few = reader.candidates.best(Plan((word("crane"),)), 1, passages=1, looked_at=1)
    assert len(few) >= 1


def test_a_scope_hides_all_else(filled: Store) -> None:
    """A question to some documents would be answered by others."""
    with filled.reading(Scope("notes", paths=("notes/",))) as reader:
        assert paths(reader, Plan((word("crane"),))) == ["notes/hoist.md"]
        assert {one.path for one in reader.entries.all()} == {"notes/hoist.md", "notes/winch.txt"}
        hoist = reader.candidates.let_through((Filter("path", "hoist"),))
        assert reader.candidates.hold((word("crane"),), hoist)
        assert reader.candidates.entries_with((word("crane"),), 9) == hoist
        assert len(reader.candidates.passages_let_through(()) or ()) == 2


def test_which_passages_hold_some_phrases(reader: StoreReader) -> None:
    """Words of two passages would count as those of one."""
    (crane,) = reader.candidates.let_through((Filter("path", "crane.md"),))
    both = (word("crane"), word("tonnes"))
    assert reader.candidates.hold(both)
    assert reader.candidates.hold(both, [crane])
    assert not reader.candidates.hold((word("crane"), word("crates")))
    assert reader.candidates.entries_with(both, 5) == [crane]


def test_where_an_entry_stands_among_all(reader: StoreReader) -> None:
    """A person would not learn why a document does not come up."""
    plan = Plan((word("crane"),))
    order = [one.entry_id for one in reader.candidates.best(plan, 10)]
    for before, entry_id in enumerate(order):
        place = reader.candidates.place_of(plan, [entry_id])
        assert place is not None
        assert (place.entry_id, place.before) == (entry_id, before)
    (winch,) = reader.candidates.let_through((Filter("path", "winch"),))
    assert reader.candidates.place_of(plan, [winch]) is None


def test_the_vocabulary_counts_passages(reader: StoreReader) -> None:
    """Rare words would weigh as little as common ones."""
    counts = reader.vocabulary.frequencies({"crane": "crane", "winch": "winch", "no": "nothing"})
    assert counts == {"crane": reader.vocabulary.passages() - 1, "winch": 1}
    terms = dict(reader.vocabulary.beginning_with("cra", 9))
    assert list(terms) == sorted(terms)
    assert terms.keys() == {"crane", "crate"}
    assert reader.vocabulary.words_of(["crate"]) == {"crate": {"crates"}}


def test_passages_are_the_text_end_to_end(reader: StoreReader) -> None:
    """A quote would be looked up in a text that is not the document's."""
    (entry,) = reader.candidates.let_through((Filter("path", "long"),))
    passages = reader.passages.of_entry(entry)
    ids = [one.id for one in reader.entries.all()]
    alone = {one: reader.passages.of_entry(one) for one in ids}
    assert reader.passages.of_entries([*ids, 10**6]) == alone
    assert "".join(one.text for one in passages) == reader.passages.text(entry)
    assert reader.passages.text(entry, 40, 60) == ("crane paint " * 40)[40:60]
    (middle,) = reader.passages.around(entry, 50, 0)
    assert middle.location.start <= 50 < middle.location.end
    assert reader.passages.around(entry, 10**9, 0) == passages[-1:]
    texts = reader.passages.candidates_of(entry)
    assert [one.text for one in texts] == [one.text for one in passages]
    read = reader.passages.candidates([one.id for one in texts])
    assert [read[one.id] for one in texts] == texts
    sources = reader.passages.sources([texts[0].id])
    assert sources[texts[0].id].path == "long.txt"
    assert reader.passages.entries_of([texts[0].id]) == {texts[0].id: entry}


def test_vectors_find_the_nearest_and_go_with_their_text(filled: Store) -> None:
    """A passage would be found by words that it no longer holds."""
    kind = VectorKind("test", 3)
    with filled.reading() as reader:
        assert reader.vectors.kind() is None
        lacking = reader.vectors.without(kind, 0, 100)
    axes = np.eye(3, dtype=np.float32)
    rows = {one.id: axes[place % 3] for place, one in enumerate(lacking[:-1])}
    assert filled.add_vectors(kind, lacking, rows) == len(lacking)
    with filled.reading() as reader:
        assert reader.vectors.coverage().vectors == len(lacking)
        near = reader.vectors.nearest(axes[0], len(lacking))
        first = [one.id for one in lacking[:-1:3]]
        assert list(near)[: len(first)] == first
        assert near[first[0]] == pytest.approx(1, abs=0.01)
        assert list(near.values()) == sorted(near.values(), reverse=True)
        assert reader.vectors.nearest(axes[0], 5, [lacking[1].id]).keys() == {lacking[1].id}
        assert reader.vectors.cosines(axes[0], [lacking[-1].id]) == {lacking[-1].id: 0.0}
        assert reader.vectors.nearest(np.ones(4, np.float32), 5) == {}
    write(filled, {file_of("crane.md", 9): [entry_of("Something else.", "Crane")]})
    with filled.reading() as reader:
        assert reader.vectors.coverage().vectors == len(lacking) - 1


def test_versions_of_a_document_are_known_by_the_newest(store: Store) -> None:
    """An old draft would be shown in place of what was agreed."""
    text = "The crane is greased in May. Its hook is looked at by two people. " * 4
    files = {
        file_of("plan-v1.md", DAY): [entry_of(text + "Not agreed.")],
        file_of("plan-v2.md", 2 * DAY): [entry_of(text + "Agreed.")],
        file_of("other.md", DAY): [entry_of("The winch.")],
    }
    write(store, files)
    with store.reading() as reader:
        own = {one.path: one.id for one in reader.entries.names()}
        newest = reader.versions.newest(list(own.values()))
        assert newest == dict.fromkeys((own["plan-v1.md"], own["plan-v2.md"]), own["plan-v2.md"])
        (other,) = reader.versions.others(own["plan-v1.md"])
        assert (other.entry_id, other.relation) == (own["plan-v2.md"], "newer")
        assert reader.versions.others(own["other.md"]) == ()
