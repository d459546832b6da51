"""Which models are offered without being configured, and what taking one writes."""

import asyncio
import socket
from pathlib import Path

import pytest

from rag_assistant.config import load_config
from rag_assistant.models.discovery import LocalServer
from rag_assistant.models.offers import hosted_offers, local_offers, take
from rag_assistant.models.reaching import EndpointAddress, place_of, reach


def test_models_that_write_come_first() -> None:
    """If it fails, the first model offered is one that makes vectors, and every answer fails."""
    servers = [LocalServer(11434, "Ollama", ("nomic-embed-text", "qwen3:8b"))]
    first, second = local_offers(servers)
    assert (first.model, second.model) == ("qwen3:8b", "nomic-embed-text")
    assert first.is_local
    assert first.where == "Ollama at 127.0.0.1:11434"


def test_keys_are_told_by_their_name_alone() -> None:
    """If it fails, a key is shown, or an empty variable counts as one."""
    offers = hosted_offers({"OPENAI_API_KEY": "sk-secret", "GROQ_API_KEY": " ", "HOME": "/root"})
    assert [(offer.host, offer.is_local) for offer in offers] == [("api.openai.com", False)]
    assert "sk-secret" not in repr(offers)


def test_taking_writes_what_reaches_the_model(tmp_path: Path) -> None:
    """If it fails, the model that was taken is not the one that answers."""
    path = tmp_path / "config.toml"
    (local,) = local_offers([LocalServer(8080, "llama.cpp", ("m",))])
    config = take(local, "m", path)
    assert (config.model, config.models["m"].base_url) == ("m", local.base_url)
    assert not config.models["m"].api_key_env
    (other,) = local_offers([LocalServer(1234, "LM Studio", ("m",))])
    config = take(other, "m", path)
    assert config.models[config.model].base_url == other.base_url
    assert config.models["m"].base_url == local.base_url
    assert take(local, "m", path).model == "m"
    assert len(load_config(path).models) == 2
    (hosted,) = hosted_offers({"OPENAI_API_KEY": "k"})
    taken = take(hosted, "gpt", path).models["gpt"]
    assert (taken.wire, taken.api_key_env) == ("responses", "OPENAI_API_KEY")


async def test_a_host_is_reached_or_it_is_said_why_not() -> None:
    """If it fails, a server that runs looks dead, or the other way round."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        place = EndpointAddress("127.0.0.1", server.getsockname()[1], local=True)
        assert await reach(place) == ""
    assert await reach(place) == "refused"
    assert await reach(EndpointAddress("no-such-host.invalid", 80, local=False)) != ""
    with socket.socket() as full:
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        stuck = EndpointAddress("127.0.0.1", full.getsockname()[1], local=True)
        waiting = [socket.create_connection(("127.0.0.1", stuck.port)) for _ in range(1)]
        tries = [asyncio.create_task(reach(stuck, 0.2)) for _ in range(4)]
        assert "no answer in 0.2 s" in await asyncio.gather(*tries)
        for connection in waiting:
            connection.close()


@pytest.mark.parametrize(
    ("address", "environ", "place"),
    [
        ("http://127.0.0.1:11434/v1", {"HTTP_PROXY": "http://p"}, ("127.0.0.1", 11434, True)),
        ("https://api.x.com/v1", {}, ("api.x.com", 443, False)),
        ("https://api.x.com/v1", {"https_proxy": "http://p"}, None),
        ("http://[::1]:8080/v1", {}, ("::1", 8080, True)),
        ("nonsense", {}, None),
        ("http://x:port", {}, None),
    ],
)
def test_where_an_address_leads(
    address: str, environ: dict[str, str], place: tuple[str, int, bool] | None
) -> None:
    """If it fails, the wrong host is looked at, or one behind a proxy seems dead."""
    found = place_of(address, environ)
    assert (found and (found.host, found.port, found.local)) == place


def test_a_third_of_the_same_name_takes_nobodys_place(tmp_path: Path) -> None:
    """If it fails, taking a model changes where another one's questions go."""
    path = tmp_path / "config.toml"
    servers = [LocalServer(port, "a model server", ("m",)) for port in (8080, 1234, 8000)]
    for offer in local_offers(servers):
        config = take(offer, "m", path, "helper")
        assert config.models[config.helper].base_url == offer.base_url
    assert config.model == "extractive"
    assert sorted(config.models) == ["m", "m at 127.0.0.1:1234", "m at 127.0.0.1:8000"]
