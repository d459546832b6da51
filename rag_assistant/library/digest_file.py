"""What was found in passages for a question, kept beside a database so that a digest that was ended
goes on where it was. It holds places and hashes, and no word of a document or of a question.

A line that a kill cut off is left out; places of a text that has changed are never asked for.
"""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from rag_assistant.files.moving import delete
from rag_assistant.files.private_files import open_private, write_private

SUFFIX = ".digests"

MOST_LINES = 20_000
"""Lines of a file; of more the older half is dropped."""

Place = tuple[int, int, int]
"""An entry's id, and the first and last character of a quote of its text."""


@dataclass(frozen=True, slots=True)
class PartFound:
    """What was found in a part of some documents, with the confidence of who looked."""

    places: tuple[Place, ...]
    confidence: int


def key_of(*parts: object) -> str:
    """Give what a part is kept under: another one once a text, the question or who looks is."""
    return sha256(json.dumps(parts).encode()).hexdigest()[:32]


class DigestFile:
    """The parts that were looked at so far, for one database."""

    def __init__(self, database: Path) -> None:
        self._path = database.with_suffix(SUFFIX)
        self._known: dict[str, PartFound] = {}
        lines = self._lines()
        if len(lines) > MOST_LINES:
            lines = lines[len(lines) // 2 :]
            write_private(self._path, "".join(f"{line}\n" for line in lines))
        for line in lines:
            if read := _read(line):
                self._known[read[0]] = read[1]

    def get(self, key: str) -> PartFound | None:
        """Give what was found in a part; None where it was not looked at."""
        return self._known.get(key)

    def add(self, key: str, found: PartFound) -> None:
        """Keep what was found, at once. Raises OSError."""
        self._known[key] = found
        # The line before may have been cut off: an empty line does no harm.
        with open_private(self._path, "a") as stream:
            stream.write(f"\n{json.dumps([key, found.confidence, found.places])}\n")

    def _lines(self) -> Sequence[str]:
        try:
            written = self._path.read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ()
        return [line for line in written.splitlines() if line]


def discard_digests(database: Path) -> None:
    """Delete what is kept of a database that is gone. Raises OSError, FileInUse."""
    delete(database.with_suffix(SUFFIX))


def _read(line: str) -> tuple[str, PartFound] | None:
    try:
        key, confidence, places = json.loads(line)
        return str(key), PartFound(tuple(_places(places)), int(confidence))
    except (ValueError, TypeError):
        return None


def _places(written: Iterable[Sequence[int]]) -> Iterable[Place]:
    for entry_id, start, end in written:
        yield int(entry_id), int(start), int(end)
