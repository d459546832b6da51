"""The embeddings request of the OpenAI API: plain values in, the decoded reply out.

Every failure of the SDK and of the network leaves here as a ModelError in words. Importing this
file costs a second; `embedders` does it when the first text is to be embedded.
"""

from collections.abc import Sequence
from typing import Any

import httpx2
import openai

from rag_assistant.config import EmbedderSettings
from rag_assistant.errors import ModelError
from rag_assistant.models import faults
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.models.openai_link import CONNECT_SECONDS, RETRIES, retry_after_seconds

PATH = "/embeddings"


class EmbeddingLink:
    """A client of one endpoint's embeddings, with its open connection."""

    def __init__(self, endpoint: Endpoint, settings: EmbedderSettings) -> None:
        self._endpoint = endpoint
        self._settings = settings
        self._encoding = "base64"  # a quarter of the bytes; every other server takes "float" only
        self._connect = min(CONNECT_SECONDS, settings.timeout_seconds)
        timeout = httpx2.Timeout(settings.timeout_seconds, connect=self._connect)
        try:
            http = openai.DefaultHttpx2Client(
                timeout=timeout,
                trust_env=not endpoint.loopback,  # a proxy must not get what stays here
                follow_redirects=False,  # nor may an endpoint pass a text on to another
            )
        except (OSError, ImportError, ValueError) as error:
            raise faults.unusable(error) from None
        self._client = openai.OpenAI(
            api_key=endpoint.key or "none",  # the SDK refuses an empty one
            base_url=settings.base_url,
            timeout=timeout,
            max_retries=RETRIES,
            http_client=http,
        )

    def embed(self, texts: Sequence[str]) -> object:
        """Send texts and give the body of the reply, which nothing is known of yet."""
        # Faults are raised `from None`: the SDK's own messages may quote the key.
        try:
            try:
                return self._post(texts)
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if self._encoding == "float" or "encoding" not in str(error.body or error):
                    raise
                self._encoding = "float"
                return self._post(texts)
        except openai.APIStatusError as error:
            raise self._refused(error) from None
        except openai.APITimeoutError as error:
            if isinstance(error.__cause__, httpx2.ConnectTimeout):
                raise faults.no_connection_in(self._endpoint, self._connect) from None
            raise faults.silent(self._endpoint, self._settings.timeout_seconds) from None
        except (openai.APIResponseValidationError, ValueError):
            return None  # no JSON, or none in UTF-8
        except (openai.OpenAIError, httpx2.HTTPError) as error:
            raise faults.unreachable(self._endpoint, error) from None

    def close(self) -> None:
        """Close the connection kept for the next request."""
        self._client.close()

    def _post(self, texts: Sequence[str]) -> object:
        payload: dict[str, Any] = {
            "model": self._settings.model,
            "input": list(texts),
            "encoding_format": self._encoding,
        }
        if self._settings.dimensions:
            payload["dimensions"] = self._settings.dimensions
        return self._client.post(PATH, body=payload, cast_to=object)

    def _refused(self, error: openai.APIStatusError) -> ModelError:
        status, host = error.status_code, self._endpoint.host
        if status not in (400, 413, 422):
            wait = retry_after_seconds(error.response.headers.get("retry-after", ""))
            return faults.refused(self._endpoint, status, error.body, wait)
        said = self._endpoint.detail(error.body)
        return ModelError(
            f"{host} did not embed the texts ({status})" + (f": {said}" if said else "."),
            hint="Lower batch or max_characters of this embedder, or check model and dimensions.",
        )
