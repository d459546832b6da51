"""A small embedding endpoint on loopback: real HTTP, vectors that depend on the words alone.

`with EmbeddingServer() as server:` embeds a text as the sum of a fixed direction for each of its
words, so that texts with words in common are near. `odd` may answer a request in another way.
"""

import base64
import json
import struct
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random
from types import TracebackType
from typing import Any

from rag_assistant.config import EmbedderSettings
from scripts.benchmarks.shared.model_replies import Hangup, Status

Odd = Callable[[int, dict[str, Any]], Status | Hangup | None]
"""What to answer to the request of this number (from 1) and body; None for the usual answer."""


def vector_of(text: str, dimension: int) -> list[float]:
    """Give the vector of a text, not of length 1."""
    numbers = [0.01] * dimension
    for word in text.lower().split():
        direction = Random(word)
        numbers = [number + direction.gauss(0, 1) for number in numbers]
    return numbers


def reply(body: dict[str, Any], dimension: int) -> dict[str, Any]:
    """Answer a request as OpenAI does."""
    dimension = body.get("dimensions", dimension)
    data = []
    for index, text in enumerate(body["input"]):
        numbers = vector_of(text, dimension)
        packed = base64.b64encode(struct.pack(f"<{dimension}f", *numbers)).decode()
        embedding = packed if body.get("encoding_format") == "base64" else numbers
        data.append({"object": "embedding", "index": index, "embedding": embedding})
    return {"object": "list", "model": body["model"], "data": data}


class EmbeddingServer:
    """Serves from entering to leaving the `with` block; `requests` are the bodies it was sent."""

    def __init__(self, odd: Odd = lambda number, body: None, dimension: int = 32) -> None:
        self.requests: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []
        self.paths: list[str] = []
        self._odd = odd
        self._dimension = dimension
        self._lock = threading.Lock()
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    @property
    def host(self) -> str:
        """Host and port, as messages name them."""
        return f"127.0.0.1:{self._http.server_port}"

    @property
    def base_url(self) -> str:
        """The address to configure, ending in /v1."""
        return f"http://{self.host}/v1"

    def settings(self, **changed: Any) -> EmbedderSettings:
        """Settings that reach this server."""
        return EmbedderSettings(model="test-embedder", base_url=self.base_url, **changed)

    def config(self, **changed: Any) -> str:
        """A configuration file that names this server's model as the embedder."""
        lines = ['embedder = "near"', "[embedders.near]", 'model = "test-embedder"']
        lines += [f"{key} = {json.dumps(value)}" for key, value in changed.items()]
        return "\n".join([*lines, f"base_url = {json.dumps(self.base_url)}", ""])

    def texts(self) -> list[str]:
        """All texts that were sent, in order."""
        return [text for body in self.requests for text in body["input"]]

    def answer(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Status | Hangup:
        """Record a request and give what answers it."""
        with self._lock:
            self.paths.append(path)
            self.headers.append(headers)
            self.requests.append(body)
            number = len(self.requests)
        return self._odd(number, body) or Status(200, reply(body, self._dimension))

    def __enter__(self) -> "EmbeddingServer":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.shutdown()
        self._http.server_close()
        self._thread.join()


def _handler(server: EmbeddingServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        timeout = 5  # so that an idle connection does not keep the test from ending

        def log_message(self, format: str, *args: Any) -> None:
            """Say nothing: the test looks at `requests`."""

        def do_GET(self) -> None:
            """Say, as llama.cpp does, that the model is here."""
            told = b'{"model_path": "m.gguf"}'
            self.send_response(200 if self.path == "/props" else 404)
            self.send_header("content-length", str(len(told)))
            self.end_headers()
            self.wfile.write(told)

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["content-length"])))
            headers = {name.lower(): value for name, value in self.headers.items()}
            answer = server.answer(self.path, headers, body)
            if isinstance(answer, Hangup):
                return
            text = answer.body if isinstance(answer.body, str) else json.dumps(answer.body)
            self.send_response(answer.code)
            self.send_header("content-type", answer.content_type or "application/json")
            self.send_header("content-length", str(len(text.encode())))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(text.encode())

    return Handler
