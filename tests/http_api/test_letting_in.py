"""Who is let in: programs on this machine that have a token, and no page of another site."""

import asyncio
from pathlib import Path

import pytest

from rag_assistant.egress.client_tokens import new_secret, token_of
from rag_assistant.egress.clients import Client
from rag_assistant.http_api.bounds import Bounds
from tests.http_api.conftest import MakeApi, Running, error_of

PLACES = ("/v1/databases", "/v1/search?q=leave", "/v1/models", "/openapi.json", "/nothing", "/")


async def test_nothing_is_given_without_a_token(api: Running, home: Path) -> None:
    """Any program or user of this machine could read the person's documents."""
    for place in PLACES:
        for shown in (
            "",
            "Bearer",
            "Bearer reader",
            "Bearer reader.",
            f"Bearer {api.token[:-1]}",
            f"Bearer {api.token}x",
            f"Bearer {api.token.replace('reader', 'other')}",
            f"Bearer {token_of(home, Client('MCP', 'reader'))}",
            f"Basic {api.token}",
            api.token,
            "Bearer " + "\u00ff" * 50,
        ):
            response = await api.get(place, headers={"Authorization": shown.encode("latin-1")})
            assert response.status_code == 401, (place, shown)
            assert response.headers["www-authenticate"] == "Bearer"
            assert "rag-assistant api token" in error_of(response)["message"]
            assert api.token not in response.text
        other = await api.get(
            f"{place}{'&' if '?' in place else '?'}token={api.token}", headers={"Authorization": ""}
        )
        assert other.status_code == 401
    assert (
        await api.get("/v1/models", headers={"Authorization": f"bearer  {api.token}"})
    ).is_success


async def test_a_new_secret_makes_tokens_worthless_at_once(api: Running, home: Path) -> None:
    """A token that was given to the wrong program could not be taken back."""
    assert (await api.get("/v1/models")).is_success
    new_secret(home)
    assert (await api.get("/v1/models")).status_code == 401


async def test_a_name_that_was_made_to_mean_this_machine_is_refused(api: Running) -> None:
    """By DNS rebinding another site's page could ask as if it were of this origin."""
    for host in ("evil.example", f"evil.example:{api.port}", "127.0.0.1", "127.0.0.1:1"):
        for place in PLACES:
            response = await api.get(place, headers={"Host": host})
            assert response.status_code == 403, (host, place)
            assert error_of(response)["code"] == "not_from_there"
    for name in ("localhost", "[::1]"):
        host = f"{name}:{api.port}"
        assert (await api.get("/v1/models", headers={"Host": host})).is_success


async def test_no_page_may_ask_that_the_person_did_not_name(serving: MakeApi) -> None:
    """A page in the person's browser that came by a token could read their documents."""
    foreign = (
        "http://evil.example",
        "http://127.0.0.1:1",
        "null",
        "http://localhost:3000.evil.example",
    )
    async with serving() as closed, serving(origins=("http://localhost:3000",)) as opened:
        for api in (closed, opened):
            for origin in foreign:
                response = await api.get("/v1/models", headers={"Origin": origin})
                assert response.status_code == 403
                assert "access-control-allow-origin" not in response.headers
        asked = {
            "Origin": "http://localhost:3000",
            "Access-Control-Request-Method": "POST",
            "Access-Control-Request-Headers": "authorization,content-type",
            "Authorization": "",
        }
        before = await closed.link.options("/v1/ask", headers=asked)
        assert before.status_code == 403
        before = await opened.link.options("/v1/ask", headers=asked)
        assert before.status_code == 200
        assert before.headers["access-control-allow-origin"] == "http://localhost:3000"
        assert "access-control-allow-credentials" not in before.headers
        response = await opened.get("/v1/models", headers={"Origin": "http://localhost:3000"})
        assert response.headers["access-control-allow-origin"] == "http://localhost:3000"
        response = await opened.get(
            "/v1/models", headers={"Origin": "http://localhost:3000", "Authorization": ""}
        )
        assert response.status_code == 401


async def test_a_client_that_asks_too_often_is_told_when_to_come_back(serving: MakeApi) -> None:
    """A loop in a program would keep the machine busy, or guess at tokens without an end."""
    async with serving(Bounds(burst=5, rate=0.5)) as api:
        asked = [await api.get("/openapi.json") for _ in range(7)]
        assert [one.status_code for one in asked] == [200] * 5 + [429] * 2
        error = error_of(asked[-1])
        assert 1 <= int(asked[-1].headers["retry-after"]) <= 4
        assert f"Wait {asked[-1].headers['retry-after']} s" in error["message"]
        guesses = [await api.get("/v1/models", headers={"Authorization": "x"}) for _ in range(6)]
        assert [one.status_code for one in guesses] == [401] * 5 + [429]
        await asyncio.sleep(2.1)
        assert (await api.get("/openapi.json")).status_code == 200


@pytest.mark.parametrize("name", ["reader", "open-webui", "a.b_c"])
async def test_each_client_is_known_by_its_own_token(api: Running, home: Path, name: str) -> None:
    """A person could not say which program may have what."""
    token = token_of(home, Client("HTTP", name))
    response = await api.get("/v1/models", headers={"Authorization": f"Bearer {token}"})
    assert response.is_success
