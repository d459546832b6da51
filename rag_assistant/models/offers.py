"""Models that could answer though none is configured: on this machine, or by a key that is set.

Offering asks nothing of any other host; a hosted model is used only when a person names it.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal
from urllib.parse import urlsplit

from rag_assistant.config import EXTRACTIVE, Config, ModelSettings, Wire, load_config
from rag_assistant.models.endpoint import KEY_ENV, host_of, is_loopback
from rag_assistant.models.whereabouts import CLOUD_HOST, is_named_remote

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


Seat = Literal["model", "helper"]
"""What a model is taken for: it answers, or it condenses what is found."""


@dataclass(frozen=True, slots=True)
class ModelOffer:
    """A model that can be taken. Of a hosted one `model` is empty: the person names it.

    `where` says where it runs; `key_env` names the variable with its key.
    """

    model: str
    base_url: str
    where: str
    key_env: str = ""

    @property
    def host(self) -> str:
        """The host that questions and passages go to, as far as the offer shows it."""
        return CLOUD_HOST if is_named_remote(self.model) else host_of(self.base_url)

    @property
    def is_local(self) -> bool:
        """Whether nothing leaves this machine."""
        return is_loopback(self.host)

    def settings(self, model: str) -> ModelSettings:
        """Give what reaches a model there."""
        wire: Wire = "responses" if self.key_env == KEY_ENV else "chat"
        return ModelSettings(model, self.base_url, wire, self.key_env)


def local_offers(servers: Sequence["LocalServer"]) -> tuple[ModelOffer, ...]:
    """Give the models of servers on this machine, those that write answers first."""
    offers = [
        ModelOffer(model, server.base_url, f"{server.kind} at {server.host}")
        for server in servers
        for model in server.models
    ]
    return tuple(sorted(offers, key=lambda offer: not writes(offer.model)))


def writes(model: str) -> bool:
    """Whether a model writes answers, as far as its name tells."""
    return not any(part in model.lower() for part in _NO_WRITERS)


def hosted_offers(
    environ: Mapping[str, str], configured: Iterable[ModelSettings] = ()
) -> tuple[ModelOffer, ...]:
    """Give the hosts whose keys are set; nobody is asked whether a key is good.

    Besides those that are known here there are those of `configured` models with a key.
    """
    known = [*_HOSTED.items()]
    known += [(s.api_key_env, _address(s)) for s in configured if s.api_key_env]
    hosts = {base_url: key_env for key_env, base_url in known if environ.get(key_env, "").strip()}
    return tuple(
        ModelOffer("", base_url, host_of(base_url), key_env) for base_url, key_env in hosts.items()
    )


def take(offer: ModelOffer, model: str, path: Path, spec: Seat = "model") -> Config:
    """Let a model answer, or help, from now on: write it into the settings; give them as they are.

    One that is configured already is taken by the name that it has there. Raises ConfigError.
    """
    from rag_assistant.config.writing import write_config  # noqa: PLC0415 - only a change needs it

    known, wanted = load_config(path).models, offer.settings(model)
    same = next((name for name, there in known.items() if _is_same(there, wanted)), "")
    name = same or _free_name(wanted, known)
    table = {"model": model, "base_url": offer.base_url}
    table |= {"wire": wanted.wire, "api_key_env": offer.key_env} if offer.key_env else {}
    write_config(path, {spec: name}, {} if same else {name: table})
    return load_config(path)


def _is_same(there: ModelSettings, wanted: ModelSettings) -> bool:
    return (there.model, _address(there)) == (wanted.model, _address(wanted))


def _address(settings: ModelSettings) -> str:
    return settings.base_url.rstrip("/")


def _free_name(wanted: ModelSettings, known: Mapping[str, ModelSettings]) -> str:
    """Give a name for a table of the file: the model's own, or one with its place."""
    place = urlsplit(wanted.base_url).netloc.rpartition("@")[2]
    names = (wanted.model, f"{wanted.model} at {place}", f"{wanted.model} at {_address(wanted)}")
    return next(name for name in names if name not in (EXTRACTIVE, *known))
