"""Models of a folder, run here: tiny ones that the tests make, loaded as large ones are."""

from importlib.util import find_spec
from pathlib import Path

import pytest

from rag_assistant.config import Config, EmbedderSettings, RerankerSettings, load_config
from rag_assistant.errors import ConfigError, ModelError
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.models.local_embedder import LocalEmbedder
from rag_assistant.models.rerankers import make_reranker
from tests.conftest import settle
from tests.conftest import write_files as write_texts
from tests.models.tiny_models import embedder_files, reranker_files, write_files

needs_fastembed = pytest.mark.skipif(
    find_spec("fastembed") is None, reason="the extra `semantic` is not installed"
)
TEXTS = ["Nothing.", "The crane lifts the crane of the harbour, crane by crane.", "A crane lifts."]


def config_of(**changed: object) -> Config:
    settings = RerankerSettings("local", folder="models/pairs", **changed)  # type: ignore[arg-type]
    return Config(reranker="near", rerankers={"near": settings})


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with a reranker."""
    write_files(tmp_path / "home/models/pairs", reranker_files())
    return tmp_path / "home"


@needs_fastembed
def test_a_local_reranker_reads_both_texts_of_each_pair(home: Path) -> None:
    """Passages would be scored alone, or get the scores of others: they are sorted by length."""
    reranker = make_reranker("", config_of(), home)
    assert list(reranker.rerank("crane lifts", TEXTS)) == [1, 6, 3]
    assert list(reranker.rerank("harbour", TEXTS[::-1])) == [1, 2, 1]
    assert list(reranker.rerank("crane", TEXTS * 9)) == [1, 5, 2] * 9, "more than go in at once"
    assert (reranker.name, reranker.destination) == ("pairs", "")


@needs_fastembed
def test_a_search_is_reordered_by_a_local_reranker(home: Path, tmp_path: Path) -> None:
    """What was configured would have no effect on a search."""
    files = {
        "one.md": "# Crane\n\nCrane repair, crane roof.\n",
        "two.md": "# Notes\n\nThe parents of the crane and the roof of the harbour: repair.\n",
    }
    settle(write_texts(tmp_path / "docs", files))
    library = Library(home, None, make_reranker("", config_of(), home))
    library.index(tmp_path / "docs")
    question = "the roof of the crane: the repair"
    plain = search_databases(library.databases(), question, 5, rerank=False)
    reranked = search_databases(library.databases(), question, 5)
    assert (reranked.reranked_by, reranked.notes, reranked.sent_to) == ("pairs", (), "")
    assert [hit.path for hit in plain.hits] == ["one.md", "two.md"]
    assert [hit.path for hit in reranked.hits] == ["two.md", "one.md"]


@needs_fastembed
def test_a_local_reranker_that_takes_too_long_is_one_line(home: Path) -> None:
    """A person would wait for a search without an end."""
    with pytest.raises(ModelError, match=r"pairs gave no scores within 1e-09 seconds\. Raise"):
        make_reranker("", config_of(timeout_seconds=1e-9), home).rerank("crane", TEXTS)


@needs_fastembed
def test_a_broken_reranker_is_one_line(home: Path) -> None:
    """A half-copied folder would end in a traceback of onnxruntime."""
    (home / "models/pairs/model.onnx").write_bytes(b"not a model")
    with pytest.raises(ModelError, match=r"cannot be used: .*ONNX reranker"):
        make_reranker("", config_of(), home).rerank("crane", TEXTS)
    (home / "models/pairs/model.onnx").unlink()
    with pytest.raises(ModelError, match=r"holds no model\.onnx"):
        make_reranker("", config_of(), home).rerank("crane", TEXTS)


@needs_fastembed
def test_a_local_embedder_of_the_home_reads_as_much_as_its_authors_say(home: Path) -> None:
    """It would read words that it was never taught to, in twice the time."""
    write_files(home / "models/words", embedder_files())
    embedder = LocalEmbedder(EmbedderSettings("local", folder="models/words"), home)
    six = "the crane lifts containers of it"  # and two marks: eight tokens
    cut, other = embedder.embed_passages([f"{six} roof repair", "roof repair"])
    assert cut @ embedder.embed_query(six) > 0.9999
    assert cut @ other < 0.9


def test_without_the_extra_a_local_reranker_names_it(home: Path) -> None:
    """A person would read "No module named fastembed"."""
    if find_spec("fastembed"):
        pytest.skip("fastembed is installed here")
    with pytest.raises(ModelError, match=r"\[semantic\]"):
        make_reranker("", config_of(), home).rerank("crane", TEXTS)


@pytest.mark.parametrize(
    "table",
    ['kind = "local"', 'folder = "x"', 'kind = "local"\nfolder = "x"\nbase_url = "http://127.1"'],
)
def test_a_local_reranker_has_a_folder_and_no_address(table: str, tmp_path: Path) -> None:
    """A slip would send passages to an endpoint, or fail at the first search."""
    path = tmp_path / "config.toml"
    path.write_text(f"[rerankers.near]\n{table}\n")
    with pytest.raises(ConfigError, match="a local reranker has a folder"):
        load_config(path)
