"""Databases in a store elsewhere: asked like others, and nothing leaves without leave."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.errors import EgressError, LibraryError
from rag_assistant.library.database import Database
from rag_assistant.library.elsewhere import link_of, sending_from
from rag_assistant.library.embedding import embed_database
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases, search_passages
from rag_assistant.store.opening import Link, write_link
from scripts.benchmarks.search.cluster_measures import counted
from tests.conftest import write_files
from tests.search.test_vectors import WordEmbedder
from tests.store.opensearch.cluster import addresses
from tests.store.test_versions import PLAN

NOTES = {
    "crane.md": "# Crane\n\nThe crane lifts forty tonnes of crates.",
    "winch.md": "# Winch\n\nThe winch is greased in May by two people.",
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with two notes."""
    write_files(tmp_path / "notes", NOTES)
    return tmp_path / "notes"


def elsewhere(library: Library, name: str) -> Link:
    """Let a database of a library be kept on the cluster, with indexes of its own."""
    path = library.home / "config.toml"
    library.home.mkdir(exist_ok=True)
    urls = ", ".join(f'"{url}"' for url in addresses())
    prefix = f"lib{abs(hash(str(library.home))):x}"
    path.write_text(f'[stores.team]\nurls = [{urls}]\nprefix = "{prefix}"\nreplicas = 0\n', "utf-8")
    return link_of(library.home, "team", name, is_owner=True)


def test_it_is_indexed_searched_and_removed_like_another(library: Library, folder: Path) -> None:
    """A team's documents would need commands of their own."""
    link = elsewhere(library, "notes")
    assert library.keep_elsewhere("notes", link)
    report = library.index(folder, name="notes")
    assert report.added == 2
    assert library.index(folder, name="notes").unchanged == 2
    library.index(folder.parent / "notes", name="notes")
    assert library.check("notes") == []
    hits = search_databases([library.database("notes")], "who greases the winch", 5).hits
    assert hits[0].path == "winch.md"
    seen = library.connect("crew", replace(link, is_owner=False))
    assert [one.path for one in seen.entries()] == ["crane.md", "winch.md"]
    library.remove("crew")
    assert library.database("notes").figures().entries == 2
    library.remove("notes")
    with pytest.raises(LibraryError, match="There is no database"):
        library.database("notes")
    with pytest.raises(Exception, match="no database 'notes'"):
        library.connect("crew", link)


def test_its_hits_are_those_of_a_database_here(library: Library, folder: Path) -> None:
    """The same question would be answered otherwise by where the same documents are."""
    library.keep_elsewhere("there", elsewhere(library, "there"))
    library.index(folder, name="there")
    other = Library(library.home.parent / "other")
    other.index(folder, name="here")
    for query in ("winch", "forty tonnes", '"two people"', "crane -winch", "path:crane", "gresed"):
        found = [
            [(hit.path, hit.snippet, pytest.approx(hit.score, abs=1e-4)) for hit in hits]
            for hits in (
                search_databases([library.database("there")], query, 5).hits,
                search_databases([other.database("here")], query, 5).hits,
            )
        ]
        assert found[0] == found[1], query


def test_by_meaning_its_hits_are_those_of_a_database_here(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """Moving to a cluster would lose what is near in meaning, or order it otherwise."""
    more = {f"d/{n}.md": f"# Note {n}\n\nNote {n} tells of topic{n % 7}.\n" for n in range(40)}
    write_files(folder, {**more, "plan-v1.md": PLAN + "One.\n", "plan-v2.md": PLAN + "Two.\n"})
    embedder = WordEmbedder(batch=16)
    there, here = Library(library.home, embedder), Library(tmp_path / "other", embedder)
    there.keep_elsewhere("it", elsewhere(there, "it"))
    databases = []
    for one in (there, here):
        one.index(folder, name="it")
        report = embed_database(one.database("it"), embedder)
        assert (report.vectors, report.failure) == (report.passages, None)
        databases.append(one.database("it"))
    asked = ("note of topic3", "who greases the winch", "tells topic5 path:d/", '"two people"',
             "forty -winch", "season berth dredged", "nothing alike")  # fmt: skip
    for find in (search_databases, search_passages):
        for query in asked:
            found = [find([one], query, 8) for one in databases]
            assert found[0].by_meaning == found[1].by_meaning
            shown = [
                [
                    (hit.path, hit.snippet, hit.duplicates, hit.versions,
                     pytest.approx(hit.score, abs=2e-4))
                    for hit in one.hits
                ]
                for one in found
            ]  # fmt: skip
            assert shown[0] == shown[1], query
    (plan,) = (one for one in databases[0].entries() if one.path == "plan-v1.md")
    assert [one.relation for one in databases[0].entry(plan.id).versions] == ["newer"]


def test_a_search_by_meaning_takes_one_request_more(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    """Each question would wait for the cluster twice as often as words alone do."""
    write_files(folder, {f"d/{n}.md": f"# Note {n}\n\nIt tells of topic{n}.\n" for n in range(40)})
    embedder = WordEmbedder(batch=16)
    meaning = Library(library.home, embedder)
    meaning.keep_elsewhere("it", elsewhere(meaning, "it"))
    meaning.index(folder, name="it")
    embed_database(meaning.database("it"), embedder)
    moved = []
    for one in (library, meaning):
        database = one.database("it")
        search_databases([database], "topic3", 5)
        with counted() as requests:
            assert search_databases([database], "tells of topic9", 5).hits
        moved.append(requests.requests)
    assert moved == [3, 4]


def test_nothing_leaves_before_a_person_allowed_it(library: Library, folder: Path) -> None:
    """A folder's text would be on another machine, and nobody have been asked."""
    link = link_of(library.home, "https://search.example:9200", "notes", is_owner=True)
    library.home.mkdir(exist_ok=True)
    library.keep_elsewhere("notes", link)
    with pytest.raises(EgressError, match=r"search\.example"):
        library.index(folder, name="notes")
    with pytest.raises(EgressError, match=r"search\.example"):
        embed_database(Database("notes", library.home / "notes.db"), WordEmbedder())
    ledger = EgressLedger(library.home)
    assert ledger.by_day_and_host() == []
    ledger.allow(["notes"], "search.example")
    record = sending_from(library.home / "notes.db")
    assert record is not None
    record(1_000, [1, 2])
    (day,) = ledger.by_day_and_host()
    assert (day.host, day.entries, day.bytes) == ("search.example", 2, 1_000)


def test_the_words_of_a_search_are_on_the_record(
    library: Library, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a person looks for would leave this machine, and nothing would tell."""
    library.keep_elsewhere("notes", elsewhere(library, "notes"))
    library.index(folder, name="notes")
    search_databases([library.database("notes")], "winch", 5)
    ledger = EgressLedger(library.home)
    assert ledger.by_day_and_host() == []  # a store on this machine
    monkeypatch.setattr("rag_assistant.library.elsewhere.is_loopback", lambda _: False)
    for query in ("who greases the winch", "path:crane"):
        search_databases([library.database("notes")], query, 5)
    (day,) = ledger.by_day_and_host()
    assert (day.requests, day.purposes) == (1, ("searched in a store",))
    assert day.databases == ("notes",)


def test_a_store_that_is_gone_keeps_nothing_else_from_work(library: Library, folder: Path) -> None:
    """A laptop on a train could index no folder."""
    library.home.mkdir(exist_ok=True)
    write_link(library.home / "team.db", Link(("http://127.0.0.1:9",), "team"))
    assert library.index(folder).database == "notes"
    with pytest.raises(LibraryError, match="cannot be reached"):
        library.database("team").figures()


def test_what_is_no_store_is_refused(library: Library) -> None:
    """A slip of the pen would make a database here of that name."""
    with pytest.raises(LibraryError, match="is no store"):
        link_of(library.home, "search.example", "notes")
