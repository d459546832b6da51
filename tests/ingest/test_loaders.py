"""Every file must end as text or as a reason, and no parser be loaded before it is needed."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import LOADERS, load, loader_for, why_none
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.unread_formats import what_reads
from tests.ingest.reading import refusal

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = ROOT.parent / "shared" / "data" / "documents"

READ_ALL = """
import json, sys
from pathlib import Path
from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for, why_none
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.passages import split
from rag_assistant.ingest.paths import locate
from rag_assistant.ingest.walk import FoundFile, walk

folder = Path(sys.argv[1])
for item in walk(folder):
    if not isinstance(item, FoundFile):
        continue
    data = locate(folder, item.path).read_bytes()
    loader = loader_for(item.path, data)
    if loader is None:
        print(json.dumps([item.path, "none", why_none(item.path)]))
        continue
    try:
        documents = load(loader, LoadInput(item.path, data))
    except LoadError as error:
        print(json.dumps([item.path, "error", error.message]))
        continue
    for document in documents:
        passages = split(document)
        assert "".join(passage.text for passage in passages) == document.text
        document.text.encode("utf-8")
        json.dumps(dict(document.metadata), ensure_ascii=False).encode("utf-8")
    print(json.dumps([item.path, "text", documents[0].text]))
"""


@pytest.mark.soak
@pytest.mark.skipif(not DOCUMENTS.is_dir(), reason=f"there is no {DOCUMENTS}")
def test_every_real_file_ends_as_text_or_as_a_reason_in_time() -> None:
    """A file would end a run, hold it up, or vanish from it."""
    done = subprocess.run(
        [sys.executable, "-c", READ_ALL, str(DOCUMENTS)],
        capture_output=True,
        text=True,
        timeout=100,
        check=False,
        cwd=ROOT,
    )
    assert done.returncode == 0, done.stderr
    results = {path: (kind, said) for path, kind, said in map(json.loads, done.stdout.splitlines())}
    files = [path for path in DOCUMENTS.rglob("*") if path.is_file() and path.stat().st_size]
    assert len(results) == len([path for path in files if not path.name.startswith(".")])
    for path, (kind, said) in results.items():
        assert said.strip(), path
        assert "loader failed" not in said or kind == "text", (path, said)
    assert results["pdf/testPassword4Spaces.pdf"] == ("error", "password-protected")
    assert "National Transportation" in results["pdf/20071229X02007.pdf"][1]


def test_importing_the_package_loads_no_parser() -> None:
    """Every start of the assistant would be slower by the parsers it may never need."""
    code = (
        "import sys, pkgutil, importlib, rag_assistant.ingest as p\n"
        "for m in pkgutil.walk_packages(p.__path__, p.__name__ + '.'): "
        "importlib.import_module(m.name)\n"
        "assert 'rag_assistant.ingest.loaders.pdf' in sys.modules\n"
        "heavy = {'lxml', 'pypdfium2', 'pypdfium2_raw', 'charset_normalizer', 'sqlite3'}\n"
        "print(heavy & set(sys.modules))"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout.strip() == "set()"


@pytest.mark.parametrize(
    ("path", "head", "name"),
    [
        ("a/READ.MD", b"", "markdown"),
        ("a.py", b"\xff", "python"),
        ("a.toml", b"\xff", "text"),
        ("page.HTM", b"", "html"),
        ("a.pdf", b"", "pdf"),
        ("a.eml", b"", "e-mail"),
        ("Makefile", b"all:\n\tmake", "text"),
        ("notes.xyz", "Grüße".encode(), "text"),
        ("notes.xyz", b"\x89PNG\r\n\x1a\n\0", None),
        ("letter.rtf", b"{\\rtf1 text}", "rtf"),
        ("archive.zip", b"PK\x03\x04\x14\0", None),
    ],
)
def test_the_loader_is_that_of_the_suffix_or_plain_text(
    path: str, head: bytes, name: str | None
) -> None:
    """A file would be read as what it is not, or a plain text not at all."""
    loader = loader_for(path, head)
    assert (loader.name if loader else None) == name


def test_a_file_that_nothing_reads_is_named_by_its_suffix() -> None:
    """A person would not learn which formats are left out."""
    assert why_none("a/b.xyz") == "no loader for .xyz files"
    assert why_none("a/b.WPD") == (
        "no loader for .wpd files (WordPerfect; to have it read, open it in LibreOffice and save it"
        " as DOCX or PDF)"
    )
    assert why_none("a/core") == "no suffix, and not plain text"


def test_no_format_that_is_read_is_called_unread() -> None:
    """A person would be told to convert what could be read."""
    for loader in LOADERS:
        assert not [suffix for suffix in loader.suffixes if what_reads(suffix)]


def test_no_two_loaders_claim_a_suffix_or_a_name() -> None:
    """Which one reads a file would depend on their order."""
    suffixes = [suffix for loader in LOADERS for suffix in loader.suffixes]
    assert len(suffixes) == len(set(suffixes))
    assert all(suffix == suffix.lower() and suffix[0] == "." for suffix in suffixes)
    assert len({loader.name for loader in LOADERS}) == len(LOADERS)


@pytest.mark.parametrize(
    "error", [ValueError("odd\nvalue"), RecursionError(), MemoryError(), KeyError("x")]
)
def test_a_defect_of_a_loader_costs_one_file_only(error: Exception) -> None:
    """One file that a loader is not ready for would end the run."""

    def fails(_source: LoadInput) -> list[object]:
        raise error

    broken = Loader("broken", 1, frozenset({".x"}), "text/plain", fails)  # type: ignore[arg-type]
    with pytest.raises(LoadError) as caught:
        load(broken, LoadInput("a.x", b""))
    assert caught.value.message
    assert "\n" not in caught.value.message


def test_a_file_of_blanks_is_refused() -> None:
    """An entry without a word could be cited."""
    assert refusal("a.txt", b" \n\t\n") == "no text in it"


@pytest.mark.parametrize("path", ["a.json", "a.jsonl", "a.csv", "a.ipynb", "a.srt", "a.zst"])
def test_any_bytes_end_as_text_or_as_a_reason(path: str) -> None:
    """A file that nobody thought of would end the run."""
    samples = [bytes(range(256)), b"\xff\xfe\0", b"\xef\xbb\xbf", b"null", b'""', b"{}", b"[]"]
    for data in [*samples, b'"' * 10_001, b",\n" * 5_000, b'{"a":' * 50, b"-->\n" * 999]:
        loader = loader_for(path, data)
        assert loader is not None
        try:
            load(loader, LoadInput(path, data))
        except LoadError as error:
            assert "loader failed" not in error.message, (data[:20], error.message)
