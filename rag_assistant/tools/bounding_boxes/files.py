"""Which images a model may look at: those of the run's databases and those of the question.

A path comes from a model and may come from a document, so it only ever chooses among files that the
person indexed or attached: nothing left out of an index, no way up, no link out of the folder.
"""

from collections.abc import Sequence
from pathlib import Path, PurePath

from rag_assistant.errors import ToolFailed
from rag_assistant.library.database import Database


class ImageFiles:
    """The files of one run. It reads databases and disk, so it is used from a thread."""

    def __init__(self, databases: Sequence[Database], attached: Sequence[Path]) -> None:
        self._databases = databases
        self._attached = attached

    def find(self, written: str) -> Path:
        """Give the file that a path means: as in a hit, absolute, or an attached file's name.

        Raises ToolFailed for every other path, in the same words whether there is such a file.
        """
        attached = [path for path in self._attached if written in (str(path), path.name)]
        try:
            found = {path.resolve(strict=True) for path in attached}
            if not found and ".." not in PurePath(written).parts:
                found = set(filter(None, (_in(one, Path(written)) for one in self._databases)))
        except (OSError, ValueError, RuntimeError):  # missing, a null character, a circle of links
            found = set()
        if len(found) > 1:
            places = ", ".join(sorted(map(str, found)))
            raise ToolFailed(f"{written!r:.200} may be one of {places}.", hint="Give one of them.")
        if not found:
            raise ToolFailed(
                f"{written!r:.200} is no image of these databases or of the question.",
                hint="Give a path as it stands in a search result, or an attached file's name.",
            )
        return found.pop()


def _in(database: Database, path: Path) -> Path | None:
    """Give the place of a file that `database` knows, read or not; None for any other."""
    folder = Path(database.folder())
    top = folder.resolve()
    if path.is_absolute():
        above = next((one for one in (folder, top) if path.is_relative_to(one)), None)
        if above is None:
            return None
        path = path.relative_to(above)
    place = (folder / path).resolve(strict=True)
    if not place.is_relative_to(top):
        return None
    # Most images hold no text and are known as files that could not be read. A link is known by
    # its own path or by that of what it leads to.
    known = {entry.path for entry in database.entries()}
    known.update(line.path for line in database.ledger("failed"))
    names = {path.as_posix(), place.relative_to(top).as_posix()}
    return place if names & known else None
