"""Embedders: what an endpoint or a folder gives becomes rows of length 1, or one clear line."""

import json
import os
import socket
import traceback
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.config import Config, EmbedderSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.embedders import EndpointEmbedder, make_embedder
from rag_assistant.models.embedding_values import decoded
from rag_assistant.models.local_embedder import LocalEmbedder
from scripts.benchmarks.shared.model_replies import Hangup, Status, error
from tests.models.embedding_server import EmbeddingServer, Odd, reply, vector_of

KEY = "sk-secret-0123456789"


def embedder_at(server: EmbeddingServer, **changed: Any) -> EndpointEmbedder:
    return EndpointEmbedder(server.settings(**changed), {"TEST_KEY": KEY})


def failure(settings: EmbedderSettings, texts: tuple[str, ...] = ("one", "two")) -> ModelError:
    """Embed and give the error, after looking for the key wherever a person might read it."""
    embedder = EndpointEmbedder(settings, {"TEST_KEY": KEY})
    with pytest.raises(ModelError) as caught:
        embedder.embed_passages(texts)
    embedder.close()
    shown = "".join(traceback.format_exception(caught.value))
    assert KEY not in f"{shown}{caught.value!r}{caught.value.hint}", "the key is shown"
    assert "\n" not in str(caught.value)
    assert caught.value.hint
    return caught.value


def floats_only(number: int, body: dict[str, Any]) -> Status | None:
    if body["encoding_format"] != "float":
        return Status(400, error("encoding_format base64 is not supported"))
    return None


def ignores_the_encoding(number: int, body: dict[str, Any]) -> Status:
    return Status(200, reply({**body, "encoding_format": "float"}, 32))


def unordered(number: int, body: dict[str, Any]) -> Status:
    whole = reply(body, 32)
    return Status(200, {**whole, "data": whole["data"][::-1]})


@pytest.mark.parametrize("odd", [lambda n, b: None, floats_only, ignores_the_encoding, unordered])
def test_each_text_gets_its_own_row_of_length_one(odd: Odd) -> None:
    """Vectors would belong to other passages, or cosines be none."""
    texts = ["leave for parents", "travel", "a crane in the harbour", "leave"]
    with EmbeddingServer(odd) as server:
        embedder = embedder_at(server, batch=3)
        rows = embedder.embed_passages(texts)
        question = embedder.embed_query("leave")
        embedder.close()
    assert rows.dtype == np.float32
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-6)
    for row, text in zip(rows, texts, strict=True):
        expected = np.array(vector_of(text, 32))
        assert row @ expected == pytest.approx(np.linalg.norm(expected), rel=1e-5)
    assert (rows @ question).argmax() == 3


def test_a_request_holds_what_was_configured() -> None:
    """Prefixes the model was trained with would be missing, or dimensions ignored."""
    with EmbeddingServer() as server:
        embedder = embedder_at(
            server,
            batch=2,
            dimensions=8,
            query_prefix="query: ",
            passage_prefix="passage: ",
            max_characters=5,
            api_key_env="TEST_KEY",
        )
        assert embedder.embed_passages(["123456789", "b", "c"]).shape == (3, 8)
        embedder.embed_query("what? \ud800")
        embedder.close()
    assert [body["input"] for body in server.requests] == [
        ["passage: 12345", "passage: b"], ["passage: c"], ["query: what?"],
    ]  # fmt: skip
    assert {body["dimensions"] for body in server.requests} == {8}
    assert {headers["authorization"] for headers in server.headers} == {f"Bearer {KEY}"}
    assert set(server.paths) == {"/v1/embeddings"}
    assert embedder.name == "test-embedder with 'passage:'"


def broken(change: Callable[[dict[str, Any]], Any]) -> Odd:
    return lambda number, body: Status(200, change(reply(body, 4)))


def with_embedding(value: Any) -> Odd:
    def change(whole: dict[str, Any]) -> dict[str, Any]:
        whole["data"][-1]["embedding"] = value
        return whole

    return broken(change)


@pytest.mark.parametrize(
    ("odd", "said"),
    [
        (broken(lambda whole: {"data": whole["data"][1:]}), "1 for 2 texts"),
        (broken(lambda whole: {"data": None}), "not of the form"),
        (broken(lambda whole: {"error": "out of memory"}), "out of memory"),
        (broken(lambda whole: [1, 2]), "not of the form"),
        (broken(lambda whole: "<html>"), "not of the form"),
        (broken(lambda whole: {"data": [1, 2]}), "not of the form"),
        (with_embedding([1.0, 2.0]), "different lengths"),
        (with_embedding([1.0, float("nan"), 0.0, 0.0]), "numbers that are none"),
        (with_embedding([0, 0, 0, 0]), "only zeros"),
        (with_embedding([1, 2, None, 4]), "not a list of numbers"),
        (with_embedding("not base64!"), "not base64"),
        (with_embedding([10**400, 1, 1, 1]), "out of range"),
        (with_embedding(None), "not a list of numbers"),
    ],
    ids=range(13),
)
def test_a_reply_that_holds_no_vectors_is_one_line(odd: Odd, said: str) -> None:
    """Rubbish would be stored as a vector, and found by everything or nothing."""
    with EmbeddingServer(odd) as server:
        found = failure(server.settings())
    assert said in found.message
    assert server.host in found.message


def test_a_reply_of_another_dimension_is_refused() -> None:
    """Vectors of two models would end up in one database."""
    with EmbeddingServer(lambda n, body: Status(200, reply(body, 4 if n == 1 else 5))) as server:
        embedder = embedder_at(server)
        assert embedder.dimension == 4
        with pytest.raises(ModelError, match="5 numbers instead of 4"):
            embedder.embed_passages(["x"])
        embedder.close()


NOT_AGAIN = {"x-should-retry": "false"}


@pytest.mark.parametrize(
    ("answer", "message", "hint"),
    [
        (Status(401, error("no")), "did not accept the key in TEST_KEY (401): no.", "valid key"),
        (Status(404, error("no such")), "does not know the model 'test-embedder' (404)", "/v1"),
        (Status(400, error("input too long")), "(400): input too long", "max_characters"),
        (
            Status(429, error("slow down"), {"retry-after": "300", **NOT_AGAIN}),
            "takes no more requests now (429)",
            "Wait 300 seconds",
        ),
        (Status(500, error(f"boom {KEY}"), NOT_AGAIN), "failed (500): boom [key]", "log"),
        (Status(200, "<html></html>", {}, "text/html"), "no usable vectors", "/v1"),
        (Status(302, "", {"location": "http://127.0.0.1:1/"}), "sends requests on", "base_url"),
    ],
)
def test_a_refusal_is_one_line_with_the_next_step(answer: Status, message: str, hint: str) -> None:
    """A person would read a traceback, half a cause, the key, or not what to do."""
    with EmbeddingServer(lambda number, body: answer) as server:
        found = failure(server.settings(api_key_env="TEST_KEY"))
    assert found.message.startswith(server.host)
    assert message in found.message
    assert hint in found.hint


def test_a_busy_endpoint_is_asked_again_after_the_time_it_names() -> None:
    """A whole night's run would end at the first 429."""
    busy = Status(429, error("slow down"), {"retry-after": "0.2"})
    with EmbeddingServer(lambda number, body: busy if number == 1 else None) as server:
        embedder = embedder_at(server)
        assert len(embedder.embed_passages(["one"])) == 1
        embedder.close()


def test_a_dead_endpoint_is_one_line() -> None:
    """A person would not learn that the server is not running."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
        found = failure(EmbedderSettings(model="m", base_url=address))
    assert "the connection was refused" in found.message
    with EmbeddingServer(lambda number, body: Hangup()) as server:
        assert "could not be reached" in failure(server.settings()).message


def test_a_loopback_endpoint_is_reached_past_any_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy would be sent texts that were to stay here."""
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    with EmbeddingServer() as server:
        embedder = embedder_at(server)
        assert embedder.destination == ""
        embedder.embed_query("x")
        embedder.close()


def test_a_key_is_needed_for_another_machine_and_never_sent_to_one_it_is_not_for() -> None:
    """A text would be refused after it was sent, or a key given away."""
    remote = EmbedderSettings(model="m", base_url="https://example.invalid/v1", api_key_env="NONE")
    with pytest.raises(ModelError, match="NONE is not set"):
        _ = EndpointEmbedder(remote, {}).destination
    with EmbeddingServer() as server:
        embedder = EndpointEmbedder(server.settings(), {"OPENAI_API_KEY": KEY})
        embedder.embed_query("x")
        embedder.close()
    assert KEY not in json.dumps(server.headers)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from(["data", "index", "embedding", "x"]), inner, max_size=4)
    ),
    max_leaves=20,
)


@given(json_values | st.fixed_dictionaries({"data": st.lists(json_values, max_size=3)}))
def test_any_reply_gives_rows_of_length_one_or_a_value_error(body: object) -> None:
    """A strange server would end in a traceback."""
    try:
        rows = decoded(body, 2)
    except ValueError:
        return
    assert rows.shape[0] == 2
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)


def test_an_unknown_embedder_is_named_with_those_there_are(tmp_path: Path) -> None:
    """A person would not learn how to set one."""
    with pytest.raises(ModelError, match="No embedder is set"):
        make_embedder("", Config(), tmp_path)
    config = Config(embedders={"near": EmbedderSettings(model="m")})
    with pytest.raises(ModelError, match=r"There is no embedder 'far'.*'near'"):
        make_embedder("far", config, tmp_path)
    assert make_embedder("near", config, tmp_path, {"OPENAI_API_KEY": KEY}).name == "m"


def test_without_the_packages_a_local_model_names_the_extra(tmp_path: Path) -> None:
    """A person would read "No module named fastembed"."""
    if find_spec("fastembed"):
        pytest.skip("fastembed is installed here")
    (tmp_path / "model.onnx").write_bytes(b"x")
    embedder = LocalEmbedder(EmbedderSettings("local", folder=str(tmp_path)), tmp_path)
    with pytest.raises(ModelError, match=r"\[semantic\]"):
        embedder.embed_query("x")


def test_a_folder_without_a_model_is_one_line(tmp_path: Path) -> None:
    """A wrong path would end in an error of onnxruntime."""
    embedder = LocalEmbedder(EmbedderSettings("local", folder=str(tmp_path)), tmp_path)
    with pytest.raises(ModelError, match=r"holds no model\.onnx"):
        _ = embedder.name


@pytest.mark.skipif(find_spec("fastembed") is None, reason="fastembed is not installed")
def test_a_damaged_model_is_one_line(tmp_path: Path) -> None:
    """A half-copied folder would end in a traceback."""
    (tmp_path / "model.onnx").write_bytes(b"not a model")
    embedder = LocalEmbedder(EmbedderSettings("local", folder=str(tmp_path)), tmp_path)
    with pytest.raises(ModelError, match="cannot be used"):
        embedder.embed_query("x")


def test_a_local_folder_embeds_by_meaning() -> None:
    """A local model would be loaded wrongly: other pooling, padding that counts, mixed-up rows."""
    folder = os.environ.get("TEST_MODEL")
    if not folder or find_spec("fastembed") is None:
        pytest.skip("TEST_MODEL names no folder of MiniLM (see CONTRIBUTING), or no fastembed")
    embedder = LocalEmbedder(EmbedderSettings("local", folder=folder), Path("unused"))
    texts = [
        "How many days off do new parents get? " * 20,
        "The crane lifts containers in the harbour.",
        "Every mother and father gets sixteen weeks of leave at full pay.",
    ]
    rows = embedder.embed_passages(texts)
    assert rows.shape == (3, embedder.dimension)
    assert np.allclose(np.linalg.norm(rows, axis=1), 1, atol=1e-5)
    for row, text in zip(rows, texts, strict=True):
        # Alone and beside longer ones: padding may not count.
        assert row @ embedder.embed_passages([text])[0] > 0.9999
    assert (rows @ embedder.embed_query("paid time at home with a baby")).argmax() == 2
    assert embedder.embed_query("\ud800").shape == (embedder.dimension,)
