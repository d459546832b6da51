"""The alias of a database: what other programs find there is what readers see, in one step."""

from typing import Any

from rag_assistant.store.opensearch.mapping import alias_name
from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange
from tests.store.making import entry_of, file_of, write


def found(store: Store) -> list[str]:
    """Give the texts of all passages that another program finds."""
    cluster: Any = store._cluster  # type: ignore[attr-defined]
    alias = alias_name(cluster.address.prefix, store._name)  # type: ignore[attr-defined]
    body = {"query": {"term": {"kind": "passage"}}, "size": 100}
    hits = cluster.asked("POST", f"/{alias}/_search", body)["hits"]["hits"]
    return sorted(hit["_source"]["body"]["text"] for hit in hits)


def test_others_find_what_readers_see(store: Store) -> None:
    """A dashboard would count deleted documents, or such as are only being written."""
    write(store, {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]})
    assert found(store) == ["The crane.", "The winch."]
    write(store, {file_of("a.md", 2): [entry_of("The crane is new.")]})
    with store.writing() as writer:
        writer.write(FileChange("store", file_of("c.md"), None, [entry_of("Not yet.")]))
        writer.roll_back()
        assert found(store) == ["The crane is new.", "The winch."]


def test_a_database_made_anew_takes_the_place_of_the_old_one_in_one_step(store: Store) -> None:
    """A dashboard would show nothing while a database is made anew, or both of them."""
    write(store, {"a.md": [entry_of("The crane.")], "b.md": [entry_of("The winch.")]})
    with store.writing(anew=True) as writer:
        writer.write(FileChange("store", file_of("a.md"), None, [entry_of("The crane.")]))
        writer.commit()
        assert found(store) == ["The crane.", "The winch."]
        writer.finish()
    assert found(store) == ["The crane."]
