"""Fetching the files of a model into a folder: each whole and checked, or a `.part` to go on from.

A file takes its name only when its size and hash are those that the hub lists.
"""

import hashlib
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from rag_assistant.errors import ModelError
from rag_assistant.files.moving import move
from rag_assistant.models.fetched.catalogue import NEEDED, CatalogueFile, CatalogueModel
from rag_assistant.models.fetched.hub import Hub, ListedFile
from rag_assistant.models.fetched.hub_faults import BrokenFetch, wrong
from rag_assistant.models.patience import Failure

MOST_OVER = 2
"""A listing of more than so many times the catalogue's size is not what a person agreed to."""

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class FetchProgress:
    """How far fetching is, in bytes of all files; `file` is the one that is fetched."""

    file: str
    done: int
    total: int


FetchListener = Callable[[FetchProgress], None]


@dataclass(frozen=True, slots=True)
class WantedFile:
    """A file that is to be fetched, with what the hub lists of it."""

    file: CatalogueFile
    listed: ListedFile

    @property
    def hash(self) -> str:
        """The hash that the hub lists, with its kind."""
        listed = self.listed
        return f"sha256 {listed.sha256}" if listed.sha256 else f"git sha1 {listed.git}"


def wanted_files(model: CatalogueModel, hub: Hub) -> list[WantedFile]:
    """Ask the hub for the files of a model. Raises ModelError where they are not as they should be.

    What lies in no listing and is not needed is left out.
    """
    listing = _patiently(hub, lambda: hub.listing(model.repository, model.revision))
    wanted: list[WantedFile] = []
    for file in model.files:
        listed = listing.get(file.path)
        if listed is None:
            if file.name in NEEDED:
                raise ModelError(
                    f"{hub.host} lists no {file.path} in {model.repository}.",
                    hint="Look for a newer rag-assistant, or give the files by --from FOLDER.",
                )
            continue
        if not (listed.sha256 or listed.git) or (file.sha256 or listed.sha256) != listed.sha256:
            raise ModelError(
                f"{hub.host} lists another {file.path} of {model.repository} than it should be.",
                hint="Nothing was fetched. Check HF_ENDPOINT: it may be a mirror to mistrust.",
            )
        wanted.append(WantedFile(file, listed))
    total = sum(one.listed.size for one in wanted)
    if total > MOST_OVER * model.size:
        raise ModelError(
            f"{hub.host} lists {total / 1e6:,.0f} MB for {model.title}, not about"
            f" {model.size / 1e6:,.0f}.",
            hint="Nothing was fetched. Check HF_ENDPOINT: it may be a mirror to mistrust.",
        )
    return wanted


def fetch_files(
    model: CatalogueModel,
    wanted: list[WantedFile],
    hub: Hub,
    folder: Path,
    listener: FetchListener,
) -> None:
    """Fetch files into a folder, those that are not there whole. Raises ModelError and OSError."""
    total, done = sum(one.listed.size for one in wanted), 0
    for one in wanted:
        before = done

        def tell(came: int, before: int = before, name: str = one.file.name) -> None:
            listener(FetchProgress(name, before + came, total))

        _fetch(_FileFetch(model, one, hub, folder / one.file.name), tell)
        done += one.listed.size
        tell(one.listed.size)


@dataclass(frozen=True, slots=True)
class _FileFetch:
    model: CatalogueModel
    wanted: WantedFile
    hub: Hub
    place: Path

    @property
    def part(self) -> Path:
        return self.place.with_name(f"{self.place.name}.part")

    def is_right(self, path: Path) -> bool:
        """Whether a file is the one that the hub lists."""
        listed = self.wanted.listed
        if not path.is_file() or path.stat().st_size != listed.size:
            return False
        # Of small files git's own hash is listed: of their size and their bytes.
        head = b"" if listed.sha256 else f"blob {listed.size}\0".encode()
        digest = hashlib.sha256() if listed.sha256 else hashlib.sha1(head, usedforsecurity=False)
        with path.open("rb") as opened:
            while piece := opened.read(1 << 20):
                digest.update(piece)
        return digest.hexdigest() == (listed.sha256 or listed.git)

    def receive(self, tell: Callable[[int], None]) -> None:
        """Take what is left of the file, behind the part that is there."""
        size, name = self.wanted.listed.size, self.wanted.file.path
        have = self.part.stat().st_size if self.part.exists() else 0
        if have > size:
            self.part.unlink()
            have = 0
        elif have == size and self.part.exists():
            return
        model = self.model
        with self.hub.opened(model.repository, model.revision, name, have) as stream:
            came = stream.start
            with self.part.open("r+b" if self.part.exists() else "wb") as out:
                out.truncate(came)
                out.seek(came)
                for piece in stream.pieces:
                    came += len(piece)
                    if came > size:
                        break
                    out.write(piece)
                    tell(came)
        if came > size:
            self.part.unlink()
            raise wrong(self.hub.host, name, f"it goes on after {size:,} bytes")
        if came < size:
            raise BrokenFetch(f"{self.hub.host} ended {name} after {came:,} of {size:,} bytes.")


def _fetch(fetch: _FileFetch, tell: Callable[[int], None]) -> None:
    """Fetch one file. One that was begun before and turns out wrong is fetched anew, once."""
    if fetch.is_right(fetch.place):
        return
    fetch.place.parent.mkdir(parents=True, exist_ok=True)
    for _ in range(1 + fetch.part.exists()):
        _patiently(fetch.hub, lambda: fetch.receive(tell))
        if fetch.is_right(fetch.part):
            move(fetch.part, fetch.place)
            return
        fetch.part.unlink()
    said = f"its hash is not the listed {fetch.wanted.hash[:23]}…"
    raise wrong(fetch.hub.host, fetch.wanted.file.path, said)


def _patiently(hub: Hub, attempt: Callable[[], Result]) -> Result:
    """Try again a few times where that may get on."""
    retried = 0
    while True:
        try:
            return attempt()
        except BrokenFetch as fault:
            wait = hub.patience.wait_after(Failure(fault, may_pass=True, wait=fault.wait), retried)
            if wait is None:
                raise
        time.sleep(wait)
        retried += 1
