"""The embeddings request of the OpenAI API: plain values in, the decoded reply out.

Every failure of the SDK and of the network leaves here as a ModelError in words. Importing this
file costs a second; `embedders` does it when the first text is to be embedded.
"""

from collections.abc import Sequence
from typing import Any

from rag_assistant.config import EmbedderSettings
from rag_assistant.egress.gate import Gate
from rag_assistant.errors import ModelError
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.json_link import HttpRefusal, JsonLink

PATH = "/embeddings"


class EmbeddingLink:
    """A client of one endpoint's embeddings, with its open connection."""

    def __init__(
        self, endpoint: Endpoint, settings: EmbedderSettings, gate: Gate | None = None
    ) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._encoding = "base64"  # a quarter of the bytes; every other server takes "float" only
        self._link = JsonLink(endpoint, settings.base_url, settings.timeout_seconds, gate=gate)

    def embed(self, texts: Sequence[str]) -> object:
        """Send texts and give the body of the reply, which nothing is known of yet."""
        try:
            try:
                return self._post(texts)
            except HttpRefusal as refusal:
                unknown = refusal.status in (400, 422) and "encoding" in refusal.text
                if self._encoding == "float" or not unknown:
                    raise
                self._encoding = "float"
                return self._post(texts)
        except HttpRefusal as refusal:
            raise self._refused(refusal) from None

    def close(self) -> None:
        """Close the connection kept for the next request."""
        self._link.close()

    def _post(self, texts: Sequence[str]) -> object:
        payload: dict[str, Any] = {
            "model": self._settings.model,
            "input": list(texts),
            "encoding_format": self._encoding,
        }
        if self._settings.dimensions:
            payload["dimensions"] = self._settings.dimensions
        return self._link.post(PATH, payload)

    def _refused(self, refusal: HttpRefusal) -> ModelError:
        if refusal.status not in (400, 413, 422):
            return refusal.fault(self._endpoint)
        said = self._endpoint.detail(refusal.body)
        return ModelError(
            f"{self._endpoint.host} did not embed the texts ({refusal.status})"
            + (f": {said}" if said else "."),
            hint="Lower batch or max_characters of this embedder, or check model and dimensions.",
        )
