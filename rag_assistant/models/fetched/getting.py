"""Getting a model of the catalogue into a home, from the hub or from a folder, and trying it.

It takes its place only when it is whole and has run once; what was begun stays beside it.
"""

import shutil
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path

from filelock import FileLock, Timeout

from rag_assistant.config import EmbedderSettings, RerankerSettings
from rag_assistant.errors import ModelError
from rag_assistant.files.private_files import private_folder
from rag_assistant.models.fetched.catalogue import CatalogueModel
from rag_assistant.models.fetched.download import (
    FetchListener,
    WantedFile,
    fetch_files,
    wanted_files,
)
from rag_assistant.models.fetched.given_folder import GivenModel
from rag_assistant.models.fetched.hub import Hub
from rag_assistant.models.fetched.kept import (
    KeptModel,
    files_in,
    part_of,
    place,
    read_record,
    write_record,
)
from rag_assistant.models.local_embedder import LocalEmbedder
from rag_assistant.models.local_reranker import LocalReranker
from rag_assistant.models.model_folder import MODELS_FOLDER, needs_extra

LOCK = ".lock"

SPARE_BYTES = 50_000_000
"""What is left free on the disk: the databases need room, too."""


@dataclass(frozen=True, slots=True)
class ModelGetter:
    """Gets models into a home. Every method may raise ModelError."""

    home: Path

    def check(self) -> None:
        """See that what is got can be run."""
        if find_spec("fastembed") is None or find_spec("numpy") is None:
            raise needs_extra()

    def have(self, model: CatalogueModel) -> KeptModel | None:
        """Give a model that is here, whole: of the catalogue's revision, or given by the person."""
        kept = read_record(self._folder(model))
        ours = kept and kept.repository == model.repository
        if not kept or not ours or kept.revision not in ("", model.revision) or kept.problem():
            return None
        return kept

    def from_hub(
        self,
        model: CatalogueModel,
        hub: Hub,
        tell: Callable[[list[WantedFile]], None],
        listener: FetchListener,
    ) -> KeptModel:
        """Fetch a model. `tell` hears which files, before the first is fetched."""
        with self._part(model) as part:
            wanted = wanted_files(model, hub)
            here = sum(path.stat().st_size for path in part.rglob("*") if path.is_file())
            self._check_room(sum(one.listed.size for one in wanted) - here)
            tell(wanted)
            fetch_files(model, wanted, hub, part, listener)
            return self._placed(model, part, hub.origin)

    def from_folder(self, model: CatalogueModel, given: GivenModel) -> KeptModel:
        """Copy a model of a folder: its revision is not known, nor another file's licence."""
        with self._part(model) as part:
            self._check_room(given.size)
            shutil.rmtree(part)
            try:
                given.copy(part)
                bare = replace(model, revision="", licence=model.licence if given.known else "")
                return self._placed(bare, part, str(given.folder))
            except (ModelError, OSError):
                shutil.rmtree(part, ignore_errors=True)
                raise

    def discard_begun(self, models: Iterable[CatalogueModel]) -> list[Path]:
        """Delete what was begun of models and not ended; give the folders that are gone."""
        begun = [part_of(self._folder(model)) for model in models]
        there = [part for part in begun if part.exists()]
        for part in there:
            shutil.rmtree(part, ignore_errors=True)
        return there

    def _folder(self, model: CatalogueModel) -> Path:
        return self.home / MODELS_FOLDER / model.title

    @contextmanager
    def _part(self, model: CatalogueModel) -> Generator[Path]:
        """Give the folder to get a model into, for this process alone."""
        folder = self._folder(model)
        if folder.exists() and not read_record(folder):
            raise ModelError(
                f"{folder} is there, and this command did not put it there.",
                hint="Move it away, or name it as the folder of an embedder in config.toml.",
            )
        part = part_of(folder)
        try:
            private_folder(part)
            with FileLock(folder.parent / LOCK, timeout=0):
                yield part
        except Timeout:
            raise ModelError(
                "Another process gets a model already.", hint="Wait for it to end."
            ) from None
        except OSError as error:
            raise ModelError(
                f"{model.title} cannot be kept in {folder.parent}: {error.strerror or error}.",
                hint="Make room, or check the rights there; then run the same command again.",
            ) from error

    def _check_room(self, size: int) -> None:
        free = shutil.disk_usage(self.home).free
        if free < size + SPARE_BYTES:
            raise ModelError(
                f"The disk of {self.home} has {free / 1e6:,.0f} MB left: too few for"
                f" {size / 1e6:,.0f} MB and some to spare.",
                hint="Make room, and run the same command again.",
            )

    def _placed(self, model: CatalogueModel, part: Path, origin: str) -> KeptModel:
        """Try a model and put it in its place, with its record."""
        _try(model, part)
        folder = self._folder(model)
        kept = KeptModel(
            folder=folder,
            name=model.name,
            purpose=model.purpose,
            repository=model.repository,
            revision=model.revision,
            licence=model.licence,
            origin=origin,
            at=datetime.now(UTC).isoformat(timespec="seconds"),
            files=files_in(part, [file.name for file in model.files]),
        )
        write_record(kept, part)
        place(part, folder)
        return kept


def _try(model: CatalogueModel, folder: Path) -> None:
    """Let a model read something. Raises ModelError where it does not run here."""
    there = str(folder.absolute())
    if model.purpose == "embedder":
        embedder = LocalEmbedder(EmbedderSettings("local", folder=there), folder)
        embedder.embed_query("Does it run?")
    else:
        reranker = LocalReranker(RerankerSettings("local", folder=there), folder)
        reranker.rerank("Does it run?", ["It does.", "A test."])
