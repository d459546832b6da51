"""The names of the models at a hosted endpoint, asked for only when a person wants them.

Nothing is sent but the key. What the host says is untrusted: it is bounded in time and size, and a
name that could steer a terminal is left out.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.discovery import can_be_shown
from rag_assistant.models.endpoint import Endpoint, host_of
from rag_assistant.models.offers import writes

if TYPE_CHECKING:
    from rag_assistant.models.json_link import HttpRefusal

WITHIN_SECONDS = 10.0
"""How long the whole list may take; the longest known is half a megabyte."""

NAME_IT = "A model can still be named in config.toml."

_ANTHROPIC = "api.anthropic.com"


def model_names(settings: ModelSettings, environ: Mapping[str, str]) -> tuple[str, ...]:
    """Ask the host of some settings for the names of its models. It blocks. Raises ModelError."""
    from rag_assistant.models.json_link import HttpRefusal, JsonLink  # noqa: PLC0415 - takes a second

    endpoint = Endpoint.of(settings, environ)
    headers: dict[str, str] = {}
    if host_of(settings.base_url) == _ANTHROPIC:  # it takes the key so where it is not asked
        headers = {"x-api-key": endpoint.key, "anthropic-version": "2023-06-01"}
    link = JsonLink(endpoint, settings.base_url, WITHIN_SECONDS, retries=0)
    try:
        listed = link.get("/models", within=WITHIN_SECONDS, headers=headers)
    except HttpRefusal as refused:
        raise _refusal(endpoint, refused) from None
    finally:
        link.close()
    names = _names_in(listed)
    if not names:
        raise ModelError(f"{endpoint.host} lists no models.", hint=NAME_IT)
    return names


def _refusal(endpoint: Endpoint, refused: "HttpRefusal") -> ModelError:
    if refused.status in (403, 404):  # which of a model would say something else
        return ModelError(
            f"{endpoint.host} does not list its models ({refused.status}).", hint=NAME_IT
        )
    return refused.fault(endpoint)


def _names_in(listed: object) -> tuple[str, ...]:
    """Read a list of models as OpenAI's API has it, {"data": [{"id": …}]}, or the bare list."""
    rows = listed.get("data") if isinstance(listed, dict) else listed
    entries = rows if isinstance(rows, list) else []
    named = [row.get("id") for row in entries if isinstance(row, dict)]
    known = (name for name in named if isinstance(name, str) and can_be_shown(name))
    return tuple(sorted(dict.fromkeys(known), key=lambda name: (not writes(name), name)))
