"""A folder that holds an ONNX model for the processor of this machine, as fastembed loads one."""

import json
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import ModelError

MODELS_FOLDER = "models"
"""Where fetched models are kept, in the home directory."""

MODEL_FILES = ("model.onnx", "onnx/model.onnx", "model_optimized.onnx")
"""Where the model itself may stand in a folder."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """The folder of a model of a `kind` ("embedding model", "reranker"), as messages call it."""

    path: Path
    kind: str

    @property
    def onnx(self) -> str:
        """The file of the model, relative to the folder. Raises ModelError where there is none."""
        for name in MODEL_FILES:
            if (self.path / name).is_file():
                return name
        raise ModelError(
            f"The folder {self.path} holds no model.onnx.",
            hint=f"Give the folder of an ONNX {self.kind} with its tokenizer.json.",
        )

    @property
    def mark(self) -> str:
        """Eight letters that differ between models: of the file's size, its begin and its end."""
        file = self.path / self.onnx
        size = file.stat().st_size
        digest = blake2b(str(size).encode(), digest_size=4)
        with file.open("rb") as opened:
            digest.update(opened.read(1 << 16))
            opened.seek(max(0, size - (1 << 16)))
            digest.update(opened.read())
        return digest.hexdigest()

    def says(self, name: str) -> dict[str, Any]:
        """Give what a JSON file of the folder says; nothing where there is no such file."""
        try:
            value = json.loads((self.path / name).read_text(encoding="utf-8"))
        except FileNotFoundError:
            return {}
        return value if isinstance(value, dict) else {}

    def limit_tokens(self, tokenizer: Any) -> None:
        """Let a tokenizer cut where the model's authors do, who may do so before its table ends."""
        most = self.says("sentence_bert_config.json").get("max_seq_length")
        now = tokenizer.truncation or {}
        if type(most) is int and 0 < most < now.get("max_length", 0):
            tokenizer.enable_truncation(most, direction=now["direction"])


def unusable(name: str, kind: str, error: Exception) -> ModelError:
    """Say in one line that a model could not be loaded or run."""
    said = " ".join(str(error).split())[:200] or type(error).__name__
    return ModelError(
        f"The model {name} cannot be used: {said}.",
        hint=f"It must be an ONNX {kind} with tokenizer.json and tokenizer_config.json.",
    )


@contextmanager
def quiet_fastembed() -> Iterator[None]:
    """Load a model by fastembed without its log and warnings: what went wrong is told once.

    Raises ModelError where the extra is not installed.
    """
    try:
        from loguru import logger  # noqa: PLC0415 - fastembed's, and an extra
    except ImportError:
        raise needs_extra() from None
    logger.disable("fastembed")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


def needs_extra() -> ModelError:
    """Say what has to be installed for a model that runs on this machine."""
    return ModelError(
        "Models that run on this machine need the extra 'semantic'.",
        hint=f"Run `{how_to_add('semantic')}`.",
    )
