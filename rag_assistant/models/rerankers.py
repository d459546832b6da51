"""What reads the best hits of a search once more: a model that scores pairs, behind an endpoint or
on this machine, or a chat model.

All give one finite score for each passage or raise one ModelError. Neither importing this file nor
making a reranker loads an SDK or reads a key: the first use does.
"""

import asyncio
import json
import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.config import Config, ModelSettings, RerankerSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.errors import ModelError
from rag_assistant.library.protocols import Reranker
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.openai_model import OpenAIModel
from rag_assistant.models.protocol import whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.messages import Request, SystemMessage, UserMessage

if TYPE_CHECKING:
    from rag_assistant.models.json_link import JsonLink

PATH = "/rerank"

ENDPOINT_CHARACTERS = 2_000
"""Of a passage; models that score pairs read some 512 tokens."""

MODEL_CHARACTERS = 1_000
"""Of a passage for a chat model, which is given all of them at once."""

HIGHEST = 10.0
"""What a chat model's scores go up to."""

_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "scores": {"type": "array", "items": {"type": "number", "minimum": 0, "maximum": HIGHEST}}
    },
    "required": ["scores"],
    "additionalProperties": False,
}


def make_reranker(
    name: str,
    config: Config,
    home: Path,
    environ: Mapping[str, str] | None = None,
    gate: Gate | None = None,
) -> Reranker:
    """Make the reranker of `[rerankers.NAME]`; the configured one when `name` is empty.

    What goes to another machine passes `gate`, that of the home when not given. Raises ModelError
    when there is none.
    """
    name = name or config.reranker
    if name not in config.rerankers:
        known = ", ".join(map(repr, config.rerankers))
        what = f"There is no reranker {clean_line(name)!r}." if name else "No reranker is set."
        hint = f"Known: {known}." if known else "Add [rerankers.NAME] and reranker to config.toml."
        raise ModelError(what, hint=hint)
    settings = config.rerankers[name]
    if settings.kind == "local":
        from rag_assistant.models.local_reranker import LocalReranker  # noqa: PLC0415 - only for it

        return LocalReranker(settings, home)
    environ = os.environ if environ is None else environ
    gate = gate or Gate(home, config)
    if settings.kind == "endpoint":
        return EndpointReranker(name, settings, environ, gate)
    return ModelReranker(settings, config.models[settings.model], environ, gate)


class EndpointReranker:
    """A model that scores pairs, behind an endpoint that takes POST {base_url}/rerank.

    The reply is read in either form, whichever was asked in: `results` with `relevance_score`, or a
    bare list with `score`.
    """

    def __init__(
        self,
        name: str,
        settings: RerankerSettings,
        environ: Mapping[str, str],
        gate: Gate | None = None,
    ) -> None:
        self._gate = gate
        self.name = settings.model or name
        self.passages = settings.passages
        self.characters = ENDPOINT_CHARACTERS
        self._settings = settings
        self._environ = environ

    @property
    def destination(self) -> str:
        """The host; empty when it is this machine. It blocks; see `Endpoint.sent_to`."""
        return self._endpoint.sent_to

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give the endpoint's scores."""
        from rag_assistant.models.json_link import HttpRefusal  # noqa: PLC0415 - loads the SDK

        try:
            body = self._link.post(
                PATH, self._payload(query, texts), within=self._settings.timeout_seconds
            )
        except HttpRefusal as refusal:
            if refusal.status not in (400, 404, 405, 413, 422):
                raise refusal.fault(self._endpoint) from None
            raise self._unusable(
                f"did not rerank ({refusal.status})", self._endpoint.detail(refusal.body)
            ) from None
        try:
            return scores_in(body, len(texts))
        except ValueError as error:
            said = self._endpoint.detail(body) if isinstance(body, dict) else ""
            raise self._unusable("sent no usable scores", said or str(error)) from None

    def close(self) -> None:
        """Close the connection kept open."""
        if "_link" in self.__dict__:
            self._link.close()
            del self._link

    def _payload(self, query: str, texts: Sequence[str]) -> dict[str, Any]:
        model = {"model": self._settings.model} if self._settings.model else {}
        if self._settings.wire == "texts":
            return {**model, "query": query, "texts": list(texts), "truncate": True}
        return {**model, "query": query, "documents": list(texts), "top_n": len(texts)}

    def _unusable(self, what: str, said: str) -> ModelError:
        return ModelError(
            f"{self._endpoint.host} {what}" + (f": {said.rstrip('.')}." if said else "."),
            hint=f"Check model, wire and base_url ({PATH} is added to it) of this reranker; "
            "lower passages if they are too many.",
        )

    @cached_property
    def _endpoint(self) -> Endpoint:
        return Endpoint.of(self._settings, self._environ)

    @cached_property
    def _link(self) -> "JsonLink":
        settings = self._settings
        # Not tried again: a person waits for the search, which can do without.
        link: JsonLink = import_module("rag_assistant.models.json_link").JsonLink(
            self._endpoint, settings.base_url, settings.timeout_seconds, retries=0, gate=self._gate
        )
        return link


def scores_in(body: object, count: int) -> list[float]:
    """Read the scores out of a reply, in the order of the texts. Raises ValueError saying why not.

    The items are the reply itself, its `results` or its `data`; each has an `index` and a
    `relevance_score` or `score`.
    """
    items = body
    if isinstance(body, dict):
        items = body.get("results", body.get("data"))
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise ValueError("it is not of the form of scores")
    if len(items) != count:
        raise ValueError(f"{len(items)} scores for {count} passages")
    scores: dict[int, float] = {}
    for item in items:
        index = item.get("index")
        if type(index) is not int or not 0 <= index < count or index in scores:
            raise ValueError("an index is missing or there twice")
        scores[index] = _number(item.get("relevance_score", item.get("score")))
    return [scores[index] for index in range(count)]


def _number(score: object) -> float:
    if isinstance(score, bool) or not isinstance(score, int | float):
        raise ValueError("a score is not a number")
    try:
        number = float(score)
    except OverflowError:
        raise ValueError("a score is out of range") from None
    if not isfinite(number):
        raise ValueError("a score is not a number")
    return number


class ModelReranker:
    """A chat model that is asked for scores. It is run to its end in the calling thread."""

    def __init__(
        self,
        settings: RerankerSettings,
        model: ModelSettings,
        environ: Mapping[str, str],
        gate: Gate | None = None,
    ) -> None:
        self._gate = gate
        self.name = settings.model
        self.passages = settings.passages
        self.characters = MODEL_CHARACTERS
        self._seconds = settings.timeout_seconds
        self._settings = model
        self._environ = environ

    @property
    def destination(self) -> str:
        """The host; empty when it is this machine. It blocks; see `Endpoint.sent_to`."""
        return Endpoint.of(self._settings, self._environ).sent_to

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give the model's scores."""
        return asyncio.run(self._ask(query, texts))

    async def _ask(self, query: str, texts: Sequence[str]) -> list[float]:
        # A model of its own for each call: connections belong to an event loop, and this one ends.
        model = OpenAIModel(self.name, self._settings, self._environ, gate=self._gate)
        try:
            async with asyncio.timeout(self._seconds):
                reply = await whole_reply(model, _request(query, texts))
        except TimeoutError:
            raise ModelError(
                f"{self.name} gave no scores within {self._seconds:g} seconds.",
                hint="Raise timeout_seconds of this reranker, or lower its passages.",
            ) from None
        finally:
            await model.aclose()
        try:
            return _scores_written(reply.message.text, len(texts))
        except ValueError as error:
            raise ModelError(
                f"{self.name} gave no usable scores: {error}.",
                hint="Choose another model for this reranker, or lower its passages.",
            ) from None


def _request(query: str, texts: Sequence[str]) -> Request:
    boundary = new_boundary()
    fenced = [fence("question", query, boundary=boundary, attributes={})]
    for number, text in enumerate(texts, 1):
        place = {"number": str(number)}
        fenced.append(fence("passage", text, boundary=boundary, attributes=place))
    system = SystemMessage(load_prompt("rerank", count=str(len(texts))))
    return Request((system, UserMessage("\n\n".join(fenced))), reply_schema=_SCHEMA)


def _scores_written(written: str, count: int) -> list[float]:
    """Read a model's reply; a code fence or words around the object are forgiven, nothing else."""
    start, end = written.find("{"), written.rfind("}")
    try:
        reply = json.loads(written[start : end + 1]) if start >= 0 else None
    except (ValueError, RecursionError):
        reply = None
    found = reply.get("scores") if isinstance(reply, dict) else None
    if not isinstance(found, list):
        raise ValueError("it wrote no JSON list of scores")
    if len(found) != count:
        raise ValueError(f"{len(found)} scores for {count} passages")
    scores = [_number(score) for score in found]
    if not all(0 <= score <= HIGHEST for score in scores):
        raise ValueError(f"a score is not between 0 and {HIGHEST:g}")
    return scores
