"""The fetched models of a home: each in a folder of `models`, with a record of what it holds.

The record stands beside the files, with the hash that each had when it was checked; so what was
changed since is found, and where a model is from can be said without a network.
"""

import hashlib
import json
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import get_args

from rag_assistant.errors import ModelError
from rag_assistant.models.fetched.catalogue import ModelPurpose
from rag_assistant.models.model_folder import MODELS_FOLDER

RECORD = "rag-assistant.json"
_PIECE = 1 << 20


@dataclass(frozen=True, slots=True)
class KeptFile:
    """A file of a model that is kept."""

    name: str
    size: int
    sha256: str


@dataclass(frozen=True, slots=True)
class KeptModel:
    """A model of a home; `origin` is the address of the hub, or the folder, that it came from.

    `folder` is its place, `at` when it was fetched (ISO 8601, UTC).
    """

    folder: Path
    name: str
    purpose: ModelPurpose
    repository: str
    revision: str
    licence: str
    origin: str
    at: str
    files: tuple[KeptFile, ...]

    @property
    def size(self) -> int:
        """Bytes of all its files."""
        return sum(file.size for file in self.files)

    @property
    def setting(self) -> str:
        """The folder as the settings have it: within the home."""
        return f"{MODELS_FOLDER}/{self.folder.name}"

    def problem(self) -> str:
        """Say in a few words what of it is not as it was when it was fetched; nothing if all is."""
        for file in self.files:
            path = self.folder / file.name
            try:
                if path.stat().st_size != file.size or sha256_of(path) != file.sha256:
                    return f"{file.name} is not what was fetched"
            except OSError:
                return f"{file.name} is missing"
        return ""


def kept_models(home: Path) -> list[KeptModel]:
    """Give the fetched models of a home, by name."""
    records = sorted((home / MODELS_FOLDER).glob(f"*/{RECORD}"))
    found = [read_record(path.parent) for path in records if not is_part(path.parent)]
    return sorted(filter(None, found), key=lambda kept: (kept.name, kept.purpose))


def is_part(folder: Path) -> bool:
    """Whether a folder is one that a model is still fetched into."""
    return folder.suffix == ".part"


def part_of(folder: Path) -> Path:
    """Give the folder that a model is fetched into, before it takes its place."""
    return folder.with_name(f"{folder.name}.part")


def write_record(kept: KeptModel, folder: Path) -> None:
    """Write the record of a model into a folder. Raises OSError."""
    said = asdict(kept)
    del said["folder"]
    (folder / RECORD).write_text(json.dumps(said, indent=1) + "\n", encoding="utf-8")


def read_record(folder: Path) -> KeptModel | None:
    """Read the record of a folder; None where there is none that can be read."""
    try:
        said = json.loads((folder / RECORD).read_text(encoding="utf-8"))
        files = tuple(KeptFile(**file) for file in said.pop("files"))
        kept = KeptModel(folder=folder, files=files, **said)
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return None
    return kept if kept.purpose in get_args(ModelPurpose) else None


def place(part: Path, folder: Path) -> None:
    """Put a whole model in its place; one that was fetched before makes way. Raises OSError."""
    if folder.exists():
        shutil.rmtree(folder)
    part.rename(folder)


def remove(kept: KeptModel) -> None:
    """Delete a model's folder. Raises ModelError."""
    try:
        shutil.rmtree(kept.folder)
    except OSError as error:
        raise ModelError(
            f"{kept.folder} cannot be deleted: {error.strerror}.", hint="Check the rights there."
        ) from error


def files_in(folder: Path, names: Sequence[str]) -> tuple[KeptFile, ...]:
    """Say what files of a folder are, those that are there. Raises OSError."""
    paths = [(name, folder / name) for name in names if (folder / name).is_file()]
    return tuple(KeptFile(name, path.stat().st_size, sha256_of(path)) for name, path in paths)


def sha256_of(path: Path) -> str:
    """Give the SHA-256 of a file. Raises OSError."""
    digest = hashlib.sha256()
    with path.open("rb") as opened:
        while piece := opened.read(_PIECE):
            digest.update(piece)
    return digest.hexdigest()
