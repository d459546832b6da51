"""What `doctor` says of the models that searches use: the embedder and the reranker."""

import os
from argparse import Namespace
from collections.abc import Iterator
from typing import Any

from rag_assistant.cli.session import config_of, home_of
from rag_assistant.config import Config
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.errors import RagError


def search_models(options: Namespace) -> Iterator[tuple[str, dict[str, Any]]]:
    """Try the embedder and the reranker; give what each is called, and what was found of it."""
    try:
        config = config_of(options)
    except RagError:
        return  # it is said of the model
    yield "embedder", _embedder(options, config)
    if config.reranker:
        yield "reranker", _reranker(options, config)


def _embedder(options: Namespace, config: Config) -> dict[str, Any]:
    """Let a local embedder read a word. What an endpoint would be sent costs something."""
    if not config.embedder:
        step = "to search by meaning as well: rag-assistant model get small"
        return {"found": "none: searches go by words", "step": step}
    settings = config.embedders[config.embedder]
    if settings.kind == "endpoint":
        return {"found": f"{config.embedder}: {settings.model} at {settings.base_url}"}
    from rag_assistant.models.embedders import make_embedder

    try:
        embedder = make_embedder("", config, home_of(options))
        found = f"{embedder.name} on this machine, vectors of {embedder.dimension} numbers"
    except RagError as error:
        return {"found": error.message, "ok": False, "step": error.hint}
    return {"found": f"{config.embedder}: {found}"}


def _reranker(options: Namespace, config: Config) -> dict[str, Any]:
    """Let the reranker score a pair of words."""
    from rag_assistant.models.rerankers import make_reranker

    try:
        reranker = make_reranker("", config, home_of(options), os.environ)
        where = reranker.destination or "this machine"
        with carrying(Provenance("test")):
            reranker.rerank("Does it answer?", ["It does.", "A test."])
    except RagError as error:
        return {"found": error.message, "ok": False, "step": error.hint}
    return {"found": f"{config.reranker}: {reranker.name} at {where} scores passages"}
