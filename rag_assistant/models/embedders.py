"""What turns passages and questions into vectors: an endpoint, or a model run on this machine.

Both give rows of length 1 and check what they got; every failure is one ModelError. Neither
importing this file nor making an embedder loads numpy, an SDK or a model: the first text does.
"""

import os
from collections.abc import Mapping, Sequence
from functools import cached_property
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.config import Config, EmbedderSettings
from rag_assistant.config.installation import how_to_add
from rag_assistant.egress.gate import Gate
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.errors import ModelError
from rag_assistant.library.protocols import Embedder
from rag_assistant.models.embedding_values import decoded, named, prepared, question
from rag_assistant.models.endpoint import Endpoint
from rag_assistant.text.safe_text import clean_line

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.models.embedding_link import EmbeddingLink

__all__ = ["Embedder", "EndpointEmbedder", "make_embedder"]


def make_embedder(
    name: str,
    config: Config,
    home: Path,
    environ: Mapping[str, str] | None = None,
    gate: Gate | None = None,
) -> Embedder:
    """Make the embedder of `[embedders.NAME]`; the configured one when `name` is empty.

    What leaves this machine passes `gate`, that of the home when not given. Raises ModelError when
    there is none, or the packages it needs are not installed.
    """
    name = name or config.embedder
    if name not in config.embedders:
        known = ", ".join(map(repr, config.embedders))
        what = f"There is no embedder {clean_line(name)!r}." if name else "No embedder is set."
        hint = f"Known: {known}." if known else "Fetch one: `rag-assistant model get small`."
        raise ModelError(what, hint=hint)
    settings = config.embedders[name]
    if find_spec("numpy") is None:
        raise ModelError("Vectors need numpy.", hint=f"Run `{how_to_add('vectors')}`.")
    if settings.kind == "endpoint":
        return EndpointEmbedder(settings, environ, gate or Gate(home, config))
    from rag_assistant.models.local_embedder import LocalEmbedder  # noqa: PLC0415 - only for it

    return LocalEmbedder(settings, home)


class EndpointEmbedder:
    """An embedding model of any OpenAI-compatible endpoint.

    The key is read from `environ`, the process's own when not given. What goes to another machine
    passes `gate`.
    """

    def __init__(
        self,
        settings: EmbedderSettings,
        environ: Mapping[str, str] | None = None,
        gate: Gate | None = None,
    ) -> None:
        self._gate = gate or Gate()
        self._settings = settings
        self._environ = os.environ if environ is None else environ

    @property
    def name(self) -> str:
        """The model's name, with the prefix of passages where there is one."""
        return named(self._settings.model, self._settings)

    @property
    def batch(self) -> int:
        """How many passages go into a request."""
        return self._settings.batch

    @property
    def destination(self) -> str:
        """The host; empty when it is this machine. It blocks; see `Endpoint.sent_to`."""
        return self._endpoint.sent_to

    @cached_property
    def dimension(self) -> int:
        """How many numbers a vector has, as the first reply shows."""
        if self._settings.dimensions:
            return self._settings.dimensions
        with carrying(Provenance("embedding")):  # the word alone, of no database
            return int(self._embed(["dimension"]).shape[1])

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Give a row of length 1 for each text, in requests of `batch` texts."""
        import numpy as np  # noqa: PLC0415 - a second of start-up that only vectors need

        sent = prepared(texts, self._settings)
        step = self._settings.batch
        parts = [self._embed(sent[n : n + step]) for n in range(0, len(sent), step)]
        if not parts:
            return np.empty((0, self.dimension), np.float32)
        return np.concatenate([self._of_dimension(part) for part in parts])

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Give the vector of length 1 of a question."""
        row: NDArray[np.float32] = self._of_dimension(
            self._embed([question(text, self._settings)])
        )[0]
        return row

    def close(self) -> None:
        """Close the connection kept open."""
        if "_link" in self.__dict__:
            self._link.close()
            del self._link

    @cached_property
    def _endpoint(self) -> Endpoint:
        return Endpoint.of(self._settings, self._environ)

    @cached_property
    def _link(self) -> "EmbeddingLink":
        link: EmbeddingLink = import_module("rag_assistant.models.embedding_link").EmbeddingLink(
            self._endpoint, self._settings, self._gate
        )
        return link

    def _embed(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        body = self._link.embed(texts)
        try:
            rows = decoded(body, len(texts))
        except ValueError as error:
            host = self._endpoint.host
            said = self._endpoint.detail(body) if isinstance(body, dict) else ""
            raise ModelError(
                f"{host} sent no usable vectors: {said or error}.",
                hint="Check that this model makes embeddings, and base_url: it usually ends in "
                "/v1.",
            ) from None
        return rows

    def _of_dimension(self, rows: "NDArray[np.float32]") -> "NDArray[np.float32]":
        if rows.shape[1] != self.dimension:
            raise ModelError(
                f"{self._endpoint.host} sent vectors of {rows.shape[1]} numbers instead of "
                f"{self.dimension}.",
                hint="Check model and dimensions of this embedder.",
            )
        return rows
