"""The commands of what leaves: a dry run, policies, the record, keys."""

import json
from pathlib import Path

import pytest

from rag_assistant.config import Config, load_config
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.ledger import Departure, EgressLedger
from rag_assistant.egress.policies import set_policy
from rag_assistant.errors import ConfigError
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.cli.program import Program
from tests.cli.test_permission import terminal
from tests.conftest import write_files
from tests.egress.elsewhere import CANARY, elsewhere, player, with_diary
from tests.models.embedding_server import EmbeddingServer

QUESTION = "What of parental leave?"
CONFIG = """
model = "far"

[models.far]
model = "far-1"
base_url = "{}"
helper = "always"

[databases.diary]
egress = "{}"
"""


@pytest.fixture
def program(indexed: Library, tmp_path: Path) -> Program:
    """The handbook and the diary, and the commands over them."""
    with_diary(indexed, tmp_path)
    return Program(indexed.home)


def test_a_copy_of_what_stays_here_stays_here(indexed: Library, tmp_path: Path) -> None:
    """The same text would leave under another name."""
    with_diary(indexed, tmp_path)
    set_policy(indexed.home, "diary", "local")
    folder = Path(indexed.database("diary").folder())
    indexed.index(folder, name="second")
    (indexed.home / "copied.db").write_bytes((indexed.home / "diary.db").read_bytes())
    gate = Gate(indexed.home)
    assert [gate.policy(name) for name in ("second", "copied", "handbook")] == [
        "local", "local", "ask",
    ]  # fmt: skip
    assert gate.verdicts(["copied"], "far.example") == {"copied": "no"}
    set_policy(indexed.home, "second", "any")
    assert gate.policy("second") == "any"
    indexed.index(write_files(folder / "of 2024", {"may.md": "Rain."}), name="part")
    assert gate.policy("part") == "local"


def configure(program: Program, base_url: str, policy: str = "local") -> None:
    (program.home / "config.toml").write_text(CONFIG.format(base_url, policy))


@pytest.mark.parametrize("here", [True, False])
def test_a_dry_run_shows_what_would_be_sent_and_sends_nothing(program: Program, here: bool) -> None:
    """Else a person who wants to know what leaves has sent it by asking."""
    with ScriptedServer(player("handbook")) as server:
        base_url = server.base_url if here else elsewhere(server.base_url)
        configure(program, base_url)
        shown = program.run("ask", "--dry-run", "--json", QUESTION).json
        told = program.run("ask", "--dry-run", QUESTION)
        assert server.requests == []
        assert not (program.home / "egress.sqlite").exists()
        assert not (program.home / "conversations.db").exists()
        asked = program.run("ask", "--allow", "send_text", QUESTION)
        assert asked.code == 0
        first, *others = shown["requests"]
        assert first["body"] == server.requests[0].body
    assert shown["sent"] is False
    assert first["to"] == f"{base_url}/chat/completions"
    assert (first["purpose"], first["this_machine"]) == ("answer", here)
    *read, second = others
    assert [one["purpose"] for one in read] == ["evidence"] * len(read)
    assert read and read[0]["entries"]
    assert second["purpose"] == "answer"
    assert second["entries"], "what a search shows a model is of these"
    text = json.dumps(shown)
    assert (CANARY in text) is here
    assert ("diary stays on this machine" in text) is not here
    assert ("You would be asked first" in text) is not here
    assert "Nothing was sent." in told.err
    assert "another machine" in told.out or here


def test_leave_of_a_command_line_is_for_that_run(program: Program) -> None:
    """Else what a script once allowed goes out with every later question."""
    with ScriptedServer(player("handbook")) as server:
        configure(program, elsewhere(server.base_url))
        assert program.run("ask", "--allow", "send_text", QUESTION).code == 0
        sent = len(server.requests)
        assert sent
        later = program.run("ask", QUESTION)
        assert len(server.requests) == sent
    assert "The built-in model answers in its place" in later.err


def test_a_dry_run_without_a_model_says_that_nothing_leaves(program: Program) -> None:
    """Else a person without a model gets no word on what they asked."""
    told = program.run("ask", "--dry-run", QUESTION)
    assert told.code == 0
    assert "Nothing would be sent" in told.err
    assert program.run("ask", "--dry-run", "--json", QUESTION).json["requests"] == []


def test_a_script_is_refused_in_a_line_that_names_the_command(program: Program) -> None:
    """Else a script sends what nobody allowed, or its owner does not know how to allow it."""
    with ScriptedServer(player("handbook")) as server:
        configure(program, elsewhere(server.base_url))
        refused = program.run("ask", "--json", "-d", "handbook", QUESTION)
        assert server.requests == []
        [line] = [line for line in refused.err.splitlines() if "Nobody has allowed" in line]
        assert "rag-assistant databases egress handbook any" in line
        told = program.run("databases", "egress", "handbook", "any")
        assert "egress any" in told.out
        asked = program.run("ask", "--json", "-d", "handbook", QUESTION).json
        assert server.requests
    assert asked["sent"][0]["requests"] == len(server.requests)
    shown = program.run("egress")
    assert f"{len(server.requests)} requests" in shown.out
    assert "answer, evidence by far-1; of handbook" in shown.out
    day = program.run("egress", "--json", "--since", "1d").json
    assert day["total"]["characters"] == asked["sent"][0]["characters"]
    assert program.run("egress", "--json", "--since", "2999-01-01").json["days"] == []
    assert (
        "Nothing has left this machine since then."
        in program.run("egress", "--since", "2999-01-01").err
    )


@pytest.mark.parametrize(
    ("typed", "decision"),
    [("y\n", "always"), ("Yes\n", "always"), ("n\n", "no"), ("\n", "no"), ("\x04", "no")],
)
def test_a_person_at_a_terminal_is_asked_in_words_of_their_own(typed: str, decision: str) -> None:
    """Else leave to send looks like a tool that runs once, or Enter gives it."""
    request = {
        "tool": "send_text",
        "arguments": {"databases": ["diary"], "host": "api.example.com"},
        "explanation": "What is found in diary would go to api.example.com.",
        "heading": "Send text of diary to api.example.com?",
    }
    with terminal(request) as shown:
        shown.wait_for("from now on, [n]o: ")
        shown.type(typed)
        assert shown.decided() == [decision]
    assert "Send text of diary to api.example.com?" in shown.shown
    assert "The model wants to run" not in shown.shown


def test_vectors_of_a_script_are_refused_in_a_line(program: Program) -> None:
    """Else indexing sends a whole folder that nobody allowed to leave."""
    with EmbeddingServer() as server:
        config = server.config(dimensions=32).replace("127.0.0.1", "0.0.0.0")
        (program.home / "config.toml").write_text(config)
        refused = program.run("embed", "handbook")
        assert refused.code == 1
        assert "rag-assistant databases egress handbook any" in refused.err
        folder = Library(program.home).database("handbook").folder()
        indexed = program.run("index", folder)
        assert indexed.code == 0
        assert "rag-assistant databases egress handbook any" in indexed.err
        assert server.requests == []
        assert program.run("databases", "egress", "handbook", "any").code == 0
        assert program.run("embed", "handbook").code == 0
        assert server.requests
    [day] = EgressLedger(program.home).by_day_and_host()
    assert (day.purposes, day.entries) == (("embedding",), 4)


def test_a_policy_goes_with_a_database_that_is_renamed(indexed: Library) -> None:
    """Else a new name opens what was to stay here."""
    set_policy(indexed.home, "handbook", "local")
    indexed.rename("handbook", "rules")
    gate = Gate(indexed.home)
    assert gate.verdicts(["rules"], "api.example.com") == {"rules": "no"}
    assert load_config(indexed.home / "config.toml").databases.keys() == {"rules"}
    indexed.index(Path(indexed.database("rules").folder()), name="handbook")
    assert gate.policy("handbook") == "local"


def test_leave_ends_with_a_database_and_with_a_change_of_policy(indexed: Library) -> None:
    """Else a new database of the same name goes where the old one was allowed to."""
    gate = Gate(indexed.home)
    gate.allow(["handbook"], "api.example.com", lasting=True)
    assert gate.verdicts(["handbook"], "api.example.com") == {"handbook": "yes"}
    assert gate.verdicts(["handbook"], "other.example.com") == {"handbook": "ask"}
    indexed.remove("handbook")
    assert gate.verdicts(["handbook"], "api.example.com") == {"handbook": "ask"}
    gate.allow(["handbook"], "api.example.com", lasting=True)
    set_policy(indexed.home, "handbook", "local")
    set_policy(indexed.home, "handbook", "ask")
    assert gate.verdicts(["handbook"], "api.example.com") == {"handbook": "ask"}


def test_a_change_of_the_settings_counts_at_once(indexed: Library) -> None:
    """Else a program that runs goes on sending what its person has just closed."""
    gate = Gate(indexed.home, Config(egress="any"))
    assert gate.policy("handbook") == "any"
    set_policy(indexed.home, "handbook", "local")
    assert gate.policy("handbook") == "local"


def test_settings_that_are_a_dead_link_are_not_taken_for_none(indexed: Library) -> None:
    """Else text goes to other programs that was to stay here, because a disk is not there."""
    (indexed.home / "config.toml").symlink_to(indexed.home / "nowhere.toml")
    with pytest.raises(ConfigError, match=r"config.toml is a link to .*, which is not there"):
        Gate(indexed.home, Config(egress="any")).policy("handbook")


def test_what_cannot_be_recorded_is_not_sent(indexed: Library) -> None:
    """Else text leaves and no record shows it."""
    from rag_assistant.egress.gate import Destination
    from rag_assistant.egress.provenance import Provenance
    from rag_assistant.errors import EgressError

    (indexed.home / "egress.sqlite").write_bytes(b"no database, and much too short for one" * 100)
    gate = Gate(indexed.home, Config(egress="any"))
    to = Destination("api.example.com", "https://api.example.com/v1", "m", stays=False)
    with pytest.raises(EgressError, match=r"is damaged.*databases repair egress"):
        gate.release(to, {"input": "text"}, Provenance("answer", ("handbook",)))


def test_the_record_counts_each_entry_once_a_day(tmp_path: Path) -> None:
    """Else a person reads that a thousand documents left, when it was one in many requests."""
    ledger = EgressLedger(tmp_path)
    entries = (("handbook", 1), ("handbook", 2))
    for host in ("a.example.com", "a.example.com", "b.example.com"):
        ledger.write(Departure(host, "m", "answer", ("handbook",), entries, 10, 20, 1))
    a, b = ledger.by_day_and_host()
    assert (a.host, a.requests, a.entries, a.characters, a.masked) == ("a.example.com", 2, 2, 20, 2)
    assert (b.host, b.requests, b.entries) == ("b.example.com", 1, 2)
    assert ledger.entries_since() == 2
