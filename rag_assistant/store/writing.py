"""What is written to a database, and a database as a whole. Any engine promises this.

There is one writer at a time: whoever writes holds the database's lock (`library.writing`). What
cannot be written, as on a full disk, raises LibraryError; what is not what was written raises
IndexDamaged.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from collections.abc import Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from rag_assistant.store.reading import Ledger, StoreReader
    from rag_assistant.values.embeddings import PassageWords, VectorKind
    from rag_assistant.values.ledger import FileChange, FileWritten
    from rag_assistant.values.scope import Scope

Carried = Mapping[str, Callable[[str], str]]
"""Facts that a database made anew keeps, each by what gives its text as it is kept now.

That raises ValueError, TypeError, LookupError or AttributeError where a text makes no sense; such a
fact is left behind.
"""


class StoreWriter(Protocol):
    """Writes what a run over a folder finds. Readers see it from the next `commit` on.

    They never see a part; what is not committed when the writer is closed is undone.
    """

    @property
    def ledger(self) -> Ledger:
        """The files and the facts, as they are with what was written so far."""
        ...

    @property
    def notes(self) -> Sequence[str]:
        """What a person should know of how the database was opened: that it was made anew."""
        ...

    @property
    def commit_pause(self) -> float:
        """How many seconds should lie between two commits at least, by what each costs."""
        ...

    def set_facts(self, values: Mapping[str, str]) -> None:
        """Remember facts of the database itself."""
        ...

    def write(self, change: FileChange) -> FileWritten:
        """Write what came of one file.

        An entry of a path and key that were there before keeps its id, one that comes back within
        some weeks gets its id back, and so does a record that brings an id along that is free. An
        id is never given to another entry. The text before the last one is kept.
        """
        ...

    def withhold(self, reasons: Mapping[int, str]) -> None:
        """Withhold the entries of these files, by id with the reason, and of no others any more."""
        ...

    def commit(self) -> None:
        """Make everything since the last commit durable, and let it be read."""
        ...

    def roll_back(self) -> None:
        """Undo everything since the last commit."""
        ...

    def finish(self) -> list[str]:
        """End a whole run: find versions, give passages their kept vectors, commit, and tidy up.

        Gives what a person should know of it.
        """
        ...


class Store(Protocol):
    """One database: its content behind readers and a writer, and its state as a whole."""

    def reading(self, scope: Scope | None = None) -> AbstractContextManager[StoreReader]:
        """Read one snapshot, in one thread, of all or of what is in a scope.

        Raises IndexOutdated where the database is of another version, and else as a reader does;
        for a store elsewhere, the reader may do so with what is first read of it.
        """
        ...

    def writing(
        self, *, anew: bool = False, carry: Carried | None = None
    ) -> AbstractContextManager[StoreWriter]:
        """Write; made if there is none, and made anew where it is damaged or of another version.

        Or where it is to be `anew`. Of what it was, the ids of entries, what the person allowed
        and the vectors come along, and the facts that `carry` names. A damaged one is set aside.
        """
        ...

    def add_vectors(
        self,
        kind: VectorKind,
        passages: Sequence[PassageWords],
        vectors: Mapping[int, NDArray[np.float32]],
    ) -> int:
        """Write the vectors of passages, by id, at once; leave out passages that changed meanwhile.

        A passage without one gets a vector whose cosine with any is 0: it is blank. Those of
        another kind are deleted with the first of a new one. Gives how many were written.
        """
        ...

    def allow(self, entry_id: int | None, *, start: int | None, allowed: bool) -> None:
        """Let models read what is suspicious: of the database, an entry, or its span at `start`.

        Or no longer. Leave for an entry ends when its text changes; it is at once in force.
        """
        ...

    def check(self) -> list[str]:
        """List what is wrong, each in one line; nothing when it is whole. All of it is read."""
        ...

    def is_damaged(self) -> bool:
        """Whether something is wrong with a database that nobody need be writing."""
        ...

    def last_folder(self, *, salvage: bool = False) -> str:
        """Give the folder of a database of whichever version; empty where it cannot be told.

        To `salvage` is to look for it in what can still be read of a damaged one.
        """
        ...

    def settle(self) -> None:
        """Bring all that was written into the database's one file, so that it may be moved."""
        ...
