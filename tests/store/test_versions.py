"""What any store promises of versions: families are found at the end of a run, and kept in step."""

from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange
from rag_assistant.values.scope import Scope
from tests.store.making import entry_of, file_of, write

PLAN = "".join(
    f"Berth {n} of the harbour is dredged by the crew of boat {n} before the season begins.\n"
    for n in range(12)
)
OTHER = "".join(
    f"Recipe {n}: stir the flour into the milk, add butter and let it rest for a while.\n"
    for n in range(12)
)


def families(store: Store, scope: Scope | None = None) -> set[tuple[str, ...]]:
    """Give the paths of each family, newest first."""
    with store.reading(scope) as reader:
        paths = {one.id: one.path for one in reader.entries.names()}
        newest = reader.versions.newest(list(paths))
        found: dict[int, tuple[str, ...]] = {}
        for entry_id, path in paths.items():
            others = reader.versions.others(entry_id)
            assert reader.entries.get(entry_id).versions == others
            if others and newest[entry_id] == entry_id:
                found[entry_id] = (path, *(one.path for one in others))
        assert set(newest.values()) >= found.keys()
        return set(found.values())


def edition(number: int, text: str = PLAN) -> dict[str, str]:
    """Give a plan of a number by its path."""
    return {f"plan-v{number}.md": f"{text}Edition {number}.\n"}


def put(store: Store, texts: dict[str, str], changed: int = 1) -> None:
    """Write texts by their paths, of files that were changed at some time."""
    write(store, {file_of(path, changed): [entry_of(text)] for path, text in texts.items()})


def test_families_keep_in_step(store: Store) -> None:
    """A deleted version would go on superseding those that are there."""
    put(store, {**edition(1), **edition(2), **edition(3), "cake.md": OTHER})
    assert families(store) == {("plan-v3.md", "plan-v2.md", "plan-v1.md")}
    with store.writing() as writer:
        gone = writer.ledger.file("plan-v3.md")
        assert gone is not None
        writer.write(FileChange("delete", gone.record, gone))
        writer.finish()
    assert families(store) == {("plan-v2.md", "plan-v1.md")}
    with store.writing() as writer:
        moved = writer.ledger.file("plan-v2.md")
        writer.write(FileChange("move", file_of("harbour.md"), moved))
        writer.finish()
    assert families(store) == set()
    put(store, edition(9))
    assert families(store) == {("plan-v9.md", "plan-v1.md")}
    put(store, edition(9, OTHER), changed=2)
    assert families(store) == set()


def test_what_tells_versions_apart_is_said(store: Store) -> None:
    """A person would be told that a text is outdated, and not how that is known."""
    put(store, {**edition(1), **edition(2), "copy of plan-v2.md": edition(2)["plan-v2.md"]})
    with store.reading() as reader:
        ids = {one.path: one.id for one in reader.entries.names()}
        old = reader.versions.others(ids["plan-v1.md"])
        new = reader.versions.others(ids["plan-v2.md"])
    assert [one.relation for one in old] == ["newer", "newer"]
    assert old[-1].told_by == "the version in its name"
    assert {(one.path, one.relation) for one in new} == {
        ("plan-v1.md", "older"), ("copy of plan-v2.md", "copy"),
    }  # fmt: skip


def test_a_file_that_is_touched_is_the_newest(store: Store) -> None:
    """Of two drafts, the one that nobody works on any more would be shown."""
    drafts = {"plan-draft.md": f"{PLAN}One.\n", "draft plan.md": f"{PLAN}Two.\n"}
    put(store, drafts)
    put(store, {"plan-draft.md": drafts["plan-draft.md"]}, changed=10**15)
    assert families(store) == {("plan-draft.md", "draft plan.md")}
    put(store, {"draft plan.md": drafts["draft plan.md"]}, changed=2 * 10**15)
    assert families(store) == {("draft plan.md", "plan-draft.md")}


def test_a_run_that_was_cut_off_leaves_its_versions_to_the_next(store: Store) -> None:
    """Versions that were indexed before the power went would never be found."""
    put(store, edition(1))
    with store.writing() as writer:
        entry = entry_of(edition(2)["plan-v2.md"])
        writer.write(FileChange("store", file_of("plan-v2.md"), None, [entry]))
        writer.commit()
    assert families(store) == set()
    with store.writing() as writer:
        writer.finish()
    assert families(store) == {("plan-v2.md", "plan-v1.md")}


def test_only_what_is_seen_has_versions(store: Store) -> None:
    """A question to one folder would be told of another one's files, or of a disk that is gone."""
    put(store, {f"{name}/{path}": text for name in ("a", "b") for path, text in edition(1).items()})
    put(store, {f"a/{path}": text for path, text in edition(2).items()})
    (whole,) = families(store)
    assert set(whole) == {"a/plan-v1.md", "a/plan-v2.md", "b/plan-v1.md"}
    assert families(store, Scope("notes", ("a/",))) == {("a/plan-v2.md", "a/plan-v1.md")}
    with store.writing() as writer:
        known = writer.ledger.file("a/plan-v2.md")
        assert known is not None
        writer.withhold({known.id: "not mounted"})
        writer.finish()
    (left,) = families(store)
    assert set(left) == {"a/plan-v1.md", "b/plan-v1.md"}


def test_records_of_a_file_have_no_versions(store: Store) -> None:
    """A collection of records would lose those whose keys look like versions."""
    records = [entry_of(f"{PLAN}Edition {n}.\n", key=f"plan-v{n}") for n in (1, 2)]
    write(store, {"all.jsonl": records})
    assert families(store) == set()
