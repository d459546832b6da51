"""The program in a real terminal, over a small indexed folder; skipped where there is no tmux."""

import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.terminal.terminal import PROMPT, Terminal
from tests.tui.conftest import FILLER, LEAVE, PARKING

START = f"{sys.executable} -m rag_assistant"

Opener = Callable[..., Terminal]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Say in one line what is missing."""
    if shutil.which("tmux") is None:
        for item in items:
            if item.path.parent == Path(__file__).parent:
                item.add_marker(pytest.mark.skip(reason="tmux is not installed"))


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home with the database `staff`."""
    folder = tmp_path / "staff"
    folder.mkdir()
    (folder / "leave.md").write_text(LEAVE, encoding="utf-8")
    (folder / "parking.md").write_text(PARKING, encoding="utf-8")
    (folder / "long.md").write_text(f"# Long\n\n{FILLER}", encoding="utf-8")
    made = tmp_path / "home"
    Library(made).index(folder)
    return made


def use_model(home: Path, server: ScriptedServer, **more: object) -> None:
    """Let a server on loopback answer."""
    settings = "".join(f"{name} = {value!r}\n" for name, value in more.items())
    home.mkdir(exist_ok=True)
    (home / "config.toml").write_text(
        'model = "loop"\nfallback = false\n\n'
        f'[models.loop]\nmodel = "scripted-model"\nbase_url = "{server.base_url}"\n{settings}',
        encoding="utf-8",
    )


@pytest.fixture
def shell(home: Path) -> Iterator[Opener]:
    """Opens terminals in which the program would use the home."""
    with ExitStack() as open_terminals:

        def open_terminal(
            size: tuple[int, int] = (140, 40), term: str = "tmux-256color", **more: str
        ) -> Terminal:
            environment = {"RAG_ASSISTANT_HOME": str(home), "NO_PROXY": "127.0.0.1", **more}
            return open_terminals.enter_context(Terminal(environment, size, term))

        yield open_terminal


@pytest.fixture
def opened(shell: Opener) -> Opener:
    """Opens terminals in which the program has been started, and waits for the question's box."""

    def open_program(*options: str, **more: object) -> Terminal:
        terminal = shell(**more)
        terminal.enter(" ".join([START, *options]))
        terminal.until(
            lambda: "Ask your documents" in terminal.text() or terminal.text().count(PROMPT) > 1,
            "the program or its end",
        )
        assert terminal.text().count(PROMPT) == 0, terminal.text()
        return terminal

    return open_program


def quit_program(terminal: Terminal) -> None:
    """Quit, and wait for the shell."""
    terminal.press("C-q")
    terminal.until(lambda: terminal.text().rstrip().endswith(PROMPT), "the shell")


def go_back(terminal: Terminal) -> None:
    """Press Esc, and wait for the question's box: a key that follows at once would be Alt."""
    terminal.press("Escape")
    terminal.sees("Enter Send")


def program_of(terminal: Terminal) -> int:
    """Give the process of the program that the shell has started."""
    (program,) = children(terminal.shell)
    return program


def children(process: int) -> set[int]:
    """Give the processes that one has started itself."""
    try:
        listed = Path(f"/proc/{process}/task/{process}/children").read_text()
    except OSError:
        return set()
    return {int(number) for number in listed.split()}
