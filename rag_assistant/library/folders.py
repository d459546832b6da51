"""What a folder must be to be indexed; each refusal is one line with the next step."""

from pathlib import Path
from typing import NoReturn

from rag_assistant.errors import FolderError, LibraryError
from rag_assistant.library.progress import SyncReport


def absolute(folder: Path) -> Path:
    """Give the absolute path of a folder as a person wrote it."""
    try:
        return folder.expanduser().absolute()
    except RuntimeError as error:  # "~someone" whom the system does not know
        raise FolderError(f"There is no folder {folder}.", hint="Check the path.") from error


def check_folder(folder: Path, name: str, *, there: bool, prune: bool) -> None:
    """Refuse what is no folder; `there` says whether the database `name` exists already.

    The folder of a database may be gone when its entries are to go as well.
    """
    if folder.is_dir():
        return
    if folder.exists():
        raise FolderError(
            f"{folder} is a file, not a folder.",
            hint=f"Index the folder that it is in: {folder.parent}.",
        )
    if not there:
        raise FolderError(f"There is no folder {folder}.", hint="Check the path.")
    if not prune:
        raise FolderError(
            f"The folder {folder} has gone; the database {name!r} keeps its entries.",
            hint=f"Bring it back, or empty the database: `rag-assistant index {folder} --prune`.",
        )


def check_owner(folder: Path, name: str, owner: str) -> None:
    """Refuse to index a folder into the database `name`, which is that of the folder `owner`."""
    if owner not in ("", str(folder)):
        raise LibraryError(
            f"The database {name!r} already holds {owner}.",
            hint=f"Choose another name: `rag-assistant index {folder} --name NAME`.",
        )


def refuse_empty(folder: Path, report: SyncReport) -> NoReturn:
    """Say that a folder holds nothing to index."""
    skipped = f" ({len(report.skipped)} skipped)" if report.skipped else ""
    first = f" {report.skipped[0][0]}: {report.skipped[0][1]}." if report.skipped else ""
    raise FolderError(
        f"The folder {folder} holds no file that can be read{skipped}.{first}",
        hint="Give a folder with documents.",
    )
