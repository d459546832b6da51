"""A cluster that asks who is there: TLS, users, and what each of them may do."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.errors import LibraryError, RagError
from rag_assistant.library.elsewhere import link_of
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.cluster import Cluster
from rag_assistant.store.opensearch.credentials import Credentials
from rag_assistant.store.opensearch.store import OpenSearchStore
from scripts.cluster.artefacts import CannotStartCluster
from scripts.cluster.keeper import name_for
from scripts.cluster.nodes import root_folder, start, stop
from scripts.cluster.secured import Security
from tests.conftest import HANDBOOK, write_files
from tests.store.making import entry_of, write
from tests.store.opensearch.cluster import addresses, run_process

pytestmark = [pytest.mark.soak, pytest.mark.timeout(300)]


@pytest.fixture
def secured(tmp_path: Path) -> Iterator[Address]:
    """The address of a node with the security plugin, as its administrator knows it."""
    addresses()  # skips, where there can be none
    name = f"{name_for(run_process())}-secured"
    security = Security(root_folder(), tmp_path / "certificates")
    try:
        (node,) = start(1, name, is_bound=True, security=security)
        admin = Credentials("admin", "admin")
        yield Address((node.url,), admin, str(security.ca_file), replicas=0)
    except CannotStartCluster as error:
        pytest.skip(f"no OpenSearch with the security plugin here: {error}")
    finally:
        stop(name)


def test_who_asks_is_known_and_may_do_what_is_theirs(
    secured: Address, library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A team would have to run its cluster open to all, or nobody could tell what is refused."""
    own = OpenSearchStore(Cluster(secured), "notes")
    write(own, {"a.md": [entry_of("The crane.")]})
    assert own.check() == []

    def told(address: Address, *, writes: bool = False) -> str:
        store = OpenSearchStore(Cluster(address), "notes")
        with pytest.raises(LibraryError) as error:
            if writes:
                write(store, {"b.md": [entry_of("The winch.")]})
            with store.reading():
                pass
        assert "\n" not in str(error.value)
        return str(error.value)

    wrong = Credentials("admin", "secret-word")
    assert "does not know this user or password" in told(replace(secured, credentials=wrong))
    key = Credentials(api_key="secret-key")
    assert "does not know this API key" in told(replace(secured, credentials=key))
    assert "asks for a user" in told(replace(secured, credentials=Credentials()))
    assert "is not trusted" in told(replace(secured, ca_file=""))
    reader = replace(secured, credentials=Credentials("readall", "readall"))
    assert "This user may not do that" in told(reader, writes=True)
    with OpenSearchStore(Cluster(reader), "notes").reading() as reading:
        assert [one.path for one in reading.entries.names()] == ["a.md"]

    library.home.mkdir(exist_ok=True)
    (library.home / "config.toml").write_text(
        f'[stores.team]\nurls = ["{secured.where}"]\nuser = "admin"\npassword_env = "TEAM_WORD"\n'
        f'ca_file = "{secured.ca_file}"\nreplicas = 0\nprefix = "team"\n'
    )
    monkeypatch.setenv("TEAM_WORD", "admin")
    library.keep_elsewhere("book", link_of(library.home, "team", "book", is_owner=True))
    library.index(write_files(tmp_path / "handbook", HANDBOOK), name="book")
    hits = search_databases([library.database("book")], "parental leave", 3).hits
    assert hits[0].path == "leave/parental.md"
    monkeypatch.delenv("TEAM_WORD")
    with pytest.raises(RagError, match=r"no password for admin.*Set TEAM_WORD"):
        library.database("book").figures()
