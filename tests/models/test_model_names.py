"""The names of the models at a hosted endpoint: asked by key, bounded, and told in one line."""

import asyncio
import json

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.model_names import model_names
from rag_assistant.models.offers import hosted_offers
from tests.models.test_discovery import Behaviour, listing, saying, serving

KEY = "sk-very-secret"


async def _names(behave: Behaviour) -> tuple[tuple[str, ...], bytes]:
    async with serving(behave) as (port, heads):
        settings = ModelSettings("", f"http://127.0.0.1:{port}/v1", api_key_env="HOST_API_KEY")
        names = await asyncio.to_thread(model_names, settings, {"HOST_API_KEY": KEY})
        return names, heads[0]


async def test_names_are_listed_with_the_key_those_that_write_first() -> None:
    """If it fails, the list is refused, or begins with models that cannot answer."""
    names, head = await _names(
        listing("text-embedding-3", "gpt-b", "gpt-a", "gpt-a", 7, "\x1b]0;x")
    )
    assert names == ("gpt-a", "gpt-b", "text-embedding-3")
    assert head.startswith(b"GET /v1/models HTTP/1.1\r\n")
    assert f"bearer {KEY}".encode() in head.lower()


async def test_a_bare_list_is_a_list_too() -> None:
    """If it fails, hosts that answer without an envelope have no models."""
    names, _ = await _names(saying(json.dumps([{"id": "b"}, {"id": "a"}, 3])))
    assert names == ("a", "b")


@pytest.mark.parametrize(
    ("behave", "said"),
    [
        (saying("{}", "401 Unauthorized"), "did not accept the key in HOST_API_KEY (401)"),
        (saying("", "403 Forbidden"), "does not list its models (403)"),
        (saying("", "404 Not Found"), "does not list its models (404)"),
        (saying("<html>"), "lists no models"),
        (saying('{"data": 3}'), "lists no models"),
        (saying(b" " * (9 << 20)), "lists no models"),
        (saying("", "302 Found", "location: http://192.0.2.1/\r\n"), "another address"),
    ],
    ids=["401", "403", "404", "page", "number", "endless", "302"],
)
async def test_what_went_wrong_is_one_line_without_the_key(behave: Behaviour, said: str) -> None:
    """If it fails, a person sees nothing, a traceback, or their own key."""
    with pytest.raises(ModelError) as caught:
        await _names(behave)
    told = str(caught.value)
    assert said in told
    assert KEY not in told
    assert "\n" not in told


def test_hosts_are_those_whose_key_is_set() -> None:
    """If it fails, a host of one's own is no host, or one without a key is asked."""
    mine = ModelSettings("m", "https://x.example/v1/", api_key_env="X_API_KEY")
    other = ModelSettings("m", "https://y.example/v1", api_key_env="Y_API_KEY")
    environ = {"X_API_KEY": "k", "GROQ_API_KEY": "k"}
    offers = hosted_offers(environ, [mine, other, mine])
    assert [offer.base_url for offer in offers] == [
        "https://api.groq.com/openai/v1",
        "https://x.example/v1",
    ]
