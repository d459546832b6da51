"""The sdist and the wheel, built as for an index, without a network."""

import json
import os
import re
import subprocess
import sys
import tarfile
import zipfile
from collections.abc import Iterator
from email import message_from_string
from email.message import Message
from importlib.util import find_spec
from pathlib import Path

import pytest

import setup
from rag_assistant import __version__

ROOT = Path(__file__).resolve().parents[2]
ADDRESS = "https://git.example.org/people/assistant"
NEEDED = ("build", "twine", "setuptools", "argparse_manpage")

pytestmark = [
    pytest.mark.soak,
    pytest.mark.timeout(600),
    pytest.mark.xdist_group("distribution"),
    pytest.mark.skipif(
        not all(find_spec(name) for name in NEEDED), reason=f"needs {', '.join(NEEDED)}"
    ),
]


def run(*command: str | Path, cwd: Path = ROOT, **more: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", *map(str, command)],
        cwd=cwd, env={**os.environ, **more}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout[-3_000:] + done.stderr[-3_000:]
    return done.stdout


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Build the sdist, and the wheel from it, for a repository whose address is known."""
    folder = tmp_path_factory.mktemp("dist")
    run("build", "--no-isolation", "--outdir", folder, RAG_ASSISTANT_REPOSITORY=f"{ADDRESS}.git")
    yield folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> zipfile.ZipFile:
    (path,) = built.glob("*.whl")
    return zipfile.ZipFile(path)


@pytest.fixture(scope="module")
def unpacked(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("sdist")
    (path,) = built.glob("*.tar.gz")
    with tarfile.open(path) as archive:
        archive.extractall(folder, filter="data")
    return folder / f"local_rag_assistant-{__version__}"


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    name = f"local_rag_assistant-{__version__}.dist-info/METADATA"
    return message_from_string(wheel.read(name).decode())


def test_an_index_would_take_both(built: Path) -> None:
    """The upload would be refused, after the tag has been made."""
    said = run("twine", "check", "--strict", *sorted(built.iterdir()))
    assert said.count("PASSED") == 2


def test_the_index_says_what_it_is(metadata: Message) -> None:
    """Nobody would find it, or know whose it is and under which licence."""
    assert metadata["License-Expression"] == "MIT"
    assert metadata["Author"]
    assert {f"Programming Language :: Python :: 3.{n}" for n in (11, 12, 13)} <= set(
        metadata.get_all("Classifier", [])
    )
    assert not any("License ::" in one for one in metadata.get_all("Classifier", []))
    addresses = metadata.get_all("Project-URL", [])
    assert f"Homepage, {ADDRESS}" in addresses
    assert metadata["Requires-Python"] == ">=3.11"


def test_links_and_pictures_hold_on_the_page_of_an_index(metadata: Message) -> None:
    """The page would show broken pictures: nothing lies beside it there."""
    text = str(metadata.get_payload())
    places = re.findall(r"\]\(([^)\s]+)\)", text)
    assert f"{ADDRESS}/raw/v{__version__}/docs/interface.svg" in places
    assert [place for place in places if not place.startswith(("https://", "#"))] == []


def test_without_an_address_nothing_is_broken() -> None:
    """A checkout without a remote would name a repository that does not exist."""
    text = setup.described(
        "![A](docs/a.svg)\n\nSee [b](docs/b.md) and [c](https://c.org).", "", "v1"
    )
    assert text.split() == ["See", "b", "and", "[c](https://c.org)."]
    assert setup.project_urls("") == {}


def test_the_wheel_is_the_program_with_its_sample_and_its_manual(wheel: zipfile.ZipFile) -> None:
    """The sample would not open, the interface have no style, `man rag-assistant` be unknown."""
    names = wheel.namelist()
    for wanted in (
        "rag_assistant/library/sample/borrowing.md",
        "rag_assistant/prompts/answer.md",
        "rag_assistant/tui/app.tcss",
        "rag_assistant/web/page/page.html",
        "rag_assistant/evaluation/reports/page/report.html",
        "rag_assistant/py.typed",
        f"local_rag_assistant-{__version__}.data/data/share/man/man1/rag-assistant.1",
    ):
        assert wanted in names
    tops = {name.partition("/")[0] for name in names}
    assert tops == {"rag_assistant"} | {
        f"local_rag_assistant-{__version__}.{kind}" for kind in ("dist-info", "data")
    }


def test_the_manual_has_every_command(wheel: zipfile.ZipFile) -> None:
    """It would be that of another version."""
    name = f"local_rag_assistant-{__version__}.data/data/share/man/man1/rag-assistant.1"
    manual = wheel.read(name).decode().replace("\\-", "-")
    for command in ("index", "why-not", "databases repair", "completion", "uninstall"):
        assert f"rag-assistant {command}" in manual


def test_the_sdist_holds_all_that_a_checkout_does(unpacked: Path) -> None:
    """A packager could neither start it nor run its tests."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    if not (ROOT / ".git").exists():
        pytest.skip("no checkout")
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    kept = {name for name in listed.split("\0") if name and (ROOT / name).is_file()}
    there = {str(path.relative_to(unpacked)) for path in unpacked.rglob("*") if path.is_file()}
    assert kept - there == {".gitignore"}


def test_tests_run_from_the_sdist(unpacked: Path) -> None:
    """As above: files would be there, and something that they need not."""
    where = "import rag_assistant; print(rag_assistant.__file__)"
    done = subprocess.run(
        [sys.executable, "-c", where], cwd=unpacked, capture_output=True, text=True, check=True
    )
    assert done.stdout.startswith(str(unpacked))
    tests = ("tests/text", "tests/test_names.py", "tests/library/test_sync.py")
    said = run("pytest", "-q", "-p", "no:cacheprovider", "-p", "no:randomly", *tests, cwd=unpacked)
    assert " passed" in said


def test_the_wheel_has_a_list_of_what_it_is_made_of(wheel: zipfile.ZipFile) -> None:
    """A scanner for known holes would have to guess what comes with it."""
    name = f"local_rag_assistant-{__version__}.dist-info/sboms/sbom.cdx.json"
    told = json.loads(wheel.read(name))
    assert (told["bomFormat"], told["specVersion"]) == ("CycloneDX", "1.6")
    assert told["metadata"]["component"]["version"] == __version__
    references = {one["bom-ref"] for one in told["components"]}
    assert any(one.startswith("pkg:pypi/textual@") for one in references)
    needed = {one for each in told["dependencies"] for one in each["dependsOn"]}
    assert needed <= references
