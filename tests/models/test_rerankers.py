"""Rerankers over real HTTP: each passage gets its own score, or a person reads one clear line."""

import json
import socket
import traceback
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.config import Config, ModelSettings, RerankerSettings
from rag_assistant.errors import ModelError
from rag_assistant.library.protocols import Reranker
from rag_assistant.models.rerankers import EndpointReranker, make_reranker, scores_in
from rag_assistant.text.fences import read_fences
from scripts.benchmarks.shared.model_replies import (
    Answer,
    Events,
    Hangup,
    Script,
    Silence,
    Status,
    error,
)
from scripts.benchmarks.shared.model_server import MODEL, ScriptedServer, SeenRequest

KEY = "sk-secret-0123456789"
TEXTS = ["nothing of it", "crane crane crane", "a crane"]
WANTED = [0.0, 3.0, 1.0]
"""What the tests' servers give: how often the question's word stands in the passage."""


def settings_of(server: ScriptedServer, **changed: Any) -> RerankerSettings:
    values: dict[str, Any] = {
        "model": "pairs-1",
        "base_url": server.base_url,
        "timeout_seconds": 5.0,
        **changed,
    }
    return RerankerSettings(**values)


def reranker_of(settings: RerankerSettings, chat: ModelSettings | None = None) -> Reranker:
    models = {"judge": chat} if chat else {}
    config = Config(reranker="best", rerankers={"best": settings}, models=models)
    return make_reranker("", config, Path("unused"), {"TEST_KEY": KEY})


def scores_of(reranker: Reranker) -> Sequence[float]:
    """Rerank the tests' passages, and close the connection kept for the next time."""
    try:
        return reranker.rerank("crane", TEXTS)
    finally:
        if isinstance(reranker, EndpointReranker):
            reranker.close()


def counted(query: str, texts: Sequence[str]) -> list[float]:
    return [float(text.count(query)) for text in texts]


def as_documents(request: SeenRequest) -> Script:
    """Answer as Cohere, Jina and vLLM do: best first."""
    body = request.body
    scores = counted(body["query"], body["documents"])
    best_first = sorted(enumerate(scores), key=lambda pair: -pair[1])
    results = [
        {"index": n, "relevance_score": score, "document": {"text": body["documents"][n]}}
        for n, score in best_first
    ]
    return Status(200, {"id": "x", "model": body["model"], "results": results[: body["top_n"]]})


def as_texts(request: SeenRequest) -> Script:
    """Answer as text-embeddings-inference does."""
    scores = counted(request.body["query"], request.body["texts"])
    items = [{"index": n, "score": score} for n, score in enumerate(scores)]
    return Status(200, sorted(items, key=lambda item: -item["score"]))


def test_an_endpoint_of_documents_scores_each_passage() -> None:
    """Scores would be given to other passages: they come back best first."""
    with ScriptedServer(as_documents) as server:
        reranker = reranker_of(settings_of(server, api_key_env="TEST_KEY"))
        assert scores_of(reranker) == WANTED
        (request,) = server.requests
        assert request.path == "/v1/rerank"
        assert request.headers["authorization"] == f"Bearer {KEY}"
        assert request.body == {
            "model": "pairs-1",
            "query": "crane",
            "documents": TEXTS,
            "top_n": 3,
        }
    assert (reranker.name, reranker.destination, reranker.passages) == ("pairs-1", "", 30)


def test_an_endpoint_of_texts_needs_no_model() -> None:
    """text-embeddings-inference serves one model, and refuses `documents`."""
    with ScriptedServer(as_texts) as server:
        reranker = reranker_of(settings_of(server, wire="texts", model=""))
        assert scores_of(reranker) == WANTED
        assert server.requests[0].body == {"query": "crane", "texts": TEXTS, "truncate": True}
    assert reranker.name == "best"


def judging(request: SeenRequest) -> Script:
    """Answer as a chat model that reads the fences."""
    question, *passages = read_fences(request.body["messages"][-1]["content"])
    assert [passage.attributes["number"] for passage in passages] == ["1", "2", "3"]
    scores = counted(question.text, [passage.text for passage in passages])
    return Answer("```json\n", json.dumps({"scores": scores}), "\n```")


def test_a_chat_model_scores_fenced_passages() -> None:
    """A passage that says "give me 10" would be an instruction."""
    with ScriptedServer(judging) as server:
        reranker = reranker_of(settings_of(server, kind="model", model="judge"), server.settings())
        assert scores_of(reranker) == WANTED
        assert scores_of(reranker) == WANTED  # in another event loop
        body = server.requests[0].body
        assert body["model"] == MODEL
        assert body["response_format"]["json_schema"]["schema"]["required"] == ["scores"]
        assert "each of the 3 passages" in body["messages"][0]["content"]
    assert (reranker.name, reranker.destination) == ("judge", "")


NOT_AGAIN = {"x-should-retry": "false"}
GOOD = [{"index": 0, "relevance_score": 1}, {"index": 1, "relevance_score": 2}]


def without_index() -> list[dict[str, Any]]:
    return [*GOOD, {"relevance_score": 3}]


FAULTS: dict[str, tuple[Script, str, str]] = {
    "wrong key": (
        Status(401, error(f"bad key {KEY}")),
        "did not accept the key in TEST_KEY (401): bad key [key].",
        "Put a valid key",
    ),
    "no such path": (Status(404, "<html>"), "did not rerank (404).", "/rerank is added"),
    "too many": (
        Status(413, {"error": "batch size 30 > 16", "error_type": "Validation"}),
        "did not rerank (413): batch size 30 > 16.",
        "lower passages",
    ),
    "wrong wire": (
        Status(422, {"detail": [{"msg": "Field required"}]}),
        "did not rerank (422): Field required.",
        "wire",
    ),
    "busy": (
        Status(429, error("slow down"), {"retry-after": "300"}),
        "takes no more requests now (429)",
        "Wait 300 seconds",
    ),
    "broken": (Status(500, error("CUDA out of memory")), "failed (500): CUDA", "log"),
    "redirect": (
        Status(302, "", {"location": "http://127.0.0.1:1/"}),
        "sends requests on",
        "base_url",
    ),
    "hung up": (Hangup(), "could not be reached", "base_url"),
    "silent": (Silence(), "stayed silent for 0.3 seconds", "timeout_seconds"),
    "dripping": (Events(({"a": 1},), then="forever"), "within 0.3 seconds", "timeout_seconds"),
    "a page": (Status(200, "<html></html>"), "not of the form", "base_url"),
    "cut": (Status(200, '{"results": [', {}, "application/json"), "not of the form", "base_url"),
    "deep": (Status(200, "[" * 200_000, {}, "application/json"), "not of the form", "base_url"),
    "an error": (Status(200, {"error": {"message": "no model"}}), "no model", "model"),
    "too few": (Status(200, {"results": GOOD}), "2 scores for 3 passages", "model"),
    "twice": (Status(200, {"results": [*GOOD, GOOD[0]]}), "there twice", "model"),
    "beyond": (
        Status(200, {"results": [*GOOD, {"index": 3, "score": 1}]}),
        "missing or there twice",
        "model",
    ),
    "no index": (Status(200, {"results": without_index()}), "index is missing", "model"),
    "NaN": (
        Status(200, {"results": [*GOOD, {"index": 2, "score": float("nan")}]}),
        "not a number",
        "model",
    ),
    "a text": (
        Status(200, {"results": [*GOOD, {"index": 2, "score": "9"}]}),
        "not a number",
        "model",
    ),
    "too large": (
        Status(200, {"results": [*GOOD, {"index": 2, "score": 10**400}]}),
        "out of range",
        "model",
    ),
    "null": (Status(200, {"results": [*GOOD, None]}), "not of the form", "model"),
}


def failure(reranker: Reranker) -> ModelError:
    """Rerank and give the error, after looking for the key wherever a person might read it."""
    with pytest.raises(ModelError) as caught:
        scores_of(reranker)
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in f"{shown}{caught.value!r}{caught.value.hint}", "the key is shown"
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return caught.value


@pytest.mark.parametrize("name", FAULTS)
def test_a_fault_of_an_endpoint_is_one_line_with_the_next_step(name: str) -> None:
    """A person would read a traceback, half a cause, the key, or not what to do."""
    script, message, hint = FAULTS[name]
    seconds = 0.3 if "0.3" in message else 5.0
    with ScriptedServer(script) as server:
        settings = settings_of(server, api_key_env="TEST_KEY", timeout_seconds=seconds)
        found = failure(reranker_of(settings))
        assert found.message.startswith(server.host)
        assert len(server.requests) == 1, "a person would wait for the same failure again"
    assert message in found.message
    assert hint in found.hint


WRITTEN = {
    "no JSON": "I think the second one.",
    "a list": "[0, 3, 1]",
    "too few": '{"scores": [1, 2]}',
    "a text": '{"scores": [1, 2, "3"]}',
    "NaN": '{"scores": [1, 2, NaN]}',
    "true": '{"scores": [1, 2, true]}',
    "out of range": '{"scores": [1, 2, 11]}',
    "another key": '{"marks": [1, 2, 3]}',
    "cut": '{"scores": [1, 2',
    "deep": '{"scores": ' + "[" * 100_000 + "}",
}


@pytest.mark.parametrize("name", WRITTEN)
def test_a_chat_model_that_gives_no_scores_is_one_line(name: str) -> None:
    """Whatever a small model writes would order the hits, or end in a traceback."""
    with ScriptedServer(Answer(WRITTEN[name])) as server:
        settings = settings_of(server, kind="model", model="judge")
        found = failure(reranker_of(settings, server.settings()))
    assert found.message.startswith("judge gave no usable scores: ")


@pytest.mark.parametrize("script", [Silence(), Answer("{", then="stall"), Answer("{", then="cut")])
def test_a_chat_model_that_does_not_end_is_given_up(script: Script) -> None:
    """A search would hang for as long as the model does."""
    with ScriptedServer(script) as server:
        settings = settings_of(server, kind="model", model="judge", timeout_seconds=0.5)
        found = failure(reranker_of(settings, server.settings()))
    assert "within 0.5 seconds" in found.message or "broke off" in found.message


def test_nobody_listening_is_told() -> None:
    """A person would not learn that the server is not running."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}"
        found = failure(reranker_of(RerankerSettings(model="m", base_url=address)))
    assert "the connection was refused" in found.message


def test_a_remote_endpoint_is_named_before_anything_is_sent() -> None:
    """Passages would leave the machine unseen."""
    remote = RerankerSettings(model="m", base_url="https://example.invalid/v1")
    assert reranker_of(remote).destination == "example.invalid"
    chat = ModelSettings("m", base_url="https://example.invalid/v1", api_key_env="NONE")
    with pytest.raises(ModelError, match="NONE is not set"):
        _ = reranker_of(RerankerSettings("model", "judge"), chat).destination


def test_an_unknown_reranker_is_named_with_those_there_are() -> None:
    """A person would not learn how to set one."""
    with pytest.raises(ModelError, match="No reranker is set"):
        make_reranker("", Config(), Path("unused"))
    config = Config(rerankers={"near": RerankerSettings(model="m", base_url="http://127.0.0.1")})
    with pytest.raises(ModelError, match=r"There is no reranker 'far'.*'near'"):
        make_reranker("far", config, Path("unused"))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(["results", "data", "index", "score", "relevance_score"]),
            inner,
            max_size=4,
        )
    ),
    max_leaves=20,
)
items = st.fixed_dictionaries({"index": st.integers(-1, 3), "score": json_values})


@given(json_values | st.lists(items, min_size=2, max_size=2))
def test_any_reply_gives_finite_scores_or_a_value_error(body: object) -> None:
    """A strange server would end in a traceback, or hits be ordered by NaN."""
    try:
        scores = scores_in(body, 2)
    except ValueError:
        return
    assert len(scores) == 2
    assert all(abs(score) < float("inf") for score in scores)


@pytest.mark.parametrize("score", ["score", "relevance_score"])
@pytest.mark.parametrize("around", ["", "results", "data"])
def test_scores_are_read_in_all_known_forms(score: str, around: str) -> None:
    """A server would be said to send no scores because it calls them otherwise."""
    items = [{"index": 1, score: 0.5}, {"index": 0, score: -2}]
    assert scores_in({around: items} if around else items, 2) == [-2.0, 0.5]
