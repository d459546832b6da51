"""The hub that models are fetched from: what a repository lists, and its files piece by piece.

Only addresses of public files go out: no key, no cookie, nothing of a person; each request is on
record all the same. What comes in is untrusted: bounded in size and time, and led to no address
that is less safe than the one asked. `HF_ENDPOINT` names another hub with the same interface.
Source: https://huggingface.co/docs/hub/api and the requests of huggingface_hub.
"""

import json
import re
import time
from collections.abc import Generator, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urljoin, urlsplit

import httpx2

from rag_assistant.egress.gate import Destination, Gate
from rag_assistant.egress.hosts import host_of, is_loopback
from rag_assistant.egress.plain_http import place_of
from rag_assistant.egress.provenance import Provenance
from rag_assistant.errors import ModelError
from rag_assistant.models import faults
from rag_assistant.models.fetched.hub_faults import (
    BrokenFetch,
    refused,
    silent,
    too_slow,
    unreachable,
    unusable_listing,
)
from rag_assistant.models.patience import Patience, wait_asked
from rag_assistant.models.peer_check import watch_peer

ENDPOINT_VARIABLE = "HF_ENDPOINT"
USUAL_HUB = "https://huggingface.co"

CONNECT_SECONDS = 10.0
SILENCE_SECONDS = 30.0
"""How long a hub may send nothing; of what is slower than `LEAST_BYTES` in this time nobody waits
for the end."""
LEAST_BYTES = 30_000
MOST_LISTED = 4 << 20
"""Bytes of a listing; one of a thousand files takes half a million."""
MOST_REDIRECTS = 5

PATIENCE = Patience(retries=3, first=0.5)

_HASHES = {"sha256": re.compile(r"(?:sha256:)?([0-9a-f]{64})"), "git": re.compile("([0-9a-f]{40})")}
_RANGE = re.compile(r"bytes (\d+)-\d+/(?:\d+|\*)")


@dataclass(frozen=True, slots=True)
class ListedFile:
    """A file as the hub lists it: of large ones `sha256` is known, of others git's hash (SHA-1)."""

    path: str
    size: int
    sha256: str
    git: str


@dataclass(frozen=True, slots=True)
class FileStream:
    """The bytes of a file from `start` on, which may be before the place that was asked for."""

    start: int
    pieces: Iterator[bytes]


class Hub:
    """One hub, that of `environ`; requests to another machine are put on record by `gate`.

    `origin` is its address as it is kept and shown, without a password that may be in it.

    `silence` is in seconds, `patience` says how often what broke off is tried again. Raises
    ModelError where `HF_ENDPOINT` is no web address.
    """

    def __init__(
        self,
        environ: Mapping[str, str],
        gate: Gate,
        silence: float = SILENCE_SECONDS,
        patience: Patience = PATIENCE,
    ) -> None:
        self.patience = patience
        self.address = environ.get(ENDPOINT_VARIABLE, "").strip().rstrip("/") or USUAL_HUB
        if urlsplit(self.address).scheme not in ("http", "https") or not host_of(self.address):
            raise ModelError(
                f"{ENDPOINT_VARIABLE} is {self.address!r}, which is no web address.",
                hint=f"Unset it, or write one such as {USUAL_HUB}.",
            )
        self.host = host_of(self.address)
        self.origin = f"{urlsplit(self.address).scheme}://{place_of(self.address)}"
        self._gate = gate
        self._silence = silence
        try:
            self._client = httpx2.Client(
                timeout=httpx2.Timeout(silence, connect=min(CONNECT_SECONDS, silence)),
                trust_env=not is_loopback(self.host),
                follow_redirects=False,  # each is looked at, and put on record
                headers={"accept-encoding": "identity", "user-agent": "rag-assistant"},
                event_hooks={"request": [watch_peer]},
            )
        except (OSError, ImportError, ValueError) as error:
            raise faults.unusable(error) from None

    def close(self) -> None:
        """Close the connections kept open."""
        self._client.close()

    def listing(self, repository: str, revision: str) -> dict[str, ListedFile]:
        """Give the files of a repository by their paths. Raises ModelError."""
        path = f"/api/models/{quote(repository)}/tree/{quote(revision)}?recursive=true"
        body = bytearray()
        with self._told(), self._answered(repository, path) as response:
            if response.status_code != httpx2.codes.OK:
                raise self._refused(response, f"{repository} at {revision[:8]}")
            for piece in self._watched(response):
                body += piece
                if len(body) > MOST_LISTED:
                    raise unusable_listing(self.host, repository)
        try:
            rows = json.loads(body)
            files = [_listed(row) for row in rows if row["type"] == "file"]
        except (ValueError, KeyError, TypeError, RecursionError):
            raise unusable_listing(self.host, repository) from None
        return {file.path: file for file in files}

    @contextmanager
    def opened(
        self, repository: str, revision: str, path: str, start: int = 0
    ) -> Generator[FileStream]:
        """Open a file at a place; it begins at 0 where the hub cannot begin there.

        Raises ModelError; BrokenFetch where another try may get on.
        """
        address = f"/{quote(repository)}/resolve/{quote(revision)}/{quote(path)}"
        more = {"range": f"bytes={start}-"} if start else {}
        with self._told(), self._answered(repository, address, more) as response:
            status = response.status_code
            if start and status == httpx2.codes.RANGE_NOT_SATISFIABLE:
                with self.opened(repository, revision, path) as whole:
                    yield whole
                return
            begins = 0
            if status == httpx2.codes.PARTIAL_CONTENT:
                said = _RANGE.match(response.headers.get("content-range", ""))
                begins = int(said[1]) if said else -1
            if status not in (httpx2.codes.OK, httpx2.codes.PARTIAL_CONTENT):
                raise self._refused(response, f"{path} of {repository}")
            if begins not in (0, start):
                raise BrokenFetch(f"{self.host} sent another part of {path} than was asked for.")
            yield FileStream(begins, self._watched(response))

    @contextmanager
    def _answered(
        self, repository: str, path: str, headers: Mapping[str, str] | None = None
    ) -> Generator[httpx2.Response]:
        """Ask for a path and follow where the answer leads."""
        url = self.address + path
        for _ in range(MOST_REDIRECTS + 1):
            host = host_of(url)
            # The address of a public file is all that leaves, so there is no text to mask.
            to = Destination(host, url, repository, stays=is_loopback(host))
            self._gate.release(to, "", Provenance("download"))
            request = self._client.build_request("GET", url, headers=headers)
            response = self._client.send(request, stream=True)
            try:
                if not response.has_redirect_location:
                    yield response
                    return
                url = self._led(url, response.headers["location"])
            finally:
                response.close()
        raise ModelError(
            f"{self.host} sends requests for {repository} round in circles.", hint="Try later."
        )

    def _refused(self, response: httpx2.Response, what: str) -> ModelError:
        return refused(self.host, response.status_code, what, wait_asked(response.headers))

    def _led(self, url: str, location: str) -> str:
        """Give the address that an answer leads to, where it is as safe as the one before."""
        target = urljoin(url, location)
        host, secure = host_of(target), urlsplit(target).scheme == "https"
        downgraded = urlsplit(url).scheme == "https" and not secure
        if downgraded or not host or (is_loopback(host) and not is_loopback(host_of(url))):
            raise ModelError(
                f"{self.host} leads to {host or 'nowhere'}, which is less safe to ask; nothing was"
                " fetched there.",
                hint=f"Check {ENDPOINT_VARIABLE} and the proxy.",
            )
        return target

    def _watched(self, response: httpx2.Response) -> Iterator[bytes]:
        """Give what comes, as long as it comes fast enough to end."""
        since, came = time.monotonic(), 0
        for piece in response.iter_raw():
            came += len(piece)
            yield piece
            if time.monotonic() - since >= self._silence:
                if came < LEAST_BYTES:
                    raise too_slow(self.host, came, self._silence)
                since, came = time.monotonic(), 0

    @contextmanager
    def _told(self) -> Generator[None]:
        """Tell in our words how a request failed."""
        try:
            yield
        except httpx2.TimeoutException as error:
            connecting = isinstance(error, httpx2.ConnectTimeout)
            seconds = min(CONNECT_SECONDS, self._silence) if connecting else self._silence
            raise silent(self.host, seconds, connecting=connecting) from None
        except (httpx2.HTTPError, httpx2.InvalidURL, httpx2.StreamError) as error:
            if refusal := faults.egress_refused(error):
                raise refusal from None
            raise unreachable(self.host, error) from None


def _listed(row: Mapping[str, Any]) -> ListedFile:
    """Read a row of a listing. Raises ValueError, KeyError, TypeError."""
    large = row.get("lfs") or {}
    size = large.get("size", row["size"])
    if type(size) is not int or size < 0:
        raise ValueError("no size")
    sha256 = _HASHES["sha256"].fullmatch(str(large.get("oid", "")))
    git = _HASHES["git"].fullmatch(str(row.get("oid", "")))
    return ListedFile(str(row["path"]), size, sha256[1] if sha256 else "", git[1] if git else "")
