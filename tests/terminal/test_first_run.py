"""The first run in a real terminal, in a home where nothing is."""

import shutil
import socket
import subprocess
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import START, Opener, quit_program
from tests.terminal.terminal import PROMPT


@pytest.fixture
def notes(tmp_path: Path) -> Path:
    """Two hundred and ten small files, of which ten say what questions to begin with are made of.

    Only some of so many are looked at for these.
    """
    folder = tmp_path / "my notes"
    folder.mkdir()
    for thing in "mooring parking crane slipway storage winter laundry shower sauna cinema".split():
        fee = f"# {thing.title()}\n\nThe annual {thing} fee is 120 euro.\n"
        (folder / f"fee-{thing}.md").write_text(fee, encoding="utf-8")
    for number in range(200):
        text = f"# Note {number}\n\n## Ropes\n\nThe rope of boat {number} is {number} m long.\n"
        (folder / f"note-{number:03}.md").write_text(text, encoding="utf-8")
    return folder


@pytest.mark.soak
def test_from_a_folder_to_a_passage_in_a_few_keys(
    shell: Opener, notes: Path, tmp_path: Path
) -> None:
    """If it fails, nobody gets from a fresh home to their own words within seconds."""
    fresh = {"RAG_ASSISTANT_HOME": str(tmp_path / "fresh"), "RAG_ASSISTANT_LOCAL_PORTS": ""}
    terminal = shell((80, 24), **fresh)
    terminal.enter(f"{START} '{notes}'")
    terminal.sees("210 readable", "stays on this computer")
    assert "error" not in terminal.text().lower()
    terminal.press("Enter")
    terminal.sees("→ How much")
    terminal.press("C-f")
    terminal.type("rope of boat 117")
    terminal.sees("117 m long")
    terminal.press("Escape")
    terminal.sees("Enter Send")
    terminal.press("C-s")
    terminal.sees("1 quote found")
    quit_program(terminal)
    terminal.enter(START)  # the next start goes to the conversation
    terminal.sees("210 documents")


@pytest.mark.soak
def test_without_a_folder_one_is_pasted(shell: Opener, notes: Path, tmp_path: Path) -> None:
    """If it fails, a path dropped on the terminal is not understood."""
    fresh = {"RAG_ASSISTANT_HOME": str(tmp_path / "fresh"), "RAG_ASSISTANT_LOCAL_PORTS": ""}
    terminal = shell((60, 18), **fresh)
    terminal.enter(START)
    terminal.sees("Which folder do you want to ask?")
    terminal.paste(f"'{notes}'")
    terminal.sees("my notes")
    terminal.press("Enter")
    terminal.sees("210 readable")
    terminal.press("Enter")
    terminal.sees("210 documents")


@pytest.mark.soak
def test_a_mistyped_folder_is_one_line(shell: Opener, tmp_path: Path) -> None:
    """If it fails, a slip in the path opens a screen that cannot do anything."""
    terminal = shell((80, 24))
    terminal.enter(f"{START} {tmp_path}/nots")
    terminal.sees("There is no folder")
    terminal.until(lambda: terminal.text().count(PROMPT) == 2, "the shell")
    assert "Traceback" not in terminal.text()


@pytest.mark.soak
def test_a_model_server_started_later_is_noticed(shell: Opener, home: Path) -> None:
    """If it fails, whoever starts the model server late has to start the program again."""
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port = found.getsockname()[1]
    (home / "config.toml").write_text(
        f'model = "loop"\n\n[models.loop]\nmodel = "m"\nbase_url = "http://127.0.0.1:{port}/v1"\n',
        encoding="utf-8",
    )
    terminal = shell()
    terminal.enter(START)
    terminal.sees(f"loop ✗ 127.0.0.1:{port} refused")
    terminal.type("a draft")
    with socket.create_server(("127.0.0.1", port)):
        terminal.sees("loop ● stays on this computer")
        terminal.type(" goes on")
        terminal.sees("a draft goes on")


@pytest.mark.soak
def test_no_network_is_needed(shell: Opener, notes: Path, tmp_path: Path) -> None:
    """If it fails, something is fetched, or waited for, on the first run."""
    if (
        not shutil.which("unshare")
        or subprocess.run(["unshare", "-n", "true"], capture_output=True, check=False).returncode
    ):
        pytest.skip("this system lets nobody make a network of its own")
    terminal = shell((80, 24), RAG_ASSISTANT_HOME=str(tmp_path / "fresh"))
    terminal.enter(f"unshare -n {START} '{notes}'")
    terminal.sees("210 readable")
    terminal.sees("No other model was found")
    terminal.press("Enter")
    terminal.sees("210 documents")


@pytest.mark.soak
def test_a_local_model_answers_the_first_question(
    shell: Opener, notes: Path, tmp_path: Path
) -> None:
    """If it fails, the model that was offered is not the one that answers."""
    with ScriptedServer() as server:
        port = server.host.rpartition(":")[2]
        fresh = {"RAG_ASSISTANT_HOME": str(tmp_path / "f"), "RAG_ASSISTANT_LOCAL_PORTS": port}
        terminal = shell((140, 40), **fresh)
        terminal.enter(f"{START} '{notes}'")
        terminal.sees("1 scripted-model")
        terminal.press("1")
        terminal.sees("scripted-model answers")
        terminal.press("Enter")
        terminal.sees("scripted-model ● stays on this computer")
        terminal.sees("210 documents")
        terminal.type("Hi?")
        terminal.press("Enter")
        terminal.sees("Hello.")
        assert server.requests
