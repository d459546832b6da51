"""The files that a home keeps, what each shows, and what must come of it when one is damaged.

The commands of a person are run over it and over a database beside it that is whole, then what
`databases check` says, then the command that it names, then all again.
"""

import json
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from rag_assistant.egress.ledger import EgressLedger
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.history.export import conversation_json
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from scripts.benchmarks.ingest.damage_home import (
    TOPICS,
    Outcome,
    command,
    mend,
    named_command,
    notice,
    shown,
    still_sound,
)

Judge = Callable[[Path, Any], Outcome]


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
