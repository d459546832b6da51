"""Kept conversations from the shell: listed, found, shown, exported, gone on with, played again."""

import json
import os
import signal
import sqlite3
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Answer, Call
from scripts.benchmarks.shared.model_server import ScriptedServer, Scripts
from tests.cli.program import Program

QUESTION = "How many weeks of parental leave at full pay are there?"


@pytest.fixture
def ready(indexed: Library) -> Program:
    return Program(indexed.home)


@pytest.fixture
def asked(ready: Program) -> Program:
    assert "Conversation 1." in ready.run("ask", QUESTION).err
    return ready


def configure(program: Program, server: ScriptedServer, **more: Any) -> None:
    lines = [f"{key} = {json.dumps(value)}" for key, value in more.items()]
    (program.home / "config.toml").write_text(
        "\n".join(['model = "mine"', *lines, "[models.mine]", 'model = "some-model"',
                   f'base_url = "{server.base_url}"', 'wire = "chat"'])
    )  # fmt: skip


def test_a_question_is_listed_found_and_shown(asked: Program) -> None:
    """A person could not come back to what was asked."""
    listed = asked.run("history")
    assert QUESTION in listed.out
    assert "handbook" in listed.out
    assert asked.run("history", "list").out == listed.out
    (line,) = asked.run("history", "--json").json["conversations"]
    assert (line["id"], line["title"], line["state"]) == (1, QUESTION, "answered")
    assert asked.run("history", "search", "sixteen").out.startswith("   1:1  How many weeks")
    (found,) = asked.run("history", "search", "sixteen", "--json").json["found"]
    assert (found["conversation"], found["exchange"]) == (1, 1)
    shown = asked.run("history", "show", "last").out
    assert "sixteen weeks" in shown
    assert "[1] Parental leave (handbook" in shown
    whole = asked.run("history", "show", "1", "--json").json
    assert whole["exchanges"][0]["citations"][0]["verified"] is True
    assert whole["exchanges"][0]["citations"][0]["text_hash"]


def test_show_says_when_a_source_has_changed_since(asked: Program, handbook: Path) -> None:
    """An old answer would seem to be what the documents say today."""
    assert "changed since" not in asked.run("history", "show", "1").out
    path = handbook / "leave/parental.md"
    path.write_text(path.read_text().replace("sixteen", "eighteen"))
    Library(asked.home).index(handbook)
    assert "the entry has changed since" in asked.run("history", "show", "1").out
    path.unlink()
    Library(asked.home).index(handbook)
    assert "the entry is gone" in asked.run("history", "show", "1").out


def test_a_replay_is_the_run_to_the_letter(ready: Program) -> None:
    """A run that is reported could not be looked at again, or it would be another one."""
    script: tuple[Scripts, ...] = (
        Answer(calls=(Call("search_handbook_database", '{"query": "parental leave"}'),)),
        Answer("Sixteen ", "weeks — früher ", "waren es zwölf."),
    )
    with ScriptedServer(*script) as server:
        configure(ready, server)
        original = ready.run("ask", QUESTION, "--events")
        assert original.code == 0
        requests = len(server.requests)
        replayed = ready.run("ask", "--replay", "last", "--events")
        assert len(server.requests) == requests
    assert replayed.out == original.out
    assert replayed.code == 0
    events = [json.loads(line) for line in replayed.out.splitlines()]
    assert {"run_started", "tool_started", "tool_finished", "text_delta", "answered"} <= {
        event["event"] for event in events
    }
    # And without the server, in the other forms.
    assert "zwölf" in ready.run("ask", "--replay", "1:1").out
    answer = ready.run("ask", "--replay", "1", "--json").json
    assert (answer["answer"], answer["conversation"]) == (events[-1]["answer"], 1)


def test_events_of_a_newer_version_are_left_out_and_said(asked: Program) -> None:
    """One unknown event would keep the whole run from being played."""
    with closing(sqlite3.connect(asked.home / "conversations.db")) as connection:
        connection.execute('UPDATE events SET event = \'{"event": "mood"}\' WHERE ordinal = 2')
        connection.commit()
    said = asked.run("ask", "--replay", "1", "--events")
    assert said.code == 0
    assert "mood" not in said.out
    assert said.err == "1 events that this version does not know were left out: mood.\n"


def test_a_conversation_goes_on_with_what_was_said(ready: Program) -> None:
    """A follow-up question would be answered as if nothing had been said."""
    with ScriptedServer(Answer("Sixteen."), Answer("Yes."), Answer("No.")) as server:
        configure(ready, server)
        assert ready.run("ask", QUESTION).code == 0
        assert ready.run("ask", "--continue", "last", "And", "at full pay?").code == 0
        assert ready.run("history", "resume", "1:1", "Really?", "--json").json["conversation"] == 2
        asked = [request.text() for request in server.requests]
    assert QUESTION in asked[1]
    assert "Sixteen." in asked[1]
    assert "And at full pay?" in asked[1]
    assert "And at full pay?" not in asked[2]
    lines = ready.run("history", "--json").json["conversations"]
    assert [(line["id"], line["exchanges"], line["parent"]) for line in lines] == [
        (2, 2, 1), (1, 2, 0),
    ]  # fmt: skip


def test_a_resumed_conversation_may_cite_what_was_found_before(ready: Program) -> None:
    """Numbers of earlier quotes would mean nothing after resuming, or something else."""
    entry = ready.run("search", "carry over annual leave", "--json").json["hits"][0]["id"]
    arguments = json.dumps({"query": "How many days?", "ids": str(entry)})
    quotes = {"relevant": ["27 days of annual leave a year"], "source": [entry], "confidence": 9}
    script: tuple[Scripts, ...] = (
        Answer(calls=(Call("query_handbook_database", arguments),)),
        Answer(json.dumps(quotes)),
        Answer("You get 27 days [1]."),
        Answer("Yes, 27 [1]."),
    )
    with ScriptedServer(*script) as server:
        configure(ready, server)
        first = ready.run("ask", "How many days?", "--json").json
        second = ready.run("ask", "--continue", "1", "Really?", "--json").json
    assert second["citations"] == first["citations"]
    assert second["citations"][0]["verified"] is True
    kept = ready.run("history", "show", "1", "--json").json["exchanges"]
    assert [message["role"] for message in kept[0]["messages"]] == [
        "user", "assistant", "tool", "assistant",
    ]  # fmt: skip
    assert "27 days of annual leave a year" in kept[1]["citations"][0]["quote"]


def until_kept(program: Program, words: str) -> None:
    """Wait until the words are in the file."""
    path = program.home / "conversations.db"
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        if path.exists():
            with closing(sqlite3.connect(path)) as connection:
                try:
                    rows = connection.execute("SELECT group_concat(event) FROM events").fetchone()
                except sqlite3.OperationalError:
                    rows = ("",)
            if words in (rows[0] or ""):
                return
        time.sleep(0.02)
    raise AssertionError(f"{words!r} was not kept")


@pytest.mark.soak
@pytest.mark.parametrize(
    ("end", "state", "code"),
    [
        (signal.SIGKILL, "interrupted", -9),
        pytest.param(signal.SIGINT, "stopped", 130, marks=pytest.mark.soak),
    ],
)
def test_a_run_that_was_broken_off_is_there_and_can_be_asked_again(
    ready: Program, end: signal.Signals, state: str, code: int
) -> None:
    """A crash in the middle of a long answer would lose question and answer."""
    script: tuple[Scripts, ...] = (
        Answer("The leave is ", "sixteen ", then="stall"), Answer("Sixteen weeks."),
    )  # fmt: skip
    with ScriptedServer(*script) as server:
        configure(ready, server)
        with ready.running("ask", QUESTION) as process:
            until_kept(ready, "sixteen ")
            assert ready.run("history", "--json").json["conversations"][0]["state"] == "running"
            refused = ready.run("ask", "--continue", "last", "What now?")
            assert "still being answered" in refused.err
            os.kill(process.pid, end)
            assert process.wait(30) == code
        assert state in ready.run("history").out
        shown = ready.run("history", "show", "1").out
        assert "The leave is sixteen" in shown
        assert f"({state})" in shown
        replayed = ready.run("ask", "--replay", "1")
        assert (replayed.code, replayed.out.strip()) == (1, "The leave is sixteen")
        assert f"has not come to its end: {state}" in replayed.err
        again = ready.run("history", "resume", "1")
        assert again.out.startswith("Sixteen weeks.\n")
        assert QUESTION in server.requests[-1].body["messages"][-1]["content"]
    kept = ready.run("history", "show", "1", "--json").json
    assert [exchange["state"] for exchange in kept["exchanges"]] == [state, "answered"]


def test_exports_go_to_a_file_or_to_the_pipe(asked: Program, tmp_path: Path) -> None:
    """A conversation could not be handed to someone else."""
    text = asked.run("history", "export", "1").out
    assert text.startswith(f"# {QUESTION}\n")
    assert "### Sources" in text
    assert "> Every parent gets sixteen weeks" in text
    path = tmp_path / "out.json"
    said = asked.run("history", "export", "last", "--format", "json", "-o", str(path))
    assert (said.code, said.out) == (0, "")
    assert str(path) in said.err
    assert json.loads(path.read_text())["exchanges"][0]["question"] == QUESTION
    refused = asked.run("history", "export", "1", "-o", str(tmp_path / "no" / "folder"))
    assert (refused.code, refused.err.count("\n")) == (1, 1)


def test_renaming_and_deleting(asked: Program) -> None:
    """A person would have no say in what is kept."""
    assert asked.run("history", "rename", "1", "Baby", "leave").out == "1 is now Baby leave\n"
    assert "Baby leave" in asked.run("history").out
    assert asked.run("ask", "When does the harbour office open?").code == 0
    refused = asked.run("history", "delete", "--all")
    assert (refused.code, "--yes" in refused.err) == (1, True)
    assert asked.run("history", "delete").code == 2
    assert asked.run("history", "delete", "1", "--json").json == {"deleted": 1}
    assert b"sixteen weeks" not in (asked.home / "conversations.db").read_bytes()
    shown = asked.run_in_terminal("history", "delete", "--all", typed="n\r")
    assert (shown.code, "Delete all 1 conversations?" in shown.out) == (1, True)
    assert len(asked.run("history", "--json").json["conversations"]) == 1
    assert asked.run_in_terminal("history", "delete", "--all", typed="y\r").code == 0
    assert "No conversation is kept yet" in asked.run("history").err
    assert asked.run("history", "delete", "--all", "--yes").code == 0


def test_nothing_is_kept_where_the_person_does_not_want_it(ready: Program) -> None:
    """A private question would be on the disk nevertheless."""
    said = ready.run("ask", QUESTION, "--no-history", "--json")
    assert said.json["conversation"] is None
    (ready.home / "config.toml").write_text("history = false\n")
    assert "Conversation" not in ready.run("ask", QUESTION).err
    assert not (ready.home / "conversations.db").exists()
    (ready.home / "config.toml").write_text('history = "no"\n')
    assert "history" in ready.run("ask", QUESTION).err


def test_a_damaged_history_is_one_line_and_asking_goes_on(asked: Program) -> None:
    """A broken disk block in the history would keep a person from asking."""
    (asked.home / "conversations.db").write_bytes(b"garbage" * 4096)
    said = asked.run("ask", QUESTION)
    assert said.code == 0
    assert "sixteen weeks" in said.out
    assert "were set aside as" in said.err
    (aside,) = asked.home.glob("conversations.damaged-*")
    assert str(aside) in said.err
    assert len(asked.run("history", "--json").json["conversations"]) == 1
    assert asked.run("databases").out.startswith("handbook")  # what was set aside is no database


def test_mistakes_get_one_clear_line(asked: Program) -> None:
    """A person would see a traceback, or nothing."""
    for arguments, words in (
        (["history", "show", "7"], "There is no conversation 7."),
        (["history", "export", "0"], "'0' names no conversation."),
        (["history", "delete", "1:1"], "Single questions cannot be deleted."),
        (["history", "rename", "1", " "], "The title is empty."),
        (["ask", "--replay", "1:9"], "Conversation 1 has no exchange 9."),
        (["ask", "--replay", "99999999999999999999"], "names no conversation"),
        (["ask", "--continue", "1:9", "x"], "Conversation 1 has no exchange 9."),
        (["ask", "--continue", "7", "x"], "There is no conversation 7."),
        (["ask", "--continue", "1"], "The question is empty."),
    ):
        said = asked.run(*arguments)
        assert (said.code, said.out) == (1, ""), arguments
        assert words in said.err
        assert said.err.count("\n") == 1


def test_wrong_usage_is_exit_code_2(tmp_path: Path) -> None:
    """Scripts could not tell a wrong call from a failure."""
    program = Program(tmp_path / "home")
    for arguments in (
        ["ask"],
        ["ask", "--replay", "1", "x"],
        ["ask", "--replay", "1", "--continue", "1"],
        ["history", "search"],
        ["history", "export", "1", "--format", "pdf"],
    ):
        assert program.run(*arguments).code == 2, arguments


def test_what_was_said_cannot_steer_the_terminal(ready: Program) -> None:
    """An old question in the list could set the title of the terminal, or hide others."""
    assert ready.run("ask", "crane \x1b]0;evil\x07 \u202e dliv").code == 0
    for arguments in (["history"], ["history", "show", "1"], ["history", "search", "crane"],
                      ["history", "export", "1"]):  # fmt: skip
        said = ready.run(*arguments)
        assert "crane" in said.out
        assert "\x1b" not in said.out
        assert "\u202e" not in said.out
