"""A home with all kinds of files, the commands of a person over it, and what they come to."""

import contextlib
import faulthandler
import io
import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from rag_assistant.cli.main import main as run_command
from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.errors import RagError

HANG_SECONDS = 120
TOPICS = (
    "boiler ladder invoice holiday crane printer garden contract medicine bicycle"
    " passport insurance kitchen battery harbour library orchestra pension railway volcano"
).split()


@dataclass(slots=True)
class Said:
    """What a command came to."""

    code: int
    out: str
    err: str

    @property
    def died(self) -> str:
        """Say how it died of something that is no error of the program's own kind; "" if not."""
        lines = self.err.splitlines()
        return next((line for line in lines if "Internal error" in line or "Traceback" in line), "")


@dataclass(slots=True)
class Outcome:
    """What came of one damage; `wrong` are things that must not be."""

    told: bool = False
    silent: bool = False
    mended: bool = False
    kept: int = 0
    of: int = 0
    wrong: list[str] = field(default_factory=list)


def command(home: Path, *arguments: str) -> Said:
    """Run a command of the program in this process."""
    out, err = io.StringIO(), io.StringIO()
    faulthandler.dump_traceback_later(HANG_SECONDS, exit=True)
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            code = run_command(["--home", str(home), *arguments])
        except SystemExit as stop:
            code = int(stop.code or 0)
    faulthandler.cancel_dump_traceback_later()
    return Said(code, out.getvalue(), err.getvalue())


def make_home(work: Path, chance: random.Random) -> Path:
    """Make a home with all kinds of files."""
    home = work / "home"
    for name, topics in (("notes", TOPICS), ("other", TOPICS[:6])):
        folder = work / name
        for number, topic in enumerate(topics):
            path = folder / f"part{number % 3}" / f"{topic}.md"
            path.parent.mkdir(parents=True, exist_ok=True)
            words = " ".join(chance.choices(TOPICS, k=60))
            path.write_text(
                f"# The {topic} of {name}\n\nThe {topic} in {name} costs {number + 20} euros a"
                f" month.\n\n## More\n\n{words} größer über €.\n",
                encoding="utf-8",
            )
        assert command(home, "index", str(folder)).code == 0
    for topic in TOPICS[:12]:
        command(home, "ask", "-d", "notes", f"What does the {topic} cost a month?")
    ledger = EgressLedger(home)
    for number in range(60):
        entries = (("notes", number % 20 + 1),)
        host = f"api{number % 3}.example.com"
        departure = Departure(host, "m", "answer", ("notes",), entries, 900 + number, 1_000, 0)
        ledger.write(departure)
    ledger.allow(["notes"], "api0.example.com")
    asked = work / "set.jsonl"
    lines = [
        json.dumps(
            {
                "id": topic,
                "question": f"What does the {topic} cost?",
                "relevant": [f"part{n % 3}/{topic}.md"],
            }
        )
        for n, topic in enumerate(TOPICS)
    ]
    asked.write_text("\n".join(lines) + "\n", encoding="utf-8")
    done = command(home, "eval", str(asked), "-d", "notes", "--mode", "search")
    assert (home / "evaluations" / "1" / "outcomes.jsonl").exists(), done.err
    return home


def named_command(said: Said, name: str) -> list[str]:
    """Give the command that a message names to mend a file."""
    words = f"{said.out} {said.err}".split("rag-assistant ")
    found = [
        part.split("\n")[0].strip() for part in words[1:] if "repair" in part or "--remove" in part
    ]
    wanted = [part for part in found if part.split(" --folder")[0].endswith(name)]
    return wanted[0].rstrip(".").split() if wanted else []


def still_sound(home: Path, outcome: Outcome) -> None:
    """See that the database beside is searched, whatever became of the other."""
    said = command(home, "search", "crane", "--json")
    notice(outcome, "search", said)
    if said.code == 0:
        hits = json.loads(said.out)["hits"]
        if not any(hit["database"] == "other" for hit in hits):
            outcome.wrong.append("search: the other database was not searched")
    else:
        outcome.wrong.append(f"search: exit {said.code}: {said.err.strip()}")


def notice(outcome: Outcome, what: str, said: Said) -> None:
    """Keep that a command died."""
    if said.died:
        outcome.wrong.append(f"{what}: {said.died}")


def mend(home: Path, name: str, checked: Said, outcome: Outcome) -> None:
    """Run the command that was named, and the one that it names in turn; check again."""
    arguments = named_command(checked, name)
    if not arguments:
        outcome.wrong.append(f"no command is named: {checked.out}{checked.err}")
        return
    said = command(home, *arguments)
    notice(outcome, "repair", said)
    if said.code and "--folder FOLDER" in said.err:
        said = command(home, *arguments, "--folder", str(home.parent / name))
        notice(outcome, "repair --folder", said)
    after = command(home, "databases", "check", name)
    notice(outcome, "check after", after)
    outcome.mended = said.code == 0 and after.code == 0
    if not outcome.mended:
        outcome.wrong.append(f"not mended: {said.err.strip()} {after.out.strip()}")


def shown(show: Callable[[Path], Any], home: Path) -> Any:
    """Give what is shown, or what is said instead."""
    try:
        return show(home)
    except RagError as error:
        return str(error)
