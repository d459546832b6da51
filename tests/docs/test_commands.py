"""Every command of README and of docs/ is run, in the order of its page, as a reader would."""

import os
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.cli.program import COMMAND
from tests.conftest import write_files
from tests.docs.pages import PAGES, ROOT, blocks, commands, of_program

NOTES = {
    "boiler.md": "# Boiler\n\nThe boiler service is on 3 May. It is serviced every spring.\n",
    "leave.md": "# Leave\n\nFull-time staff get 27 days of leave. Part-timers get 14 days.\n",
    "rent.md": "# Rent\n\nThe rent is due on the first day of each month.\n",
}
QUESTIONS = "question,relevant\nWhen is the boiler serviced?,boiler.md\nWhen is rent due?,rent.md\n"
BEIR = {
    "scifact/corpus.jsonl": '{"_id": "1", "title": "Kettles", "text": "Kettles boil water."}\n',
    "scifact/queries.jsonl": '{"_id": "q1", "text": "What do kettles boil?"}\n',
    "scifact/qrels/test.tsv": "query-id\tcorpus-id\tscore\nq1\t1\t1\n",
    "theirs.trec": "q1 Q0 1 1 3.5 theirs\n",
}
SETTINGS = (
    '[models.hosted]\nmodel = "gpt-5-mini"\nwire = "responses"\n'
    'base_url = "http://127.0.0.1:9/v1"\napi_key_env = "OPENAI_API_KEY"\n'
)

GOES_ON = ("index ~/notes --watch", "serve")
"""Commands that end when they are told to: they are seen to begin."""

TRIED_ELSEWHERE = {"mcp.md", "http.md", "cluster.md"}
"""Pages whose commands the tests of what they are about run, with other programs beside."""

NEEDS = {
    "": "needs a terminal",
    "model test qwen3:8b --write": "127.0.0.1",
    "model get small": "127.0.0.1|semantic",
    "model get multilingual": "127.0.0.1|semantic",
    "model get small --from ~/models": "",
    "model use small --reranker": "small",
    "model remove small": "small",
    "embed notes": "embedder",
}
"""Commands that want what is not here (a terminal, a model server, a network, an extra, a fetched
model), and what the line says with which they end."""

STANDS_FOR = {"12": "last"}
"""Numbers that a reader puts their own in place of."""

OF_OTHERS = ("git", "pipx", "python3", "rag/bin/pip", "rag/bin/rag-assistant", "uv")
"""Programs whose commands install this one: the CI's job `package` runs them."""


class Reader:
    """Somebody who follows a page, in a home of their own."""

    def __init__(self, place: Path) -> None:
        self.place = place
        write_files(place / "notes", NOTES)
        write_files(place, {"questions.csv": QUESTIONS, "models/none.txt": "", **BEIR})
        write_files(place / "home", {"config.toml": SETTINGS})
        self.environment: Mapping[str, str] = {
            **os.environ,
            "HOME": str(place),
            "RAG_ASSISTANT_HOME": str(place / "home"),
            "HF_ENDPOINT": "http://127.0.0.1:9",
            "OPENAI_API_KEY": "sk-test",
            "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
            "PYTHON_KEYRING_BACKEND": "tests.egress.file_keyring.FileKeyring",
            "TESTS_KEYRING": str(place / "keys.json"),
            "PYTHONPATH": str(ROOT),
        }

    def run(self, *words: str, stdin: str = "") -> "subprocess.CompletedProcess[str]":
        given = [self._meant(word) for word in words]
        return subprocess.run(
            [*COMMAND, *given], cwd=self.place, env=self.environment, input=stdin,
            capture_output=True, text=True, timeout=110, check=False,
        )  # fmt: skip

    def begins(self, *words: str) -> bool:
        """Tell whether a command that goes on says something and does not end."""
        given = [self._meant(word) for word in words]
        with subprocess.Popen(
            [*COMMAND, *given, *(["--port", "0"] if words == ("serve",) else [])],
            cwd=self.place, env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        ) as process:  # fmt: skip
            assert process.stdout
            said = process.stdout.readline()
            goes_on = process.poll() is None
            process.kill()
        return bool(said) and goes_on

    def _meant(self, word: str) -> str:
        return STANDS_FOR.get(word, word).replace("~", str(self.place), word.startswith("~"))


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[Reader]:
    reader = Reader(tmp_path)
    assert reader.run("index", "~/notes").returncode == 0
    reader.run("ask", "How many days of leave do full-time staff get?", "-d", "notes")
    yield reader


def wrong(reader: Reader, words: Sequence[str]) -> str:
    """Run a command; give what is wrong with how it went, "" for nothing."""
    line = " ".join(words)
    if line in GOES_ON:
        return "" if reader.begins(*words) else "it ended"
    done = reader.run(
        *words, stdin="sk-0123456789abcdef\n" if words[:2] == ("model", "key") else ""
    )
    said = done.stdout + done.stderr
    if "Traceback" in said or "Internal error" in said:
        return said
    if line in NEEDS:
        lacks = done.returncode == 1 and re.search(NEEDS[line], said)
        return "" if lacks else f"{done.returncode}: {said}"
    return "" if done.returncode == 0 else f"{done.returncode}: {said}"


@pytest.mark.soak
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    "page",
    [page for page in PAGES if page.name not in TRIED_ELSEWHERE and of_program(page)],
    ids=lambda page: str(page.relative_to(ROOT)),
)
def test_each_command_works_as_written(reader: Reader, page: Path) -> None:
    """A reader would type what does not work: a renamed option, a command that is gone."""
    if page.name == "evaluation.md":
        if find_spec("ir_measures") is None:
            pytest.skip("needs the extra eval")
        for _ in range(2):  # what is compared has to be there
            assert reader.run("eval", "questions.csv", "-d", "notes").returncode == 0
    failed = {
        str(command): said
        for command in of_program(page)
        if (said := wrong(reader, command.words[1:]))
    }
    assert failed == {}


def test_each_command_is_one_of_ours_or_installs_us() -> None:
    """A command of a program that no test knows could say anything."""
    programs = {command.words[0] for page in PAGES for command in commands(page)}
    assert programs <= {"rag-assistant", "./scripts/start", "./scripts/test", *OF_OTHERS}


def test_commands_in_the_text_are_known(tmp_path: Path) -> None:
    """As above, where a command stands in a sentence."""
    help_text = subprocess.run(
        [*COMMAND, "--help"], capture_output=True, text=True, check=True
    ).stdout
    known = set(re.findall(r"^    ([a-z-]+)", help_text, re.M)) | {"FOLDER", "COMMAND"}
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for word in re.findall(r"`rag-assistant ([\w-]+)", text):
            assert word in known or word.startswith("-"), f"{page.name}: rag-assistant {word}"


def test_the_query_of_the_database_page_finds_what_it_says(reader: Reader) -> None:
    """Somebody who reads a database with other tools would look for columns in vain."""
    (query,) = blocks(ROOT / "docs" / "database.md", "sql")
    with closing(sqlite3.connect(reader.place / "home" / "notes.db")) as database:
        found = database.execute(query.replace("kettle", "boiler")).fetchall()
    assert found[0][0] == "boiler.md"
