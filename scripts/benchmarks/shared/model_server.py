"""A scripted OpenAI-compatible server on loopback, for tests of anything that asks a model.

`with ScriptedServer(Answer("Hello"), Status(500)) as server:` answers one request after the other
from its scripts, in the wire format the request's path asks for; the last script repeats. What it
was sent, and whether the asker hung up early, is in `server.requests`.
"""

import contextlib
import json
import select
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any

from rag_assistant.config import ModelSettings, Wire
from scripts.benchmarks.shared.model_replies import (
    Answer,
    Events,
    Hangup,
    Script,
    Silence,
    Status,
    rendered,
)

MODEL = "scripted-model"


@dataclass(slots=True)
class SeenRequest:
    """A request the server was sent."""

    path: str
    headers: dict[str, str]
    body: dict[str, Any]
    hung_up: threading.Event = field(default_factory=threading.Event)
    """Set as soon as the asker has closed the connection before the answer was complete."""

    def text(self) -> str:
        """Everything the model was told, as one string to search in."""
        return json.dumps(self.body, ensure_ascii=False)


Scripts = Script | Callable[[SeenRequest], Script]
"""A script, or a function that chooses one by what was asked."""


class ScriptedServer:
    """Serves from entering to leaving the `with` block.

    `tells` is what it gives for GET requests, by path: as llama.cpp it says that its model is here.
    """

    def __init__(self, *scripts: Scripts) -> None:
        self.tells: dict[str, Any] = {
            "/v1/models": {"object": "list", "data": [{"id": MODEL}]},
            "/props": {"model_path": "scripted.gguf", "default_generation_settings": {}},
        }
        self.requests: list[SeenRequest] = []
        self.stopping = threading.Event()
        self._scripts = list(scripts) or [Answer("Hello.")]
        self._lock = threading.Lock()
        self._http = _Http(("127.0.0.1", 0), _Handler)
        self._http.scripted = self
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    @property
    def base_url(self) -> str:
        """The address to configure, ending in /v1."""
        return f"http://{self.host}/v1"

    @property
    def host(self) -> str:
        """Host and port, as messages name them."""
        return f"127.0.0.1:{self._http.server_port}"

    def settings(self, wire: Wire = "chat", **changed: Any) -> ModelSettings:
        """Settings that reach this server."""
        return ModelSettings(MODEL, base_url=self.base_url, wire=wire, **changed)

    def next_script(self, request: SeenRequest) -> Script:
        """Record a request and give what answers it."""
        with self._lock:
            self.requests.append(request)
            script = self._scripts.pop(0) if len(self._scripts) > 1 else self._scripts[0]
        return script(request) if callable(script) else script

    def __enter__(self) -> "ScriptedServer":
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stopping.set()
        self._http.shutdown()
        self._http.hang_up()
        self._http.server_close()
        self._thread.join()
        if self._http.failures and error is None:
            raise self._http.failures[0]


class _Http(ThreadingHTTPServer):
    daemon_threads = False  # so that closing waits for them
    scripted: ScriptedServer

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.connections: set[socket.socket] = set()
        self.failures: list[BaseException] = []

    def hang_up(self) -> None:
        """End connections on which a client may still be waiting or idle."""
        for connection in list(self.connections):
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    def handle_error(self, request: Any, client_address: Any) -> None:
        error = sys.exception()
        if error is not None and not isinstance(error, ConnectionError):
            self.failures.append(error)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Http
    connection: socket.socket

    def setup(self) -> None:
        super().setup()
        self.server.connections.add(self.connection)

    def finish(self) -> None:
        self.server.connections.discard(self.connection)
        super().finish()

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing: the test looks at `requests`."""

    def do_GET(self) -> None:
        told = self.server.scripted.tells.get(self.path)
        self._send_whole(Status(200, told) if told is not None else Status(404, {}))

    def do_POST(self) -> None:
        length = int(self.headers["content-length"])
        sent = self.rfile.read(length)
        if len(sent) < length:  # the client went while it was sending
            self.close_connection = True
            return
        body = json.loads(sent)
        headers = {name.lower(): value for name, value in self.headers.items()}
        request = SeenRequest(self.path, headers, body)
        match self.server.scripted.next_script(request):
            case Status() as status:
                self._send_whole(status)
            case Events() as stream:
                self._send_events(request, stream)
            case Answer() as answer:
                begun, end = rendered(answer, self.path)
                whole = [*begun, *end] if answer.then == "end" else begun
                self._send_events(request, Events(tuple(whole), answer.then))
            case Silence():
                self._wait_for_hang_up(request)
            case Hangup():
                self.close_connection = True

    def _send_whole(self, status: Status) -> None:
        is_text = isinstance(status.body, str)
        body = (status.body if is_text else json.dumps(status.body)).encode()
        kind = status.content_type or ("text/html" if is_text else "application/json")
        self.send_response(status.code)
        self.send_header("content-type", kind)
        self.send_header("content-length", str(len(body)))
        for name, value in status.headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def _send_events(self, request: SeenRequest, stream: Events) -> None:
        then = stream.then
        self.send_response(stream.code)
        self.send_header("content-type", stream.content_type)
        self.send_header("transfer-encoding", "chunked")
        self.end_headers()
        try:
            for event in stream.events:
                if stream.pause:
                    self.server.scripted.stopping.wait(stream.pause)
                self._send_event(event)
            if then == "forever":
                self._repeat(request, stream.events[-1])
            elif then == "stall":
                self._wait_for_hang_up(request)
            elif then == "end":
                self._chunk(b"data: [DONE]\n\n" if "chat" in self.path else b"")
                self.wfile.write(b"0\r\n\r\n")
        except ConnectionError:
            request.hung_up.set()
            raise
        self.close_connection = then != "end"

    def _send_event(self, event: Any) -> None:
        if isinstance(event, bytes):
            self._chunk(event)
            return
        data = event if isinstance(event, str) else json.dumps(event)
        name = f"event: {event['type']}\n" if isinstance(event, dict) and "type" in event else ""
        self._chunk(f"{name}data: {data}\n\n".encode())

    def _chunk(self, data: bytes) -> None:
        if data:  # an empty chunk would end the body
            self.wfile.write(b"%x\r\n%s\r\n" % (len(data), data))

    def _repeat(self, request: SeenRequest, event: Any) -> None:
        while not (self.server.scripted.stopping.is_set() or self._has_hung_up(request)):
            self._send_event(event)

    def _wait_for_hang_up(self, request: SeenRequest) -> None:
        until = time.monotonic() + 60
        stopping = self.server.scripted.stopping
        while not (stopping.is_set() or self._has_hung_up(request) or time.monotonic() > until):
            pass
        self.close_connection = True

    def _has_hung_up(self, request: SeenRequest) -> bool:
        """Look for 10 ms whether the asker has closed its end."""
        readable, _, _ = select.select([self.connection], [], [], 0.01)
        if not readable:
            return False
        try:
            gone = not self.connection.recv(1, socket.MSG_PEEK)
        except ConnectionError:
            gone = True
        if gone:
            request.hung_up.set()
        return gone
