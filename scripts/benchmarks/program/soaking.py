"""What goes on at once in a soak, and what was done and went wrong."""

import os
import random
import re
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.tui.terminal.crash_report import FOLDER
from scripts.benchmarks.ingest.kills import (
    change_some,
    content,
    with_end,
    write_folder,
    wrong_after_kill,
)
from scripts.benchmarks.program.soak_clients import SECONDS, Asked, Clients
from scripts.benchmarks.program.soak_state import (
    State,
    ledger,
    left_running,
    state_of,
)
from scripts.benchmarks.shared.places import CORPORA, demo_lines
from scripts.benchmarks.shared.program import PROGRAM, program

SERVERS = {
    "api": ("api", "--port", "0"),
    "mcp": ("mcp", "--http", "--port", "0"),
    "serve": ("serve", "--port", "0"),
}
"""The servers of the program, by the command that starts each at a free port."""

KILLED = 0.2
"""The share of commands that are killed."""

MOST_OF_REPORT = 4_000
"""Characters of the end of a report of a defect: where it was, and what."""

_FOLDERS = re.compile(r"(?<![^\s\"'(])/(?:(?:[^\s\"'()]*?/)?(?=rag_assistant/)|[^\s\"'()]*/)")
"""What stands before the package in the path of a file, and before the name of any other file."""

BUSY = "it is being changed by another process"
"""What a command says that would write where another one does: it is no failure."""

Activity = Callable[[random.Random], None]


def without_folders(told: str) -> str:
    """Name files without the folders that they are in on this machine: the page is read by all."""
    return _FOLDERS.sub("", told)


@dataclass(slots=True)
class Course:
    """What was done, and what went wrong."""

    done: dict[str, int] = field(default_factory=dict)
    wrong: list[str] = field(default_factory=list)

    def count(self, what: str) -> None:
        """Count something that was done."""
        self.done[what] = self.done.get(what, 0) + 1


class Soak:
    """The folder, the home and the processes over it, which are known by their environment."""

    def __init__(self, scratch: Path, files: int, seed: int) -> None:
        self.folder, self.home = scratch / "f", scratch / "home"
        self.temporary = scratch / "tmp"
        self.temporary.mkdir()
        self.environ = {**os.environ, "TMPDIR": str(self.temporary)}
        self.course = Course()
        write_folder(self.folder, files, random.Random(seed))
        for folder in (self.folder, CORPORA / "handbook"):
            Library(self.home).index(folder)
        self._questions = [line["question"] for line in demo_lines("handbook")]
        clients = Clients(self._questions, "handbook", "f")
        self._ask: dict[str, Asked] = {
            "api": clients.over_http,
            "mcp": clients.over_mcp,
            "serve": clients.in_a_page,
        }
        self._tokens = {
            name: program(self.home, name, "token", "soak").split()[-1] for name in ("api", "mcp")
        }
        self._addresses: dict[str, str] = {}

    @contextmanager
    def served(self) -> Iterator[dict[str, int]]:
        """Serve; give the numbers of the processes by name, which are never killed."""
        with ExitStack() as running:
            processes = {}
            for name in SERVERS:
                process, self._addresses[name] = running.enter_context(self._serving(name))
                processes[name] = process.pid
            yield processes

    @contextmanager
    def _serving(self, name: str) -> "Iterator[tuple[subprocess.Popen[bytes], str]]":
        """Start a server; give it with its address, and end it."""
        with self._start(*SERVERS[name], stdout=subprocess.PIPE) as server:
            assert server.stdout
            try:
                yield server, server.stdout.readline().decode().strip()
            finally:
                server.terminate()
                server.wait(SECONDS)

    def _start(
        self,
        *arguments: str,
        stdout: int = subprocess.DEVNULL,
        stderr: int = subprocess.DEVNULL,
    ) -> "subprocess.Popen[bytes]":
        command = [*PROGRAM, "--home", str(self.home), *arguments]
        return subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=stdout,
            stderr=stderr,
            env=self.environ,
        )

    def _run(self, chance: random.Random, what: str, *arguments: str) -> None:
        """Run a command, and kill some; what fails otherwise than for a lock is wrong."""
        with self._start(*arguments, stderr=subprocess.PIPE) as process:
            if chance.random() < KILLED:
                time.sleep(chance.uniform(0.1, 2))
                going = process.poll() is None
                process.kill()
                self.course.count(f"{what}, killed" if going else what)
                return
            said = process.communicate(timeout=SECONDS)[1].decode("utf-8", "replace")
        self.course.count(what)
        if process.returncode and BUSY in said:
            self.course.count(f"{what}, refused beside another")
        elif process.returncode:
            self.course.wrong.append(f"{what} ended with {process.returncode}: {said[-300:]!r}")

    def watching(self, chance: random.Random) -> None:
        """Watch the folder, and kill what watches."""
        with self._start("index", str(self.folder), "--watch") as watcher:
            time.sleep(chance.uniform(5, 15))
            if watcher.poll() not in (None, 1):  # 1: another one writes
                self.course.wrong.append(f"the watcher ended with {watcher.poll()}")
            watcher.kill()
        self.course.count("watching, killed")

    def indexing(self, chance: random.Random) -> None:
        """Index beside the watcher."""
        self._run(chance, "indexing", "index", str(self.folder), "--prune")
        time.sleep(chance.uniform(0, 2))

    def changing(self, chance: random.Random) -> None:
        """Edit, move, add and delete files, as many and as long as before."""
        change_some(self.folder, chance)
        files = sorted(self.folder.iterdir())
        for path in chance.sample(files, k=len(files) // 50):
            copy = path.with_name(f"new-{chance.randrange(10**9)}{path.suffix}")
            copy.write_text(with_end(path.read_text("utf-8"), chance), encoding="utf-8")
            path.unlink()
        self.course.count("changes of the folder")
        time.sleep(chance.uniform(0.5, 2))

    def asking(self, chance: random.Random) -> None:
        """Ask a question."""
        self._run(chance, "questions", "ask", chance.choice(self._questions), "-d", "handbook")

    def evaluating(self, chance: random.Random) -> None:
        """Evaluate search."""
        file = str(CORPORA / "handbook.questions.jsonl")
        self._run(
            chance, "evaluations", "eval", file, "-d", "handbook", "--mode", "search", "--anew"
        )

    def programs(self, chance: random.Random) -> None:
        """Search, list, or ask, as another program does."""
        self._asked("api", "requests of programs over HTTP", chance)
        time.sleep(chance.uniform(0, 0.3))

    def agents(self, chance: random.Random) -> None:
        """Connect over MCP, search, list and ask."""
        self._asked("mcp", "connections over MCP", chance)
        time.sleep(chance.uniform(0, 2))

    def browsers(self, chance: random.Random) -> None:
        """Open a page, ask there, and close it."""
        self._asked("serve", "questions in pages", chance)
        time.sleep(chance.uniform(0, 5))

    def _asked(self, name: str, what: str, chance: random.Random) -> None:
        wrong = self._ask[name](self._addresses[name], self._tokens.get(name, ""), chance)
        self.course.wrong += [wrong] if wrong else []
        self.course.count(what)

    def serving(self, chance: random.Random) -> None:
        """Start one more server, ask it, and kill it: what it is asked then may fail."""
        name = chance.choice(list(SERVERS))
        with self._serving(name) as (server, address):

            def ask() -> None:
                with suppress(Exception):
                    self._ask[name](address, self._tokens.get(name, ""), chance)

            asking = threading.Thread(target=ask)
            asking.start()
            asking.join(chance.uniform(0, 10))
            server.kill()
            asking.join()
        self.course.count(f"another {name}, killed")
        time.sleep(chance.uniform(0, 5))

    def go_on(self, seconds: float, seed: int) -> None:
        """Do all at once for some time, and wait until it is over."""
        until = time.monotonic() + seconds
        activities: tuple[Activity, ...] = (
            *(self.watching, self.indexing, self.changing, self.asking, self.evaluating),
            *(self.programs, self.programs, self.agents, self.browsers, self.serving),
        )

        def keep_doing(activity: Activity, chance: random.Random) -> None:
            while time.monotonic() < until:
                try:
                    activity(chance)
                except Exception as error:  # noqa: BLE001 - told with the others, and the rest goes on
                    self.course.wrong.append(f"{activity.__name__}: {error!r}")
                    time.sleep(1)

        threads = [
            threading.Thread(target=keep_doing, args=(activity, random.Random(seed + number)))
            for number, activity in enumerate(activities)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()

    def at_rest(self, servers: dict[str, int]) -> State:
        """Bring the database into step, let things settle, and count."""
        program(self.home, "index", str(self.folder), "--prune")
        until = time.monotonic() + 10
        while left_running(self.temporary, *servers.values()) and time.monotonic() < until:
            time.sleep(0.2)
        return state_of(self.home, self.temporary, servers)

    def crashes(self) -> list[str]:
        """Give the end of each report of a defect; those of servers that were killed as well."""
        reports = sorted((self.home / FOLDER).glob("*.txt"))
        ends = [one.read_text("utf-8")[-MOST_OF_REPORT:] for one in reports]
        return [" ".join(without_folders(one).split()) for one in ends]

    def lost(self, fresh: Path) -> list[str]:
        """Say what is lost, or other than an undisturbed run makes it."""
        library, undisturbed = Library(self.home), Library(fresh)
        undisturbed.index(self.folder)
        wrong = wrong_after_kill(library) + library.check("handbook")
        if content(library, "f") != content(undisturbed, "f"):
            wrong.append("the content differs from an undisturbed run's")
        if ledger(library, "f") != ledger(undisturbed, "f"):
            wrong.append("the ledger or the versions differ from an undisturbed run's")
        asked = ("questions", "questions in pages")
        answered = sum(self.course.done.get(what, 0) for what in asked)
        kept = len(ConversationStore(self.home / "conversations.db").conversations(10**6))
        if kept < answered:
            wrong.append(f"of {answered} answers {kept} are kept")
        return wrong
