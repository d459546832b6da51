"""What a database holds, in words: for whoever is to choose where to look, a model above all."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class DatabaseAbout:
    """What is said of a database, and the ids of the entries whose titles are in it."""

    database: str
    text: str
    entries: tuple[int, ...] = ()
