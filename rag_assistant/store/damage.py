"""What is said of a database that cannot be read or written, whatever engine keeps it."""

from pathlib import Path

from rag_assistant.errors import IndexDamaged, LibraryError


def damaged(path: Path, error: Exception) -> IndexDamaged:
    """Say that a file cannot be read as a database, and which command mends it."""
    return IndexDamaged(
        f"The database {path.stem!r} is damaged: {path} ({error}).",
        hint=f"Mend it: `rag-assistant databases repair {path.stem}`.",
    )


def cannot_be_written(path: Path, error: Exception) -> LibraryError:
    """Say that a database cannot be written, as on a full disk."""
    return LibraryError(
        f"The database {path.stem!r} cannot be written: {error}.",
        hint="Check the space left on the disk, and run the same command again.",
    )
