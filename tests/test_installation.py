"""The command that is printed for an extra must fit the way this copy of the program came here."""

import json
import re
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.config.installation import DISTRIBUTION, Copy, command, how_to_add

ROOT = Path(__file__).resolve().parents[1]
REQUIRES = (
    "openai<4,>=3.50",
    'python-calamine>=0.9; extra == "formats"',
    "olefile>=0.47; extra == 'formats'",
    'pywin32; sys_platform == "win32" and extra == "formats"',
    'numpy>=2.2; extra == "vectors"',
    'local-rag-assistant[vectors]; extra == "semantic"',
    'fastembed<0.10,>=0.9; extra == "semantic"',
)


def copy(prefix: Path, origin: Mapping[str, Any] | None = None, **more: Any) -> Copy:
    return Copy(prefix, "/env/bin/python", origin or {}, REQUIRES, **more)


def folder(path: Path, *, editable: bool) -> Mapping[str, Any]:
    """Give the direct_url.json of a copy from a folder."""
    path.mkdir()
    return {"url": path.as_uri(), "dir_info": {"editable": True} if editable else {}}


def test_a_copy_from_an_index_is_named_as_there(tmp_path: Path) -> None:
    """A stranger's package of the program's short name would be installed."""
    assert command(copy(tmp_path), "serve") == (
        "/env/bin/python -m pip install 'local-rag-assistant[serve]'"
    )
    assert command(copy(tmp_path, has_pip=False), "serve") == (
        "uv pip install --python /env/bin/python 'local-rag-assistant[serve]'"
    )


@pytest.mark.parametrize("editable", [True, False])
def test_a_copy_of_a_checkout_is_installed_from_there(tmp_path: Path, editable: bool) -> None:
    """An index would be asked for what may not be there, or another version come in its place."""
    origin = folder(tmp_path / "my checkout's", editable=editable)
    place = f"{tmp_path}/my checkout'\"'\"'s[mcp]"
    assert command(copy(tmp_path, origin), "mcp") == (
        f"/env/bin/python -m pip install {'-e ' * editable}'{place}'"
    )


def test_a_copy_of_a_repository_or_an_archive_is_installed_from_there(tmp_path: Path) -> None:
    """As above: the program would come from somewhere else."""
    url = "https://git.example.org/assistant.git"
    vcs = {"url": url, "vcs_info": {"vcs": "git", "commit_id": "a1b2", "requested_revision": "v1"}}
    assert command(copy(tmp_path, vcs), "mcp").endswith(
        f" 'local-rag-assistant[mcp] @ git+{url}@v1'"
    )
    wheel = "https://example.org/local_rag_assistant-1-py3-none-any.whl"
    assert command(copy(tmp_path, {"url": wheel, "archive_info": {}}), "mcp").endswith(
        f" 'local-rag-assistant[mcp] @ {wheel}'"
    )


def test_where_a_copy_came_from_a_place_that_is_gone_its_packages_are_named(tmp_path: Path) -> None:
    """A wheel that was deleted after it was installed would be named, and pip find nothing."""
    gone = {"url": (tmp_path / "gone.whl").as_uri(), "archive_info": {}}
    assert command(copy(tmp_path, gone), "semantic") == (
        "/env/bin/python -m pip install 'numpy>=2.2' 'fastembed<0.10,>=0.9'"
    )


def test_pipx_is_given_the_packages(tmp_path: Path) -> None:
    """pipx would leave the program as it is, which it knows by its name."""
    (tmp_path / "pipx_metadata.json").write_text(json.dumps({"main_package": {}}))
    assert command(copy(tmp_path), "formats") == (
        "pipx inject local-rag-assistant 'python-calamine>=0.9' 'olefile>=0.47' pywin32"
    )


def test_a_tool_of_uv_keeps_what_was_added_before(tmp_path: Path) -> None:
    """Adding a second extra would take the first one away, and what came with it."""
    origin = folder(tmp_path / "checkout", editable=True)
    (tmp_path / "uv-receipt.toml").write_text(
        "[tool]\nrequirements = [\n"
        '  { name = "local-rag-assistant", extras = ["serve"], editable = "x" },\n'
        '  { name = "loguru", specifier = ">=0.7" },\n'
        '  { name = "other", extras = ["a"], directory = "/some where" },\n'
        ']\npython = "3.12"\n'
    )
    place = f"{tmp_path}/checkout"
    assert command(copy(tmp_path, origin), "formats") == (
        f"uv tool install -e '{place}[formats,serve]' --with 'loguru>=0.7' "
        "--with '/some where[a]' --python 3.12"
    )
    (tmp_path / "checkout").rmdir()
    assert command(copy(tmp_path, origin), "serve").startswith(
        "uv tool install 'local-rag-assistant[serve]' --with"
    )


def test_a_shell_of_windows_is_given_its_own_quotes(tmp_path: Path) -> None:
    """There `'` quotes nothing, and `>` writes a file."""
    (tmp_path / "pipx_metadata.json").write_text("{}")
    assert command(copy(tmp_path, windows=True), "vectors") == (
        'pipx inject local-rag-assistant "numpy>=2.2"'
    )


def test_each_extra_can_be_added_to_this_copy() -> None:
    """The one that runs here would be told to install something that is not its own."""
    printed = subprocess.run(
        [
            sys.executable,
            "-c",
            "from rag_assistant.config.installation import *; print(how_to_add('mcp'))",
        ],
        capture_output=True,
        text=True,
        check=True,
    ).stdout.strip()
    assert printed == how_to_add("mcp")
    assert DISTRIBUTION in printed or str(ROOT) in printed
    assert "mcp" in printed


def test_nobody_is_told_to_install_another_project() -> None:
    """`rag-assistant` of the public index is somebody else's: its code would run."""
    said = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    said += [*(ROOT / "docs").rglob("*.md"), *(ROOT / "scripts").iterdir()]
    product = sorted((ROOT / "rag_assistant").rglob("*.py"))
    wrong = re.compile(
        r"(?<!local-)rag-assistant\["
        r"|(?:pip|pipx|tool) (?:install|inject)\b[^\n`]*(?<![-/\w])rag-assistant"
    )
    for path in [*said, *product, ROOT / "pyproject.toml"]:
        if path.is_file():
            found = wrong.search(path.read_text(encoding="utf-8"))
            assert not found, f"{path.name}: {found and found[0]}"
    # Nobody but the one module writes such a command for this copy.
    commands = re.compile(r"\b(?:pip3?|tool) install\b|\bpipx\b")
    writers = [path.name for path in product if commands.search(path.read_text(encoding="utf-8"))]
    assert writers == ["installation.py"]
