"""The secrets of the entries that a request carries, read from their databases as a whole."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from rag_assistant.egress.secrets.known import Secret, secrets_of
from rag_assistant.errors import RagError
from rag_assistant.store.opening import database_file, store_at


class EntrySecrets:
    """Reads entries of a home's databases, each once; keep it for one run."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, int], tuple[Secret, ...]] = {}

    def of(self, home: Path, entries: Sequence[tuple[str, int]]) -> Iterator[Secret]:
        """Give the secrets of entries. It blocks.

        An entry that cannot be read has none here: what is sent of it is still masked by itself.
        """
        for database in {name for name, _ in entries}:
            new = [
                id_ for name, id_ in entries if name == database and (name, id_) not in self._found
            ]
            self._read(database_file(home, database), database, new)
        for entry in entries:
            yield from self._found.get(entry, ())

    def _read(self, path: Path, database: str, ids: Sequence[int]) -> None:
        if not ids or not path.is_file():
            return
        try:
            with store_at(path).reading() as reader:
                for entry_id in ids:
                    self._found[database, entry_id] = secrets_of(reader.passages.text(entry_id))
        except RagError:
            return
