"""All at once, for as long as it is given: a folder that changes is watched and indexed, questions
are asked and evaluated, and other programs are served, while what does it is killed now and then.

At rest, before and after, it is counted what the server holds and what lies about; in the end
nothing may be lost, and the database be the one that an undisturbed run makes.
"""

import argparse
import json
import os
import random
import subprocess
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlencode
from urllib.request import Request, urlopen

from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from scripts.benchmarks.ingest.kills import change_some, content, write_folder, wrong_after_kill
from scripts.benchmarks.program.soak_state import COLUMNS, State, ledger, left_running, state_of
from scripts.benchmarks.shared.figures import Figure, Report, table
from scripts.benchmarks.shared.places import CORPORA, demo_lines
from scripts.benchmarks.shared.program import PROGRAM, program

WARM = 0.15
"""The share of the time after which it is counted first: what is loaded once is loaded by then."""

SECONDS = 120
"""What one request or command may take."""

KILLED = 0.2
"""The share of commands that are killed."""

BUSY = "it is being changed by another process"
"""What a command says that would write where another one does: it is no failure."""

Activity = Callable[[random.Random], None]


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
        self.address = self.token = ""
        write_folder(self.folder, files, random.Random(seed))
        for folder in (self.folder, CORPORA / "handbook"):
            Library(self.home).index(folder)
        self._questions = [line["question"] for line in demo_lines("handbook")]

    @contextmanager
    def served(self) -> Iterator[int]:
        """Serve other programs; give the number of the process, which is never killed."""
        self.token = program(self.home, "api", "token", "soak").split()[-1]
        with self._start("api", "--port", "0", stdout=subprocess.PIPE) as server:
            assert server.stdout
            self.address = server.stdout.readline().decode().strip().removesuffix("/v1")
            try:
                yield server.pid
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
        """Edit, move, add and delete files."""
        change_some(self.folder, chance)
        files = sorted(self.folder.iterdir())
        for path in chance.sample(files, k=len(files) // 50):
            copy = path.with_name(f"new-{chance.randrange(10**9)}{path.suffix}")
            copy.write_bytes(path.read_bytes() + b"\n\nAdded words.\n")
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

    def calling(self, chance: random.Random) -> None:
        """Search, list, or ask, as another program does."""
        question = chance.choice(self._questions)
        asked = urlencode({"q": question, "database": chance.choice(["f", "handbook"])})
        paths = (f"/v1/search?{asked}", "/v1/databases", "/v1/ask")
        path = chance.choice(paths)
        body = json.dumps({"question": question, "databases": ["handbook"]}).encode()
        request = Request(
            self.address + path,
            data=body if path == "/v1/ask" else None,
            headers={"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"},
        )
        try:
            with urlopen(request, timeout=SECONDS) as reply:
                reply.read()
        except HTTPError as error:
            if error.code != 429:
                self.course.wrong.append(f"{path} was answered with {error.code}: {error.read()!r}")
            time.sleep(1)
        self.course.count("requests of other programs")
        time.sleep(chance.uniform(0, 0.3))

    def go_on(self, seconds: float, seed: int) -> None:
        """Do all at once for some time, and wait until it is over."""
        until = time.monotonic() + seconds
        activities: tuple[Activity, ...] = (
            *(self.watching, self.indexing, self.changing, self.asking, self.evaluating),
            *(self.calling, self.calling),
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

    def at_rest(self, server: int) -> State:
        """Bring the database into step, let things settle, and count."""
        program(self.home, "index", str(self.folder), "--prune")
        until = time.monotonic() + 10
        while left_running(self.temporary, server) and time.monotonic() < until:
            time.sleep(0.2)
        return state_of(self.home, self.temporary, server)

    def lost(self, fresh: Path) -> list[str]:
        """Say what is lost, or other than an undisturbed run makes it."""
        library, undisturbed = Library(self.home), Library(fresh)
        undisturbed.index(self.folder)
        wrong = wrong_after_kill(library) + library.check("handbook")
        if content(library, "f") != content(undisturbed, "f"):
            wrong.append("the content differs from an undisturbed run's")
        if ledger(library, "f") != ledger(undisturbed, "f"):
            wrong.append("the ledger or the versions differ from an undisturbed run's")
        answered = self.course.done.get("questions", 0)
        kept = len(ConversationStore(self.home / "conversations.db").conversations(10**6))
        if kept < answered:
            wrong.append(f"of {answered} answers {kept} are kept")
        return wrong


def add_options(parser: argparse.ArgumentParser) -> None:
    """Choose how long, over how many files, and which course of chance."""
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--files", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)


def measured(options: argparse.Namespace) -> Report:
    """Soak."""
    soak = Soak(options.scratch, options.files, options.seed)
    seconds = 60 * options.minutes
    states: list[State] = []
    with soak.served() as server:
        for part, share in enumerate((WARM, (1 - WARM) / 2, (1 - WARM) / 2)):
            soak.go_on(seconds * share, options.seed + 100 * part)
            states.append(soak.at_rest(server))
    wrong = [*soak.course.wrong, *soak.lost(options.scratch / "fresh")]
    left = left_running(soak.temporary)
    first, last = states[0], states[-1]
    return Report(
        [
            Figure("soak: things lost or wrong", len(wrong), "", "<= 0", "; ".join(wrong[:5])),
            Figure(
                "soak: memory, of that after the start", last.memory / first.memory, "", "<= 1.2"
            ),
            Figure("soak: descriptors more", last.descriptors - first.descriptors, "", "<= 2"),
            Figure("soak: temporary files left", last.temporary, "", "<= 0", last.left),
            Figure("soak: processes left", len(left), "", "<= 0", "; ".join(left[:3])),
            Figure("soak: write-ahead logs", last.logs, "MB", "<= 8"),
        ],
        [
            table(
                ("server and home, at rest", *COLUMNS),
                [
                    (name, *state.row())
                    for name, state in zip(
                        ("after the start", "half way", "at the end"), states, strict=True
                    )
                ],
            ),
            table(
                (f"in {options.minutes:g} minutes", "times"),
                [(what, f"{times:,}") for what, times in sorted(soak.course.done.items())],
            ),
        ],
    )
