"""Only a browser that was given the address gets anything, and no other site's page does."""

from typing import Any

import aiohttp
import pytest

from rag_assistant.errors import RagError
from rag_assistant.web.doorkeeper import loopback
from tests.web.conftest import Served, Server

PLACES = ("/", "/page.js", "/page.css", "/textual.js", "/xterm.css", "/mono.ttf", "/ws", "/nothing")


async def got(served: Served, place: str, **given: Any) -> tuple[int, str, Any]:
    """Ask for a place as it is given, following nothing."""
    async with (
        aiohttp.ClientSession() as session,
        session.get(served.origin + place, allow_redirects=False, **given) as response,
    ):
        return response.status, await response.text(errors="replace"), response.headers


async def opens(served: Served, place: str = "/ws", **headers: str) -> bool:
    """Tell whether a WebSocket is let in that has the cookie."""
    async with aiohttp.ClientSession(cookies=served.cookies) as session:
        try:
            async with session.ws_connect(served.origin + place, headers=headers):
                return True
        except aiohttp.WSServerHandshakeError as refused:
            assert refused.status == 403
            return False


async def test_nothing_is_given_without_the_secret(server: Server) -> None:
    """Any program or user of this machine could read the person's documents."""
    async with server() as served:
        for place in PLACES:
            for asked in (place, f"{place}?token=guessed", f"{place}?token=%FF%F0%9F"):
                status, said, _ = await got(served, asked)
                assert status == 403, asked
                assert place == "/ws" or "whole address" in said
            wrong = {name: "guessed" for name in served.cookies}
            assert (await got(served, place, cookies=wrong))[0] == 403
        for place in ("/page.js", "/ws"):
            assert (await got(served, f"{place}?token={served.token}"))[0] == 403


async def test_the_address_is_exchanged_for_a_cookie_of_this_site_alone(server: Server) -> None:
    """The secret would stay in the address bar, or be sent along from other sites' pages."""
    async with server() as served:
        status, said, headers = await got(served, f"/?token={served.token}")
        cookie = headers["Set-Cookie"]
        assert status == 200
        assert {"HttpOnly", "SameSite=Strict", "Path=/"} <= set(cookie.split("; "))
        assert served.token not in said + cookie
        assert headers["Referrer-Policy"] == "no-referrer"
        status, said, _ = await got(served, "/", cookies=served.cookies)
        assert (status, "<title>rag-assistant</title>" in said) == (200, True)
        assert (await got(served, "/nothing", cookies=served.cookies))[0] == 404


async def test_a_name_that_was_made_to_mean_this_machine_is_refused(server: Server) -> None:
    """By DNS rebinding another site's page would read everything as if it were its own."""
    async with server() as served:
        for host in ("evil.example", f"evil.example:{served.port}", "127.0.0.1", ""):
            for place in ("/", f"/?token={served.token}", "/page.js", "/ws"):
                status, said, _ = await got(
                    served, place, cookies=served.cookies, headers={"Host": host}
                )
                assert (status, "answers only to 127.0.0.1" in said) == (403, True), (host, place)
        for name in ("localhost", "[::1]"):
            host = f"{name}:{served.port}"
            assert (await got(served, "/", cookies=served.cookies, headers={"Host": host}))[
                0
            ] == 200


async def test_a_page_of_another_origin_opens_nothing(server: Server) -> None:
    """A page of any site, or of another port of this machine, could drive the interface."""
    async with server() as served:
        foreign = (
            "http://evil.example",
            "http://127.0.0.1:1",
            "null",
            f"https://127.0.0.1:{served.port}",
        )
        for origin in foreign:
            assert not await opens(served, Origin=origin), origin
            headers = {"Origin": origin}
            assert (await got(served, "/", cookies=served.cookies, headers=headers))[0] == 403
        assert not await opens(served)
        assert not await opens(served, f"/ws?token={served.token}")
        assert await opens(served, Origin=served.origin)


async def test_every_answer_forbids_other_hosts(server: Server) -> None:
    """The page could load a part of itself from elsewhere, or be shown inside another page."""
    async with server() as served:
        for place in PLACES:
            for cookies in ({}, served.cookies):
                if place == "/ws" and cookies:
                    continue
                _, _, headers = await got(served, place, cookies=cookies)
                rules = headers["Content-Security-Policy"]
                assert "default-src 'none'" in rules
                assert "frame-ancestors 'none'" in rules
                assert "sandbox allow-scripts allow-same-origin" in rules
                hosts = [word for word in rules.replace(";", " ").split() if "//" in word]
                assert hosts == [f"ws://127.0.0.1:{served.port}"]
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
