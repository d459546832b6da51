"""A cluster as the store speaks to it: an address, the client, and the few requests that are made.

Every failure is told plainly (`faults.py`). The nodes' refusals for being busy are waited for.
"""

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from rag_assistant.config import StoreSettings
from rag_assistant.errors import ConfigError, LibraryError
from rag_assistant.store.opensearch.faults import told_plainly

Json = dict[str, Any]

AT_ONCE = 5_000
"""Documents read in one answer where all are wanted; an engine gives 10,000 at most."""

BULK_BYTES = 4_000_000
"""Of one request that writes."""

TRIES, FIRST_WAIT = 8, 0.25
"""How often a refusal for being busy is met, and seconds to wait at first; then twice that."""

_READ = ",".join((
    "hits.total.value", "hits.hits._source", "hits.hits._score", "hits.hits.sort", "aggregations",
))  # fmt: skip
"""What is read of an answer: the rest of a hit is twice as long as what is asked for."""

BUSY = (429, 503)


@dataclass(frozen=True)
class Address:
    """Where a store is, and how it is spoken to. `prefix` begins the names of all its indexes."""

    urls: tuple[str, ...]
    user: str = ""
    password: str = field(default="", repr=False)
    ca_file: str = ""
    verify: bool = True
    prefix: str = "rag"
    shards: int = 1
    replicas: int = 1

    @classmethod
    def of(cls, urls: Sequence[str], settings: StoreSettings) -> "Address":
        """Make one of settings; the password is read from the environment.

        Raises ConfigError where the variable that is to hold it is not set.
        """
        import os  # noqa: PLC0415

        password = os.environ.get(settings.password_env, "") if settings.password_env else ""
        if settings.user and not password:
            raise ConfigError(
                f"There is no password for {settings.user} at {urls[0]}.",
                hint=f"Set {settings.password_env or 'password_env in its table [stores.NAME]'}.",
            )
        return cls(
            tuple(urls), settings.user, password, settings.ca_file, settings.verify,
            settings.prefix, settings.shards, settings.replicas,
        )  # fmt: skip

    @property
    def where(self) -> str:
        """Name it for a person."""
        return self.urls[0]


@dataclass(frozen=True)
class Cluster:
    """The cluster at an address."""

    address: Address

    @cached_property
    def client(self) -> Any:
        """The client of the engine's makers. Raises LibraryError where it is not installed."""
        try:
            from opensearchpy import OpenSearch  # noqa: PLC0415 - heavy, and maybe absent
        except ImportError as error:
            from rag_assistant.config.installation import how_to_add  # noqa: PLC0415

            raise LibraryError(
                "Databases on a cluster need the extra `opensearch`.", hint=how_to_add("opensearch")
            ) from error
        at = self.address
        return OpenSearch(
            list(at.urls),
            http_auth=(at.user, at.password) if at.user else None,
            verify_certs=at.verify,
            ssl_show_warn=False,
            http_compress=True,
            ca_certs=at.ca_file or None,
            timeout=60,
            max_retries=3,
            retry_on_timeout=True,
            retry_on_status=(502, 504),
        )

    def asked(self, method: str, path: str, body: object = None, **given: object) -> Json:
        """Make a request; a node that is too busy is asked again. Raises LibraryError."""
        from opensearchpy.exceptions import TransportError  # noqa: PLC0415

        with told_plainly(self.address.where):
            wait = FIRST_WAIT
            for attempt in range(TRIES):
                try:
                    answer: Json = self.client.transport.perform_request(
                        method, path, params=given, body=body
                    )
                    return answer
                except TransportError as error:
                    if error.status_code not in BUSY or attempt == TRIES - 1:
                        raise
                    time.sleep(wait)
                    wait *= 2
            raise AssertionError  # the last try raised

    def found(self, index: str, body: Json, routing: str = "") -> Json:
        """Search; all shards have to answer, or what is there would seem to be absent."""
        given = {"allow_partial_search_results": "false", "filter_path": _READ}
        if routing:
            given["routing"] = routing
        return self.asked("POST", f"/{index}/_search", body, **given)

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

    def write(self, index: str, actions: Sequence[tuple[Json, Json | None]]) -> None:
        """Write documents; those that were refused for a time are written again.

        An action is its head and, but for a deletion, its document. All have ids, so that to write
        one twice is to write it once. Raises LibraryError where one is refused for good.
        """
        import json  # noqa: PLC0415

        wait = FIRST_WAIT
        for _ in range(TRIES):
            refused: list[tuple[Json, Json | None]] = []
            for some in _portions(actions):
                lines = [json.dumps(part) for action in some for part in action if part is not None]
                answer = self.asked("POST", f"/{index}/_bulk", "\n".join(lines) + "\n")
                if answer["errors"]:
                    refused += self._refused(some, answer["items"])
            if not refused:
                return
            actions = refused
            time.sleep(wait)
            wait *= 2
        raise LibraryError(
            f"{self.address.where} is too busy to write.", hint="Run the same command again later."
        )

    def _refused(
        self, actions: Sequence[tuple[Json, Json | None]], items: Sequence[Mapping[str, Json]]
    ) -> Iterator[tuple[Json, Json | None]]:
        for action, item in zip(actions, items, strict=True):
            ((name, told),) = item.items()
            status = told["status"]
            if status in BUSY:
                yield action
            elif status >= 300 and not (name in ("create", "delete") and status in (404, 409)):
                raise LibraryError(
                    f"{self.address.where} refused what was written:"
                    f" {str(told.get('error'))[:200]}.",
                    hint="Make room or set it right there, and run the same command again.",
                )


def hits_of(answer: Json) -> list[Json]:
    """Give the hits of an answer, of which nothing is left where there are none."""
    hits: list[Json] = answer.get("hits", {}).get("hits", [])
    return hits


def _portions(
    actions: Sequence[tuple[Json, Json | None]],
) -> Iterable[Sequence[tuple[Json, Json | None]]]:
    """Cut what is written into requests of a bearable size, by a rough measure."""
    some: list[tuple[Json, Json | None]] = []
    size = 0
    for action in actions:
        document = action[1] or {}
        size += 200 + 3 * len(str(document.get("text", ""))) + len(str(document.get("body", "")))
        some.append(action)
        if size > BULK_BYTES:
            yield some
            some, size = [], 0
    if some:
        yield some
