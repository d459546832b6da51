"""A gate before the cluster, on loopback, at which requests meet with what happens to them."""

import http.client
import socket
import ssl
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import urlsplit

from tests.store.opensearch.cluster import addresses

_PASSED_ON = ("Content-Type", "Content-Encoding")


@contextmanager
def serving(
    handler: type[BaseHTTPRequestHandler], certificates: Path | None = None
) -> Iterator[str]:
    """Serve on loopback, with TLS where there are certificates."""
    with _Server(("127.0.0.1", 0), handler) as server:
        if certificates:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificates / "node.pem", certificates / "node-key.pem")
            server.socket = context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True).start()
        try:
            yield f"http{'s' * bool(certificates)}://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, *_: object) -> None:
        """Say nothing: connections end in the middle, which is what is tried."""


@contextmanager
def gate(faults: Sequence[str], path: str = "/", *methods: str) -> Iterator[str]:
    """Let requests through to the cluster, but those to a path meet with these faults in turn.

    "cut" ends the connection when half of the request has come through, "lost" when all has and
    it was answered; "hang" answers nothing, "busy" with 429.
    """
    left, node, opened = list(faults), urlsplit(addresses()[0]), threading.Event()

    class Gate(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
            is_meant = path in self.path and (not methods or self.command in methods)
            fault = left.pop(0) if left and is_meant else ""
            if fault == "hang":
                opened.wait(60)
            elif fault == "busy":
                self._answer(429, b"{}")
            elif fault == "cut":
                _send_half(node.netloc, f"{self.command} {self.path} HTTP/1.1", body)
            else:
                status, answer = self._through(body)
                if fault != "lost":
                    self._answer(status, answer)
                    return
            self.close_connection = fault != "busy"

        do_POST = do_PUT = do_HEAD = do_DELETE = do_GET  # noqa: N815

        def _through(self, body: bytes) -> tuple[int, bytes]:
            there = http.client.HTTPConnection(node.netloc, timeout=60)
            given = {name: self.headers[name] for name in _PASSED_ON if name in self.headers}
            there.request(self.command, self.path, body or None, given)
            answer = there.getresponse()
            told = answer.status, answer.read()
            there.close()
            return told

        def _answer(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with serving(Gate) as url:
        try:
            yield url
        finally:
            opened.set()


def _send_half(place: str, line: str, body: bytes) -> None:
    host, _, port = place.partition(":")
    with socket.create_connection((host, int(port))) as there:
        head = f"{line}\r\nHost: {place}\r\nContent-Type: application/json\r\n"
        there.sendall(f"{head}Content-Length: {len(body)}\r\n\r\n".encode())
        there.sendall(body[: len(body) // 2])
