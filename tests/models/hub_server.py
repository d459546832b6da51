"""A loopback copy of the hub's interface: real HTTP, the files that a test gives it.

It lists a repository as `/api/models/{id}/tree/{revision}` does: `.onnx` files with the SHA-256 of
large ones, others with git's hash; large files are given by a redirect to `/cdn/…`, small ones at
once; ranges are honoured. `odd` may answer a request in another way.
"""

import hashlib
import json
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from urllib.parse import urlsplit

REVISION = "0123456789abcdef0123456789abcdef01234567"


@dataclass(slots=True)
class HubReply:
    """An answer; `cut` ends the connection after so many bytes, `pause` comes before each byte."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None
    pause: float = 0.0


@dataclass(frozen=True, slots=True)
class HubRequest:
    """What was asked: the path with its query, and the headers."""

    path: str
    headers: dict[str, str]


Odd = Callable[[HubRequest, HubReply], HubReply]
"""What to answer instead of the usual reply."""


def git_hash(content: bytes) -> str:
    """Give the hash that git has of a file."""
    return hashlib.sha1(b"blob %d\0" % len(content) + content, usedforsecurity=False).hexdigest()


def sha256(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


class HubServer:
    """Serves from entering to leaving the `with` block; `requests` are those it was sent."""

    def __init__(
        self, repositories: dict[str, dict[str, bytes]], odd: Odd = lambda request, reply: reply
    ) -> None:
        self.repositories = repositories
        self.requests: list[HubRequest] = []
        self.odd = odd
        self._http = ThreadingHTTPServer(("127.0.0.1", 0), _handler(self))
        self._thread = threading.Thread(target=self._http.serve_forever, args=(0.02,))

    @property
    def address(self) -> str:
        """What `HF_ENDPOINT` is to be."""
        return f"http://127.0.0.1:{self._http.server_port}"

    def asked(self, part: str) -> list[HubRequest]:
        """Give the requests whose path has a part."""
        return [request for request in self.requests if part in request.path]

    def reply(self, request: HubRequest) -> HubReply:
        """Give the answer to a request."""
        self.requests.append(request)
        return self.odd(request, self._usual(request))

    def _usual(self, request: HubRequest) -> HubReply:
        path = urlsplit(request.path).path
        for repository, files in self.repositories.items():
            if path == f"/api/models/{repository}/tree/{REVISION}":
                rows = [_row(name, content) for name, content in files.items()]
                rows.append({"type": "directory", "oid": "0" * 40, "size": 0, "path": "onnx"})
                return HubReply(200, json.dumps(rows).encode())
            for name, content in files.items():
                if path == f"/{repository}/resolve/{REVISION}/{name}":
                    if not name.endswith(".onnx"):
                        return _ranged(request, content)
                    place = f"/cdn/{sha256(content)}?signature=0123"
                    return HubReply(302, headers={"location": place})
                if path == f"/cdn/{sha256(content)}":
                    return _ranged(request, content)
        return HubReply(404, b"Entry not found")

    def __enter__(self) -> "HubServer":
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


def _row(name: str, content: bytes) -> dict[str, object]:
    row: dict[str, object] = {
        "type": "file",
        "oid": git_hash(content),
        "size": len(content),
        "path": name,
    }
    if name.endswith(".onnx"):
        row["lfs"] = {"oid": sha256(content), "size": len(content), "pointerSize": 133}
        row["xetHash"] = "0" * 64
    return row


def _ranged(request: HubRequest, content: bytes) -> HubReply:
    wanted = request.headers.get("range", "")
    if not wanted:
        return HubReply(200, content)
    start = int(wanted.removeprefix("bytes=").removesuffix("-"))
    if start >= len(content):
        return HubReply(416, headers={"content-range": f"bytes */{len(content)}"})
    said = f"bytes {start}-{len(content) - 1}/{len(content)}"
    return HubReply(206, content[start:], {"content-range": said})


def _handler(server: HubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing: the test looks at `requests`."""

        def do_GET(self) -> None:
            headers = {name.lower(): value for name, value in self.headers.items()}
            reply = server.reply(HubRequest(self.path, headers))
            self.send_response(reply.status)
            for name, value in reply.headers.items():
                self.send_header(name, value)
            self.send_header("content-length", str(len(reply.body)))
            self.end_headers()
            body = reply.body if reply.cut is None else reply.body[: reply.cut]
            if reply.cut is not None:
                self.close_connection = True
            try:
                if reply.pause:
                    for number in range(len(body)):
                        self.wfile.write(body[number : number + 1])
                        time.sleep(reply.pause)
                else:
                    self.wfile.write(body)
            except OSError:
                self.close_connection = True  # the asker had enough

    return Handler
