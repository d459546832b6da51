"""The command line, run as a process: data on standard output, one line for every mistake."""

import json
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from rag_assistant.cli.parser import build_parser
from rag_assistant.library.library import Library
from scripts.benchmarks.shared.model_replies import Answer, Call, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer
from tests.cli.program import COMMAND, Program
from tests.conftest import write_files


@pytest.fixture
def program(tmp_path: Path) -> Program:
    return Program(tmp_path / "home")


@pytest.fixture
def ready(program: Program, indexed: Library) -> Program:
    assert indexed.home == program.home
    return program


def test_index_reports_in_the_promised_shape(program: Program, handbook: Path) -> None:
    """Scripts that read the report would break."""
    for name in ("broken", "b1", "b2", "b3"):
        (handbook / f"{name}.pdf").write_bytes(b"%PDF-1.4 no")
    report = program.run("index", str(handbook), "--json").json
    assert report["database"] == "handbook"
    assert [report[k] for k in ("added", "updated", "unchanged", "moved", "deleted")] == [
        4, 0, 0, 0, 0,
    ]  # fmt: skip
    assert {one["path"] for one in report["failed"]} == {
        "broken.pdf", "b1.pdf", "b2.pdf", "b3.pdf",
    }  # fmt: skip
    assert report["failed"][0]["reason"]
    assert report["skipped"] == []
    assert report["passages"] >= 4
    assert report["seconds"] > 0
    again = program.run("index", str(handbook))
    assert "4 unchanged, 4 failed" in again.out
    assert "failed: 4 files (b1.pdf, b2.pdf, b3.pdf and 1 more): broken PDF:" in again.err
    assert again.err.count("broken PDF") == 1  # one reason is told once
    assert "broken.pdf" in program.run("databases", "info", "handbook").out


def test_search_get_and_databases_report_in_the_promised_shapes(ready: Program) -> None:
    """Scripts that read them would break, or the offsets would not agree with one another."""
    found = ready.run("search", "form", "before", "the", "birth", "--json").json
    assert found["query"] == "form before the birth"
    assert found["databases"] == ["handbook"]
    assert found["elapsed_ms"] > 0
    hit = found["hits"][0]
    assert (hit["rank"], hit["database"], hit["path"]) == (1, "handbook", "leave/parental.md")
    place = hit["location"]
    assert {"page", "heading", "line", "start", "end"} <= place.keys()
    span = ["--start", str(place["start"]), "--end", str(place["end"])]
    got = ready.run("get", str(hit["id"]), *span, "--json").json
    assert got["text"] == hit["snippet"]
    assert (got["database"], got["start"], got["end"]) == (
        "handbook", place["start"], place["end"],
    )  # fmt: skip
    assert got["metadata"] == {"owner": "People team"}
    listed = ready.run("databases", "--json").json["databases"]
    assert (listed[0]["name"], listed[0]["entries"]) == ("handbook", 4)
    info = ready.run("databases", "info", "handbook", "--json").json
    assert info["failed_files"] == []
    assert ready.run("databases", "check", "handbook").out == "handbook: whole\n"


def test_get_into_a_pipe_is_the_text_to_the_letter(ready: Program, handbook: Path) -> None:
    """`rag-assistant get 1 > file` would not give the document."""
    text = (handbook / "notes.txt").read_text()
    hit = ready.run("search", "crane", "--json").json["hits"][0]
    assert ready.run("get", str(hit["id"])).out == text


def test_ask_answers_with_sources_and_says_what_it_searched(ready: Program) -> None:
    """The main job would not work from the shell."""
    said = ready.run("ask", "How many weeks of parental leave at full pay are there?")
    assert said.code == 0
    assert "sixteen weeks" in said.out
    assert "[1] Parental leave (handbook" in said.out
    assert "leave/parental.md" in said.out
    assert "Searched handbook (4 documents)" in said.err


def test_ask_reports_in_the_promised_shape(ready: Program) -> None:
    """Scripts that read answers would break."""
    answer = ready.run("ask", "How many weeks of parental leave at full pay?", "--json").json
    assert answer["answered"] is True
    citation = answer["citations"][0]
    assert citation["marker"] == 1
    assert citation["verified"] is True
    place = citation["location"]
    span = ["--start", str(place["start"]), "--end", str(place["end"])]
    assert ready.run("get", str(citation["id"]), *span).out == citation["quote"]
    evidence = answer["evidence"][0]
    assert len(evidence["relevant"]) == len(evidence["source"])
    assert evidence["confidence"] is None, "nobody judged what a search showed"
    assert all(source["is_passage"] for source in evidence["source"])
    assert len(answer["evidence"]) == 1, "the built-in model needs no more than a search"
    assert answer["coverage"]["entries_indexed"] == 4
    assert answer["coverage"]["searches"] == 1
    assert answer["model"] == "extractive"
    assert {"usage", "elapsed_ms", "question"} <= answer.keys()


def test_a_question_that_the_documents_do_not_answer_is_declined(ready: Program) -> None:
    """Something irrelevant would be quoted as an answer."""
    answer = ready.run("ask", "What is the capital of Mongolia?", "--json").json
    assert answer["answered"] is False
    assert answer["citations"] == []
    assert "do not hold the answer" in answer["answer"]


def test_events_are_json_lines_that_end_with_the_answer(ready: Program) -> None:
    """A program that follows a run could not tell when it is over."""
    lines = ready.run("ask", "When does the harbour office open?", "--events").out.splitlines()
    events = [json.loads(line) for line in lines]
    kinds = [event["event"] for event in events]
    assert kinds[0] == "run_started"
    assert kinds[-1] == "answered"
    assert {"tool_started", "tool_finished", "evidence_found", "citation_resolved"} <= set(kinds)
    streamed = "".join(event["text"] for event in events if event["event"] == "text_delta")
    assert events[-1]["answer"].endswith(f":\n\n{streamed.strip()}"), "below its voice"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["index", "{tmp}/missing"], "There is no folder"),
        (["index", "{tmp}/handbook/notes.txt"], "is a file, not a folder"),
        (["index", "{tmp}/empty"], "holds no file that can be read"),
        (["search", "x", "-d", "handbok"], "Did you mean handbook?"),
        (["get", "999"], "No entry has the id 999."),
        (["ask", "x", "-d", "nothing"], "There is no database 'nothing'."),
        (["ask", " "], "The question is empty."),
        (["ask", "x", "-m", "extractiv"], "Did you mean 'extractive'?"),
        (["eval", "{tmp}/missing.jsonl"], "missing.jsonl"),
        (["databases", "remove", "x"], "There is no database 'x'."),
        ([], "needs a terminal"),
    ],
)
def test_mistakes_get_one_clear_line(
    ready: Program, tmp_path: Path, arguments: list[str], words: str
) -> None:
    """A person would see a traceback, or nothing."""
    (tmp_path / "empty").mkdir()
    said = ready.run(*(argument.format(tmp=tmp_path) for argument in arguments))
    assert said.code == 1
    assert said.out == ""
    assert words in said.err
    assert said.err.startswith("rag-assistant: ")
    assert said.err.count("\n") == 1


@pytest.mark.parametrize(
    "arguments", [["serach", "x"], ["search"], ["search", "x", "-n", "0"], ["get", "twelve"]]
)
def test_wrong_usage_is_exit_code_2(program: Program, arguments: list[str]) -> None:
    """Scripts could not tell a wrong call from a failure."""
    assert program.run(*arguments).code == 2


def test_home_may_stand_before_or_after_the_command(ready: Program, tmp_path: Path) -> None:
    """The option would be silently without effect, and another home be used."""
    other = str(tmp_path / "other")
    for arguments in (["--home", other, "databases"], ["databases", "--home", other]):
        said = ready.run(*arguments)
        assert "no database yet" in said.err
        assert said.out == ""


def test_a_home_that_cannot_be_written_is_named(handbook: Path, tmp_path: Path) -> None:
    """The person would not know what to mend."""
    (tmp_path / "file").touch()
    said = Program(tmp_path / "file" / "home").run("index", str(handbook))
    assert said.code == 1
    assert "cannot be written" in said.err
    assert "RAG_ASSISTANT_HOME" in said.err


def test_a_damaged_index_is_one_line_and_indexing_again_mends_it(
    ready: Program, handbook: Path
) -> None:
    """A person with a broken disk block would see a traceback."""
    (ready.home / "handbook.db").write_bytes(b"garbage" * 4096)
    for command in (["search", "x"], ["ask", "x"], ["get", "1"], ["databases", "info", "handbook"]):
        said = ready.run(*command)
        assert (said.code, said.err.count("\n")) == (1, 1), command
        assert "is damaged" in said.err
    assert "damaged" in ready.run("databases").out
    assert ready.run("doctor").code == 1
    assert ready.run("index", str(handbook)).code == 0
    assert ready.run("search", "crane", "--json").json["hits"]


def test_a_vanished_or_emptied_folder_keeps_its_entries_until_pruned(
    ready: Program, handbook: Path
) -> None:
    """A script run while a disk is not mounted would empty the database."""
    handbook.rename(handbook.parent / "away")
    said = ready.run("index", str(handbook))
    assert (said.code, "has gone" in said.err) == (1, True)
    handbook.mkdir()
    said = ready.run("index", str(handbook), "--json")
    assert (said.code, len(said.json["withheld"])) == (1, 4)
    assert "--prune" in said.err
    assert ready.run("search", "crane", "--json").json["hits"]
    assert ready.run("index", str(handbook), "--prune", "--json").json["deleted"] == 4


@pytest.mark.parametrize("loaded", ["rag_assistant.errors", "rag_assistant.agents.context"])
def test_ctrl_c_while_the_program_loads_ends_without_a_traceback(
    program: Program, loaded: str
) -> None:
    """Who stops a command at once would be shown fifty lines of Python."""
    command = [sys.executable, "-X", "importtime", "-m", "rag_assistant", "ask", "When?"]
    with subprocess.Popen(
        [*command, "--home", str(program.home)], stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stderr is not None
        for line in process.stderr:
            if line.rstrip().endswith(loaded):
                break
        process.send_signal(signal.SIGINT)
        said = process.stderr.read()
    assert process.returncode == 130
    assert "Traceback" not in said


def test_ctrl_c_keeps_what_was_done(program: Program, tmp_path: Path) -> None:
    """A long run would have to start from the beginning, or end in a traceback."""
    files = {f"{n:05}.md": f"# Note {n}\n\n{'Many words stand here. ' * 40}" for n in range(1500)}
    folder = write_files(tmp_path / "many", files)
    said = program.interrupt_when(program.home / "many.db-shm", "index", str(folder))
    assert said.code == 130
    assert "Traceback" not in said.err
    report = program.run("index", str(folder), "--json").json
    assert report["added"] + report["unchanged"] == 1500
    assert program.run("databases", "check", "many").code == 0


@pytest.mark.soak
def test_a_terminal_gets_a_progress_bar_and_a_streamed_answer(
    program: Program, handbook: Path
) -> None:
    """A person would stare at nothing while a large folder is read."""
    shown = program.run_in_terminal("index", str(handbook))
    assert shown.code == 0
    assert "files" in shown.out
    assert "\x1b[1mhandbook\x1b[0m: 4 added" in shown.out
    asked = program.run_in_terminal("ask", "How many weeks of parental leave at full pay?")
    assert asked.out.count("sixteen weeks") == 2  # first of all, and in the quote: none twice
    assert "Searched handbook for “" in asked.out  # in words, as the interface says it
    assert "search_handbook_database" not in asked.out


def test_a_terminal_is_asked_before_entries_of_vanished_files_go(
    ready: Program, handbook: Path
) -> None:
    """Entries would go, or stay, against the person's will."""
    for path in handbook.rglob("*.*"):
        path.unlink()
    shown = ready.run_in_terminal("index", str(handbook), typed="n\n")
    assert "4 files are gone. Remove their entries? [y/N]" in shown.out
    assert len(ready.run("search", "leave", "--json").json["hits"]) == 2
    ready.run_in_terminal("index", str(handbook), typed="y\n")
    assert ready.run("search", "leave", "--json").json["hits"] == []


def test_a_reader_that_leaves_early_is_no_error(ready: Program) -> None:
    """`rag-assistant search x | head -1` would print a traceback."""
    script = f"{' '.join(COMMAND)} search leave | head -c 1"
    done = subprocess.run(
        ["bash", "-c", script], capture_output=True, text=True, env=ready.environment(), check=False
    )
    assert done.stderr == ""


def test_control_sequences_of_documents_do_not_reach_the_terminal(
    program: Program, tmp_path: Path
) -> None:
    """A document could set the title of the terminal, or clear it."""
    folder = write_files(
        tmp_path / "evil", {"a.txt": "The \x1b]0;owned\x07 crane \x1b[2J lifts.\n" * 3}
    )
    program.run("index", str(folder))
    for command in (["search", "crane"], ["ask", "What does the crane do?"], ["get", "1"]):
        shown = program.run_in_terminal(*command)
        assert "crane" in shown.out
        assert "\x1b]0" not in shown.out
        assert "\x1b[2J" not in shown.out


@pytest.mark.parametrize("wire", ["chat", "responses"])
def test_a_configured_model_drives_the_same_run(ready: Program, wire: str) -> None:
    """People with a model of their own could not use it."""
    entry = ready.run("search", "carry over annual leave", "--json").json["hits"][0]["id"]
    arguments = json.dumps({"query": "How many days?", "ids": str(entry)})
    quotes = {"relevant": ["27 days of annual leave a year"], "source": [entry], "confidence": 9}
    script = [
        Answer(calls=(Call("query_handbook_database", arguments),)),
        Answer(json.dumps(quotes)),
        Answer(calls=(Call("search_handbook_database", '{"keyword": "annual leave"}'),)),
        Answer("You get ", "27 days [", "1]."),
    ]
    with ScriptedServer(*script) as server:
        (ready.home / "config.toml").write_text(
            f'model = "mine"\n[models.mine]\nmodel = "some-model"\nwire = "{wire}"\n'
            f'base_url = "{server.base_url}"\nhelper = "always"\n'
        )
        answer = ready.run("ask", "How many days of annual leave?", "--json").json
    assert answer["answer"] == "You get 27 days [1]."
    assert answer["citations"][0]["quote"] == "27 days of annual leave a year"
    assert answer["citations"][0]["verified"] is True
    assert answer["usage"]["requests"] == 4
    assert answer["model"] == "mine"
    assert len(server.requests) == 4


def test_a_model_that_fails_is_told_and_the_built_in_one_answers(ready: Program) -> None:
    """A wrong key would end in a traceback, or another model would answer in silence."""
    with ScriptedServer(Status(401, error("Incorrect API key."))) as server:
        said = ready.run(
            "ask", "How many days of annual leave?", "-m", "some-model",
            OPENAI_BASE_URL=server.base_url, OPENAI_API_KEY="sk-wrong",
        )  # fmt: skip
    assert said.code == 0
    assert "27 days" in said.out
    assert "extractive answers in its place" in said.err
    assert "did not accept the key in OPENAI_API_KEY (401)" in said.err
    assert "sk-wrong" not in said.err + said.out


def test_eval_measures_search_and_answers(ready: Program, tmp_path: Path) -> None:
    """People could not tell how well their folder is answered from."""
    questions = tmp_path / "handbook.questions.jsonl"
    lines = [
        {
            "id": "q1", "question": "How many weeks of parental leave are paid?",
            "relevant": ["leave/parental.md"], "answers": ["sixteen weeks"], "answerable": True,
            "quotes": ["Every parent gets sixteen weeks of leave at full pay."],
        },
        {"id": "q2", "question": "What is the capital of Mongolia?", "answerable": False},
    ]  # fmt: skip
    questions.write_text("\n".join(map(json.dumps, lines)) + "\n{broken\n")
    run = tmp_path / "out.trec"
    report = ready.run("eval", str(questions), "--json", "--run", str(run)).json
    metrics = report["metrics"]
    assert report["questions"] == 2
    assert [metrics[name] for name in ("nDCG@10", "R@100", "MRR@10")] == [1.0, 1.0, 1.0]
    assert metrics["quote_recall"] == 1.0
    assert (metrics["refusal_precision"], metrics["refusal_recall"]) == (1.0, 1.0)
    assert 0 < metrics["token_f1"] <= 1
    assert report["bad_lines"][0]["line"] == 3
    assert run.read_text().split()[:4] == ["q1", "Q0", "leave/parental.md", "1"]


def test_doctor_and_config_say_what_is_there(ready: Program) -> None:
    """A person could not find out what is set, or what to do next."""
    checks = ready.run("doctor", "--json").json
    assert checks["ok"] is True
    assert any("4 entries" in check["found"] for check in checks["checks"])
    config = ready.run("config", "--json").json
    assert config["model"] == "extractive"
    assert config["path"] == str(ready.home / "config.toml")
    (ready.home / "config.toml").write_text("modle = 'x'")
    said = ready.run("config")
    assert (said.code, "unknown setting 'modle'" in said.err) == (1, True)


@pytest.mark.parametrize("before", [[], ["--debug"], ["--home", "index"], ["--home=x"]])
@pytest.mark.parametrize("name", ["index", "search", "databases", "model", "config"])
def test_a_command_declared_alone_is_as_among_all(
    before: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a command takes would depend on which others were declared beside it."""
    printed = []
    for parser in (build_parser(), build_parser([*before, name])):
        with pytest.raises(SystemExit):
            parser.parse_args([*before, name, "--help"])
        printed.append(capsys.readouterr().out)
    assert printed[0] == printed[1]
    assert name in printed[0]


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (["get", "1", "--start", "9" * 20], f"it must be at most {2**63 - 1}"),
        (["get", "9" * 20], f"it must be at most {2**63 - 1}"),
        (["index", ".", "--max-size", "-5"], "'-5' is no size: give one such as 500K, 50M or 2G"),
        (["index", ".", "--max-size", "much"], "'much' is no size"),
        (["search", "-n", "two", "roof"], "'two' is no whole number"),
    ],
)
def test_a_number_that_makes_no_sense_is_named(
    program: Program, command: list[str], said: str
) -> None:
    """A defect would be reported, or a folder be emptied of all that is larger than nothing."""
    done = program.run(*command)
    assert (done.code, said in done.err) == (2, True), done.err


def test_the_home_may_stand_anywhere_and_must_be_possible(program: Program, tmp_path: Path) -> None:
    """A person who adds --home at the end would be shown the usage instead."""
    for command in (["databases", "--home"], ["databases", "info", "x", "--home"]):
        done = program.run(*command, str(tmp_path / "else"))
        assert "usage" not in done.err
    done = program.run("--home", "h" * 300, "databases")
    assert done.code == 1
    assert "cannot be a home: File name too long. Choose another: --home DIR" in done.err


def test_a_link_to_nowhere_in_the_home_stops_nothing(ready: Program, tmp_path: Path) -> None:
    """One dead link would keep a person from all databases, or be offered as what was meant."""
    (ready.home / "gone.db").symlink_to(tmp_path / "nowhere.db")
    found = ready.run("search", "leave")
    assert (found.code, "parental" in found.out) == (0, True)
    assert f"is a link to {tmp_path / 'nowhere.db'}, which is not there." in found.err
    assert ready.run("ask", "How long is parental leave?").code == 0
    (tmp_path / "more").mkdir()
    (tmp_path / "more" / "a.md").write_text("The boiler is in the cellar.")
    assert ready.run("index", str(tmp_path / "more")).code == 0
    listed = ready.run("databases").out
    assert "handbook" in listed
    assert "is a link to" in listed
    for command in (["doctor"], ["databases", "check", "gone"], ["databases", "check"]):
        said = ready.run(*command)
        assert "Bring that back, or delete the link." in said.out + said.err, command


def test_settings_of_a_database_that_is_not_there_are_named(ready: Program) -> None:
    """A slip in a name would leave a database open whose text is to stay on this machine."""
    (ready.home / "config.toml").write_text('[databases.handbok]\negress = "local"\n')
    said = "[databases.handbok] in the settings is of no database, and has no effect"
    assert said in ready.run("doctor").out
    assert said in ready.run("ask", "How long is parental leave?").err
