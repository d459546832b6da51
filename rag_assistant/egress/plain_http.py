"""Which of the addresses in use reach another machine without encryption, in words for a person."""

from collections.abc import Iterable
from urllib.parse import urlsplit

from rag_assistant.config import Config
from rag_assistant.egress.hosts import host_of, is_loopback


def is_plain(address: str) -> bool:
    """Whether requests to an address go over the network as they are, for anyone on the way."""
    host = host_of(address)
    return bool(host) and urlsplit(address).scheme == "http" and not is_loopback(host)


def place_of(address: str) -> str:
    """Give host and port of an address as they are written, without credentials."""
    return urlsplit(address).netloc.rpartition("@")[2]


def plain_warning(address: str) -> str:
    """Say what it means that an address is reached by http://; empty where it is not."""
    if not is_plain(address):
        return ""
    return (
        f"http://{place_of(address)} is not encrypted: the key and the text can be "
        "read on the way. Use https if the server has it."
    )


def plain_warnings(addresses: Iterable[str]) -> list[str]:
    """Say it of each address that it is true of, once."""
    return list(dict.fromkeys(filter(None, map(plain_warning, addresses))))


def addresses_beside(config: Config) -> list[str]:
    """Give the addresses of what is used beside models: embedder, reranker, MCP servers."""
    addresses = [server.url for server in config.mcp.values()]
    if embedder := config.embedders.get(config.embedder):
        addresses.append(embedder.base_url)
    if reranker := config.rerankers.get(config.reranker):
        model = config.models.get(reranker.model) if reranker.kind == "model" else None
        addresses.append(model.base_url if model else reranker.base_url)
    return addresses


def all_addresses(config: Config) -> list[str]:
    """Give every address that the settings name."""
    return [
        *(model.base_url for model in config.models.values()),
        *(embedder.base_url for embedder in config.embedders.values()),
        *(reranker.base_url for reranker in config.rerankers.values()),
        *(server.url for server in config.mcp.values()),
    ]
