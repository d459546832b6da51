"""Models that could answer though none is configured: on this machine, or by a key that is set.

Offering asks nothing of any other host; a hosted model is used only when a person names it.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.config import EXTRACTIVE, Config, ModelSettings, Wire, load_config
from rag_assistant.models.endpoint import KEY_ENV, host_of, is_loopback

if TYPE_CHECKING:
    from rag_assistant.models.discovery import LocalServer

_HOSTED: Mapping[str, str] = {
    KEY_ENV: "https://api.openai.com/v1",
    "ANTHROPIC_API_KEY": "https://api.anthropic.com/v1",
    "DEEPSEEK_API_KEY": "https://api.deepseek.com/v1",
    "GEMINI_API_KEY": "https://generativelanguage.googleapis.com/v1beta/openai",
    "GROQ_API_KEY": "https://api.groq.com/openai/v1",
    "MISTRAL_API_KEY": "https://api.mistral.ai/v1",
    "OPENROUTER_API_KEY": "https://openrouter.ai/api/v1",
    "TOGETHER_API_KEY": "https://api.together.xyz/v1",
    "XAI_API_KEY": "https://api.x.ai/v1",
}
"""Variables that hold keys, and the endpoints that take them and speak OpenAI's wire formats."""

_NO_WRITERS = ("embed", "rerank", "whisper", "bge-", "minilm", "tts")
"""Parts of names of models that do not write answers; they are not offered first."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A model that can be taken. Of a hosted one `model` is empty: the person names it.

    `where` says where it runs; `key_env` names the variable with its key.
    """

    model: str
    base_url: str
    where: str
    key_env: str = ""

    @property
    def host(self) -> str:
        """The host that questions and passages go to."""
        return host_of(self.base_url)

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        return is_loopback(self.host)


def local_offers(servers: Sequence["LocalServer"]) -> tuple[Offer, ...]:
    """Give the models of servers on this machine, those that write answers first."""
    offers = [
        Offer(model, server.base_url, f"{server.kind} at {server.host}")
        for server in servers
        for model in server.models
    ]
    return tuple(sorted(offers, key=lambda offer: not _writes(offer.model)))


def _writes(model: str) -> bool:
    return not any(part in model.lower() for part in _NO_WRITERS)


def hosted_offers(environ: Mapping[str, str]) -> tuple[Offer, ...]:
    """Give the hosts whose keys are set; nobody is asked whether a key is good."""
    return tuple(
        Offer("", base_url, host_of(base_url), key_env)
        for key_env, base_url in _HOSTED.items()
        if environ.get(key_env, "").strip()
    )


def take(offer: Offer, model: str, path: Path) -> Config:
    """Let a model answer from now on: write it into the settings, and give them as they are then.

    Raises ConfigError.
    """
    from rag_assistant.config.writing import write_config  # noqa: PLC0415 - only a change needs it

    known = load_config(path).models
    name = model if model not in (EXTRACTIVE, *known) else f"{model} at {offer.host}"
    wire: Wire = "responses" if offer.key_env == KEY_ENV else "chat"
    wanted = ModelSettings(model, offer.base_url, wire, offer.key_env)
    table = {"model": model, "base_url": offer.base_url}
    table |= {"wire": wire, "api_key_env": offer.key_env} if offer.key_env else {}
    same = next((key for key, settings in known.items() if _is_same(settings, wanted)), "")
    write_config(path, {"model": same or name}, {} if same else {name: table})
    return load_config(path)


def _is_same(settings: ModelSettings, wanted: ModelSettings) -> bool:
    there = (settings.model, settings.base_url.rstrip("/"))
    return there == (wanted.model, wanted.base_url.rstrip("/"))
