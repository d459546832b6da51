"""What any store promises of vectors: cosines are exact, and a vector goes with its words."""

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from rag_assistant.store.reading import StoreReader
from rag_assistant.store.writing import Store
from rag_assistant.values.embeddings import PassageWords, VectorKind
from rag_assistant.values.ledger import FileChange
from rag_assistant.values.scope import Scope
from rag_assistant.values.search_plan import Filter
from tests.store.making import entry_of, file_of, write

Row = NDArray[np.float32]
KIND = VectorKind("test", 21)
"""A length that is no multiple of what is added or packed together."""


def unit(seed: int) -> Row:
    """Give a vector of length 1."""
    row = np.random.default_rng(seed).standard_normal(KIND.dimension).astype(np.float32)
    made: Row = row / np.linalg.norm(row)
    return made


def lacking(store: Store, kind: VectorKind = KIND) -> list[PassageWords]:
    """Give the passages without a vector."""
    with store.reading() as reader:
        return reader.vectors.without(kind, 0, 1_000)


def embed(store: Store, kind: VectorKind = KIND) -> dict[int, Row]:
    """Give each passage that has none a vector of its own; give all by the passage's id."""
    passages = lacking(store, kind)
    rows = {one.id: unit(one.id)[: kind.dimension] for one in passages}
    assert store.add_vectors(kind, passages, rows) == len(passages)
    return rows


def nearest(reader: StoreReader, query: Row, among: Sequence[int] | None = None) -> list[int]:
    """Give all passages by their cosines."""
    return list(reader.vectors.nearest(query, 1_000, among))


@pytest.fixture
def filled(store: Store) -> Store:
    """Thirty files of three passages each, in two folders."""
    texts = {
        f"{'ab'[n % 2]}/{n}.md": [entry_of(f"The crane {n} lifts. " * 3, f"Crane {n}", cut=21)]
        for n in range(30)
    }
    write(store, texts)
    return store


def test_cosines_are_those_of_a_plain_product(filled: Store) -> None:
    """The nearest passages would be others, or their scores be of another size than here."""
    rows, query = embed(filled), unit(-1 % 2**32)
    exact = {passage: float(row @ query) for passage, row in rows.items()}
    slack = float(np.abs(query).sum()) / 254 + 1e-4  # a number is kept in a byte
    with filled.reading() as reader:
        found = reader.vectors.nearest(query, 20)
        every = nearest(reader, query)
        some = sorted(rows)[::3]
        of_some = reader.vectors.nearest(query, 5, some)
        given = reader.vectors.cosines(query, [*some, 10**9])
        kept = reader.vectors.rows([*some, 10**9])
    assert len(found) == 20
    assert list(found) == every[:20]
    assert sorted(every) == sorted(rows)
    assert list(found.values()) == sorted(found.values(), reverse=True)
    assert list(of_some) == [one for one in every if one in some][:5]
    assert given.keys() == kept.keys() == set(some)
    for passage, cosine in [*found.items(), *of_some.items(), *given.items()]:
        assert cosine == pytest.approx(exact[passage], abs=slack)
        if passage in kept:
            assert cosine == pytest.approx(float(kept[passage] @ query), abs=2e-5)


def test_only_what_is_in_scope_or_let_through_is_near(filled: Store) -> None:
    """A question to one folder, or one with a filter, would be answered by other documents."""
    embed(filled)
    query = unit(7)
    with filled.reading() as reader:
        through = reader.candidates.passages_let_through((Filter("path", "a/"),))
        own = set(reader.vectors.nearest(query, 1_000, through))
        assert own == set(through or ())
        assert len(own) == 45
        assert reader.vectors.nearest(query, 1_000, []) == {}
    with filled.reading(Scope("notes", ("a/",))) as reader:
        through = reader.candidates.passages_let_through(())
        assert set(reader.vectors.nearest(query, 1_000, through)) == own
        narrow = reader.candidates.passages_let_through((Filter("path", "a/4.md"),))
        assert len(reader.vectors.nearest(query, 1_000, narrow)) == 3


def test_another_model_takes_the_place_of_the_first(filled: Store) -> None:
    """Cosines of two models would be compared, or the old vectors never go."""
    embed(filled)
    other = VectorKind("other", 8)
    first, *rest = lacking(filled, other)
    assert len(rest) == 89
    assert filled.add_vectors(other, [first], {first.id: unit(1)[:8]}) == 1
    with filled.reading() as reader:
        held = reader.vectors.coverage()
        assert (held.kind, held.vectors, held.passages) == (other, 1, 90)
        assert reader.vectors.kind() == other
        assert nearest(reader, unit(1)) == []
        assert nearest(reader, unit(1)[:8]) == [first.id]
    assert len(lacking(filled, other)) == 89
    assert len(lacking(filled)) == 90


def test_a_vector_goes_with_its_words(filled: Store) -> None:
    """A passage would be found by words that it no longer holds, or embedded again in vain."""
    embed(filled)
    write(filled, {file_of("a/0.md", 2): [entry_of("The winch.", "Winch")]})
    assert [one.text for one in lacking(filled)] == ["The winch."]
    with filled.writing() as writer:
        writer.write(FileChange("move", file_of("c/2.md"), writer.ledger.file("a/2.md")))
        gone = writer.ledger.file("a/4.md")
        assert gone is not None
        writer.write(FileChange("delete", gone.record, gone))
        writer.finish()
    assert [one.text for one in lacking(filled)] == ["The winch."]
    with filled.reading() as reader:
        assert reader.vectors.coverage().vectors == 84


def test_a_title_that_is_the_files_name_is_of_the_words(store: Store) -> None:
    """A renamed file would be found by its old name."""
    write(store, {"crane.md": [entry_of("It lifts.")]})
    embed(store)
    with store.writing() as writer:
        writer.write(FileChange("move", file_of("winch.md"), writer.ledger.file("crane.md")))
        writer.finish()
    assert [one.title for one in lacking(store)] == ["winch"]


def test_what_changed_while_its_vector_was_made_gets_none(filled: Store) -> None:
    """A text would be found by the meaning of the one before it."""
    passages = lacking(filled)
    write(filled, {file_of("a/0.md", 2): [entry_of("The winch.", "Winch")]})
    rows = {one.id: unit(one.id) for one in passages}
    assert filled.add_vectors(KIND, passages, rows) == len(passages) - 3
    assert [one.text for one in lacking(filled)] == ["The winch."]


def test_made_anew_it_keeps_the_vectors_of_the_same_words(filled: Store) -> None:
    """Hours of a model's work would be lost with each new version of the program."""
    rows, query = embed(filled), unit(3)
    with filled.reading() as reader:
        best = next(iter(reader.vectors.nearest(query, 1)))
        text = reader.passages.candidates([best])[best].text
    with filled.writing(anew=True) as writer:
        for n in range(29):
            entry = entry_of(f"The crane {n} lifts. " * 3, f"Crane {n}", cut=21)
            path = f"{'ab'[n % 2]}/{n}.md"
            writer.write(FileChange("store", file_of(path), writer.ledger.file(path), [entry]))
        other = [entry_of("The winch.", "Winch")]
        writer.write(FileChange("store", file_of("w.md"), None, other))
        writer.finish()
    assert [one.text for one in lacking(filled)] == ["The winch."]
    with filled.reading() as reader:
        again = next(iter(reader.vectors.nearest(query, 1)))
        assert reader.passages.candidates([again])[again].text == text
        assert reader.vectors.coverage().vectors == len(rows) - 3
