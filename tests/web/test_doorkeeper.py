"""Only a page that was given the whole address gets an interface, and no other site's page does."""

import asyncio
import json
from typing import Any

import httpx2
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

from rag_assistant.errors import RagError
from rag_assistant.serving.loopback import loopback
from rag_assistant.web import server as page_server
from rag_assistant.web.server import NOT_WITHOUT_SECRET
from tests.web.conftest import DRAWS, Served, Server

PLACES = (
    "/",
    "/page.js",
    "/touch.js",
    "/page.css",
    "/textual.js",
    "/xterm.css",
    "/mono.ttf",
    "/nothing",
)


async def got(served: Served, place: str, **headers: str) -> httpx2.Response:
    """Ask for a place as it is given, following nothing."""
    async with httpx2.AsyncClient(trust_env=False) as client:
        return await client.get(served.origin + place, headers=headers)


async def answered(served: Served, *sent: str | bytes, place: str = "/ws", **headers: str) -> str:
    """Send messages on a WebSocket; give what it says first, or the status that refuses it."""
    headers.setdefault("Origin", served.origin)
    given = {name: value for name, value in headers.items() if value}
    try:
        async with connect(
            served.link + place, additional_headers=given, proxy=None, close_timeout=0.2
        ) as socket:
            for each in sent:
                await socket.send(each)
            try:
                async with asyncio.timeout(20):
                    said = await socket.recv()
            except ConnectionClosed:
                return "closed"
            return said.decode() if isinstance(said, bytes) else str(json.loads(said)[1])
    except InvalidStatus as refused:
        return str(refused.response.status_code)


async def test_no_interface_is_started_without_the_secret(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Any program or user of this machine could read the person's documents."""
    monkeypatch.setattr(page_server, "SECRET_SECONDS", 0.3)
    async with server() as served:
        shown: list[list[str | bytes]] = [
            ["guessed"],
            [""],
            [served.secret[:-1]],
            [f"{served.secret} "],
            ["😀\x00"],
            ["guessed", served.secret],
            [served.secret.encode(), "guessed"],
            [],
        ]
        for words in shown:
            assert await answered(served, *words) == NOT_WITHOUT_SECRET, words
        for place in (f"/ws?token={served.secret}", f"/ws?{served.secret}"):
            assert await answered(served, "guessed", place=place) == NOT_WITHOUT_SECRET
        bearer = {"Authorization": f"Bearer {served.secret}", "Cookie": f"secret={served.secret}"}
        assert await answered(served, "guessed", **bearer) == NOT_WITHOUT_SECRET
        assert (await answered(served, served.secret)).startswith("pid ")


async def test_no_cookie_is_given_and_the_secret_stands_in_no_reply(server: Server) -> None:
    """A cookie goes to every port of 127.0.0.1: another user's server would get it."""
    async with server() as served:
        for place in PLACES:
            response = await got(served, place)
            assert response.status_code == (404 if place == "/nothing" else 200)
            assert "set-cookie" not in response.headers
            assert served.secret not in response.text + str(response.headers)
        assert "<title>rag-assistant</title>" in (await got(served, "/")).text


async def test_a_name_that_was_made_to_mean_this_machine_is_refused(server: Server) -> None:
    """By DNS rebinding another site's page would be of the interface's own origin."""
    async with server() as served:
        for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1", ""):
            for place in PLACES:
                response = await got(served, place, Host=host)
                told = response.status_code, "answers only to 127.0.0.1" in response.text
                assert told in ((403, True), (400, False)), (host, place)
        for name in ("localhost", "[::1]"):
            assert (await got(served, "/", Host=f"{name}:{served.port}")).status_code == 200


async def test_a_page_of_another_origin_opens_nothing(server: Server) -> None:
    """A page of any site, or of another port of this machine, could drive the interface."""
    async with server(DRAWS) as served:
        foreign = (
            "http://evil.example",
            "http://127.0.0.1:1",
            "null",
            f"https://127.0.0.1:{served.port}",
        )
        for origin in foreign:
            assert await answered(served, served.secret, Origin=origin) == "403", origin
            assert (await got(served, "/", Origin=origin)).status_code == 403
        assert await answered(served, served.secret, Origin="") == "403"
        assert (await answered(served, served.secret)).startswith("pid ")


async def test_every_answer_forbids_other_hosts(server: Server) -> None:
    """The page could load a part of itself from elsewhere, or be shown inside another page."""
    async with server() as served:
        for place in PLACES:
            for origin in (served.origin, "http://evil.example"):
                headers: Any = (await got(served, place, Origin=origin)).headers
                rules = headers["Content-Security-Policy"]
                assert "default-src 'none'" in rules
                assert "frame-ancestors 'none'" in rules
                assert "sandbox allow-scripts allow-same-origin" in rules
                hosts = {word for word in rules.replace(";", " ").split() if "//" in word}
                assert hosts <= {f"ws://127.0.0.1:{served.port}", "ws://127.0.0.1"}
                assert headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.5", "::", "example.org", "", "127.0.0.1.x"])
def test_a_host_that_others_reach_is_refused_with_the_reason(host: str) -> None:
    """Everybody in the same network could try to read the person's documents."""
    with pytest.raises(RagError, match=r"could read your documents.*ssh -L"):
        loopback(host)


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost", "::1", "[::1]", "127.0.0.9"])
def test_hosts_of_this_machine_are_taken(host: str) -> None:
    """A server could not be put where the person wants it."""
    assert loopback(host) in ("127.0.0.1", "::1", "127.0.0.9")
