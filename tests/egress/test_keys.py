"""A key goes to its host and nowhere else: no log, trace, error, history, export or record."""

import json
import logging
import re
import subprocess
import sys
import traceback
from collections.abc import Iterator
from contextlib import aclosing
from dataclasses import replace
from pathlib import Path

import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.config import Config, ModelSettings
from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import ModelError
from rag_assistant.history.export import conversation_json, conversation_markdown
from rag_assistant.history.recorder import Recorder
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.key_filter import KeyFilter
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.values.events import Event
from rag_assistant.values.json_shapes import event_json
from rag_assistant.values.messages import Reply, ReplyDelta, Request, UserMessage
from scripts.benchmarks.shared.model_replies import Answer, Call, Events, Script, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer
from scripts.benchmarks.trust.fault_cases import FAULTS
from scripts.benchmarks.trust.fault_runs import (
    ENVIRON,
    NAME,
    PROTOCOLS,
    QUICK,
    PatientModels,
    place_of,
    settings_for,
)
from scripts.benchmarks.trust.fault_scripts import KEY, Fault
from tests.cli.program import Outcome, Program
from tests.egress.elsewhere import elsewhere
from tests.egress.file_keyring import FILE

QUESTION = "How long is parental leave?"

ECHOES: dict[str, Script] = {
    "in an error": Status(400, error(f"You sent {KEY}.")),
    "in a header": Status(500, error("Failed."), {"x-your-key": KEY, "retry-after": "0.01"}),
    "in a redirect": Status(307, {}, {"location": f"http://127.0.0.1:9/v1?key={KEY}"}),
    "in a web page": Status(502, f"<html>{KEY}</html>"),
    "in the answer": Answer("Your key is ", KEY[:7], KEY[7:], ", I think."),
    "in a call": Answer(calls=(Call(f"search_{KEY}", json.dumps({"keyword": KEY})),)),
    "in an event": Events(({"error": {"message": f"bad key {KEY}", "code": KEY}},)),
    "in what is no JSON": Events((f"{{{KEY}",)),
    "in a code": Status(401, {"error": {"code": KEY, "type": KEY}}),
}
CASES = {
    **FAULTS,
    **{f"the key {where}": Fault((script,)) for where, script in ECHOES.items()},
}


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(name, marks=pytest.mark.soak if place % 3 else ())
        for place, name in enumerate(CASES)
    ],
)
async def test_a_key_is_nowhere_whatever_fails(
    name: str, indexed: Library, caplog: pytest.LogCaptureFixture
) -> None:
    """Else a key is read by whoever sees a log, a kept conversation, an export or the record."""
    caplog.set_level(logging.DEBUG)
    fault = CASES[name]
    with place_of(fault) as (base_url, _):
        address = elsewhere(base_url)
        settings = settings_for(fault, PROTOCOLS[list(CASES).index(name) % 3], address)
        config = Config(model=NAME, models={NAME: settings}, egress="any")
        assistant = Assistant(indexed, config, ENVIRON)
        assistant.models = PatientModels(assistant, QUICK)
        store = ConversationStore(indexed.home / "conversations.db")
        conversation = assistant.conversation()
        run = Recorder(store).recorded(conversation.ask(QUESTION), conversation)
        events: list[Event] = []
        async with aclosing(run) as recorded:
            events = [event async for event in recorded]
        await conversation.aclose()
        await assistant.aclose()
    kept = store.show(store.latest())
    shown = [f"{event!r}{json.dumps(event_json(event))}" for event in events]
    shown += [conversation_markdown(kept, repr), json.dumps(conversation_json(kept))]
    shown.append(repr(conversation.exchanges))
    assert KEY not in "".join(shown)
    for path in indexed.home.iterdir():
        assert KEY.encode() not in path.read_bytes(), path.name
    assert KEY not in caplog.text


@pytest.mark.parametrize("name", ["in an error", "in a redirect", "in the answer"])
def test_a_key_is_in_no_output_of_the_program(name: str, indexed: Library) -> None:
    """Else `--debug` shows the key, in a traceback that a person puts into a report."""
    program = Program(indexed.home)
    with ScriptedServer(ECHOES[name]) as server:
        config = 'model = "far"\nfallback = false\negress = "any"\n\n[models.far]\nmodel = "m"\n'
        config += f'base_url = "{elsewhere(server.base_url)}"\napi_key_env = "TEST_KEY"\n'
        (indexed.home / "config.toml").write_text(config)
        told = program.run("--debug", "ask", "--events", QUESTION, TEST_KEY=KEY)
        dry = program.run("ask", "--dry-run", QUESTION, TEST_KEY=KEY)
        settings = program.run("config", TEST_KEY=KEY)
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
    for outcome in (told, dry, settings):
        assert KEY not in outcome.out + outcome.err


@pytest.mark.parametrize("name", ECHOES)
async def test_a_key_that_is_sent_back_is_taken_out(name: str) -> None:
    """Else a server can put a key into an answer, which is kept and shown, or into a traceback."""
    pieces: list[str] = []
    with ScriptedServer(ECHOES[name]) as server:
        model = OpenAIModel("m", server.settings(api_key_env="TEST_KEY"), ENVIRON, QUICK)
        try:
            async with aclosing(model.stream(Request((UserMessage("?"),)))) as stream:
                async for piece in stream:
                    pieces.append(repr(piece))
                    if isinstance(piece, Reply) and piece.message.text:
                        assert piece.message.text == "Your key is [key], I think."
        except ModelError as failed:
            pieces.append("".join(traceback.format_exception(failed)) + repr(failed.__dict__))
        finally:
            await model.aclose()
    assert pieces
    assert KEY not in "".join(pieces)


@pytest.mark.parametrize("size", range(1, len(KEY) + 3))
def test_a_key_in_pieces_of_any_size_is_taken_out(size: int) -> None:
    """Else a key that is streamed letter by letter gets through."""
    text = f"{KEY[:5]} {KEY}{KEY}, sk-secret-012 {KEY[:-1]}"
    safe = KeyFilter(KEY)
    shown = "".join(safe.feed(text[n : n + size]) for n in range(0, len(text), size)) + safe.rest()
    assert shown == text.replace(KEY, "[key]")


def test_text_without_the_key_is_shown_at_once() -> None:
    """Else an answer comes late, because its end might begin a key."""
    assert KeyFilter(KEY).feed("Thirty days.") == "Thirty days."
    assert KeyFilter("").feed("Thirty days.") == "Thirty days."
    assert ReplyDelta(KeyFilter(KEY).feed("ask s")) == ReplyDelta("ask ")


# The keyring


@pytest.fixture
def kept_keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A keyring of its own."""
    keyring = pytest.importorskip("keyring", reason="the extra keyring is not installed")
    monkeypatch.setenv("PYTHON_KEYRING_BACKEND", "tests.egress.file_keyring.FileKeyring")
    monkeypatch.setenv(FILE, str(tmp_path / "keys.json"))
    from tests.egress.file_keyring import FileKeyring

    before = keyring.get_keyring()
    keyring.set_keyring(FileKeyring())  # type: ignore[no-untyped-call]
    yield tmp_path / "keys.json"
    keyring.set_keyring(before)


def key_command(program: Program, *more: str, stdin: str = "") -> Outcome:
    return program.run("model", "key", "far", *more, stdin=stdin)


def test_a_key_of_the_keyring_goes_to_its_host(kept_keys: Path, indexed: Library) -> None:
    """Else a person must keep a key in a file or in the environment, or it goes elsewhere."""
    program = Program(indexed.home)
    path = indexed.home / "config.toml"
    with ScriptedServer(Answer("Sixteen weeks.")) as server:
        host = elsewhere(server.host)
        path.write_text(
            f'model = "far"\negress = "any"\n[models.far]\nmodel = "m"\nbase_url = "http://{host}/v1"\n'
        )
        stored = key_command(program, stdin=f"{KEY}\n")
        assert stored.code == 0, stored.err
        assert KEY not in stored.out + stored.err + path.read_text()
        assert json.loads(kept_keys.read_text()) == {f"rag-assistant {host}": KEY}
        asked = program.run("ask", QUESTION)
        assert asked.code == 0, asked.err
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
        assert KEY not in asked.out + asked.err
        assert "forgotten" in key_command(program, "--forget").out
        assert json.loads(kept_keys.read_text()) == {}
        assert "keyring = false" in path.read_text()


@pytest.mark.parametrize("written", ["", "two words\n", "café-key\n"])
def test_what_is_no_key_is_not_kept(kept_keys: Path, indexed: Library, written: str) -> None:
    """Else a slip of the hand is kept as the key, and each request fails."""
    program = Program(indexed.home)
    (indexed.home / "config.toml").write_text(
        '[models.far]\nmodel = "m"\nbase_url = "http://h/v1"\n'
    )
    refused = key_command(program, stdin=written)
    assert refused.code == 1
    assert "That is no key" in refused.err
    assert not kept_keys.exists()


SETTINGS = ModelSettings("m", "https://api.example.com/v1", keyring=True)


def test_a_key_that_is_not_there_is_told_with_the_command(kept_keys: Path) -> None:
    """Else a request leaves without a key, and the person reads of a wrong one."""
    with pytest.raises(ModelError, match="no key for api\\.example\\.com in the keyring") as caught:
        Endpoint.of(SETTINGS, {})
    assert caught.value.hint == "Put it there: `rag-assistant model key NAME`."
    named = replace(SETTINGS, api_key_env="TEST_KEY")
    assert Endpoint.of(named, {"TEST_KEY": "sk-other"}).key == "sk-other"


def test_a_keyring_that_is_locked_is_told_without_its_words(
    kept_keys: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else the words of a keyring's error, which may quote a key, are shown."""
    monkeypatch.setenv(FILE, str(tmp_path / "locked"))
    with pytest.raises(ModelError) as caught:
        Endpoint.of(SETTINGS, {})
    assert "cannot be used (KeyringLocked)" in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))


def test_without_the_extra_a_line_names_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else a person reads ModuleNotFoundError."""
    monkeypatch.setitem(sys.modules, "keyring", None)
    with pytest.raises(ModelError, match=re.escape(how_to_add("keyring"))):
        Endpoint.of(SETTINGS, {})


def test_no_keyring_is_looked_at_that_nobody_asked_for() -> None:
    """Else each start with a local model wakes the keyring, which may ask for a password."""
    code = (
        "import sys; from rag_assistant.config import ModelSettings;"
        "from rag_assistant.models.endpoint import Endpoint;"
        "Endpoint.of(ModelSettings('m', 'https://api.example.com/v1'), {});"
        "sys.exit('keyring' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
