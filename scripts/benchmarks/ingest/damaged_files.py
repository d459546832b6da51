"""The files that a home keeps, what each shows, and what must come of it when one is damaged.

The commands of a person are run over it and over a database beside it that is whole, then what
`databases check` says, then the command that it names, then all again.
"""

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
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.history.export import conversation_json
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases

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


Judge = Callable[[Path, Any], Outcome]


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


def what_a_database_shows(home: Path) -> Any:
    """Give all that a person can see of the database."""
    database = Library(home).database("notes")
    return [
        (entry.id, entry.path, entry.title, database.text(entry.id)) for entry in database.entries()
    ], [
        [
            (hit.entry_id, hit.snippet)
            for hit in search_databases([database], f"{topic} costs", 5).hits
        ]
        for topic in TOPICS[:5]
    ]


def judge_database(home: Path, before: Any) -> Outcome:
    """Use, check, mend and use a database again."""
    outcome = Outcome()
    still_sound(home, outcome)
    for arguments in (
        ("get", "3", "-d", "notes"),
        ("ask", "--no-history", "What does the crane cost a month?"),
        ("databases", "info", "notes"),
        ("databases", "list"),
        ("doctor", "--json"),
    ):
        notice(outcome, " ".join(arguments), command(home, *arguments))
    checked = command(home, "databases", "check", "notes")
    notice(outcome, "check", checked)
    outcome.told = checked.code != 0
    if not outcome.told:
        outcome.silent = shown(what_a_database_shows, home) != before
        return outcome
    mend(home, "notes", checked, outcome)
    if outcome.mended:
        ids = {entry[1]: entry[0] for entry in before[0]}
        now = {entry.path: entry.id for entry in Library(home).database("notes").entries()}
        outcome.of = len(ids)
        outcome.kept = sum(now.get(path) == entry for path, entry in ids.items())
        if set(now) != set(ids):
            outcome.wrong.append("mended: other entries than before")
        if outcome.kept == outcome.of and shown(what_a_database_shows, home)[0] != before[0]:
            outcome.wrong.append("mended: other texts than before")
        still_sound(home, outcome)
    return outcome


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


def what_conversations_show(home: Path) -> Any:
    """Give all that is kept of them."""
    store = ConversationStore(home / "conversations.db")
    listed = store.conversations(100)
    whole = {
        one.id: json.dumps(conversation_json(store.show(one.id)), default=str) for one in listed
    }
    return whole, {one.id: repr(store.replay(one.id).events) for one in listed}


def judge_conversations(home: Path, before: Any) -> Outcome:
    """Check, use, mend and use the kept conversations again."""
    outcome = Outcome()
    name = "conversations.db"
    doctor = command(home, "doctor", "--json")
    notice(outcome, "doctor", doctor)
    checked = command(home, "databases", "check", name)
    notice(outcome, "check", checked)
    outcome.told = checked.code != 0
    if outcome.told and name not in doctor.out:
        outcome.wrong.append("doctor does not name it")
    if not outcome.told:
        outcome.silent = shown(what_conversations_show, home) != before
    for arguments in (
        ("history", "--json"),
        ("history", "show", "last"),
        ("history", "search", "crane"),
        ("ask", "-d", "other", "What does the crane cost a month?"),
    ):
        said = command(home, *arguments)
        notice(outcome, " ".join(arguments), said)
        if arguments[0] == "ask" and (said.code or "not kept" in said.err):
            outcome.wrong.append(f"ask: {said.err.strip()}")
    if outcome.told:
        # What a command met was mended on the way; what none met is by the command named.
        again = command(home, "databases", "check", name)
        if again.code:
            mend(home, name, checked, outcome)
        else:
            outcome.mended = True
        kept = ConversationStore(home / name)
        numbers = {one.id for one in kept.conversations(100)}
        outcome.of, outcome.kept = len(before[0]), len(numbers & set(before[0]))
        for number in numbers:
            notice(outcome, "show", command(home, "history", "show", str(number)))
    still_sound(home, outcome)
    return outcome


def what_the_ledger_shows(home: Path) -> Any:
    """Give what was sent, and what may be."""
    ledger = EgressLedger(home)
    return ledger.by_day_and_host(), ledger.entries_since(), ledger.allowed()


def judge_ledger(home: Path, before: Any) -> Outcome:
    """Check, use, mend and use the record of what left again."""
    outcome = Outcome()
    name = "egress.sqlite"
    for arguments in (("egress", "--json"), ("egress",), ("databases", "egress", "notes")):
        notice(outcome, " ".join(arguments), command(home, *arguments))
    checked = command(home, "databases", "check", name)
    notice(outcome, "check", checked)
    outcome.told = checked.code != 0
    if not outcome.told:
        outcome.silent = shown(what_the_ledger_shows, home) != before
        still_sound(home, outcome)
        return outcome
    mend(home, name, checked, outcome)
    if outcome.mended:
        days = EgressLedger(home).by_day_and_host()
        outcome.of = sum(day.requests for day in before[0])
        outcome.kept = sum(day.requests for day in days)
        if EgressLedger(home).allowed():
            outcome.wrong.append("mended: leave was taken over from a damaged file")
        notice(outcome, "egress", command(home, "egress"))
    still_sound(home, outcome)
    return outcome


def what_a_run_shows(home: Path) -> Any:
    """Give all that is kept of it."""
    kept = RunStore(home).read(1)
    return kept.header, kept.questions, kept.outcomes


def judge_run(home: Path, before: Any) -> Outcome:
    """List, show, check and remove a run of an evaluation."""
    outcome = Outcome()
    for arguments in (("eval", "runs"), ("eval", "runs", "1")):
        notice(outcome, " ".join(arguments), command(home, *arguments))
    checked = command(home, "databases", "check")
    notice(outcome, "check", checked)
    outcome.told = checked.code != 0
    if not outcome.told:
        outcome.silent = shown(what_a_run_shows, home) != before
    else:
        removal = named_command(checked, "--remove 1")
        if removal:
            notice(outcome, "remove", command(home, *removal))
            outcome.mended = command(home, "databases", "check").code == 0
        if not outcome.mended:
            outcome.wrong.append(f"not mended: {checked.out}{checked.err}")
    still_sound(home, outcome)
    return outcome


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of file: which files, what they show, and how they are judged."""

    name: str
    files: tuple[str, ...]
    shows: Callable[[Path], Any]
    judge: Judge


RUN = "evaluations/1"
KINDS = (
    Kind("database", ("notes.db",), what_a_database_shows, judge_database),
    Kind("conversations", ("conversations.db",), what_conversations_show, judge_conversations),
    Kind("record of what left", ("egress.sqlite",), what_the_ledger_shows, judge_ledger),
    Kind(
        "evaluation run",
        (f"{RUN}/outcomes.jsonl", f"{RUN}/questions.jsonl", f"{RUN}/run.json"),
        what_a_run_shows,
        judge_run,
    ),
)
