"""The keys that terminals disagree on, over a real connection of ssh on loopback."""

import getpass
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from scripts.benchmarks.shared.model_replies import Answer
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.conftest import START, Opener, use_model
from tests.terminal.terminal import PROMPT

ROOT = Path(__file__).resolve().parents[2]
OPTIONS = "-F none -o StrictHostKeyChecking=no -o UserKnownHostsFile=/dev/null -o LogLevel=ERROR"
OPTIONS += " -o IdentitiesOnly=yes -o BatchMode=yes"
DAEMON = """
ListenAddress 127.0.0.1
Port {port}
HostKey {folder}/host
AuthorizedKeysFile {folder}/person.pub
PidFile none
StrictModes no
UsePAM no
"""


def _free_port() -> int:
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        port: int = found.getsockname()[1]
        return port


def _lets_in(ssh: str, daemon: "subprocess.Popen[bytes]") -> bool:
    deadline = time.monotonic() + 10
    while time.monotonic() < deadline and daemon.poll() is None:
        if subprocess.run([*ssh.split(), "true"], capture_output=True, check=False).returncode == 0:
            return True
        time.sleep(0.05)
    return False


@pytest.fixture
def ssh() -> Iterator[str]:
    """Gives the command by which the person of this test comes in over ssh."""
    sshd = shutil.which("sshd", path=f"{os.environ['PATH']}:/usr/sbin")
    if not sshd or not shutil.which("ssh") or not shutil.which("ssh-keygen"):
        pytest.skip("sshd is not installed")
    with tempfile.TemporaryDirectory(prefix="ras-") as name:
        folder, port = Path(name), _free_port()
        for key in ("host", "person"):
            command = ["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", str(folder / key)]
            subprocess.run(command, check=True)
        settings = folder / "sshd_config"
        settings.write_text(DAEMON.format(port=port, folder=folder), encoding="utf-8")
        command = [sshd, "-D", "-e", "-f", str(settings)]
        with (folder / "log").open("wb") as log:
            daemon = subprocess.Popen(command, stdin=subprocess.DEVNULL, stderr=log)
        way = f"ssh {OPTIONS} -i {folder}/person -p {port} {getpass.getuser()}@127.0.0.1"
        try:
            if not _lets_in(way, daemon):
                said = (folder / "log").read_text(errors="replace").strip().rpartition("\n")[2]
                pytest.skip(f"sshd lets nobody in here: {said}")
            yield way
        finally:
            daemon.terminate()
            daemon.wait()


def test_a_new_line_and_a_paste_arrive_over_ssh(home: Path, shell: Opener, ssh: str) -> None:
    """If it fails, who works on another machine sends half a question, or two hundred."""
    with ScriptedServer(Answer("Taken.")) as server:
        use_model(home, server)
        terminal = shell()
        there = f"env PYTHONPATH={ROOT} RAG_ASSISTANT_HOME={home} NO_PROXY=127.0.0.1 {START}"
        terminal.enter(f"{ssh.replace('ssh ', 'ssh -t ', 1)} '{there}'")
        terminal.sees("Ask your documents")
        terminal.type("one")
        terminal.press("C-j")
        terminal.type("two")
        terminal.sees("one  ", "│  two")
        terminal.press("C-j")
        terminal.paste("\n".join(f"line {number}" for number in range(200)))
        terminal.sees("line 199")
        assert not server.requests
        terminal.press("Enter")
        terminal.sees("Taken.")
        sent = server.requests[0].text()
        assert r"one\ntwo\nline 0\nline 1\n" in sent
        assert r"line 198\nline 199" in sent
        terminal.press("C-q")
        terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")
