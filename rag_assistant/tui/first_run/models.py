"""Looking for models that could answer, and taking one, beside what the screen does."""

import asyncio
from collections.abc import Callable, Mapping
from pathlib import Path

from textual.message import Message

from rag_assistant.config import Config
from rag_assistant.errors import RagError
from rag_assistant.models.offers import ModelOffer, hosted_offers, local_offers, take
from rag_assistant.tui.drawing.interface_words import told

LOCAL_SHOWN, HOSTED_SHOWN = 5, 4
"""Offers that are shown: a digit takes each, and F3 lists all."""

LOOK_SECONDS = 2.0
"""How long a server on this computer may take to list its models; one may be loading one."""

Post = Callable[[Message], object]


class ModelsFound(Message):
    """These models could answer; `problem` says why they could not all be looked for."""

    def __init__(self, offers: tuple[ModelOffer, ...], problem: str = "") -> None:
        super().__init__()
        self.offers = offers
        self.problem = problem


class ModelTaken(Message):
    """A model answers from now on, by these settings, or could not be taken."""

    def __init__(self, config: Config | None, failure: str = "") -> None:
        super().__init__()
        self.config = config
        self.failure = failure


async def look_for_models(environ: Mapping[str, str], post: Post) -> None:
    """Look for models on this computer, and for keys in the environment."""
    local: tuple[ModelOffer, ...] = ()
    problem = ""
    try:
        # In a thread with a loop of its own: drawing must neither wait for it nor hold it up.
        local = await asyncio.to_thread(_found_here, environ)
    except RagError as error:
        problem = told(error)
    hosted = hosted_offers(environ)
    post(ModelsFound((*local[:LOCAL_SHOWN], *hosted[:HOSTED_SHOWN]), problem))


def _found_here(environ: Mapping[str, str]) -> tuple[ModelOffer, ...]:
    from rag_assistant.models.discovery import discover, ports_of  # noqa: PLC0415 - 40 ms

    return local_offers(asyncio.run(discover(ports_of(environ), seconds=LOOK_SECONDS)))


async def take_model(offer: ModelOffer, model: str, path: Path, post: Post) -> None:
    """Write into the settings that a model answers."""
    try:
        config = await asyncio.to_thread(take, offer, model, path)
    except RagError as error:
        post(ModelTaken(None, told(error)))
    else:
        post(ModelTaken(config))
