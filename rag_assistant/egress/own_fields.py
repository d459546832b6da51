"""What of a request is the protocol's own and no text: it goes as it is."""

from dataclasses import dataclass

Path = tuple[str, ...]
"""The keys that lead to a value in JSON, `*` for any place in a list."""


@dataclass(frozen=True, slots=True)
class OwnFields:
    """Where a request holds what is the protocol's own: `names` go as they are, and `pictures`
    where they are such."""

    names: frozenset[Path] = frozenset()
    pictures: frozenset[Path] = frozenset()


NO_FIELDS = OwnFields()
"""Of a request that is all text."""
