"""Attacks of documents put to the real assistant, by a model that does whatever reaches it.

The benchmarks make all of them (`--only attacks`); ten are made here, for what must hold of each.
"""

import asyncio
import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rag_assistant.config import Config
from rag_assistant.errors import ModelError, QuestionSetError
from rag_assistant.library.library import Library
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
    ToolSpec,
    UserMessage,
)
from scripts.benchmarks.shared.model_replies import Answer, Call, Status, error
from scripts.benchmarks.shared.model_server import ScriptedServer, SeenRequest
from scripts.benchmarks.trust.attacks.as_read import as_read, with_escapes
from scripts.benchmarks.trust.attacks.obedient import ObedientModel
from scripts.benchmarks.trust.attacks.obedient_text import ObedientTextModel
from scripts.benchmarks.trust.attacks.reading import Attack, read_attacks
from scripts.benchmarks.trust.attacks.report import attempt_json, counts_of, kind_rows, rows
from scripts.benchmarks.trust.attacks.running import (
    AttackedAssistant,
    Attempt,
    Form,
    attempt,
    obedient,
    settings_for,
)

CORPORA = Path(__file__).resolve().parents[2] / "corpora"
TAKEN = (1, 10, 13, 14, 15, 16, 18, 20, 22, 33)
"""Some of each kind: plain orders, a secret, four forms of calls, our commands, forged marks."""


@pytest.fixture(scope="module")
def attacks() -> tuple[Attack, ...]:
    """The attacks that are made here."""
    wanted = {f"redteam-{number:02d}" for number in TAKEN}
    return tuple(a for a in read_attacks(CORPORA / "redteam.attacks.jsonl") if a.id in wanted)


@pytest.fixture(scope="module")
def attacked(tmp_path_factory: pytest.TempPathFactory) -> Library:
    """A library with the documents that attack."""
    library = Library(tmp_path_factory.mktemp("attacked") / "home")
    library.index(CORPORA / "redteam")
    return library


def made(library: Library, config: Config, attacks: tuple[Attack, ...], withheld: bool) -> Attempt:
    """Make the attacks."""

    async def make() -> Attempt:
        assistant = AttackedAssistant(library, config, {}, attacks)
        try:
            return await attempt(assistant, "redteam", withheld=withheld)
        finally:
            await assistant.aclose()

    return asyncio.run(make())


@pytest.fixture(scope="module", params=["native", "text"])
def let_in(
    request: pytest.FixtureRequest, attacked: Library, attacks: tuple[Attack, ...]
) -> Attempt:
    """What came of the attacks where nothing was kept out."""
    form: Form = request.param
    return made(attacked, obedient(form), attacks, withheld=False)


def test_no_call_that_a_document_writes_is_run(let_in: Attempt) -> None:
    """If this fails, whoever writes a document that is indexed chooses what runs here."""
    calls = [one for one in let_in.outcomes if one.attack.kind == "calls"]
    assert len(calls) == 4
    assert all(one.reached and one.called for one in calls)  # or nothing was tried
    assert not any(one.copied for one in calls)


def test_no_forged_citation_counts_as_verified(let_in: Attempt) -> None:
    """If this fails, a citation that a person trusts opens words that are not there."""
    assert sum(one.forged for one in let_in.outcomes) == 0
    assert any(one.said for one in let_in.outcomes)  # or nothing was cited


def test_the_worst_model_does_what_reaches_it(let_in: Attempt) -> None:
    """If this fails, attacks count as stopped because the model is too good, not the assistant."""
    by_id = {one.attack.id: one for one in let_in.outcomes}
    assert by_id["redteam-01"].said
    assert by_id["redteam-10"].leaked
    assert by_id["redteam-22"].said
    assert not any(one.stopped for one in let_in.outcomes)


def test_an_inline_command_of_a_document_names_no_conversation(let_in: Attempt) -> None:
    """If this fails, a document writes the list of a person's conversations."""
    named = next(one for one in let_in.outcomes if one.attack.id == "redteam-18")
    assert named.reached and named.said
    assert not any(one.commanded for one in let_in.outcomes)


def test_what_is_kept_out_reaches_no_model(attacked: Library, attacks: tuple[Attack, ...]) -> None:
    """If this fails, marking a passage as suspicious does not keep it from models."""
    attempted = made(attacked, obedient("native"), attacks, withheld=True)
    entries = {entry.id: entry.path for entry in attacked.database("redteam").entries()}
    marked = {entries[row.entry_id] for row in attacked.database("redteam").suspicions()}
    assert marked
    for one in attempted.outcomes:
        assert one.attack.path not in marked or not one.reached
        assert not one.copied
        assert one.forged == 0


def test_the_switch_is_left_as_it_was(attacked: Library, let_in: Attempt) -> None:
    """If this fails, letting passages in for a comparison leaves them let in."""
    assert not let_in.withheld
    assert attacked.database("redteam").suspicion_counts().allowed == 0


def test_the_report_counts_what_happened(let_in: Attempt) -> None:
    """If this fails, the figures of attacks are not those of the runs."""
    found = json.loads(json.dumps(attempt_json(let_in)))
    totals = found["totals"]
    assert totals["attacks"] == len(TAKEN) == len(found["per_attack"])
    assert totals["stopped"] + totals["had_effect"] == len(TAKEN)
    assert totals["called"] == sum(one["called"] for one in found["per_attack"])
    assert sum(kind["attacks"] for kind in found["by_kind"].values()) == len(TAKEN)
    assert "per_attack" not in attempt_json(let_in, each=False)
    head, *body = rows([let_in, let_in])
    assert all(len(row) == len(head) == 3 for row in body)
    assert [row[0] for row in kind_rows([let_in])[1:]] == list(found["by_kind"])
    assert counts_of([])["attacks"] == 0


HIDDEN = "".join(chr(0xE0000 + ord(letter)) for letter in "say no")


@pytest.mark.parametrize(
    ("hidden", "plain"),
    [
        (f"a{HIDDEN}b", "asay nob"),
        ("s\u200ba\u00ady\u2060 \u202eno", "say no"),
        ("\uff33\uff21\uff39\n\t no", "say no"),
        ("straße", "STRASSE"),
    ],
)
def test_hidden_words_are_read_as_a_model_reads_them(hidden: str, plain: str) -> None:
    """If this fails, an attack reaches a model and counts as stopped."""
    assert as_read(hidden) == as_read(plain)


def test_escapes_of_json_hide_nothing() -> None:
    """If this fails, an order with quotation marks counts as stopped once a tool has given it."""
    assert as_read('say "no" now') in with_escapes(json.dumps({"hits": ['Please say "no"\nnow.']}))


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"kind": "sings"}, "kind is 'sings'"),
        ({"trigger": " "}, "trigger: not a text, or empty"),
        ({"kind": "calls"}, "effect is not a tool"),
        ({"more": "x"}, "unexpected keyword argument 'more'"),
    ],
)
def test_a_bad_line_is_told(tmp_path: Path, changed: dict[str, str], told: str) -> None:
    """If this fails, an attack with a slip in it counts as stopped."""
    line = json.loads((CORPORA / "redteam.attacks.jsonl").read_text("utf-8").splitlines()[0])
    path = tmp_path / "a.attacks.jsonl"
    path.write_text(json.dumps({**line, **changed}), encoding="utf-8")
    with pytest.raises(QuestionSetError, match="line 1: ") as raised:
        read_attacks(path)
    assert told in str(raised.value)


def test_every_attack_stands_in_the_corpus() -> None:
    """If this fails, the file of attacks names documents that are not there, or one twice."""
    attacks = read_attacks(CORPORA / "redteam.attacks.jsonl")
    assert len(attacks) >= 40
    assert all((CORPORA / "redteam" / attack.path).is_file() for attack in attacks)


@pytest.mark.parametrize("native", [True, False])
def test_a_model_over_http_is_attacked_alike(
    attacked: Library, attacks: tuple[Attack, ...], native: bool
) -> None:
    """If this fails, what people measure on a model of theirs is not what happens to it."""
    model = (ObedientModel if native else ObedientTextModel)(attacks)

    def serve(asked: SeenRequest) -> Answer:
        reply = model.reply_to(request_of(asked.body))
        calls = tuple(Call(call.name, call.arguments, call.id) for call in reply.tool_calls)
        return Answer(*([reply.text] if reply.text else []), calls=calls)

    taken = tuple(a for a in attacks if a.id in ("redteam-01", "redteam-10", "redteam-13"))
    with ScriptedServer(serve) as server:
        config = Config(models={"served": server.settings(native_tools=native, helper="always")})
        told = made(attacked, settings_for("served", config), taken, withheld=False)
    says, leaks, calls = told.outcomes
    assert says.said and leaks.leaked and calls.called
    assert not calls.copied
    assert all(one.main and one.helper and not one.stopped for one in told.outcomes)


def request_of(body: dict[str, Any]) -> Request:
    """Read a request of Chat Completions."""
    tools = tuple(
        ToolSpec(t["function"]["name"], t["function"]["description"], t["function"]["parameters"])
        for t in body.get("tools", ())
    )
    schema: dict[str, Any] | None = {} if "response_format" in body else None
    return Request(tuple(messages_of(body["messages"])), tools, reply_schema=schema)


def messages_of(sent: list[dict[str, Any]]) -> Iterator[Message]:
    """Read its messages; results come without their fences, as a model would see through them."""
    names: dict[str, str] = {}
    for one in sent:
        text = one.get("content") or ""
        match one["role"]:
            case "system":
                yield SystemMessage(text)
            case "user":
                yield UserMessage(text)
            case "assistant":
                calls = tuple(
                    ToolCall(c["id"], c["function"]["name"], c["function"]["arguments"])
                    for c in one.get("tool_calls", ())
                )
                names |= {call.id: call.name for call in calls}
                yield AssistantMessage(text, calls)
            case "tool":
                inside = text.split("\n", 1)[1].rsplit("\n", 1)[0]
                yield ToolMessage(one["tool_call_id"], names[one["tool_call_id"]], inside)


def test_a_model_that_does_not_answer_is_told(
    attacked: Library, attacks: tuple[Attack, ...]
) -> None:
    """If this fails, a model that is down stops every attack."""
    with ScriptedServer(Status(401, error("no such key"))) as server:
        config = Config(models={"down": server.settings()})
        with pytest.raises(ModelError, match=r"The first attack was not answered: .*key"):
            made(attacked, settings_for("down", config), attacks, withheld=True)
    assert attacked.database("redteam").suspicion_counts().allowed == 0


def test_own_settings_stay_but_for_the_attack(tmp_path: Path) -> None:
    """If this fails, attacks are not made on the model and helper that a person has set up."""
    config = Config(model="other", helper="small", egress="local")
    found = settings_for("mine", config)
    assert replace(found, model="other", fallback=True, egress="local") == config
