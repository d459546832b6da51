"""An ONNX embedding model in a folder, run on this machine by fastembed; it needs no network.

What fastembed would fetch by a name is not used: models are fetched by `models/fetched` alone.
"""

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from rag_assistant.config import EmbedderSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.embedding_values import named, prepared, question, unit_rows
from rag_assistant.models.model_folder import ModelFolder, needs_extra, quiet_fastembed, unusable

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

AT_ONCE = 16
"""Texts run through the model together; they are padded to the longest, so more costs time."""

KIND = "embedding model"


class LocalEmbedder:
    """A local embedding model; the model is loaded with the first text.

    A folder that is not absolute is one of `home`.
    """

    def __init__(self, settings: EmbedderSettings, home: Path) -> None:
        self._settings = settings
        self._folder = ModelFolder(home / Path(settings.folder).expanduser(), KIND)

    @property
    def name(self) -> str:
        """The name of the folder, and a mark of what it holds."""
        return named(f"{self._folder.path.name}-{self._folder.mark}", self._settings)

    @property
    def batch(self) -> int:
        """How many passages to give at once."""
        return self._settings.batch

    @property
    def destination(self) -> str:
        """Nothing leaves this machine."""
        return ""

    @cached_property
    def dimension(self) -> int:
        """How many numbers a vector has."""
        return int(self._run(["dimension"], query=False).shape[1])

    def embed_passages(self, texts: Sequence[str]) -> "NDArray[np.float32]":
        """Give a row of length 1 for each text."""
        import numpy as np  # noqa: PLC0415 - only vectors need it

        sent = prepared(texts, self._settings)
        if not sent:
            return np.empty((0, self.dimension), np.float32)
        # Texts of like length together: each batch is padded to its longest.
        order = sorted(range(len(sent)), key=lambda index: len(sent[index]))
        rows = self._run([sent[index] for index in order], query=False)
        back = np.empty_like(rows)
        back[order] = rows
        return back

    def embed_query(self, text: str) -> "NDArray[np.float32]":
        """Give the vector of length 1 of a question."""
        row: NDArray[np.float32] = self._run([question(text, self._settings)], query=True)[0]
        return row

    def close(self) -> None:
        """Let go of the model."""
        self.__dict__.pop("_model", None)

    def _run(self, texts: list[str], *, query: bool) -> "NDArray[np.float32]":
        import numpy as np  # noqa: PLC0415 - only vectors need it

        model = self._model
        try:
            if query:
                rows = list(model.query_embed(texts))
            else:
                rows = list(model.passage_embed(texts, batch_size=AT_ONCE))
            return unit_rows(np.stack(rows).astype(np.float32))
        except Exception as error:
            raise self._unusable(error) from error

    @cached_property
    def _model(self) -> Any:
        with quiet_fastembed():
            try:
                from fastembed import TextEmbedding  # noqa: PLC0415 - heavy, and an extra
            except ImportError:
                raise needs_extra() from None
            return self._of_folder(TextEmbedding)

    def _of_folder(self, kind: Any) -> Any:
        """Load a folder: fastembed takes one as the place of a model registered beforehand."""
        from fastembed.common.model_description import (  # noqa: PLC0415 - see above
            ModelSource,
            PoolingType,
        )

        folder = self._folder
        file = folder.onnx
        try:
            pooling, dimension = _pooling(folder)
            registered = f"rag-assistant/{folder.mark}-{pooling}"
            if registered not in {model["model"] for model in kind.list_supported_models()}:
                kind.add_custom_model(
                    model=registered,
                    pooling=PoolingType(pooling),
                    normalization=True,
                    sources=ModelSource(url="file:///"),  # never asked: the folder is given below
                    dim=dimension,
                    model_file=file,
                )
            loaded = kind(registered, specific_model_path=str(folder.path))
            folder.limit_tokens(loaded.model.tokenizer)
            return loaded
        except Exception as error:
            raise self._unusable(error) from error

    def _unusable(self, error: Exception) -> ModelError:
        return unusable(self._settings.folder, KIND, error)


def _pooling(folder: ModelFolder) -> tuple[str, int]:
    """Give fastembed's name of the pooling and the dimension, as the folder's files say.

    The files are those of sentence-transformers; without them token vectors are averaged.
    """
    said = folder.says("1_Pooling/config.json")
    pooling = "MEAN"
    if said.get("pooling_mode_cls_token"):
        pooling = "CLS"
    elif said.get("pooling_mode_lasttoken"):
        pooling = "LAST_TOKEN"
    dimension = said.get("word_embedding_dimension") or folder.says("config.json").get(
        "hidden_size"
    )
    return pooling, int(dimension or 1)  # only described by it: the output has its own
