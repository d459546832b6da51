"""An ONNX model that reads a question beside a passage, run on this machine by fastembed.

It is a cross-encoder: one number for each pair, higher for better.
"""

import time
from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

from rag_assistant.config import RerankerSettings
from rag_assistant.errors import ModelError
from rag_assistant.models.model_folder import (
    ModelFolder,
    needs_extra,
    quiet_fastembed,
    unusable,
)

AT_ONCE = 8
"""Pairs run through the model together: they are padded to the longest, and between two such
groups the time is looked at."""

CHARACTERS = 1_000
"""Of a passage: a processor takes twice the time for twice the length."""

KIND = "reranker"


class LocalReranker:
    """A local reranker; the model is loaded with the first question, and kept.

    A folder that is not absolute is one of `home`.
    """

    def __init__(self, settings: RerankerSettings, home: Path) -> None:
        self._folder = ModelFolder(home / Path(settings.folder).expanduser(), KIND)
        self._seconds = settings.timeout_seconds
        self._loading = Lock()
        self.name = self._folder.path.name
        self.passages = settings.passages
        self.characters = CHARACTERS

    @property
    def destination(self) -> str:
        """Nothing leaves this machine."""
        return ""

    def rerank(self, query: str, texts: Sequence[str]) -> list[float]:
        """Give the model's scores: of any size, below 0 as well."""
        with self._loading:
            model = self._model
        until = time.monotonic() + self._seconds
        # Texts of like length together: each group is padded to its longest.
        order = sorted(range(len(texts)), key=lambda index: len(texts[index]))
        scores = [0.0] * len(texts)
        try:
            found = model.rerank(query, [texts[index] for index in order], batch_size=AT_ONCE)
            for index, score in zip(order, found, strict=True):
                scores[index] = float(score)
                if time.monotonic() > until:
                    raise self._late()
        except ModelError:
            raise
        except Exception as error:
            raise unusable(str(self._folder.path), KIND, error) from error
        return scores

    def _late(self) -> ModelError:
        return ModelError(
            f"{self.name} gave no scores within {self._seconds:g} seconds.",
            hint="Raise timeout_seconds of this reranker, or lower its passages.",
        )

    @cached_property
    def _model(self) -> Any:
        with quiet_fastembed():
            try:
                from fastembed.rerank.cross_encoder import (  # noqa: PLC0415 - heavy, and an extra
                    TextCrossEncoder,
                )
            except ImportError:
                raise needs_extra() from None
            return self._of_folder(TextCrossEncoder)

    def _of_folder(self, kind: Any) -> Any:
        """Load a folder: fastembed takes one as the place of a model registered beforehand."""
        from fastembed.common.model_description import (  # noqa: PLC0415 - see above
            ModelSource,
        )

        folder = self._folder
        file = folder.onnx
        try:
            registered = f"rag-assistant/{folder.mark}"
            if registered not in {model["model"] for model in kind.list_supported_models()}:
                kind.add_custom_model(
                    model=registered,
                    sources=ModelSource(url="file:///"),  # never asked: the folder is given below
                    model_file=file,
                )
            return kind(registered, specific_model_path=str(folder.path))
        except Exception as error:
            raise unusable(str(folder.path), KIND, error) from error
