"""What no program in its right mind sends: a clear refusal, and the server goes on."""

import asyncio
import json
from contextlib import closing, suppress

import pytest

from rag_assistant.http_api.bounds import Bounds
from rag_assistant.serving import connections
from tests.http_api.conftest import PATIENCE, QUESTION, MakeApi, Running, error_of


async def raw(api: Running, sent: bytes, *, seconds: float = PATIENCE) -> bytes:
    """Send bytes as they are; give all that comes until the other side closes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", api.port)
    with closing(writer):
        with suppress(ConnectionError):
            writer.write(sent)
            await writer.drain()
        got = b""
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(seconds):
                while piece := await reader.read(65_536):
                    got += piece
        return got


def head(api: Running, line: str, *more: str) -> bytes:
    """Write the head of a request that is let in."""
    lines = [line, f"Host: 127.0.0.1:{api.port}", f"Authorization: Bearer {api.token}", *more]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


async def goes_on(api: Running) -> bool:
    """Tell whether the server answers others as before."""
    return (await api.get("/v1/search", params={"q": "leave"})).status_code == 200


async def test_a_body_that_is_too_large_is_refused_before_it_is_read(serving: MakeApi) -> None:
    """A program could fill the memory of the machine."""
    async with serving(Bounds(body=10_000)) as api:
        response = await api.post("/v1/ask", {"question": "x" * 20_000})
        assert (response.status_code, error_of(response)["code"]) == (413, "too_large")
        json_head = "Content-Type: application/json"
        endless = head(api, "POST /v1/ask HTTP/1.1", json_head, "Transfer-Encoding: chunked")
        got = await raw(api, endless + (b"2710\r\n" + b"x" * 10_000 + b"\r\n") * 100)
        assert got.startswith(b"HTTP/1.1 413") or not got
        claimed = head(api, "POST /v1/ask HTTP/1.1", json_head, "Content-Length: 999999999999")
        got = await raw(api, claimed + b"x" * 2_000_000)
        assert got.startswith(b"HTTP/1.1 413") or not got
        assert await goes_on(api)


async def test_a_refusal_reaches_who_is_still_sending(serving: MakeApi) -> None:
    """The connection would be reset, and a program show that instead of what is wrong."""
    body = b"x" * 300_000
    async with serving() as api:
        for line, status, kind in (
            ("POST /v1/ask", b"415", "text/plain"),
            ("POST /v1/ask", b"400", "application/json"),
            ("PUT /v1/ask", b"405", "text/plain"),
        ):
            more = (f"Content-Type: {kind}", f"Content-Length: {len(body)}", "Connection: close")
            reader, writer = await asyncio.open_connection("127.0.0.1", api.port)
            with closing(writer):
                writer.write(head(api, f"{line} HTTP/1.1", *more))
                for start in range(0, len(body), 60_000):
                    await asyncio.sleep(0.05)
                    writer.write(body[start : start + 60_000])
                    await writer.drain()
                got = await asyncio.wait_for(reader.read(), PATIENCE)
            assert got.split(b" ")[1] == status
            assert b'"message"' in got


async def test_a_body_that_comes_slowly_is_given_up(serving: MakeApi) -> None:
    """Connections that send a byte now and then would be held for ever."""
    async with serving(Bounds(body_seconds=0.5)) as api:
        sent = head(
            api, "POST /v1/ask HTTP/1.1", "Content-Type: application/json", "Content-Length: 100"
        )
        got = await raw(api, sent + b'{"question"')
        assert got.startswith(b"HTTP/1.1 408")
        assert json.loads(got.partition(b"\r\n\r\n")[2])["error"]["code"] == "too_slow"
        assert await goes_on(api)


async def test_a_head_that_comes_slowly_is_given_up(
    api: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Half-open connections would be held for ever."""
    monkeypatch.setattr(connections, "HEAD_SECONDS", 0.5)
    for sent in (b"", b"GET / HT", b"GET /v1/models HTTP/1.1\r\nHost: x\r\nX-More: "):
        assert await raw(api, sent) == b""
    kept = head(api, "GET /v1/models HTTP/1.1")
    got = await raw(api, kept + b"GET /v1/mod")  # a second one on the same connection
    assert got.count(b"HTTP/1.1 200") == 1
    assert await goes_on(api)


async def test_connections_beyond_the_bound_take_the_place_of_those_that_wait_longest(
    api: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another user of the machine could keep the person's programs out."""
    monkeypatch.setattr(connections, "MOST_CONNECTIONS", 20)
    idle = [await asyncio.open_connection("127.0.0.1", api.port) for _ in range(60)]
    assert await goes_on(api)
    got = [await asyncio.wait_for(reader.read(1), PATIENCE) for reader, _ in idle[:30]]
    assert got == [b""] * 30
    for _, writer in idle:
        writer.close()


NO_REQUESTS = (
    b"\x00\x01\x02\x03\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03",  # TLS
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET\r\n\r\n",
    b"GET /v1/models HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /v1/models HTTP/1.1\r\nHost: a\r\nX: " + b"y" * 70_000 + b"\r\n\r\n",
    b"GET /v1/models HTTP/1.1\r\nHost: a\r\n Folded: b\r\n: c\r\n\r\n",
    b"GET /\xff\xfe HTTP/1.1\r\nHost: a\r\n\r\n",
    b"POST /v1/ask HTTP/1.1\r\nHost: a\r\nContent-Length: -5\r\n\r\n",
    b"POST /v1/ask HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\n",
    b"POST /v1/ask HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
)


async def test_what_is_no_request_is_refused(api: Running) -> None:
    """A message could be read in two ways, or end the server."""
    for sent in NO_REQUESTS:
        got = await raw(api, sent)
        assert got.split(b" ")[1] in (b"400", b"403"), sent
        assert b"Traceback" not in got
    assert await goes_on(api)


async def test_a_request_with_two_lengths_is_refused(api: Running) -> None:
    """Behind a proxy one request could be smuggled within another."""
    sent = head(
        api,
        "POST /v1/ask HTTP/1.1",
        "Content-Type: application/json",
        "Content-Length: 5",
        "Transfer-Encoding: chunked",
    )
    smuggled = head(api, "GET /v1/databases HTTP/1.1")
    got = await raw(api, sent + b"0\r\n\r\n" + smuggled)
    assert got.startswith(b"HTTP/1.1 400")
    assert got.count(b"HTTP/1.1") == 1


async def test_a_broken_body_ends_its_connection_alone(api: Running) -> None:
    """A chunk that is none would leave a run, or an error in the server's own words."""
    begun = head(
        api, "POST /v1/ask HTTP/1.1", "Content-Type: application/json", "Transfer-Encoding: chunked"
    )
    for broken in (b"zz\r\n", b"-1\r\n", b"5\r\nabc", b"ffffffffffffffffff\r\n"):
        got = await raw(api, begun + broken, seconds=1.0)
        assert not got or b" 400 " in got.split(b"\r\n")[0]
    assert await goes_on(api)


NO_BODIES = (
    b"",
    b"{",
    b"null",
    b"[]",
    b'"question"',
    b"NaN",
    b'{"question": NaN}',
    b'{"question": 1e999}',
    b'{"question": "\\ud800"}',
    b'{"question": "\xff"}',
    b'\xff\xfe{\x00"\x00',
    b'{"question": ' + b"9" * 10_000 + b"}",
    b"[" * 100_000,
    b'{"a":' * 50_000,
    b'{"question": ""}',
    b'{"question": "\\n\\t "}',
    b'{"question": null}',
    b'{"question": ["x"]}',
    b'{"question": "x", "more": 1}',
    b'{"question": "x", "databases": "handbook"}',
    b'{"question": "x", "databases": ["../handbook"]}',
    b'{"question": "x", "databases": [{"name": "handbook"}]}',
    b'{"question": "x", "past": [{"question": "y"}]}',
    b'{"question": "x", "past": [["y", "z"]]}',
    b'{"question": "x", "stream": 1}',
    b'{"question": "' + b"x" * 20_001 + b'"}',
)


async def test_a_body_of_wrong_types_is_refused_in_a_line(api: Running) -> None:
    """An internal error would be shown, or a run begun with nonsense."""
    kind = {"Content-Type": "application/json"}
    for body in NO_BODIES:
        response = await api.link.post("/v1/ask", content=body, headers=kind)
        assert response.status_code == 400, body[:60]
        assert error_of(response)["code"] in ("not_json", "invalid_request")


async def test_a_body_that_is_not_said_to_be_json_is_refused(api: Running) -> None:
    """A form of another site's page can send such a body without being asked first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        response = await api.link.post(
            "/v1/ask",
            content=json.dumps({"question": QUESTION}).encode(),
            headers={"Content-Type": kind},
        )
        assert (response.status_code, error_of(response)["code"]) == (415, "not_json")


TRICKS = (
    "/v1/databases/../../etc/passwd/entries",
    "/v1/databases/..%2f..%2fetc%2fpasswd/entries",
    "/v1/databases/handbook%00/entries",
    "/v1/databases/handbook.db/entries",
    "/v1/databases/%2Fetc/entries",
    "/v1/databases/HANDBOOK/entries",
    "/v1/databases/handbook'--/entries",
    "/v1/databases/conversations/entries",
    "/v1/databases/handbook/entries/1%20OR%201=1",
    "/v1/databases/handbook/entries/-1",
    "/v1/databases/handbook/entries/1.5",
    "/v1/databases/handbook/entries/%D9%A3",
    "/v1/databases/handbook/entries/99999999999999999999",
    "/v1/databases/handbook/entries/1?start=x",
    "/v1/databases/handbook/entries/1?start=1&start=2",
    "/v1/databases/handbook/entries?limit=0",
    "/v1/databases/handbook/entries?limit=1000000",
    "/v1/search",
    "/v1/search?q=",
    "/v1/search?q=%20%0a",
    "/v1/search?q=x&limit=ten",
    "/v1/search?q=x&database=../handbook",
    "//v1/models",
    "/v1/models/",
    "/v1/models/../databases/%2e%2e",
)


async def test_tricks_in_addresses_lead_nowhere(serving: MakeApi) -> None:
    """A database or a file that is no database could be opened by its path."""
    async with serving() as api:
        for place in TRICKS:
            got = await raw(api, head(api, f"GET {place} HTTP/1.1", "Connection: close"))
            assert got.split(b" ")[1] in (b"400", b"404"), place
            assert b"Traceback" not in got
            assert b"/tmp" not in got.replace(place.encode(), b"")


WORDS = (
    "\x00",
    "a\x00b",
    "\u202e\u2066drill",
    "𝕃𝕖𝕒𝕧𝕖 \U0001f600" * 50,
    "é" * 5_000,
    "'; DROP TABLE entries; --",
    '"',
    '"" OR NEAR(',
    "path:",
    "path:../../etc",
    "*",
    "a" * 20_000,
    "-- -",
    "\ufeff",
    "\ud7ff\ue000",
    "%s%n{0}{x.__class__}",
    "leave\r\nSet-Cookie: a=b",
)


async def test_any_words_may_be_searched_and_asked(serving: MakeApi) -> None:
    """A letter of some script, or a sign of a query language, would end in an internal error."""
    async with serving(Bounds(burst=1_000)) as api:
        for words in WORDS:
            found = await api.get("/v1/search", params={"q": words})
            asked = await api.post("/v1/ask", {"question": words})
            assert (found.status_code, asked.status_code) == (200, 200), words[:40]
            assert "set-cookie" not in found.headers


async def test_many_requests_at_once_are_all_replied_to(serving: MakeApi) -> None:
    """Some would hang, or the server end."""
    async with serving(Bounds(burst=1_000)) as api:
        asked = [api.get("/v1/search", params={"q": f"leave {n}"}) for n in range(60)]
        asked += [api.post("/v1/ask", {"question": f"{QUESTION} {n}"}) for n in range(30)]
        replies = await asyncio.gather(*asked)
        assert {one.status_code for one in replies} <= {200, 503}
        assert sum(one.status_code == 200 for one in replies) >= 12
        assert await goes_on(api)
