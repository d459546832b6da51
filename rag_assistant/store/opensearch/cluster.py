"""A cluster as the store speaks to it: an address, the client, and the few requests that are made.

Every failure is told plainly (`faults.py`). The nodes' refusals for being busy are waited for.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

from rag_assistant.errors import ConfigError, LibraryError
from rag_assistant.store.opensearch.address import Address
from rag_assistant.store.opensearch.faults import full, is_full, is_red, of_status, told_plainly

Json = dict[str, Any]

AT_ONCE = 5_000
"""Documents read in one answer where all are wanted; an engine gives 10,000 at most."""

BULK_BYTES = 4_000_000
"""Of one request that writes."""

TRIES, FIRST_WAIT = 8, 0.25
"""How often a refusal for being busy is met, and seconds to wait at first; then twice that."""

HOPED_FOR = 4
"""Waits after which a cluster that lacks a part of its data is given up: some four seconds."""

ANSWER_SECONDS = 60
"""How long an answer may take; then another node is asked."""

OLDEST = 2, 7
"""The first OpenSearch that knows all that is asked of it: copies that take over segments."""

_READ = ",".join((
    "hits.total.value", "hits.hits._source", "hits.hits._score", "hits.hits.sort", "aggregations",
))  # fmt: skip
"""What is read of an answer: the rest of a hit is twice as long as what is asked for."""

_WRITTEN = "errors,items.*.status,items.*.error"

_EACH = ",".join((
    "responses.status", "responses.error", "responses.hits.total.value",
    "responses.hits.hits._source", "responses.hits.hits._score",
    "responses.aggregations.*.buckets.*.doc_count", "responses.aggregations.*.buckets.*.**.key",
))  # fmt: skip
"""The same of each of several answers; the status is always there, so that none is left out."""

BUSY = (429, 503)


@dataclass(frozen=True, slots=True)
class BulkLine:
    """Of a request that writes: what is done, and its document as JSON, "" for a deletion."""

    head: str
    document: str


@dataclass(frozen=True)
class Cluster:
    """The cluster at an address. `waits` are the seconds that it was waited for, being busy."""

    address: Address
    states: dict[str, Json] = field(default_factory=dict, compare=False, repr=False)
    """What readers of this process last knew of each database; another run may have come since."""
    waits: list[float] = field(default_factory=list, compare=False)

    @cached_property
    def client(self) -> Any:
        """The client of the engine's makers.

        Raises LibraryError where it is not installed, ConfigError where `ca_file` is not there.
        """
        try:
            from opensearchpy import OpenSearch  # noqa: PLC0415 - heavy, and maybe absent
        except ImportError as error:
            from rag_assistant.config.installation import how_to_add  # noqa: PLC0415

            raise LibraryError(
                "Databases on a cluster need the extra `opensearch`, which is not installed.",
                hint=f"Run `{how_to_add('opensearch')}`.",
            ) from error
        at = self.address
        if at.ca_file and not Path(at.ca_file).is_file():
            raise ConfigError(
                f"The certificate of an authority {at.ca_file} is not there.",
                hint="Mend `ca_file` in [stores.NAME] of the config.",
            )
        return OpenSearch(
            list(at.urls),
            verify_certs=at.verify,
            ssl_show_warn=False,
            # Only what comes is compressed: to compress what is indexed costs more than to send it.
            headers={"accept-encoding": "gzip", **at.credentials.headers},
            ca_certs=at.ca_file or None,
            timeout=ANSWER_SECONDS,
            max_retries=3,
            retry_on_timeout=True,
            retry_on_status=(502, 504),
        )

    def asked(self, method: str, path: str, body: object = None, **given: object) -> Json:
        """Make a request; a node that is too busy is asked again. Raises LibraryError."""
        client = self.client  # says so where the package that all else here is of is not there
        from opensearchpy.exceptions import TransportError  # noqa: PLC0415

        with told_plainly(self.address):
            for attempt in range(TRIES):
                try:
                    answer: Json = client.transport.perform_request(
                        method,
                        path,
                        params=dict(given),
                        body=body,  # it takes from them
                    )
                    return answer
                except TransportError as error:
                    is_busy = error.status_code in BUSY and not is_full(str(error))
                    if not is_busy or attempt == TRIES - 1:
                        raise
                    if attempt >= HOPED_FOR and self.health() == "red":
                        raise is_red(self.address) from error
                    self._wait(attempt)
            raise AssertionError  # the last try raised

    def make(self, index: str, body: Json) -> None:
        """Make an index where there is none of that name. Raises LibraryError."""
        answer = self.asked("PUT", f"/{index}", body, ignore=400)
        error = answer.get("error")
        if error and error["type"] != "resource_already_exists_exception":
            raise of_status(self.address, 400, str(error["reason"]))

    def _wait(self, attempt: int) -> None:
        self.waits.append(FIRST_WAIT * 2**attempt)
        time.sleep(self.waits[-1])

    def health(self, index: str = "") -> str:
        """Give green, yellow or red, of all or of an index; empty where that is not told."""
        from opensearchpy.exceptions import OpenSearchException  # noqa: PLC0415

        try:
            return str(self.client.cluster.health(index=index or None)["status"])
        except OpenSearchException:
            return ""

    def demand_version(self) -> None:
        """See that the engine is one that knows what is asked of it. Raises LibraryError."""
        client = self.client
        from opensearchpy.exceptions import AuthorizationException  # noqa: PLC0415

        with told_plainly(self.address), suppress(AuthorizationException):
            told = client.info()["version"]
            is_other = told.get("distribution") != "opensearch"
            number = str(told["number"])
            if is_other or tuple(int(part) for part in number.split(".")[:2]) < OLDEST:
                told_of = f"no OpenSearch, but {number} of another engine"
                oldest = ".".join(map(str, OLDEST))
                what = told_of if is_other else f"OpenSearch {number}, which is too old"
                raise LibraryError(
                    f"{self.address.where} runs {what}.",
                    hint=f"Ask its administrator for OpenSearch {oldest} or later.",
                )

    def found(self, index: str, body: Json, routing: str = "") -> Json:
        """Search; all shards have to answer, or what is there would seem to be absent."""
        given = {"allow_partial_search_results": "false", "filter_path": _READ}
        if routing:
            given["routing"] = routing
        return self.asked("POST", f"/{index}/_search", body, **given)

    def searched(self, searches: Sequence[tuple[str, Json]]) -> list[Json]:
        """Search several times by one request, each in an index; give the answers in their order.

        Raises LibraryError for the first that failed.
        """
        import json  # noqa: PLC0415

        lines: list[str] = []
        for index, body in searches:
            head = {"index": index, "allow_partial_search_results": False}
            lines += [json.dumps(head), json.dumps(body)]
        text = "\n".join(lines) + "\n"
        for attempt in range(TRIES):
            told = self.asked("POST", "/_msearch", text, filter_path=_EACH)
            answers: list[Json] = told["responses"]
            failed = next((one for one in answers if "error" in one), None)
            if failed is None:
                return answers
            if failed["status"] not in BUSY or attempt == TRIES - 1:
                raise of_status(self.address, failed["status"], str(failed["error"]))
            if attempt >= HOPED_FOR and self.health() == "red":
                raise is_red(self.address)
            self._wait(attempt)
        raise AssertionError  # the last try raised

    def every(self, index: str, body: Json, sort: str) -> Iterator[Json]:
        """Give all hits of a search, in order of a field that no two share."""
        after: list[Any] | None = None
        while True:
            page = {**body, "size": AT_ONCE, "sort": [{sort: "asc"}], "track_total_hits": False}
            if after:
                page["search_after"] = after
            hits = hits_of(self.found(index, page))
            yield from hits
            if len(hits) < AT_ONCE:
                return
            after = hits[-1]["sort"]

    def write(self, index: str, lines: Sequence[BulkLine]) -> None:
        """Write documents; those that were refused for a time are written again.

        All have ids, so that to write one twice is to write it once. Raises LibraryError where one
        is refused for good.
        """
        for attempt in range(TRIES):
            refused: list[BulkLine] = []
            for some in _portions(lines):
                parts = [part for line in some for part in (line.head, line.document) if part]
                path = f"/{index}/_bulk"
                answer = self.asked("POST", path, "\n".join(parts) + "\n", filter_path=_WRITTEN)
                if answer["errors"]:
                    refused += self._refused(some, answer["items"])
            if not refused:
                return
            lines = refused
            self._wait(attempt)
        raise LibraryError(
            f"{self.address.where} is too busy to write.", hint="Run the same command again later."
        )

    def _refused(
        self, lines: Sequence[BulkLine], items: Sequence[Mapping[str, Json]]
    ) -> Iterator[BulkLine]:
        for line, item in zip(lines, items, strict=True):
            ((name, told),) = item.items()
            status = told["status"]
            if is_full(str(told.get("error"))):
                raise full(self.address)
            if status in BUSY:
                yield line
            elif status >= 300 and not (name != "index" and status in (404, 409)):
                raise LibraryError(
                    f"{self.address.where} refused what was written:"
                    f" {str(told.get('error'))[:200]}.",
                    hint="Make room or set it right there, and run the same command again.",
                )


def hits_of(answer: Json) -> list[Json]:
    """Give the hits of an answer, of which nothing is left where there are none."""
    hits: list[Json] = answer.get("hits", {}).get("hits", [])
    return hits


def _portions(lines: Sequence[BulkLine]) -> Iterable[Sequence[BulkLine]]:
    """Cut what is written into requests of a bearable size."""
    some: list[BulkLine] = []
    size = 0
    for line in lines:
        size += len(line.head) + len(line.document)
        some.append(line)
        if size > BULK_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some
