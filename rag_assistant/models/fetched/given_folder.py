"""A folder that a person gives instead of the hub: which models it holds, and whether all of each.

It may be the folder of one model, or hold several, each in a folder of its own, as a clone of a
repository or a snapshot of the hub's own cache has them.
"""

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_assistant.errors import ModelError
from rag_assistant.models.fetched.catalogue import NEEDED, ONNX_FILE, CatalogueModel, ModelPurpose
from rag_assistant.models.fetched.kept import sha256_of
from rag_assistant.models.model_folder import MODEL_FILES, ModelFolder

_ONNX_NAMES = (*MODEL_FILES, "onnx/model_quantized.onnx", "model_quantized.onnx")


@dataclass(frozen=True, slots=True)
class GivenModel:
    """A model of a folder: its files there, by their names here. `known` says that the model itself
    is the one of the catalogue, to the letter."""

    folder: Path
    files: Mapping[str, Path]
    known: bool

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(path.stat().st_size for path in self.files.values())

    def copy(self, folder: Path) -> None:
        """Copy the files into a folder. Raises OSError."""
        for name, path in self.files.items():
            place = folder / name
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, place)


def given_model(folder: Path, model: CatalogueModel) -> GivenModel | None:
    """Find a model for the purpose of `model` in a folder; None where there is none.

    Raises ModelError where the folder cannot be read, or a model there lacks a file.
    """
    hint = "Give the one that holds model.onnx and tokenizer.json."
    if not folder.is_dir():
        raise ModelError(f"{folder} is no folder.", hint=hint)
    try:
        return _given_model(folder, model)
    except (OSError, ValueError) as error:
        raise ModelError(f"{folder} cannot be read: {error}.", hint=hint) from error


def _given_model(folder: Path, model: CatalogueModel) -> GivenModel | None:
    for place in (folder, *_folders_in(folder, model)):
        onnx = _onnx(place, model)
        if onnx is None or _purpose(place) != model.purpose:
            continue
        files = {file.name: place / file.path for file in model.files if file.name != ONNX_FILE}
        there = {name: path for name, path in files.items() if path.is_file()}
        if missing := [name for name in NEEDED if name not in {*there, ONNX_FILE}]:
            raise ModelError(
                f"{place} lacks {' and '.join(missing)}.",
                hint=f"They lie beside the model in its repository, {model.repository}.",
            )
        pinned = next(file.sha256 for file in model.files if file.name == ONNX_FILE)
        return GivenModel(place, {**there, ONNX_FILE: onnx}, sha256_of(onnx) == pinned)
    return None


def _folders_in(folder: Path, model: CatalogueModel) -> Iterator[Path]:
    """Give the folders within, that of the model's own name first."""
    inner = sorted(path for path in folder.iterdir() if path.is_dir())
    yield from sorted(inner, key=lambda path: path.name != model.title)


def _onnx(folder: Path, model: CatalogueModel) -> Path | None:
    """Find the file of the model: as the catalogue has it, or as such files are called.

    It stands beside a file that says how to use it: a folder of such files alone is a part of one.
    """
    if not any((folder / name).is_file() for name in ("config.json", "tokenizer.json")):
        return None
    named = [file.path for file in model.files if file.name == ONNX_FILE]
    names = (*named, *(Path(name).name for name in named), *_ONNX_NAMES)
    return next((folder / name for name in names if (folder / name).is_file()), None)


def _purpose(folder: Path) -> ModelPurpose:
    """Tell what the model of a folder is for, by what its settings call it."""
    said = ModelFolder(folder, "model").says("config.json").get("architectures")
    named = " ".join(map(str, said)) if isinstance(said, list) else ""
    return "reranker" if "SequenceClassification" in named else "embedder"
