"""Versions on a cluster: the same families as in a database here, whatever is done to files."""

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rag_assistant.store.sqlite.store import SqliteStore
from rag_assistant.store.writing import Store
from rag_assistant.values.ledger import FileChange
from tests.examples import examples
from tests.store.making import entry_of, file_of
from tests.store.opensearch.cluster import store_on_cluster
from tests.store.test_versions import OTHER, PLAN, families

NAMES = ("plan.md", "plan-draft.md", "plan-v2.md", "archive/plan.md", "plan 2024.md", "cake.md")
TEXTS = (PLAN, f"{PLAN}One more line.\n", f"{PLAN}{OTHER}", OTHER)
Step = Mapping[str, str | None]
STEP = st.dictionaries(st.sampled_from(NAMES), st.sampled_from([*TEXTS, None, "touch", "move"]),
                       min_size=1, max_size=4)  # fmt: skip


def take(store: Store, step: Step, changed: int, *, ends: bool) -> None:
    """Write, delete, touch or move files, in a run that ends or is cut off after its commit."""
    with store.writing() as writer:
        for path, text in step.items():
            known = writer.ledger.file(path)
            file = file_of(path, changed)
            if text is None or text in ("touch", "move"):
                if known is None:
                    continue
                moved = file_of(f"moved/{path}", known.record.mtime_ns)
                if text == "touch":
                    writer.write(FileChange("record", file, known))
                elif text is None or writer.ledger.file(moved.path):
                    writer.write(FileChange("delete", known.record, known))
                else:
                    writer.write(FileChange("move", moved, known))
            else:
                writer.write(FileChange("store", file, known, [entry_of(text)]))
        if ends:
            writer.finish()
        else:
            writer.commit()


@settings(max_examples=examples(24), suppress_health_check=list(HealthCheck), deadline=None)
@given(st.lists(st.tuples(STEP, st.booleans()), min_size=2, max_size=4))
def test_families_are_those_of_a_database_here(
    tmp_path_factory: pytest.TempPathFactory, steps: Sequence[tuple[Step, bool]]
) -> None:
    """Which document is outdated would depend on where its database is."""
    place = tmp_path_factory.mktemp("versions") / "notes.db"
    here, there = SqliteStore(Path(place)), store_on_cluster(place)
    for changed, (step, ends) in enumerate([*steps, ({}, True)], 10**6):
        for store in (here, there):
            take(store, step, changed, ends=ends)
        if ends:
            assert families(here) == families(there)
